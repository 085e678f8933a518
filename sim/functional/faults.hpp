// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/micro_op.hpp"

#include <string>

namespace coulomb::functional {

/// Throws KernelFault: "<what> in kernel <name> at pc 0x...: <instruction>, CTA (x, y, z), warp w,
/// lane l". `lane` -1: the whole warp.
[[noreturn]] void throw_fault(const Context& ctx, const std::string& what, int lane);
/// The same for a memory access of one lane.
[[noreturn]] void throw_access_fault(const Context& ctx,
                                     const std::string& what,
                                     int lane,
                                     MemorySpace space,
                                     std::uint64_t address);
/// Throws UnsupportedError naming kernel, pc and instruction text.
[[noreturn]] void throw_unsupported(const Context& ctx);

} // namespace coulomb::functional
