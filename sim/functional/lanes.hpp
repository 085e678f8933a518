// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/micro_op.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

/// Lane loops. Rows are either the same row or disjoint, and a lane reads and writes only its own
/// column, so that `ivdep` is true and the compiler may vectorise without looking for overlap.
namespace coulomb::functional {

inline constexpr std::uint32_t kAllLanes = 0xffffffffU;

/// all ones in the lanes of `mask`, zero elsewhere.
inline void expand_mask(std::uint32_t mask, std::uint32_t* out) {
  for (std::uint32_t l = 0; l < kLanes; ++l) {
    out[l] = 0U - ((mask >> l) & 1U);
  }
}

/// Bit l = top bit of row[l].
[[nodiscard]] inline std::uint32_t top_bits(const std::uint32_t* row) {
#if defined(__AVX2__)
  std::uint32_t mask = 0;
  for (int i = 0; i < 4; ++i) {
    const __m256i v = _mm256_load_si256(reinterpret_cast<const __m256i*>(row + 8 * i));
    mask |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(v))) << (8 * i);
  }
  return mask;
#else
  std::uint32_t mask = 0;
  for (int l = 0; l < kLanes; ++l) {
    mask |= (row[l] >> 31) << l;
  }
  return mask;
#endif
}

/// Lane mask of a condition; `f(lane)` -> bool.
template <class F>
[[gnu::always_inline]] inline std::uint32_t lanes_where(F f) {
  alignas(64) std::uint32_t t[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    t[l] = f(l) ? 0xffffffffU : 0U;
  }
  return top_bits(t);
}

/// d[l] = f(l) in the executing lanes; `f` has no side effects.
template <class F>
[[gnu::always_inline]] inline void for_lanes(const Context& ctx, std::uint32_t* d, F f) {
  if (ctx.exec == kAllLanes) {
#pragma GCC ivdep
    for (int l = 0; l < kLanes; ++l) {
      d[l] = f(l);
    }
  } else {
    alignas(64) std::uint32_t m[kLanes];
    expand_mask(ctx.exec, m);
#pragma GCC ivdep
    for (int l = 0; l < kLanes; ++l) {
      const std::uint32_t r = f(l);
      d[l] = (r & m[l]) | (d[l] & ~m[l]);
    }
  }
}

/// The same for a 64-bit result in the row pair d, d + 32 words.
template <class F>
[[gnu::always_inline]] inline void for_lanes64(const Context& ctx, std::uint32_t* d, F f) {
  std::uint32_t* h = d + kLanes;
  if (ctx.exec == kAllLanes) {
#pragma GCC ivdep
    for (int l = 0; l < kLanes; ++l) {
      const std::uint64_t r = f(l);
      d[l] = static_cast<std::uint32_t>(r);
      h[l] = static_cast<std::uint32_t>(r >> 32);
    }
  } else {
    alignas(64) std::uint32_t m[kLanes];
    expand_mask(ctx.exec, m);
#pragma GCC ivdep
    for (int l = 0; l < kLanes; ++l) {
      const std::uint64_t r = f(l);
      d[l] = (static_cast<std::uint32_t>(r) & m[l]) | (d[l] & ~m[l]);
      h[l] = (static_cast<std::uint32_t>(r >> 32) & m[l]) | (h[l] & ~m[l]);
    }
  }
}

/// Copies a finished row into a register row, executing lanes only.
inline void store_row(const Context& ctx, std::uint32_t* d, const std::uint32_t* values) {
  for_lanes(ctx, d, [&](int l) { return values[l]; });
}

/// Calls f(lane) for each executing lane in ascending order.
template <class F>
inline void each_lane(std::uint32_t mask, F f) {
  while (mask != 0) {
    const int l = std::countr_zero(mask);
    mask &= mask - 1;
    f(l);
  }
}

[[nodiscard]] inline std::uint64_t join(std::uint32_t lo, std::uint32_t hi) {
  return lo | std::uint64_t{hi} << 32;
}

/// The 64-bit value of source `i` in lane `l`.
[[nodiscard]] inline std::uint64_t source64(Context& ctx, const MicroOp& op, int i, int l) {
  return join(row(ctx, op.src[i])[l], row(ctx, op.src_hi[i])[l]);
}

} // namespace coulomb::functional
