// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/memory_access.hpp"

#include <fmt/format.h>

/// Indexed loads from the constant banks.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

/// src[0]: register index, value: offset, aux[0]: size code, aux[1]: bank. Beyond the bank's
/// contents reads zero.
void ldc(Context& ctx, const MicroOp& op) {
  const auto& bank = ctx.kernel.banks.bank[op.aux[1]];
  const unsigned size = op.aux[0];
  const std::uint32_t bytes = bytes_of(size);
  const std::uint32_t* index = row(ctx, op.src[0]);
  std::uint32_t* d = row(ctx, op.dst);
  describe_access(ctx, MemorySpace::constant, bytes, true, false);
  for (unsigned l = 0; l < kLanes; ++l) {
    ctx.result.access.address[l] = std::uint32_t{index[l] + op.value};
  }
  each_lane(ctx.exec, [&](int l) {
    const std::uint64_t a = ctx.result.access.address[static_cast<std::size_t>(l)];
    if (a % bytes != 0) {
      throw_fault(
          ctx, fmt::format("misaligned access: {} bytes at constant address {:#x}", bytes, a), l);
    }
    std::uint8_t v[16] = {};
    if (a + bytes <= bank.size()) {
      std::memcpy(v, bank.data() + a, bytes);
    }
    switch (size) {
    case kU8:
      load_lane<kU8>(d + l, v);
      break;
    case kS8:
      load_lane<kS8>(d + l, v);
      break;
    case kU16:
      load_lane<kU16>(d + l, v);
      break;
    case kS16:
      load_lane<kS16>(d + l, v);
      break;
    case k32:
      load_lane<k32>(d + l, v);
      break;
    default:
      load_lane<k64>(d + l, v);
      break;
    }
  });
}

Handler lower_ldc(Lowering& low) {
  const isa::Operand& o = low.operand(1);
  const unsigned size = low.modifier(Modifier::size);
  if (low.modifier(Modifier::mode) != 0 || size > k64) {
    return nullptr;
  }
  low.dst(0);
  low.op.src[0] = register_row(o.index);
  low.op.value = static_cast<std::uint32_t>(o.value);
  low.op.aux[0] = static_cast<std::uint8_t>(size);
  low.op.aux[1] = o.bank & 31;
  return ldc;
}
} // namespace

Handler select_constant(Lowering& low) {
  return low.in.opcode == Opcode::LDC ? lower_ldc(low) : nullptr;
}

} // namespace coulomb::functional
