// SPDX-License-Identifier: Apache-2.0
// The data of a fuzzed kernel, laid out alike on both sides: it is included by the generated
// programs (NVRTC and g++) and by the fuzzer itself, so it includes nothing.
#pragma once

using u8 = unsigned char;
using s8 = signed char;
using u16 = unsigned short;
using s16 = short;
using u32 = unsigned int;
using s32 = int;
using u64 = unsigned long long;
using s64 = long long;
using f32 = float;
using f64 = double;

/// What a kernel reads: edge values and random ones.
struct FzInput {
  u32 u[256];
  f32 f[256];
  u64 w[256];
  f64 d[256];
};

/// Passed by value: operands in the constant bank.
struct FzConstants {
  u32 p[8];
  f32 q[4];
  f64 r[2];
};

/// One thread's variables.
struct FzState {
  u32 u0, u1, u2, u3;
  s32 i0, i1, i2;
  f32 f0, f1, f2;
  u64 w0, w1;
  s64 l0, l1;
  f64 d0, d1;
};

/// What a thread leaves: its variables and its local array.
struct FzOutput {
  FzState s;
  u32 arr[8];
};

/// Targets of commutative global atomics (their results are not read: the order is free).
struct FzAccumulators {
  u32 u[16];
  s32 i[16];
  u64 w[16];
};

/// A phase writes `x[own parity][tid]` and `acc[own parity]`, and reads those of the other parity.
struct FzShared {
  u32 x[2][128];
  f64 y[2][128];
  u32 acc[2][16];
  u64 wide[2][16];
};
