// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/memory_access.hpp"

#include <fmt/format.h>

namespace coulomb::functional {
namespace {
using isa::OperandKind;

/// In-register transposition of four 16-byte elements into four rows of four lanes.
using Quad = std::uint32_t __attribute__((vector_size(16)));

void transpose(Quad& a, Quad& b, Quad& c, Quad& d) {
  const Quad ab_lo = __builtin_shuffle(a, b, Quad{0, 4, 1, 5});
  const Quad ab_hi = __builtin_shuffle(a, b, Quad{2, 6, 3, 7});
  const Quad cd_lo = __builtin_shuffle(c, d, Quad{0, 4, 1, 5});
  const Quad cd_hi = __builtin_shuffle(c, d, Quad{2, 6, 3, 7});
  a = __builtin_shuffle(ab_lo, cd_lo, Quad{0, 1, 4, 5});
  b = __builtin_shuffle(ab_lo, cd_lo, Quad{2, 3, 6, 7});
  c = __builtin_shuffle(ab_hi, cd_hi, Quad{0, 1, 4, 5});
  d = __builtin_shuffle(ab_hi, cd_hi, Quad{2, 3, 6, 7});
}

Quad load_quad(const void* p) {
  Quad q;
  std::memcpy(&q, p, sizeof q);
  return q;
}

void gather128(std::uint32_t* d, const std::uint8_t* data, const std::uint32_t* offset) {
  for (int l = 0; l < kLanes; l += 4) {
    Quad q[4];
    for (int i = 0; i < 4; ++i) {
      q[i] = load_quad(data + offset[l + i]);
    }
    transpose(q[0], q[1], q[2], q[3]);
    for (int w = 0; w < 4; ++w) {
      std::memcpy(d + w * kLanes + l, &q[w], sizeof(Quad));
    }
  }
}

void scatter128(const std::uint32_t* s, std::uint8_t* data, const std::uint32_t* offset) {
  for (int l = 0; l < kLanes; l += 4) {
    Quad q[4];
    for (int w = 0; w < 4; ++w) {
      q[w] = load_quad(s + w * kLanes + l);
    }
    transpose(q[0], q[1], q[2], q[3]);
    for (int i = 0; i < 4; ++i) {
      std::memcpy(data + offset[l + i], &q[i], sizeof(Quad));
    }
  }
}

template <unsigned Size>
void load_all(std::uint32_t* dst, const std::uint8_t* data, const LaneOffsets& lanes) {
  if constexpr (Size == k32) {
    if (lanes.contiguous) {
      std::memcpy(dst, data + lanes.offset[0], kRowBytes);
      return;
    }
  }
  if constexpr (Size == k128) {
    gather128(dst, data, lanes.offset);
  } else {
    for (int l = 0; l < kLanes; ++l) {
      load_lane<Size>(dst + l, data + lanes.offset[l]);
    }
  }
}
} // namespace

void lower_address(Lowering& low, int i, bool extended) {
  const isa::Operand& o = low.operand(i);
  MicroOp& op = low.op;
  const bool pair = extended && (!o.has_uniform || o.wide);
  op.src[0] = register_row(o.index);
  op.src_hi[0] =
      register_row(pair && o.index != isa::kRegisterZero ? o.index + 1U : isa::kRegisterZero);
  op.value = static_cast<std::uint32_t>(o.value);
  op.aux[0] = o.scale & 3U;
  if (o.has_uniform && !o.descriptor && o.uniform != isa::kUniformZero) {
    op.address_uniform = o.uniform;
  }
}

bool bypasses_l1(unsigned order) {
  // 7 STRONG.GPU, 8 MMIO.GPU, 10 STRONG.SYS, 12 MMIO.SYS
  return order == 7 || order == 8 || order == 10 || order == 12;
}

void global_addresses(Context& ctx, const MicroOp& op) {
  const std::uint32_t* lo = row(ctx, op.src[0]);
  const std::uint32_t* hi = row(ctx, op.src_hi[0]);
  const bool bare = op.src[0] == register_row(isa::kRegisterZero);
  auto add = bare ? std::uint64_t{op.value}
                  : static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(op.value)});
  if (op.address_uniform != kNoUniform) {
    add += join(ctx.warp.uniform[op.address_uniform], ctx.warp.uniform[op.address_uniform + 1U]);
  }
  std::uint64_t* a = ctx.result.access.address.data();
