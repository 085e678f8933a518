// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/device_printf.hpp"

#include <bit>
#include <gtest/gtest.h>
#include <vector>

namespace coulomb::functional {
namespace {

/// Formats with arguments given as raw bits; a %s argument is an index into `texts`.
PrintfResult formatted(const std::string& format,
                       std::vector<std::uint64_t> bits,
                       const std::vector<std::string>& texts = {},
                       std::vector<std::uint32_t>* sizes = nullptr) {
  std::size_t at = 0;
  return format_printf(format, {[&](std::uint32_t bytes) {
                                  if (sizes != nullptr) {
                                    sizes->push_back(bytes);
                                  }
                                  return bits.at(at++);
                                },
                                [&](std::uint64_t address) { return texts.at(address); }});
}

TEST(DevicePrintf, FormatsWhatTheHostWould) {
  EXPECT_EQ(formatted("%d|%5d|%-5d|%05d|%+d", {0xffffffff, 42, 42, 42, 42}).text,
            "-1|   42|42   |00042|+42");
  EXPECT_EQ(formatted("%u %x %X %#o", {0xffffffff, 255, 255, 8}).text, "4294967295 ff FF 010");
  EXPECT_EQ(formatted("%c%c%%", {'o', 'k'}).text, "ok%");
  EXPECT_EQ(formatted("%s=%.3s", {0, 1}, {"name", "abcdef"}).text, "name=abc");
  const auto bits = [](double d) { return std::bit_cast<std::uint64_t>(d); };
  EXPECT_EQ(formatted("%f %.2e %g %8.3f", {bits(1.5), bits(12345.0), bits(0.1), bits(-2.0)}).text,
            "1.500000 1.23e+04 0.1   -2.000");
  EXPECT_EQ(formatted("%p", {0x700000000}).text, "0x700000000");
}

TEST(DevicePrintf, ReadsEightBytesForLongAndFourForOthers) {
  std::vector<std::uint32_t> sizes;
  const auto result = formatted("%ld %lld %zu %d %hd %f %*d", {1, 2, 3, 4, 5, 0, 6, 7}, {}, &sizes);
  EXPECT_EQ(result.text, "1 2 3 4 5 0.000000      7");
  EXPECT_EQ(sizes, (std::vector<std::uint32_t>{8, 8, 8, 4, 4, 8, 4, 4}));
  EXPECT_EQ(result.arguments, 7);
}

TEST(DevicePrintf, MalformedFormatsEndWithMinusOne) {
  EXPECT_EQ(formatted("a %y b", {}).arguments, -1);
  EXPECT_EQ(formatted("a %y b", {}).text, "a ");
  EXPECT_EQ(formatted("trailing %", {}).arguments, -1);
}

TEST(DevicePrintf, CutsAbsurdWidths) {
  EXPECT_EQ(formatted("%*d", {0x7fffffff, 1}).text.size(), 4096U);
}

} // namespace
} // namespace coulomb::functional
