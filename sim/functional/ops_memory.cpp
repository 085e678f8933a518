// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/memory_access.hpp"

#include <array>
#include <utility>

/// Loads and stores of every space.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

// src[1] of a store is its first data register.

template <unsigned Size>
void load_global(Context& ctx, const MicroOp& op) {
  constexpr std::uint32_t kBytes = bytes_of(Size);
  const auto& address = ctx.result.access.address;
  std::uint32_t* d = row(ctx, op.dst);
  const Allocation* a =
      ctx.memory.find(address[static_cast<std::size_t>(std::countr_zero(ctx.exec))]);
  if (a != nullptr) {
    const LaneOffsets lanes = lane_offsets(ctx, a->base, a->bytes, kBytes);
    if (lanes.valid) [[likely]] {
      load_lanes<Size>(ctx, d, a->data, lanes);
      return;
    }
  }
  each_lane(ctx.exec, [&](int l) { load_lane<Size>(d + l, global_read(ctx, l, kBytes)); });
}

template <unsigned Size>
void store_global(Context& ctx, const MicroOp& op) {
  constexpr std::uint32_t kBytes = bytes_of(Size);
  const auto& address = ctx.result.access.address;
  const std::uint32_t* s = row(ctx, op.src[1]);
  const Allocation* a =
      ctx.memory.find(address[static_cast<std::size_t>(std::countr_zero(ctx.exec))]);
  if (a != nullptr) {
    const LaneOffsets lanes = lane_offsets(ctx, a->base, a->bytes, kBytes);
    if (lanes.valid && a->writable) [[likely]] {
      if (lanes.contiguous) {
        (void)ctx.memory.write(address[0], kBytes * kLanes);
      } else {
        (void)ctx.memory.write_lanes(*a, lanes.offset, ctx.exec, kBytes);
      }
      store_lanes<Size>(ctx, s, a->data, lanes);
      return;
    }
  }
  each_lane(ctx.exec, [&](int l) { store_lane<Size>(s + l, global_write(ctx, l, kBytes)); });
}

template <unsigned Size>
void load_shared(Context& ctx, const MicroOp& op, const LaneOffsets& lanes) {
  const auto& shared = ctx.cta.shared;
  if (!lanes.valid) [[unlikely]] {
    check_window(ctx, MemorySpace::shared, shared.size(), bytes_of(Size));
  }
  load_lanes<Size>(ctx, row(ctx, op.dst), shared.data(), lanes);
}

template <unsigned Size>
void store_shared(Context& ctx, const MicroOp& op, const LaneOffsets& lanes) {
  auto& shared = ctx.cta.shared;
  if (!lanes.valid) [[unlikely]] {
    check_window(ctx, MemorySpace::shared, shared.size(), bytes_of(Size));
  }
  store_lanes<Size>(ctx, row(ctx, op.src[1]), shared.data(), lanes);
}

/// The usual case: all lanes at the same word-aligned stack offset.
bool same_local_word(const Context& ctx) {
  const auto& a = ctx.result.access.address;
  std::uint64_t differ = a[0] & 3;
  for (const std::uint64_t x : a) {
    differ |= x ^ a[0];
  }
  return differ == 0;
}

template <unsigned Size>
void load_local(Context& ctx, const MicroOp& op) {
  constexpr std::uint32_t kBytes = bytes_of(Size);
  check_window(ctx, MemorySpace::local, ctx.kernel.local_bytes, kBytes);
  const auto& a = ctx.result.access.address;
  std::uint32_t* d = row(ctx, op.dst);
  if (kBytes >= 4 && ctx.exec == kAllLanes && same_local_word(ctx)) {
    std::memcpy(d, local_word(ctx, a[0], 0), kRowBytes * (kBytes / 4));
    return;
  }
  each_lane(ctx.exec, [&](int l) {
    const std::uint64_t address = a[static_cast<std::size_t>(l)];
    if constexpr (kBytes <= 4) {
      load_lane<Size>(d + l, local_word(ctx, address, l));
    } else {
      for (unsigned w = 0; w < kBytes / 4; ++w) {
        load_lane<k32>(d + w * kLanes + l, local_word(ctx, address + 4 * w, l));
      }
    }
  });
}

