// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/executor.hpp"

#include <cstdint>

namespace coulomb::functional {

struct MicroOp;
struct Context;

/// Executes one lowered instruction for the lanes of `Context::exec`.
using Handler = void (*)(Context&, const MicroOp&);

/// Where a row of 32 lanes lies: byte offset from `Context::base[row & 3]`, in the upper 30 bits.
/// Rows are 128 bytes, except in the uniform file, whose values are single words that only scalar
/// code may read.
using Row = std::uint32_t;
enum RowBase : std::uint32_t {
  kRegisterBase = 0,
  kPoolBase = 1,
  kScratchBase = 2,
  kUniformBase = 3
};
inline constexpr std::uint32_t kRowBytes = 128;

[[nodiscard]] constexpr Row register_row(unsigned index) {
  return index * kRowBytes;
}
[[nodiscard]] constexpr Row pool_row(unsigned index) {
  return index * kRowBytes | kPoolBase;
}
[[nodiscard]] constexpr Row scratch_row(unsigned index) {
  return index * kRowBytes | kScratchBase;
}
[[nodiscard]] constexpr Row uniform_word(unsigned index) {
  return index * 4 | kUniformBase;
}

/// The first rows of the pool are zero: the data of a store from RZ, up to 128 bits.
inline constexpr unsigned kPoolZeroRows = 4;

/// Scratch rows: four that swallow results written to RZ, two that hold a broadcast uniform
/// register pair.
inline constexpr unsigned kScratchTrash = 0;
inline constexpr unsigned kScratchUniform = 4;
inline constexpr unsigned kScratchRows = 6;

/// A predicate operand: number in bits 0..2, kPredicateUniform, kPredicateNot.
inline constexpr std::uint8_t kPredicateUniform = 0x40;
inline constexpr std::uint8_t kPredicateNot = 0x80;
inline constexpr std::uint8_t kNoUniform = 0xff;

/// Source modifiers, bit i for source i: negate (or invert), and above them absolute.
inline constexpr unsigned kAbsoluteShift = 4;

/// One instruction, lowered once at load: no decoding is left to do when it runs.
struct MicroOp {
  Handler handler = nullptr;
  Handler inner =
      nullptr; ///< what a prologue handler (uniform operand, rounding mode, UP guard) calls
  Row dst = scratch_row(kScratchTrash);
  Row src[3] = {register_row(255), register_row(255), register_row(255)};
  Row src_hi[3] = {register_row(255), register_row(255),
                   register_row(255)}; ///< high words of 64-bit sources
  std::uint32_t value = 0;             ///< memory offset, branch target, mask: per handler
  std::uint8_t guard = 7;              ///< predicate operand
  std::uint8_t pdst[2] = {7, 7};       ///< predicate destinations, 7 = none
  std::uint8_t psrc[3] = {7, 7, 7};
  std::uint8_t modifiers = 0;
  std::uint8_t uniform =
      kNoUniform; ///< UR that is broadcast into kScratchUniform before the handler runs
  std::uint8_t address_uniform = kNoUniform; ///< UR that a memory instruction adds to its address
  std::uint8_t rounding = 0;                 ///< 0 RN, 1 RM, 2 RP, 3 RZ
  std::uint8_t aux[3] = {};                  ///< sub-operation, per handler
};
static_assert(sizeof(MicroOp) <= 64);

/// What a handler may touch. Built on the stack for each step.
struct Context {
  Context(WarpState& w,
          CtaState& c,
          const MachineState& m,
          StepResult& r,
          GlobalMemory& g,
          const ExecutableKernel::Impl& k,
          const void* pool,
          std::uint32_t lanes)
      : warp(w), cta(c), machine(m), result(r), memory(g), kernel(k), exec(lanes),
        pc(w.pc), // the pool is only read; the cast lets all bases share one type
        base{reinterpret_cast<char*>(&w.registers), static_cast<char*>(const_cast<void*>(pool)),
             reinterpret_cast<char*>(&scratch), reinterpret_cast<char*>(&w.uniform)} {}

  WarpState& warp;
  CtaState& cta;
  const MachineState& machine;
  StepResult& result;
  GlobalMemory& memory;
  const ExecutableKernel::Impl& kernel;
  std::uint32_t exec; ///< active lanes whose guard holds; never 0 in a vector handler
  std::uint32_t pc;   ///< of this instruction; warp.pc already points past it
  char* base[4];
  alignas(64) std::uint32_t scratch[kScratchRows][kLanes]; ///< not initialised
};

[[nodiscard]] inline std::uint32_t* row(Context& ctx, Row r) {
  return reinterpret_cast<std::uint32_t*>(ctx.base[r & 3] + (r & ~3U));
}

/// Lane mask of a predicate operand.
[[nodiscard]] inline std::uint32_t predicate(const Context& ctx, std::uint8_t p) {
  const std::uint32_t flip = 0U - (p >> 7);
  if ((p & kPredicateUniform) != 0) {
    return (ctx.warp.uniform_predicates[p & 7] ? ~0U : 0U) ^ flip;
  }
  return ctx.warp.predicates[p & 7] ^ flip;
}

/// Writes the executing lanes of a predicate; 7 swallows the result.
inline void set_predicate(Context& ctx, std::uint8_t p, std::uint32_t lanes) {
  if (p != 7) {
    std::uint32_t& old = ctx.warp.predicates[p];
    old = (old & ~ctx.exec) | (lanes & ctx.exec);
  }
}

} // namespace coulomb::functional
