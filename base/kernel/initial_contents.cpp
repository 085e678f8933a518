// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/kernel/argument.hpp"
#include "base/kernel/bfloat16.hpp"
#include "base/kernel/expression.hpp"
#include "base/kernel/float16.hpp"
#include "base/kernel/normal_deviates.hpp"
#include "base/npy.hpp"
#include "base/random.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace coulomb::kernel {
namespace {

/// Stored as their bits; tell half, bfloat16 and bool from uint16 and uint8 at compile time.
struct Half {
  std::uint16_t bits;
};
struct Bfloat {
  std::uint16_t bits;
};
struct Boolean {
  std::uint8_t bits;
};

template <class T>
T convert(double v) {
  if constexpr (std::is_same_v<T, Half>) {
    return Half{float16_from_double(v)};
  } else if constexpr (std::is_same_v<T, Bfloat>) {
    return Bfloat{bfloat16_from_double(v)};
  } else if constexpr (std::is_same_v<T, Boolean>) {
    return Boolean{static_cast<std::uint8_t>(v != 0.0 ? 1 : 0)};
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(v);
  } else {
    // Saturates, as the GPU's own conversions do.
    if (!(v > static_cast<double>(std::numeric_limits<T>::min()))) {
      return std::numeric_limits<T>::min();
    }
    return v >= static_cast<double>(std::numeric_limits<T>::max()) ? std::numeric_limits<T>::max()
                                                                   : static_cast<T>(v);
  }
}

/// Writes elements made by `make(i)`, a function of double. In blocks, so that the conversion is
/// vectorised.
template <class T, class Make>
void fill_with(std::uint8_t* out, std::uint64_t count, Make make) {
  constexpr std::uint64_t kBlock = 512;
  std::array<double, kBlock> made;
  std::array<T, kBlock> elements;
  for (std::uint64_t begin = 0; begin < count; begin += kBlock) {
    const std::uint64_t length = std::min(kBlock, count - begin);
    for (std::uint64_t i = 0; i < length; ++i) {
      made[i] = make(begin + i);
    }
    for (std::uint64_t i = 0; i < length; ++i) {
      elements[i] = convert<T>(made[i]);
    }
    std::memcpy(out + begin * sizeof(T), elements.data(), length * sizeof(T));
  }
}

double expression_element(const Expression& expression, std::uint64_t i) {
  ExpressionValue index;
  index.scalar = static_cast<std::int64_t>(i);
  const Scope scope{[&index](const std::string& name) { return name == "i" ? &index : nullptr; }};
  const ExpressionValue v = expression.evaluate(scope);
  if (!v.is_list) {
    if (const auto* d = std::get_if<double>(&v.scalar)) {
      return *d;
    }
    if (const auto* n = std::get_if<std::int64_t>(&v.scalar)) {
      return static_cast<double>(*n);
    }
    if (const auto* b = std::get_if<bool>(&v.scalar)) {
      return *b ? 1.0 : 0.0;
    }
  }
  throw UserError(
      fmt::format("fill expression \"{}\": element {} is not a number", expression.text(), i));
}

/// Writes elements that are the low bytes of `make()`.
template <class T, class Make>
void fill_bits(std::uint8_t* out, std::uint64_t count, Make make) {
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t bits = make();
    if constexpr (std::is_same_v<T, Boolean>) {
      bits &= 1;
    }
    std::memcpy(out + i * sizeof(T), &bits, sizeof(T)); // little-endian, as the GPU is
  }
}

