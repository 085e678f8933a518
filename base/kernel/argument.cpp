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
  const char* dtype;      ///< NumPy's
  const char* aliases[2]; ///< other spellings that T1 files and CUDA use
};

constexpr std::array<TypeRow, kElementTypeCount> kTypes = {{
    {ElementType::i8, 1, "int8", "|i1", {"char", nullptr}},
    {ElementType::u8, 1, "uint8", "|u1", {"uchar", "unsigned char"}},
    {ElementType::i16, 2, "int16", "<i2", {"short", nullptr}},
    {ElementType::u16, 2, "uint16", "<u2", {"ushort", "unsigned short"}},
    {ElementType::i32, 4, "int32", "<i4", {"int", nullptr}},
    {ElementType::u32, 4, "uint32", "<u4", {"uint", "unsigned int"}},
    {ElementType::i64, 8, "int64", "<i8", {"long", "long long"}},
    {ElementType::u64, 8, "uint64", "<u8", {"ulong", "unsigned long"}},
    {ElementType::f16, 2, "half", "<f2", {"float16", "__half"}},
    {ElementType::f32, 4, "float", "<f4", {"float32", nullptr}},
    {ElementType::f64, 8, "double", "<f8", {"float64", nullptr}},
    {ElementType::bf16, 2, "bfloat16", "<u2", {"bf16", "__nv_bfloat16"}},
    {ElementType::boolean, 1, "bool", "|b1", {nullptr, nullptr}},
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

const char* element_type_dtype(ElementType type) {
  return row(type).dtype;
}

bool is_floating_point(ElementType type) {
  return type == ElementType::f16 || type == ElementType::f32 || type == ElementType::f64 ||
         type == ElementType::bf16;
}

std::uint64_t argument_bytes(const Argument& argument) {
  return argument.count * element_bytes(argument.type);
}

std::string argument_text(const Argument& argument) {
  const std::string type = element_type_name(argument.type);
  if (argument.vector) {
    return fmt::format("{} {}[{}]", argument.name, type, argument.count);
  }
  return argument.count == 1 ? fmt::format("{} {}", argument.name, type)
                             : fmt::format("{} value:{}[{}]", argument.name, type, argument.count);
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
