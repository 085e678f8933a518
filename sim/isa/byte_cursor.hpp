// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace coulomb::isa {

/// Reads little-endian bytes one after the other. Every read is checked: throws UserError
/// "`origin`: `what` ...; the file is damaged" past the end.
class ByteCursor {
public:
  ByteCursor(std::span<const std::uint8_t> bytes, std::string origin, std::string what);

  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  [[nodiscard]] bool at_end() const { return offset_ >= bytes_.size(); }
  /// Throws UserError if `offset` is behind the end.
  void seek(std::uint64_t offset);
  void skip(std::uint64_t count);

  /// A number of 1, 2, 4 or 8 bytes.
  std::uint64_t number(unsigned width);
  std::uint8_t byte() { return static_cast<std::uint8_t>(number(1)); }
  /// DWARF's LEB128 numbers of up to 64 bits.
  std::uint64_t unsigned_leb();
  std::int64_t signed_leb();
  /// Up to its zero byte, which is passed too.
  std::string_view text();

  /// Throws the UserError for what is wrong at the current offset.
  [[noreturn]] void damaged(std::string_view how) const;

private:
  std::span<const std::uint8_t> bytes_;
  std::string origin_;
  std::string what_;
  std::uint64_t offset_ = 0;
};

} // namespace coulomb::isa
