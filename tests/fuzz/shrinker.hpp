// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "node.hpp"
#include "runner.hpp"

#include <functional>
#include <span>
#include <vector>

namespace coulomb::fuzz {

/// Runs several programs at once, as Runner::run does.
using RunBatch = std::function<std::vector<Outcome>(std::span<const Program>)>;

struct Shrunk {
  Program program;
  Outcome outcome; ///< of `program`
  std::size_t tried = 0;
};

/// Every program that is `program` with one part simpler: statements left out (halves of a block
/// first), a branch in place of its `if`, an operand or a constant in place of an expression. All
/// are valid programs. Smallest first.
[[nodiscard]] std::vector<Program> reductions(const Program& program);

/// The smallest program reached by reductions that keep the verdict of `outcome`; stops after
/// `batches` calls of `run`.
[[nodiscard]] Shrunk
shrink(Program program, Outcome outcome, const RunBatch& run, std::size_t batches = 80);

} // namespace coulomb::fuzz
