// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/opcode_table.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace coulomb::calibration::points {

/// The operand that `text` writes in the place of `field`, in the syntax of `coulomb disasm`;
/// nothing if it cannot stand there. Lenient: whoever assembles compares with the disassembly.
/// `pc` is the instruction's byte offset. Packed-half immediates, which are two texts, are not
/// read.
[[nodiscard]] std::optional<isa::Operand>
parse_operand(std::string text, const isa::OperandField& field, std::uint32_t pc);

/// What an operand is that the listing leaves out; nothing if `field` is always printed.
[[nodiscard]] std::optional<isa::Operand> unprinted_operand(const isa::OperandField& field);

} // namespace coulomb::calibration::points
