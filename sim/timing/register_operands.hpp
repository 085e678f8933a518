// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/instruction.hpp"

#include <array>
#include <cstdint>

namespace coulomb::timing {

/// Neighbouring registers of the vector register file, all 32 lanes of each.
struct RegisterSpan {
  std::uint8_t first = isa::kRegisterZero;
  std::uint8_t count = 0; ///< 32-bit registers
};

/// Vector registers that an instruction reads and writes. RZ is none; uniform registers,
/// predicates and constants lie elsewhere.
struct RegisterOperands {
  std::array<RegisterSpan, 4> sources{}; ///< in text order, addresses included
  std::uint8_t source_count = 0;
  RegisterSpan destination; ///< count 0: writes none

  [[nodiscard]] std::uint8_t reads() const; ///< registers of all sources
};

/// Widths follow the fragments and data sizes of the PTX ISA: 64-bit types take two registers,
/// 128-bit accesses four, and a tensor operand rows x columns x element size / 32 lanes.
[[nodiscard]] RegisterOperands register_operands(const isa::Instruction& inst);

} // namespace coulomb::timing