#pragma GCC ivdep
  for (int l = 0; l < kLanes; ++l) {
    a[l] = join(lo[l], hi[l]) + add;
  }
}

namespace {
/// Address arithmetic of the 32-bit spaces.
class Window {
public:
  Window(Context& ctx, const MicroOp& op)
      : base_(row(ctx, op.src[0])), shift_(kShifts[op.aux[0] & 3]), add_(op.value) {
    if (op.address_uniform != kNoUniform) {
      add_ += ctx.warp.uniform[op.address_uniform];
    }
  }
  [[nodiscard]] std::uint32_t address(int l) const { return (base_[l] << shift_) + add_; }

private:
  static constexpr unsigned kShifts[4] = {0, 2, 3, 4};
  const std::uint32_t* base_;
  unsigned shift_;
  std::uint32_t add_;
};
} // namespace

void window_addresses(Context& ctx, const MicroOp& op) {
  const Window window(ctx, op);
  std::uint64_t* a = ctx.result.access.address.data();
#pragma GCC ivdep
  for (int l = 0; l < kLanes; ++l) {
    a[l] = window.address(l);
  }
}

namespace {
/// Range, alignment and contiguity of finished offsets.
void classify(const Context& ctx, LaneOffsets& lanes, std::uint64_t size, std::uint32_t bytes) {
  std::uint32_t highest = 0;
  std::uint32_t low_bits = 0;
  std::uint32_t broken = 0;
  for (std::uint32_t l = 0; l < kLanes; ++l) {
    highest = std::max(highest, lanes.offset[l]);
    low_bits |= lanes.offset[l];
    broken |= (lanes.offset[l] - l * bytes) ^ lanes.offset[0];
  }
  lanes.valid = size >= bytes && highest <= size - bytes && (low_bits & (bytes - 1)) == 0;
  lanes.contiguous = broken == 0 && ctx.exec == kAllLanes;
}

/// Lets inactive lanes repeat the first executing one.
void fill_inactive(const Context& ctx, std::uint32_t* offset) {
  const std::uint32_t first = offset[std::countr_zero(ctx.exec)];
  alignas(64) std::uint32_t m[kLanes];
  expand_mask(ctx.exec, m);
  for (int l = 0; l < kLanes; ++l) {
    offset[l] = (offset[l] & m[l]) | (first & ~m[l]);
  }
}
} // namespace

LaneOffsets
lane_offsets(const Context& ctx, std::uint64_t base, std::uint64_t size, std::uint32_t bytes) {
  LaneOffsets lanes;
  const std::uint64_t* a = ctx.result.access.address.data();
  if (size > 0xffffffffU) {
    return lanes;
  }
  std::uint64_t any_high = 0;
  if (ctx.exec == kAllLanes) {
    for (int l = 0; l < kLanes; ++l) {
      const std::uint64_t rel = a[l] - base;
      any_high |= rel;
      lanes.offset[l] = static_cast<std::uint32_t>(rel);
    }
  } else {
    for (int l = 0; l < kLanes; ++l) {
      const std::uint64_t rel = a[l] - base;
      any_high |= rel & (0U - std::uint64_t{ctx.exec >> l & 1U});
      lanes.offset[l] = static_cast<std::uint32_t>(rel);
    }
    fill_inactive(ctx, lanes.offset);
  }
  classify(ctx, lanes, size, bytes);
  lanes.valid = lanes.valid && any_high >> 32 == 0;
  return lanes;
}

LaneOffsets
window_offsets(Context& ctx, const MicroOp& op, std::uint64_t size, std::uint32_t bytes) {
  LaneOffsets lanes;
  const Window window(ctx, op);
  std::uint64_t* a = ctx.result.access.address.data();
#pragma GCC ivdep
  for (int l = 0; l < kLanes; ++l) {
    const std::uint32_t offset = window.address(l);
    lanes.offset[l] = offset;
    a[l] = offset;
  }
  if (ctx.exec != kAllLanes) {
    fill_inactive(ctx, lanes.offset);
  }
  classify(ctx, lanes, size, bytes);
  return lanes;
}

template <unsigned Size>
void load_lanes(const Context& ctx,
                std::uint32_t* dst,
                const std::uint8_t* data,
                const LaneOffsets& lanes) {
  if (ctx.exec == kAllLanes) {
    load_all<Size>(dst, data, lanes);
    return;
  }
  constexpr unsigned kWords = bytes_of(Size) < 4 ? 1 : bytes_of(Size) / 4;
  alignas(64) std::uint32_t t[kWords * kLanes];
  load_all<Size>(t, data, lanes);
  for (unsigned w = 0; w < kWords; ++w) {
    store_row(ctx, dst + w * kLanes, t + w * kLanes);
  }
}

