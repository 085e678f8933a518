// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/instruction.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::sanitizer {

/// Which checks are made.
struct Checks {
  bool memory = false;
  bool race = false;
  bool sync = false;
  bool init = false;
  bool nan = false;
};

/// What an instruction means to the checks of shared and local memory and of barriers.
enum class Role : std::uint8_t {
  none,
  memory,    ///< may access shared or local memory
  swap_read, ///< begins a compare-and-swap loop
  atomic,
  arrive, ///< at an mbarrier
  copy,
  commit_copies,
  wait_copies,
  finish_copies, ///< cp.async.mbarrier.arrive: the barrier tells when they are done
  barrier,
  control, ///< may complete a barrier: lanes that wait or leave
};

/// The role of each instruction of a kernel; none where no check of `checks` needs it.
[[nodiscard]] std::vector<Role> roles_of(const std::vector<isa::Instruction>& code,
                                         const Checks& checks);
/// True if the instruction accesses memory in units smaller than a word.
[[nodiscard]] bool accesses_parts_of_words(const isa::Instruction& instruction);

} // namespace coulomb::sanitizer