template <class T>
void fill(std::uint8_t* out, const Argument& a) {
  switch (a.fill.kind) {
  case FillKind::constant:
    return fill_with<T>(out, a.count, [&](std::uint64_t) { return a.fill.value; });
  case FillKind::sequence:
    return fill_with<T>(out, a.count, [](std::uint64_t i) { return static_cast<double>(i); });
  case FillKind::normal: {
    NormalDeviates deviates(RandomStream(a.fill.seed, "fill normal"));
    return fill_with<T>(out, a.count,
                        [&](std::uint64_t) { return deviates.next() * a.fill.value; });
  }
  case FillKind::uniform: {
    RandomStream stream(a.fill.seed, "fill uniform");
    return fill_with<T>(out, a.count,
                        [&](std::uint64_t) { return stream.uniform() * a.fill.value; });
  }
  case FillKind::expression: {
    const Expression expression = Expression::parse(a.fill.expression);
    return fill_with<T>(out, a.count,
                        [&](std::uint64_t i) { return expression_element(expression, i); });
  }
  case FillKind::bits:
    return fill_bits<T>(out, a.count, [&] { return a.fill.seed; });
  case FillKind::random: {
    RandomStream stream(a.fill.seed, "fill random");
    return fill_bits<T>(out, a.count, [&] { return stream.next(); });
  }
  case FillKind::file:
  case FillKind::npy:
  case FillKind::keep:
    return; // handled by the caller: there the bytes are the contents
  }
}

void copy_file(std::uint8_t* out, const Argument& a, std::uint64_t bytes) {
  const std::string contents = read_file(a.fill.path);
  if (contents.size() != bytes) {
    throw UserError(fmt::format("argument \"{}\": {} has {} bytes, expected {} ({} elements of {})",
                                a.name, a.fill.path, contents.size(), bytes, a.count,
                                element_type_name(a.type)));
  }
  std::memcpy(out, contents.data(), bytes);
}

void copy_npy(std::uint8_t* out, const Argument& a) {
  const NpyArray array = read_npy(a.fill.path);
  const std::string wanted = element_type_dtype(a.type);
  // Bits without a meaning of their own: how extensions of NumPy store bfloat16.
  const bool same = array.dtype == wanted ||
                    (a.type == ElementType::bf16 && array.dtype.substr(1) == "V2") ||
                    (a.type == ElementType::boolean && array.dtype == "|u1");
  if (!same) {
    throw UserError(fmt::format("argument \"{}\": {} has dtype '{}', {} needs '{}'", a.name,
                                a.fill.path, array.dtype, element_type_name(a.type), wanted),
                    "convert it, for example array.astype(numpy.float32)");
  }
  if (array.count() != a.count) {
    throw UserError(fmt::format("argument \"{}\": {} has {} elements, expected {}", a.name,
                                a.fill.path, array.count(), a.count));
  }
  std::copy(array.data.begin(), array.data.end(), out);
}

} // namespace

bool starts_zero(const Argument& argument) {
  return argument.fill.kind == FillKind::keep ||
         (argument.fill.kind == FillKind::constant && argument.fill.value == 0.0 &&
          !std::signbit(argument.fill.value));
}

void write_initial_contents(const Argument& argument, std::uint8_t* out) {
  if (argument.fill.kind == FillKind::file) {
    copy_file(out, argument, argument_bytes(argument));
    return;
  }
  if (argument.fill.kind == FillKind::npy) {
    copy_npy(out, argument);
    return;
  }
  if (argument.fill.kind == FillKind::keep) {
    std::memset(out, 0, argument_bytes(argument));
    return;
  }
  // In the order of ElementType.
  constexpr void (*kFills[kElementTypeCount])(std::uint8_t*, const Argument&) = {
      fill<std::int8_t>,  fill<std::uint8_t>,  fill<std::int16_t>, fill<std::uint16_t>,
      fill<std::int32_t>, fill<std::uint32_t>, fill<std::int64_t>, fill<std::uint64_t>,
      fill<Half>,         fill<float>,         fill<double>,       fill<Bfloat>,
      fill<Boolean>};
  kFills[static_cast<std::size_t>(argument.type)](out, argument);
}

std::vector<std::uint8_t> initial_contents(const Argument& argument) {
  std::vector<std::uint8_t> contents(argument_bytes(argument));
  if (!starts_zero(argument)) {
    write_initial_contents(argument, contents.data());
  }
  return contents;
}

} // namespace coulomb::kernel