template <unsigned Size>
void store_local(Context& ctx, const MicroOp& op) {
  constexpr std::uint32_t kBytes = bytes_of(Size);
  check_window(ctx, MemorySpace::local, ctx.kernel.local_bytes, kBytes);
  const auto& a = ctx.result.access.address;
  const std::uint32_t* s = row(ctx, op.src[1]);
  if (kBytes >= 4 && ctx.exec == kAllLanes && same_local_word(ctx)) {
    std::memcpy(local_word(ctx, a[0], 0), s, kRowBytes * (kBytes / 4));
    return;
  }
  each_lane(ctx.exec, [&](int l) {
    const std::uint64_t address = a[static_cast<std::size_t>(l)];
    if constexpr (kBytes <= 4) {
      store_lane<Size>(s + l, local_word(ctx, address, l));
    } else {
      for (unsigned w = 0; w < kBytes / 4; ++w) {
        store_lane<k32>(s + w * kLanes + l, local_word(ctx, address + 4 * w, l));
      }
    }
  });
}

template <unsigned Size, bool Load>
void access_global(Context& ctx, const MicroOp& op) {
  global_addresses(ctx, op);
  describe_access(ctx, MemorySpace::global, bytes_of(Size), Load, !Load);
  ctx.result.access.bypass_l1 = (op.aux[1] & kBypassL1) != 0;
  if constexpr (Load) {
    load_global<Size>(ctx, op);
  } else {
    store_global<Size>(ctx, op);
  }
}

template <unsigned Size, bool Load>
void access_shared(Context& ctx, const MicroOp& op) {
  const LaneOffsets lanes = window_offsets(ctx, op, ctx.cta.shared.size(), bytes_of(Size));
  describe_access(ctx, MemorySpace::shared, bytes_of(Size), Load, !Load);
  if constexpr (Load) {
    load_shared<Size>(ctx, op, lanes);
  } else {
    store_shared<Size>(ctx, op, lanes);
  }
}

/// Part of a generic access: the addresses are offsets in shared memory already.
template <unsigned Size, bool Load>
void access_shared_part(Context& ctx, const MicroOp& op) {
  const LaneOffsets lanes = lane_offsets(ctx, 0, ctx.cta.shared.size(), bytes_of(Size));
  if constexpr (Load) {
    load_shared<Size>(ctx, op, lanes);
  } else {
    store_shared<Size>(ctx, op, lanes);
  }
}

template <unsigned Size, bool Load>
void access_local(Context& ctx, const MicroOp& op) {
  window_addresses(ctx, op);
  describe_access(ctx, MemorySpace::local, bytes_of(Size), Load, !Load);
  if constexpr (Load) {
    load_local<Size>(ctx, op);
  } else {
    store_local<Size>(ctx, op);
  }
}

/// Executing lanes whose generic address lies in the window at `base`; their addresses become
/// offsets in it.
std::uint32_t take_window(Context& ctx, std::uint64_t base) {
  std::uint32_t lanes = 0;
  auto& a = ctx.result.access.address;
  for (unsigned l = 0; l < kLanes; ++l) {
    const bool inside = a[l] >> kWindowShift == base >> kWindowShift;
    lanes |= (inside ? 1U : 0U) << l;
  }
  lanes &= ctx.exec;
  each_lane(lanes, [&](int l) { a[static_cast<std::size_t>(l)] -= base; });
  return lanes;
}

/// LD, ST: each lane's address decides its space. Lanes of different spaces are served in turn; the
/// access that is reported then is the one of the last space, with the mask of its lanes.
template <unsigned Size, bool Load>
void access_generic(Context& ctx, const MicroOp& op) {
  global_addresses(ctx, op);
  const std::uint32_t all = ctx.exec;
  const std::uint32_t shared = take_window(ctx, kSharedWindow);
  const std::uint32_t local = take_window(ctx, kLocalWindow);
  const std::uint32_t global = all & ~(shared | local);
  const auto serve = [&](std::uint32_t lanes, MemorySpace space, Handler handler) {
    if (lanes != 0) {
      ctx.exec = lanes;
      describe_access(ctx, space, bytes_of(Size), Load, !Load);
      ctx.result.access.bypass_l1 = (op.aux[1] & kBypassL1) != 0;
      handler(ctx, op);
    }
  };
  serve(local, MemorySpace::local, Load ? load_local<Size> : store_local<Size>);
  serve(shared, MemorySpace::shared, access_shared_part<Size, Load>);
  serve(global, MemorySpace::global, Load ? load_global<Size> : store_global<Size>);
  ctx.exec = all;
}

