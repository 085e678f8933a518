// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/byte_cursor.hpp"

#include "base/error.hpp"
#include "sim/isa/elf_reader.hpp"

#include <algorithm>

namespace coulomb::isa {
namespace {

constexpr unsigned kLebBits = 7; ///< payload of one byte
constexpr unsigned kNumberBits = 64;
constexpr std::uint8_t kLebMore = 0x80;
constexpr std::uint8_t kLebSign = 0x40;

} // namespace

ByteCursor::ByteCursor(std::span<const std::uint8_t> bytes, std::string origin, std::string what)
    : bytes_(bytes), origin_(std::move(origin)), what_(std::move(what)) {}

void ByteCursor::damaged(std::string_view how) const {
  throw UserError(
      fmt::format("{}: {} at {:#x}: {}; the file is damaged", origin_, what_, offset_, how));
}

void ByteCursor::seek(std::uint64_t offset) {
  if (offset > bytes_.size()) {
    damaged(fmt::format("{:#x} is referred to, behind its end at {:#x}", offset, bytes_.size()));
  }
  offset_ = offset;
}

void ByteCursor::skip(std::uint64_t count) {
  if (count > bytes_.size() - offset_) {
    damaged(fmt::format("{} bytes are needed, {} are left", count, bytes_.size() - offset_));
  }
  offset_ += count;
}

std::uint64_t ByteCursor::number(unsigned width) {
  const std::uint64_t value = read_number(bytes_, offset_, width, origin_, what_);
  offset_ += width;
  return value;
}

std::uint64_t ByteCursor::unsigned_leb() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < kNumberBits; shift += kLebBits) {
    const std::uint8_t part = byte();
    value |= static_cast<std::uint64_t>(part & (kLebMore - 1)) << shift;
    if ((part & kLebMore) == 0) {
      return value;
    }
  }
  damaged("a number of more than 64 bits");
}

std::int64_t ByteCursor::signed_leb() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < kNumberBits; shift += kLebBits) {
    const std::uint8_t part = byte();
    value |= static_cast<std::uint64_t>(part & (kLebMore - 1)) << shift;
    if ((part & kLebMore) == 0) {
      const unsigned bits = shift + kLebBits;
      if ((part & kLebSign) != 0 && bits < kNumberBits) {
        value |= ~std::uint64_t{0} << bits;
      }
      return static_cast<std::int64_t>(value);
    }
  }
  damaged("a number of more than 64 bits");
}

std::string_view ByteCursor::text() {
  const auto tail = bytes_.subspan(offset_);
  const auto end = std::find(tail.begin(), tail.end(), std::uint8_t{0});
  if (end == tail.end()) {
    damaged("a text without its zero byte");
  }
  const auto length = static_cast<std::size_t>(end - tail.begin());
  offset_ += length + 1;
  return {reinterpret_cast<const char*>(tail.data()), length};
}

} // namespace coulomb::isa
