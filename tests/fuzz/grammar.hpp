// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "node.hpp"

#include <span>
#include <string_view>

namespace coulomb::fuzz {

/// One way to write something. In `text`, %u %i %w %l %f %d %b stand for expressions (u32, s32,
/// u64, s64, f32, f64, bool), %B for a block, %K for a constant of 2..65537, %N for a number that
/// no other rule of the program got, %R and %W for the parity that this phase reads and writes.
struct Rule {
  Kind kind;
  int weight;
  std::string_view text;
};

/// Expressions that have operands.
[[nodiscard]] std::span<const Rule> operations();
/// Expressions without (beside constants).
[[nodiscard]] std::span<const Rule> leaves();
/// Statements of a phase without blocks, assignments included.
[[nodiscard]] std::span<const Rule> simple_statements();
/// Statements of a phase that hold blocks.
[[nodiscard]] std::span<const Rule> compound_statements();
/// Warp-wide and block-wide operations between phases.
[[nodiscard]] std::span<const Rule> collectives();

} // namespace coulomb::fuzz
