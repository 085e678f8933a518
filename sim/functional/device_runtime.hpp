// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/micro_op.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

/// Functions of the CUDA device runtime that compiled code calls through absolute addresses, which
/// the driver links at load: vprintf, __assertfail, malloc, free. Arguments are in R4 and up
/// (64-bit ones in even pairs), the result is in R4, the return address in R20:R21. Source:
/// behaviour of compiled code (NVRTC 11.8 and 13.0).
namespace coulomb::functional {

/// First register pair of the return address.
inline constexpr unsigned kReturnRegister = 20;

/// The address that a call of `name` is linked to; nothing if the function is not modelled.
[[nodiscard]] std::optional<std::uint64_t> runtime_entry(std::string_view name);
/// True if `address` is one of those.
[[nodiscard]] bool is_runtime_entry(std::uint64_t address);
/// Performs the call for `lanes`, lane after lane. Throws KernelFault (assertion, bad pointer).
void call_runtime(Context& ctx, std::uint64_t entry, std::uint32_t lanes);

} // namespace coulomb::functional
