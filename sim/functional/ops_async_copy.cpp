// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/memory_access.hpp"

/// Asynchronous copies from global to shared memory.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

/// aux[1]: BYPASS, aux[2]: size code | ZFILL << 3. src[0]: global address; src[1]: shared base;
/// src[2] is no row but the offset of the shared address.
void ldgsts(Context& ctx, const MicroOp& op) {
  const std::uint32_t bytes = bytes_of(op.aux[2] & 7);
  const bool zero_fill = (op.aux[2] & 8) != 0;
  global_addresses(ctx, op);
  const std::uint32_t* base = row(ctx, op.src[1]);
  const std::uint32_t copied = predicate(ctx, op.psrc[0]);
  describe_access(ctx, MemorySpace::global, bytes, true, false);
  MemoryAccess& access = ctx.result.access;
  access.async_copy = true;
  access.bypass_l1 = (op.aux[1] & kBypassL1) != 0;
  access.mask = ctx.exec & copied; // the other lanes only write zeros to shared memory
  for (unsigned l = 0; l < kLanes; ++l) {
    access.shared_address[l] = base[l] + op.src[2];
  }
  auto& shared = ctx.cta.shared;
  each_lane(ctx.exec, [&](int l) {
    const auto i = static_cast<std::size_t>(l);
    const std::uint32_t to = access.shared_address[i];
    if (to % bytes != 0 || std::uint64_t{to} + bytes > shared.size()) {
      window_fault(ctx, MemorySpace::shared, l, to, bytes);
    }
    std::uint32_t count = (copied >> l & 1U) != 0 ? bytes : 0;
    if (zero_fill && count != 0) { // the low address bits say how many trailing bytes are zero
      const auto zeros = static_cast<std::uint32_t>(access.address[i] & (bytes - 1));
      access.address[i] -= zeros;
      count = bytes - zeros;
    }
    std::uint8_t* p = shared.data() + to;
    if (count != 0) {
      std::memcpy(p, global_read(ctx, l, bytes), count);
    }
    std::memset(p + count, 0, bytes - count);
  });
}

Handler lower_ldgsts(Lowering& low) {
  const unsigned size = low.modifier(Modifier::size);
  if (size < k32 || size > k128) {
    return nullptr;
  }
  lower_address(low, 1, true);
  low.op.src[1] = register_row(low.operand(0).index);
  low.op.src[2] = static_cast<std::uint32_t>(low.operand(0).value);
  low.psrc(0, 2);
  low.op.aux[1] = low.modifier(Modifier::bypass) == 0 ? kBypassL1 : 0;
  low.op.aux[2] = static_cast<std::uint8_t>(size | low.modifier(Modifier::ZFILL) << 3);
  return ldgsts;
}
} // namespace

Handler select_async_copy(Lowering& low) {
  return low.in.opcode == Opcode::LDGSTS_E ? lower_ldgsts(low) : nullptr;
}

} // namespace coulomb::functional
