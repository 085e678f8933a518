// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace coulomb::toolchain {

/// A header as NVRTC takes it.
struct HostHeader {
  const char* name; ///< as it is included
  const char* text;
};

/// Headers of the host's C library and of the CUDA runtime that kernel sources include although
/// NVRTC knows what they declare (printf, assert, the math functions, the CUDA built-ins) or has no
/// use for it. They make `#include <stdint.h>` of an nvcc source compile without a host compiler's
/// headers; host functions stay unknown, so host code has to be fenced with
/// `#ifndef __CUDACC_RTC__`. The integer types are those of libcu++ under NVRTC.
[[nodiscard]] std::span<const HostHeader> host_headers();

} // namespace coulomb::toolchain
