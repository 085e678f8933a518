// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/instruction.hpp"

#include <cstdint>
#include <string>

namespace coulomb::calibration::points {

/// One line of a listing as `coulomb disasm` prints it, scheduling control first:
///
///     S04 - W0 R- B-1----  @!P0 LDG.E.64 R4, [R2.64+0x10] ;
///
/// becomes the instruction at byte offset `pc`. An offset in comment marks behind the control and
/// the semicolon may be there or not. Every form of the field table can be written except those
/// with packed-half immediates. What is returned prints as `line` again, or UserError is thrown:
/// what does not fit, and the names or forms that come near.
[[nodiscard]] isa::Instruction assemble_line(const std::string& line, std::uint32_t pc);

/// The fields "S04 - W0 R- B-1----". Throws UserError quoting the field that is none.
[[nodiscard]] isa::Control parse_control(const std::string& text);

} // namespace coulomb::calibration::points
