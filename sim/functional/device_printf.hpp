// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace coulomb::functional {

/// Where printf's arguments come from.
struct PrintfArguments {
  /// The next argument as raw bits; `bytes` is 4 or 8 and also its alignment in the buffer.
  std::function<std::uint64_t(std::uint32_t bytes)> next;
  /// The text at a device address.
  std::function<std::string(std::uint64_t address)> text;
};

struct PrintfResult {
  std::string text;
  int arguments = 0; ///< conversions made; -1: the format is malformed
};

/// Formats what device code prints, with the host's own conversions. Source: CUDA C++ Programming
/// Guide, "Formatted Output": % [flags] [width] [.precision] [size] type with flags "# 0+-", sizes
/// h l ll, types cdiouxXpeEfgGaAs; width and precision may be *. float arrives as double.
[[nodiscard]] PrintfResult format_printf(std::string_view format, const PrintfArguments& arguments);

} // namespace coulomb::functional