#define COULOMB_SIZES(f, load)                                                                     \
  []<unsigned... S>(std::integer_sequence<unsigned, S...>) {                                       \
    return std::array<Handler, sizeof...(S)>{f<S, load>...};                                       \
  }                                                                                                \
  (std::make_integer_sequence<unsigned, 7>{})

constexpr auto kLoadGlobal = COULOMB_SIZES(access_global, true);
constexpr auto kStoreGlobal = COULOMB_SIZES(access_global, false);
constexpr auto kLoadShared = COULOMB_SIZES(access_shared, true);
constexpr auto kStoreShared = COULOMB_SIZES(access_shared, false);
constexpr auto kLoadLocal = COULOMB_SIZES(access_local, true);
constexpr auto kStoreLocal = COULOMB_SIZES(access_local, false);
constexpr auto kLoadGeneric = COULOMB_SIZES(access_generic, true);
constexpr auto kStoreGeneric = COULOMB_SIZES(access_generic, false);

/// True if the predicate operand `i` is absent or constantly true.
bool always(const Lowering& low, int i) {
  const isa::Operand& o = low.operand(i);
  return o.kind == isa::OperandKind::absent || (o.index == isa::kPredicateTrue && !o.negate);
}

/// True if `bytes` of data begin in a register from which they do not run into RZ.
bool fits_registers(const isa::Operand& data, unsigned size) {
  return data.index == isa::kRegisterZero ||
         data.index + std::max(bytes_of(size) / 4, 1U) <= isa::kRegisterZero;
}

struct LoadShape {
  int dst;
  int address;
  int predicate; ///< -1: none
};

Handler lower_load(Lowering& low, LoadShape shape, const std::array<Handler, 7>& handlers) {
  const unsigned size = low.modifier(Modifier::size);
  if (size > k128 || !fits_registers(low.operand(shape.dst), size) ||
      (shape.predicate >= 0 && !always(low, shape.predicate))) {
    return nullptr;
  }
  low.dst(shape.dst);
  lower_address(low, shape.address, low.modifier(Modifier::E_) != 0);
  low.op.aux[1] = bypasses_l1(low.modifier(Modifier::order)) ? kBypassL1 : 0;
  return handlers[size];
}

Handler lower_store(Lowering& low, const std::array<Handler, 7>& handlers) {
  const unsigned size = low.modifier(Modifier::size);
  if (size > k128 || !fits_registers(low.operand(1), size)) {
    return nullptr;
  }
  lower_address(low, 0, low.modifier(Modifier::E_) != 0);
  const isa::Operand& data = low.operand(1);
  low.op.src[1] = data.index == isa::kRegisterZero ? pool_row(0) : register_row(data.index);
  low.op.aux[1] = bypasses_l1(low.modifier(Modifier::order)) ? kBypassL1 : 0;
  return handlers[size];
}
} // namespace

Handler select_memory(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::LDG:
    return always(low, 0) ? lower_load(low, {1, 2, 3}, kLoadGlobal) : nullptr;
  case Opcode::LD:
    return lower_load(low, {0, 1, 2}, kLoadGeneric);
  case Opcode::LDS:
    return lower_load(low, {0, 1, -1}, kLoadShared);
  case Opcode::LDL:
    return lower_load(low, {0, 1, -1}, kLoadLocal);
  case Opcode::STG:
    return lower_store(low, kStoreGlobal);
  case Opcode::ST:
    return lower_store(low, kStoreGeneric);
  case Opcode::STS:
    return lower_store(low, kStoreShared);
  case Opcode::STL:
    return lower_store(low, kStoreLocal);
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
