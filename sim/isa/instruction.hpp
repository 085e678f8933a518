// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/opcode.hpp"

#include <array>
#include <cstdint>

namespace coulomb::isa {

inline constexpr std::uint8_t kRegisterZero = 255; ///< RZ
inline constexpr std::uint8_t kUniformZero = 63;   ///< URZ
inline constexpr std::uint8_t kPredicateTrue = 7;  ///< PT / UPT
inline constexpr std::uint8_t kNoBarrier = 7;
inline constexpr std::uint32_t kInstructionBytes = 16;

enum class OperandKind : std::uint8_t {
  absent,              ///< a conditional operand whose condition does not hold
  reg,                 ///< R: `index`
  uniform_reg,         ///< UR: `index`
  predicate,           ///< P: `index`
  uniform_predicate,   ///< UP: `index`
  immediate,           ///< I: `value`, sign-extended where the field is signed
  f32_immediate,       ///< F32: `value` = the 32 bits
  f64_immediate,       ///< F64: `value` = the whole 64-bit pattern (low word zero)
  f16x2_immediate,     ///< F16x2: `value` = the 32 bits
  constant,            ///< C: c[bank][value]; bindless (cx[UR]) if `has_uniform`, UR in `uniform`
  constant_indexed,    ///< CI: c[bank][R(index) + value]; c[bank][UR(uniform) + value] if
                       ///< `has_uniform` (`index` is then RZ)
  memory,              ///< MEM, see the fields below
  special_register,    ///< SR: `index`
  convergence_barrier, ///< B: `index` (BMOV: 0..31, see isa.json bmov_registers)
  scoreboard,          ///< SB: `index`
  target, ///< TGT: `value` = byte offset of the target in the section; for BRX/CALL R/RET the
          ///<      value to which the register pair is added
  absolute_target, ///< ABSO: `value` = absolute byte address
  lut,             ///< LUT: `value` = 8-bit truth table
  literal,         ///< fixed text (PR)
};

/// Half selector of packed-half operands, as encoded.
enum class HalfSelect : std::uint8_t { both = 0, f32 = 1, low = 2, high = 3 };

struct Operand {
  OperandKind kind = OperandKind::absent;
  std::uint8_t index = 0; ///< register, predicate, special register, barrier or scoreboard number
  std::uint8_t bank = 0;  ///< constant bank
  std::uint8_t uniform = kUniformZero; ///< UR of memory and bindless constant operands
  bool negate = false;                 ///< arithmetic or float negate; predicates: logical not
  bool absolute = false;
  bool invert = false; ///< bitwise not: negate of an .X integer operand, or an `inv` operand
  bool wide = false;   ///< 64-bit register pair (memory: the base is a 64-bit pair)
  bool reuse = false;
  bool has_uniform = false; ///< memory: a UR operand is present
  bool descriptor = false;  ///< memory: the UR pair is a descriptor and is not added to the address
  bool cache_hint = false;  ///< memory: the descriptor carries a cache policy (printed as desc[UR])
  std::uint8_t scale = 0;   ///< memory: base is multiplied by 1, 4, 8, 16 for 0..3
  std::uint8_t select = 0;  ///< HalfSelect, or byte/half selector number of conversions
  std::int64_t value = 0;   ///< immediate bits, constant byte offset, memory offset, target
  bool operator==(const Operand&) const = default;
};

/// Scheduling control of one instruction (bits 105..125).
struct Control {
  std::uint8_t stall = 0; ///< cycles before this warp's next instruction may issue, 0..15
  bool yield = false;     ///< true: the hint to switch to another warp (encoded as 0)
  std::uint8_t write_barrier = kNoBarrier; ///< dependence counter released at write-back
  std::uint8_t read_barrier = kNoBarrier;  ///< dependence counter released at operand read
  std::uint8_t wait_mask = 0;              ///< counters that must be zero before issue
  std::uint8_t reuse = 0; ///< bit i: keep source operand i in the register-file cache
  bool operator==(const Control&) const = default;
};

/// One decoded 128-bit instruction. `operands` follow the order of the opcode's row in the field
/// table, which is the text order; an operand whose condition does not hold is `absent` but keeps
/// its place.
struct Instruction {
  static constexpr int kMaxOperands = 9;
  static constexpr int kMaxModifiers = 12;

  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::uint32_t pc = 0; ///< byte offset in the section
  Opcode opcode = Opcode::NOP;
  std::uint16_t row = 0;               ///< row in the opcode table
  std::uint8_t guard = kPredicateTrue; ///< uniform predicate for U* opcodes
  bool guard_negate = false;
  std::uint8_t operand_count = 0;
  Control control;
  std::array<Operand, kMaxOperands> operands{};
  std::array<std::uint8_t, kMaxModifiers> modifiers{}; ///< raw values, in the row's order

  /// Raw field value of modifier `m`; 0 if this opcode row has no such modifier.
  [[nodiscard]] unsigned modifier(Modifier m) const;
  [[nodiscard]] bool has_guard() const { return guard != kPredicateTrue || guard_negate; }
};

} // namespace coulomb::isa
