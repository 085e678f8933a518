// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/micro_op.hpp"
#include "sim/functional/row_pool.hpp"
#include "sim/isa/instruction.hpp"

namespace coulomb::functional {

/// How the bits of a source operand are to be read, which decides how modifiers of constants are
/// folded.
enum class SourceType : std::uint8_t { integer, f32, f64, half };

/// Turns the operands of one instruction into fields of its MicroOp. The select functions below use
/// it.
class Lowering {
public:
  Lowering(const isa::Instruction& instruction, MicroOp& micro_op, RowPool& pool)
      : in(instruction), op(micro_op), pool_(pool) {}

  const isa::Instruction& in;
  MicroOp& op;

  [[nodiscard]] unsigned modifier(isa::Modifier m) const { return in.modifier(m); }
  [[nodiscard]] const isa::Operand& operand(int i) const {
    return in.operands[static_cast<std::size_t>(i)];
  }
  /// Result register (or pair, quad) from operand `i`; RZ goes to the trash rows.
  void dst(int i);
  void uniform_dst(int i);
  /// Source `slot` from operand `i`. 64-bit sources fill the high row too.
  void src(int slot, int i, SourceType type = SourceType::integer);
  /// Integer source `slot` from a given operand.
  void src_of(int slot, const isa::Operand& o);
  void src64(int slot, int i, SourceType type = SourceType::integer);
  void pdst(int slot, int i);
  void psrc(int slot, int i);
  /// True if any source carries a modifier that the handler has to apply.
  [[nodiscard]] bool has_modifiers() const { return op.modifiers != 0; }
  /// Set when an operand has a form that is not modelled (bindless constants).
  [[nodiscard]] bool failed() const { return failed_; }
  void fail() { failed_ = true; }

private:
  void modifiers(int slot, const isa::Operand& o, SourceType type);
  Row word(const isa::Operand& o, unsigned high, SourceType type);

  RowPool& pool_;
  bool failed_ = false;
};

/// True for opcodes of the uniform datapath, whose guard is a uniform predicate.
[[nodiscard]] bool is_uniform_opcode(isa::Opcode opcode);

/// Each selects the handler of the opcodes of one family and fills the MicroOp; null: not one of
/// mine, or a form that is not modelled.
[[nodiscard]] Handler select_integer(Lowering& lowering);
[[nodiscard]] Handler select_multiply(Lowering& lowering);
[[nodiscard]] Handler select_bits(Lowering& lowering);
[[nodiscard]] Handler select_logic(Lowering& lowering);
[[nodiscard]] Handler select_float(Lowering& lowering);
[[nodiscard]] Handler select_double(Lowering& lowering);
[[nodiscard]] Handler select_half(Lowering& lowering);
[[nodiscard]] Handler select_convert(Lowering& lowering);
[[nodiscard]] Handler select_special(Lowering& lowering);
[[nodiscard]] Handler select_uniform(Lowering& lowering);
[[nodiscard]] Handler select_uniform_bits(Lowering& lowering);
[[nodiscard]] Handler select_warp(Lowering& lowering);
[[nodiscard]] Handler select_memory(Lowering& lowering);
[[nodiscard]] Handler select_atomic(Lowering& lowering);
[[nodiscard]] Handler select_constant(Lowering& lowering);
[[nodiscard]] Handler select_async_copy(Lowering& lowering);
[[nodiscard]] Handler select_branch(Lowering& lowering);
[[nodiscard]] Handler select_convergence(Lowering& lowering);
[[nodiscard]] Handler select_barrier(Lowering& lowering);
[[nodiscard]] Handler select_tensor(Lowering& lowering);

/// Lowers one instruction; false if it is not modelled (its handler then throws UnsupportedError
/// when it runs).
[[nodiscard]] bool lower(const isa::Instruction& instruction, RowPool& pool, MicroOp& op);

} // namespace coulomb::functional
