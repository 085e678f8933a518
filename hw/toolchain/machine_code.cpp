// SPDX-License-Identifier: Apache-2.0
#include "hw/toolchain/machine_code.hpp"

#include "base/hash.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>
#include <memory>

namespace coulomb::toolchain {
namespace {

struct Section {
  std::string name;
  std::string_view bytes; ///< empty for NOBITS
  std::uint64_t size = 0;
  std::uint32_t info = 0;
};

template <typename T>
bool read_at(std::string_view bytes, std::uint64_t offset, T& out) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) {
    return false;
  }
  std::memcpy(&out, bytes.data() + offset, sizeof(T));
  return true;
}

bool inside(std::string_view bytes, const Elf64_Shdr& header) {
  return header.sh_offset <= bytes.size() && bytes.size() - header.sh_offset >= header.sh_size;
}

bool is_elf64(std::string_view bytes, const Elf64_Ehdr& header) {
  return bytes.substr(0, SELFMAG) == std::string_view(ELFMAG, SELFMAG) &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_shentsize == sizeof(Elf64_Shdr);
}

/// Nothing if any header or section lies outside the file.
std::vector<Section> sections_of(std::string_view bytes) {
  Elf64_Ehdr header{};
  if (!read_at(bytes, 0, header) || !is_elf64(bytes, header)) {
    return {};
  }
  std::vector<Elf64_Shdr> headers(header.e_shnum);
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (!read_at(bytes, header.e_shoff + i * sizeof(Elf64_Shdr), headers[i])) {
      return {};
    }
  }
  if (header.e_shstrndx >= headers.size() || !inside(bytes, headers[header.e_shstrndx])) {
    return {};
  }
  const auto& name_header = headers[header.e_shstrndx];
  const std::string_view names = bytes.substr(name_header.sh_offset, name_header.sh_size);
  std::vector<Section> sections;
  for (const auto& h : headers) {
    if (h.sh_name >= names.size() || (h.sh_type != SHT_NOBITS && !inside(bytes, h))) {
      return {};
    }
    Section section;
    section.name = std::string(names.substr(h.sh_name, names.find('\0', h.sh_name) - h.sh_name));
    section.size = h.sh_size;
    section.info = h.sh_info;
    if (h.sh_type != SHT_NOBITS) {
      section.bytes = bytes.substr(h.sh_offset, h.sh_size);
    }
    sections.push_back(std::move(section));
  }
  return sections;
}

constexpr std::string_view kText = ".text.";

/// "saxpy" for _Z5saxpyiPf; templates keep their arguments: "scale<4>".
std::string plain_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || text == nullptr) {
    return symbol;
  }
  std::string name = text.get();
  if (const auto bracket = name.find('('); bracket != std::string::npos) {
    name.resize(bracket);
  }
  // A template function's demangled name starts with its return type.
  if (name.starts_with("void ")) {
    name.erase(0, 5);
  }
  return name;
}

} // namespace

std::vector<std::string> kernel_symbols(std::string_view cubin) {
  std::vector<std::string> symbols;
  for (const auto& section : sections_of(cubin)) {
    if (section.name.starts_with(kText)) {
      symbols.push_back(section.name.substr(kText.size()));
    }
  }
  return symbols;
}

std::string find_symbol(const std::vector<std::string>& symbols, const std::string& kernel_name) {
  std::string found;
  for (const auto& symbol : symbols) {
    if (symbol == kernel_name) {
      return symbol;
    }
    if (plain_name(symbol) == kernel_name) {
      if (!found.empty()) {
        return {};
      }
      found = symbol;
    }
  }
  return found;
}

std::string machine_code_hash(std::string_view cubin, const std::string& symbol) {
  const std::array<std::string, 4> own = {std::string(kText) + symbol, ".nv.constant0." + symbol,
                                          ".nv.constant2." + symbol, ".nv.shared." + symbol};
  constexpr std::array<std::string_view, 3> of_module = {".nv.constant3", ".nv.constant4",
                                                         ".nv.global.init"};
  constexpr unsigned kRegisterShift =
      24; // sh_info of a text section: registers above the symbol index
  std::string seen;
  bool has_code = false;
  for (const auto& section : sections_of(cubin)) {
    bool counts = false;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (section.name == own[i]) {
        // The role, not the name: a renamed kernel is the same machine code.
        seen +=
            fmt::format("{} {} {}\n", i, section.size, i == 0 ? section.info >> kRegisterShift : 0);
        has_code = has_code || i == 0;
        counts = true;
      }
    }
    for (const auto& name : of_module) {
      if (section.name == name) {
        seen += fmt::format("{} {}\n", name, section.size);
        counts = true;
      }
    }
    if (counts) {
      seen += section.bytes;
    }
  }
  return has_code ? hash128_hex(seen) : std::string{};
}

} // namespace coulomb::toolchain
