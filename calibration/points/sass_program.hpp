// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/instruction.hpp"

#include <map>
#include <string>
#include <vector>

namespace coulomb::calibration::points {

/// Machine code written by hand: instructions and all their scheduling control are exactly those of
/// the text, which no compiler reorders.
struct SassProgram {
  std::string origin; ///< file, for messages
  std::vector<isa::Instruction> code;
  unsigned registers = 0; ///< per thread, that the code may touch
};

/// A program text: instructions (assemble_line), each ended by a semicolon or by the end of its
/// line, "//" comments, and
///
///     NAME:            a label; a branch names it in the place of its target
///     .include FILE    the lines of a file beside this one
///     .repeat COUNT [NAME [FIRST [STEP]]]
///                      the lines up to the matching .end, COUNT times; "{NAME}" in them is FIRST,
///                      FIRST + STEP and so on (by default 1, 2, ...), "{NAME:x}" the same in hex
///
/// "${NAME}" is replaced from `values` first. Throws UserError "FILE:LINE: ...".
[[nodiscard]] SassProgram load_program(const std::string& path,
                                       const std::map<std::string, std::string>& values);

/// The cubin `bytes` with the code of its only kernel replaced: the program, then NOPs. Throws
/// UserError if it has several kernels, or if the program is longer or has more registers.
[[nodiscard]] std::string place_program(const std::string& bytes, const SassProgram& program);

} // namespace coulomb::calibration::points
