// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::fuzz {

/// What a node of a program is: an expression of one of seven types, or code.
enum class Kind { u32, s32, u64, s64, f32, f64, boolean, statement, block, phase };

/// A piece of a generated program: `text[0] child[0] text[1] child[1] ... text[n]`. A block joins
/// its children as lines; a phase is a function whose body is child[0].
struct Node {
  Kind kind = Kind::block;
  std::vector<std::string> text = {""}; ///< children + 1; not used by a block
  std::vector<Node> children;

  /// Nodes of this tree: what shrinking makes smaller.
  [[nodiscard]] std::size_t size() const;
  /// Statements and phases of this tree.
  [[nodiscard]] std::size_t statements() const;
  /// Program text; `indent` is the number of spaces before each line of a block.
  [[nodiscard]] std::string render(int indent = 0) const;
};

/// One kernel: a block of phases and of collectives between them, and its launch.
struct Program {
  std::uint64_t index = 0; ///< in the run of its seed
  std::uint32_t width = 32;
  std::uint32_t height = 1;
  std::uint32_t ctas = 1;
  Node steps;

  [[nodiscard]] std::uint32_t threads() const { return width * height; }
  /// The text of the kernel and its phase functions, for both compilers.
  [[nodiscard]] std::string render(const std::string& name) const;
};

} // namespace coulomb::fuzz
