// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::isa {

/// A section; `data` is empty for NOBITS, whose `size` counts bytes that are zero at load.
struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint32_t info = 0;
  std::uint64_t flags = 0;
  std::uint64_t size = 0;
  std::uint64_t alignment = 1;
  std::span<const std::uint8_t> data;
};

struct ElfSymbol {
  std::string_view name;
  std::uint64_t value = 0; ///< offset in its section
  std::uint64_t size = 0;
  std::uint16_t section = 0; ///< index, 0 = undefined
  std::uint8_t type = 0;     ///< kObject, kFunction, ...
  std::uint8_t other = 0;
};

/// One entry of a .rel or .rela section that applies to `target`.
struct ElfRelocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;
  std::int64_t addend = 0;
  bool addend_in_place = false; ///< .rel: the addend is what lies at `offset`
};

inline constexpr std::uint32_t kNoBits = 8;
inline constexpr std::uint8_t kObjectSymbol = 1;
inline constexpr std::uint8_t kFunctionSymbol = 2;

/// Views into a little-endian ELF64 file of the CUDA machine type. The bytes must outlive the
/// reader. Every access is checked against the file: throws UserError naming `origin` and what is
/// wrong.
class ElfReader {
public:
  ElfReader(std::span<const std::uint8_t> bytes, std::string origin);

  [[nodiscard]] const std::vector<ElfSection>& sections() const { return sections_; }
  [[nodiscard]] const std::vector<ElfSymbol>& symbols() const { return symbols_; }
  /// Null if there is none of that name.
  [[nodiscard]] const ElfSection* find_section(std::string_view name) const;
  /// Section of a symbol or other index; throws UserError when out of range.
  [[nodiscard]] const ElfSection& section(std::uint32_t index) const;
  [[nodiscard]] const ElfSymbol& symbol(std::uint32_t index) const;
  /// Entries of .rel`section` and .rela`section`.
  [[nodiscard]] std::vector<ElfRelocation> relocations(std::string_view section) const;

  [[nodiscard]] std::uint32_t flags() const { return flags_; }
  [[nodiscard]] std::uint16_t file_type() const { return file_type_; }
  [[nodiscard]] std::uint8_t abi_version() const { return abi_version_; }
  [[nodiscard]] const std::string& origin() const { return origin_; }

private:
  void read_sections();
  void read_symbols();

  std::span<const std::uint8_t> bytes_;
  std::string origin_;
  std::vector<ElfSection> sections_;
  std::vector<ElfSymbol> symbols_;
  std::uint32_t flags_ = 0;
  std::uint16_t file_type_ = 0;
  std::uint8_t abi_version_ = 0;
};

/// Little-endian number at `offset` of `bytes`; throws UserError "`origin`: `what` ends at ..."
/// past the end.
[[nodiscard]] std::uint64_t read_number(std::span<const std::uint8_t> bytes,
                                        std::uint64_t offset,
                                        unsigned width,
                                        std::string_view origin,
                                        std::string_view what);

} // namespace coulomb::isa
