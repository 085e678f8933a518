// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/cubin.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace coulomb::isa {

/// A run of instructions that is entered at its first and left after its last one only.
struct BasicBlock {
  std::uint32_t first = 0; ///< index in KernelImage::code
  std::uint32_t count = 0;
  std::vector<std::uint32_t> successors{};       ///< block numbers, ascending
  bool may_leave = false;                        ///< ends in an EXIT or RET, whatever its predicate
  bool reachable = false;                        ///< from the kernel's first instruction
  std::optional<std::uint32_t> post_dominator{}; ///< immediate; none: the end of the thread
};

/// A branch back to a block that dominates it.
struct NaturalLoop {
  std::uint32_t header = 0;          ///< block number
  std::uint32_t latch = 0;           ///< block that branches back
  std::vector<std::uint32_t> blocks; ///< of the body with header and latch, ascending
};

/// Control-flow graph of one kernel: what may follow what, whichever way predicates fall.
/// A call goes to its target and, since callees return, to the instruction behind it; a RET ends
/// its path.
class FlowGraph {
public:
  /// Throws UserError, naming kernel and pc, for a branch out of the section, and UnsupportedError
  /// for a BRX whose targets the cubin does not list.
  explicit FlowGraph(const KernelImage& kernel);

  [[nodiscard]] const std::vector<BasicBlock>& blocks() const { return blocks_; }
  /// Number of the block that holds the instruction of that index.
  [[nodiscard]] std::uint32_t block_of(std::uint32_t instruction) const;
  /// Loops of the reachable blocks, ordered by header, then latch.
  [[nodiscard]] std::vector<NaturalLoop> loops() const;

private:
  std::vector<BasicBlock> blocks_;
  std::vector<std::uint32_t> block_of_; ///< [instruction]
};

} // namespace coulomb::isa
