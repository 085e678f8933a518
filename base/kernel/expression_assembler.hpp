// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/expression_code.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace coulomb::kernel {

enum class CellType : std::uint8_t { integer, real, text };

/// A cell of the frame that is being laid out.
struct Operand {
  CellType type = CellType::integer;
  std::uint16_t at = 0;
};

/// Puts the code of an expression together, instruction by instruction.
class ExpressionAssembler {
public:
  Operand input(std::size_t slot, CellType type);
  Operand constant(const ParameterValue& value);
  Operand temporary(CellType type);

  /// Appends an instruction; its result is a new temporary.
  Operand emit(Opcode op, CellType type, Operand a, Operand b = {});
  /// One whose second operand is a table of integers.
  Operand emit_table(Opcode op, Operand a, std::vector<std::int64_t> table);
  void copy(Operand from, Operand to);
  /// Appends a jump, to be given its target by land().
  std::size_t jump(Opcode op, Operand condition = {});
  void land(std::size_t jump);

  /// The code whose truth is that of the integer `result`; null if it is too large.
  std::shared_ptr<const ExpressionCode> finish(Operand result);

private:
  [[nodiscard]] std::uint16_t placed(std::uint16_t at,
                                     const std::vector<std::size_t>& sorted) const;

  ExpressionCode code_;
  std::size_t temporaries_ = 0;
};

} // namespace coulomb::kernel
