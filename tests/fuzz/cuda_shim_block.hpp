// SPDX-License-Identifier: Apache-2.0
// The block in lockstep: included by cuda_shim.hpp only.
#pragma once

static inline void fz_start(FzState& s, u32* arr, const FzInput* in, u32 gid);

enum FzShuffle { fz_idx, fz_up, fz_down, fz_xor };

/// The lane that `lane` reads: its own where the source is outside its segment (PTX ISA, shfl).
static inline u32 fz_source_lane(FzShuffle op, u32 lane, u32 b, u32 width) {
  const u32 first = lane & ~(width - 1u);
  const u32 last = first | (width - 1u);
  switch (op) {
  case fz_idx:
    return first | (b & (width - 1u));
  case fz_up:
    return (s32)(lane - b) >= (s32)first ? lane - b : lane;
  case fz_down:
    return lane + b <= last ? lane + b : lane;
  default:
    return (lane ^ b) <= last ? lane ^ b : lane;
  }
}

/// What a collective over the lanes of `mask` gives to `lane`; `v` has the values of all lanes.
#define FZ_FOLD(name, start, operation)                                                            \
  template <class T>                                                                               \
  static T fz_##name(u32 mask, const T* v, u32) {                                                  \
    T r = start;                                                                                   \
    for (u32 j = 0; j < 32; ++j) {                                                                 \
      if (mask >> j & 1u) {                                                                        \
        r = operation;                                                                             \
      }                                                                                            \
    }                                                                                              \
    return r;                                                                                      \
  }
FZ_FOLD(reduce_add, 0, (T)((u64)r + (u64)v[j]))
FZ_FOLD(reduce_min, std::numeric_limits<T>::max(), min(r, v[j]))
FZ_FOLD(reduce_max, std::numeric_limits<T>::min(), max(r, v[j]))
FZ_FOLD(reduce_and, (T)~0u, r& v[j])
FZ_FOLD(reduce_or, 0, r | v[j])
FZ_FOLD(reduce_xor, 0, r ^ v[j])
FZ_FOLD(any, 0, r | (v[j] != 0))
FZ_FOLD(all, 1, r&(v[j] != 0))
template <class T>
static u32 fz_ballot(u32 mask, const T* v, u32) {
  u32 r = 0;
  for (u32 j = 0; j < 32; ++j) {
    r |= (mask >> j & 1u) & (v[j] != 0 ? 1u : 0u) ? 1u << j : 0u;
  }
  return r;
}
template <class T>
static u32 fz_match_any(u32 mask, const T* v, u32 lane) {
  u32 r = 0;
  for (u32 j = 0; j < 32; ++j) {
    r |= (mask >> j & 1u) != 0 && v[j] == v[lane] ? 1u << j : 0u;
  }
  return r;
}

/// The threads of one block.
template <u32 threads>
struct FzBlock {
  FzBlock(const FzInput* in, u32 cta) : first(cta * threads) {
    std::memset(&shared, 0, sizeof shared);
    for (u32 t = 0; t < threads; ++t) {
      fz_start(state[t], arr[t], in, first + t);
    }
  }
  template <class T, class Value, class Parameter, class Store>
  void shuffle(FzShuffle op, u32 width, Value value, Parameter parameter, Store store) {
    T v[threads];
    u32 source[threads];
    for (u32 t = 0; t < threads; ++t) {
      v[t] = value(state[t], t);
      source[t] = (t & ~31u) + fz_source_lane(op, t & 31u, parameter(state[t], t), width);
    }
    for (u32 t = 0; t < threads; ++t) {
      store(state[t], v[source[t]]);
    }
  }
  template <class T, class Member, class Value, class Operation, class Store>
  void warp(Member member, Value value, Operation operation, Store store) {
    for (u32 base = 0; base < threads; base += 32) {
      u32 mask = 0;
      T v[32] = {};
      for (u32 j = 0; j < 32; ++j) {
        if (member(state[base + j], base + j)) {
          mask |= 1u << j;
          v[j] = value(state[base + j], base + j);
        }
      }
      for (u32 j = 0; j < 32; ++j) {
        if (mask >> j & 1u) {
          store(state[base + j], operation(mask, v, j));
        }
      }
    }
  }
  template <class Value>
  u32 votes(Value value) {
    u32 r = 0;
    for (u32 t = 0; t < threads; ++t) {
      r += value(state[t], t) ? 1u : 0u;
    }
    return r;
  }

  FzState state[threads];
  u32 arr[threads][8];
  FzShared shared;
  u32 first;
};

#define FUZZ_PHASE(name)                                                                           \
  static void name(FzState& s, u32* arr, FzShared* sh, const FzInput* in, FzAccumulators* acc,     \
                   const FzConstants& k, const u32 tid, const u32 gid)
#define FUZZ_CALLED_PHASE(name) FUZZ_PHASE(name)
#define FUZZ_KERNEL(name, count)                                                                   \
  extern "C" void name(const FzInput* in, FzOutput* out, FzAccumulators* acc,                      \
                       const FzConstants* constants, u32 cta) {                                    \
    constexpr u32 threads = count;                                                                 \
    const FzConstants& k = *constants;                                                             \
    FzBlock<threads> block(in, cta);
#define FUZZ_END                                                                                   \
  for (u32 t = 0; t < threads; ++t) {                                                              \
    out[block.first + t].s = block.state[t];                                                       \
    std::memcpy(out[block.first + t].arr, block.arr[t], sizeof block.arr[t]);                      \
  }                                                                                                \
  }
#define FUZZ_RUN(phase)                                                                            \
  for (u32 t = 0; t < threads; ++t) {                                                              \
    phase(block.state[t], block.arr[t], &block.shared, in, acc, k, t, block.first + t);            \
  }
#define FUZZ_SHUFFLE(op, T, dst, value, parameter, width)                                          \
  block.template shuffle<T>(                                                                       \
      fz_##op, width, [&](const FzState& s, u32 tid) { return (T)(value); },                       \
      [&](const FzState& s, u32 tid) { return (u32)(parameter); },                                 \
      [](FzState& s, T v) { s.dst = v; });
#define FUZZ_WARP(op, T, dst, member, value)                                                       \
  block.template warp<T>([&](const FzState& s, u32 tid) { return (bool)(member); },                \
                         [&](const FzState& s, u32 tid) { return (T)(value); }, fz_##op<T>,        \
                         [](FzState& s, auto v) { s.dst = v; });
#define fz_vote_count(n) (n)
#define fz_vote_or(n) ((n) != 0)
#define fz_vote_and(n) ((n) == threads)
#define FUZZ_CTA_VOTE(op, dst, value)                                                              \
  {                                                                                                \
    const u32 n = block.votes([&](const FzState& s, u32 tid) { return (value) != 0; });            \
    for (FzState & s : block.state) {                                                              \
      s.dst = fz_vote_##op(n);                                                                     \
    }                                                                                              \
  }
