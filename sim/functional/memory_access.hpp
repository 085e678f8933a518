// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/faults.hpp"
#include "sim/functional/kernel_impl.hpp"
#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

/// Address computation and bulk transfers shared by loads, stores, atomics and asynchronous copies.
namespace coulomb::functional {

/// What a lowered memory operand looks like in a MicroOp: base register in src[0] / src_hi[0],
/// offset in `value`, scale code 0..3 in aux[0], added uniform register (pair, if the address is
/// global) in `address_uniform`. aux[1] says whether the timing model must bypass the L1.
inline constexpr std::uint8_t kBypassL1 = 1;

/// Access sizes as encoded.
enum SizeCode : unsigned { kU8, kS8, kU16, kS16, k32, k64, k128 };
[[nodiscard]] constexpr std::uint32_t bytes_of(unsigned size) {
  constexpr std::uint32_t kBytes[7] = {1, 1, 2, 2, 4, 8, 16};
  return kBytes[size];
}

/// Fills the address fields of the MicroOp from memory operand `i`; `extended` is the .E modifier.
void lower_address(Lowering& lowering, int i, bool extended);
/// True for orderings (bits 77..80) that must not be served by the L1.
[[nodiscard]] bool bypasses_l1(unsigned order);

/// Byte address of every lane into result.access.address; 32-bit spaces wrap at 32 bits.
void global_addresses(Context& ctx, const MicroOp& op);
void window_addresses(Context& ctx, const MicroOp& op);

inline void
describe_access(Context& ctx, MemorySpace space, std::uint32_t bytes, bool load, bool store) {
  MemoryAccess& access = ctx.result.access;
  access.space = space;
  access.load = load;
  access.store = store;
  access.atomic = false;
  access.bypass_l1 = false;
  access.async_copy = false;
  access.bytes = static_cast<std::uint8_t>(bytes);
  access.mask = ctx.exec;
}

/// The lanes' addresses relative to one host buffer, if all executing lanes lie inside it and are
/// aligned.
struct alignas(64) LaneOffsets {
  std::uint32_t offset[kLanes]; ///< inactive lanes repeat the first executing one
  bool valid = false;
  bool contiguous = false; ///< lane l at offset[0] + l * bytes, all 32 lanes executing
};
/// `base`, `size`: the buffer. Buffers of 4 GiB and more give !valid.
[[nodiscard]] LaneOffsets
lane_offsets(const Context& ctx, std::uint64_t base, std::uint64_t size, std::uint32_t bytes);

/// The same for a 32-bit space of `size` bytes; computes the addresses as window_addresses does.
[[nodiscard]] LaneOffsets
window_offsets(Context& ctx, const MicroOp& op, std::uint64_t size, std::uint32_t bytes);

/// Loads `size` from data + offset of each lane into the register rows at `dst`.
template <unsigned Size>
void load_lanes(const Context& ctx,
                std::uint32_t* dst,
                const std::uint8_t* data,
                const LaneOffsets& lanes);
/// Stores each executing lane's registers at data + offset.
template <unsigned Size>
void store_lanes(const Context& ctx,
                 const std::uint32_t* src,
                 std::uint8_t* data,
                 const LaneOffsets& lanes);

/// Local memory is word-interleaved: word w of lane l at 128 w + 4 l.
[[nodiscard]] inline std::uint8_t* local_word(Context& ctx, std::uint64_t address, int lane) {
  return ctx.warp.local.data() + (address >> 2) * kRowBytes + static_cast<unsigned>(lane) * 4 +
         (address & 3);
}

/// One lane: registers <-> memory. `d` points at the lane's column of the first row.
template <unsigned Size>
[[gnu::always_inline]] inline void load_lane(std::uint32_t* d, const std::uint8_t* p) {
  if constexpr (Size == kU8) {
    *d = *p;
  } else if constexpr (Size == kS8) {
    *d = static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int8_t>(*p)));
  } else if constexpr (Size == kU16) {
    std::uint16_t v;
    std::memcpy(&v, p, sizeof v);
    *d = v;
  } else if constexpr (Size == kS16) {
    std::int16_t v;
    std::memcpy(&v, p, sizeof v);
    *d = static_cast<std::uint32_t>(std::int32_t{v});
  } else {
    for (unsigned w = 0; w < bytes_of(Size) / 4; ++w) {
      std::memcpy(d + w * kLanes, p + 4 * w, 4);
    }
  }
}

template <unsigned Size>
[[gnu::always_inline]] inline void store_lane(const std::uint32_t* s, std::uint8_t* p) {
  if constexpr (bytes_of(Size) < 4) {
    std::memcpy(p, s, bytes_of(Size));
  } else {
    for (unsigned w = 0; w < bytes_of(Size) / 4; ++w) {
      std::memcpy(p + 4 * w, s + w * kLanes, 4);
    }
  }
}

/// Throws the KernelFault of a global access by lane `l` that is misaligned or outside every
/// buffer.
[[noreturn]] void
global_fault(const Context& ctx, int lane, std::uint64_t address, std::uint32_t bytes);
[[noreturn]] void window_fault(
    const Context& ctx, MemorySpace space, int lane, std::uint64_t address, std::uint32_t bytes);
/// Throws for the first executing lane whose shared or local access is bad; returns if there is
/// none.
void check_window(const Context& ctx, MemorySpace space, std::uint64_t size, std::uint32_t bytes);

/// Host pointer for lane `l`'s access, checked.
[[nodiscard]] const std::uint8_t* global_read(const Context& ctx, int lane, std::uint32_t bytes);
[[nodiscard]] std::uint8_t* global_write(const Context& ctx, int lane, std::uint32_t bytes);

} // namespace coulomb::functional
