// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/element_reader.hpp"

#include "base/kernel/bfloat16.hpp"
#include "base/kernel/float16.hpp"

#include <array>
#include <cstring>

namespace coulomb::kernel {
namespace {

template <class T>
double read(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return static_cast<double>(value);
}

template <double (*convert)(std::uint16_t)>
double read_16(const std::uint8_t* at) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, at, sizeof(bits));
  return convert(bits);
}

/// In the order of ElementType.
constexpr std::array<ElementReader, kElementTypeCount> kReaders = {
    read<std::int8_t>,   read<std::uint8_t>,  read<std::int16_t>,
    read<std::uint16_t>, read<std::int32_t>,  read<std::uint32_t>,
    read<std::int64_t>,  read<std::uint64_t>, read_16<float16_to_double>,
    read<float>,         read<double>,        read_16<bfloat16_to_double>,
    read<std::uint8_t>};

} // namespace

ElementReader element_reader(ElementType type) {
  return kReaders[static_cast<std::size_t>(type)];
}

} // namespace coulomb::kernel
