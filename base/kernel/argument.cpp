// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/argument.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <array>

namespace coulomb::kernel {
namespace {

struct TypeRow {
  ElementType type;
  std::uint32_t bytes;
  const char* name;       ///< as it is printed
  const char* aliases[2]; ///< other spellings that T1 files use
};

constexpr std::array<TypeRow, 11> kTypes = {{
    {ElementType::i8, 1, "int8", {"char", nullptr}},
    {ElementType::u8, 1, "uint8", {"uchar", "unsigned char"}},
    {ElementType::i16, 2, "int16", {"short", nullptr}},
    {ElementType::u16, 2, "uint16", {"ushort", "unsigned short"}},
    {ElementType::i32, 4, "int32", {"int", nullptr}},
    {ElementType::u32, 4, "uint32", {"uint", "unsigned int"}},
    {ElementType::i64, 8, "int64", {"long", nullptr}},
    {ElementType::u64, 8, "uint64", {"ulong", "unsigned long"}},
    {ElementType::f16, 2, "half", {"float16", nullptr}},
    {ElementType::f32, 4, "float", {"float32", nullptr}},
    {ElementType::f64, 8, "double", {"float64", nullptr}},
}};

const TypeRow& row(ElementType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

} // namespace

std::uint32_t element_bytes(ElementType type) {
  return row(type).bytes;
}

const char* element_type_name(ElementType type) {
  return row(type).name;
}

ElementType element_type_from_name(const std::string& name) {
  std::vector<std::string> known;
  for (const TypeRow& r : kTypes) {
    if (name == r.name) {
      return r.type;
    }
    for (const char* alias : r.aliases) {
      if (alias != nullptr && name == alias) {
        return r.type;
      }
    }
    known.emplace_back(r.name);
  }
  throw UserError(fmt::format("unknown element type \"{}\"{}; allowed: {}", name,
                              did_you_mean(name, known), fmt::join(known, ", ")));
}

} // namespace coulomb::kernel
