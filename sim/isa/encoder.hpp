// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/instruction.hpp"

#include <cstdint>

namespace coulomb::isa {

/// A 128-bit instruction word.
struct EncodedWord {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const EncodedWord&) const = default;
};

/// The inverse of `decode`: opcode row, guard, control, modifiers and operands become a word. Bits
/// that no field of the row covers are taken from `instruction.low` and `high`, so an instruction
/// can be decoded, changed and encoded. Throws UserError, naming opcode and operand, for a value
/// that its field cannot hold, or for an operand of another kind than the row has.
[[nodiscard]] EncodedWord encode(const Instruction& instruction);

} // namespace coulomb::isa