template <unsigned Size>
void store_lanes(const Context& ctx,
                 const std::uint32_t* src,
                 std::uint8_t* data,
                 const LaneOffsets& lanes) {
  if (ctx.exec != kAllLanes) {
    each_lane(ctx.exec, [&](int l) { store_lane<Size>(src + l, data + lanes.offset[l]); });
    return;
  }
  if constexpr (Size == k32) {
    if (lanes.contiguous) {
      std::memcpy(data + lanes.offset[0], src, kRowBytes);
      return;
    }
  }
  if constexpr (Size == k128) {
    scatter128(src, data, lanes.offset);
  } else {
    for (int l = 0; l < kLanes; ++l) {
      store_lane<Size>(src + l, data + lanes.offset[l]);
    }
  }
}

#define COULOMB_INSTANTIATE(size)                                                                  \
  template void load_lanes<size>(const Context&, std::uint32_t*, const std::uint8_t*,              \
                                 const LaneOffsets&);                                              \
  template void store_lanes<size>(const Context&, const std::uint32_t*, std::uint8_t*,             \
                                  const LaneOffsets&);
COULOMB_INSTANTIATE(kU8)
COULOMB_INSTANTIATE(kS8)
COULOMB_INSTANTIATE(kU16)
COULOMB_INSTANTIATE(kS16)
COULOMB_INSTANTIATE(k32)
COULOMB_INSTANTIATE(k64)
COULOMB_INSTANTIATE(k128)
#undef COULOMB_INSTANTIATE

void global_fault(const Context& ctx, int lane, std::uint64_t address, std::uint32_t bytes) {
  if (address % bytes != 0) {
    throw_access_fault(
        ctx, fmt::format("misaligned access: {} bytes at global address {:#x}", bytes, address),
        lane, MemorySpace::global, address);
  }
  throw_access_fault(ctx, "illegal access: " + ctx.memory.describe(address, bytes), lane,
                     MemorySpace::global, address);
}

void window_fault(
    const Context& ctx, MemorySpace space, int lane, std::uint64_t address, std::uint32_t bytes) {
  const bool shared = space == MemorySpace::shared;
  const char* name = shared ? "shared" : "local";
  if (address % bytes != 0) {
    throw_access_fault(
        ctx, fmt::format("misaligned access: {} bytes at {} address {:#x}", bytes, name, address),
        lane, space, address);
  }
  const std::size_t size = shared ? ctx.cta.shared.size() : ctx.kernel.local_bytes;
  throw_access_fault(
      ctx,
      fmt::format("illegal access: {} bytes at {} address {:#x}, outside the {} bytes of the {}",
                  bytes, name, address, size, shared ? "CTA" : "thread"),
      lane, space, address);
}

void check_window(const Context& ctx, MemorySpace space, std::uint64_t size, std::uint32_t bytes) {
  each_lane(ctx.exec, [&](int l) {
    const std::uint64_t a = ctx.result.access.address[static_cast<std::size_t>(l)];
    if (a % bytes != 0 || a > size || bytes > size - a) {
      window_fault(ctx, space, l, a, bytes);
    }
  });
}

const std::uint8_t* global_read(const Context& ctx, int lane, std::uint32_t bytes) {
  const std::uint64_t a = ctx.result.access.address[static_cast<std::size_t>(lane)];
  if (a % bytes == 0) {
    try {
      return ctx.memory.read(a, bytes);
    } catch (const KernelFault&) {
      global_fault(ctx, lane, a, bytes); // says the same, and where in the kernel
    }
  }
  global_fault(ctx, lane, a, bytes);
}

std::uint8_t* global_write(const Context& ctx, int lane, std::uint32_t bytes) {
  const std::uint64_t a = ctx.result.access.address[static_cast<std::size_t>(lane)];
  if (a % bytes != 0) {
    global_fault(ctx, lane, a, bytes);
  }
  try {
    return ctx.memory.write(a, bytes);
  } catch (const KernelFault& fault) {
    throw_access_fault(ctx, std::string("illegal access: ") + fault.what(), lane,
                       MemorySpace::global, a);
  }
}

} // namespace coulomb::functional
