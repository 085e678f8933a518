// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/float16.hpp"
#include "base/random.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace coulomb::kernels_test {

/// Bits of an IEEE binary16 and of a bfloat16 element.
struct Half {
  std::uint16_t bits = 0;
};
struct Bfloat {
  std::uint16_t bits = 0;
};

[[nodiscard]] inline Half half(double value) {
  return {kernel::float16_from_double(value)};
}
/// Rounded to nearest even; finite values only.
[[nodiscard]] inline Bfloat bfloat(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return {static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16)};
}
[[nodiscard]] inline double number(Half value) {
  return kernel::float16_to_double(value.bits);
}
[[nodiscard]] inline double number(Bfloat value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}
template <class T>
[[nodiscard]] double number(T value) {
  return static_cast<double>(value);
}

/// Distance of neighbouring numbers of type T at `value`.
template <class T>
[[nodiscard]] double ulp(double value) {
  constexpr int kDigits = std::is_same_v<T, double>   ? 52
                          : std::is_same_v<T, Half>   ? 10
                          : std::is_same_v<T, Bfloat> ? 7
                                                      : 23;
  constexpr int kLowest = std::is_same_v<T, double> ? -1022 : std::is_same_v<T, Half> ? -14 : -126;
  const int exponent = value == 0.0 ? kLowest : std::ilogb(value);
  return std::ldexp(1.0, std::max(exponent, kLowest) - kDigits);
}

/// How far a result may lie from the oracle: the sum of the three. All zero: the oracle's value,
/// rounded to the type.
struct Bound {
  double absolute = 0.0;
  double relative = 0.0;
  double ulps = 0.0;
};

/// The arguments of one launch in the order of the kernel's parameters, with what each buffer has
/// to hold afterwards.
class Problem {
public:
  struct Argument {
    std::vector<std::uint8_t> bytes;
    bool buffer = false;
    std::function<std::string(const std::uint8_t*)> check; ///< what is wrong, or empty
  };

  explicit Problem(std::uint64_t seed = 1) : random_(seed, "kernel proofs") {}

  template <class T>
  void value(T v) {
    arguments_.push_back({raw(&v, 1), false, {}});
  }
  /// A buffer that the kernel must leave as it is.
  template <class T>
  void input(const std::vector<T>& contents) {
    auto bytes = raw(contents.data(), contents.size());
    arguments_.push_back({bytes, true, [bytes](const std::uint8_t* now) {
                            return std::memcmp(now, bytes.data(), bytes.size()) == 0
                                       ? std::string()
                                       : std::string("an input was overwritten");
                          }});
  }
  /// A buffer whose every element has to be `expected` afterwards.
  template <class T, class E>
  void output(const std::vector<T>& initial, const std::vector<E>& expected, Bound bound = {}) {
    output_each<T, E>(initial, expected, [bound](std::size_t) { return bound; });
  }
  /// The same with a bound for each element.
  template <class T, class E>
  void output_each(const std::vector<T>& initial,
                   const std::vector<E>& expected,
                   std::function<Bound(std::size_t)> bound) {
    arguments_.push_back({raw(initial.data(), initial.size()), true,
                          [expected, bound, count = initial.size()](const std::uint8_t* now) {
                            return compare<T, E>(now, count, expected, bound);
                          }});
  }
  /// A buffer that is judged as a whole.
  template <class T>
  void judged(const std::vector<T>& initial,
              std::function<std::string(const std::vector<T>&)> check) {
    arguments_.push_back({raw(initial.data(), initial.size()), true,
                          [check, count = initial.size()](const std::uint8_t* now) {
                            std::vector<T> contents(count);
                            std::memcpy(contents.data(), now, count * sizeof(T));
                            return check(contents);
                          }});
  }

  /// Contents of a `__constant__` variable of the module.
  template <class T>
  void constant(const std::string& symbol, const std::vector<T>& contents) {
    constants_.emplace_back(symbol, raw(contents.data(), contents.size()));
  }
  [[nodiscard]] const std::vector<std::pair<std::string, std::vector<std::uint8_t>>>&
  constants() const {
    return constants_;
  }

  /// Uniform random elements.
  [[nodiscard]] std::vector<float> floats(std::size_t n, double low = -1.0, double high = 1.0) {
    return make<float>(n, [&] { return low + (high - low) * random_.uniform(); });
  }
  [[nodiscard]] std::vector<double> doubles(std::size_t n, double low = -1.0, double high = 1.0) {
    return make<double>(n, [&] { return low + (high - low) * random_.uniform(); });
  }
  [[nodiscard]] std::vector<Half> halves(std::size_t n, double low = -1.0, double high = 1.0) {
    std::vector<Half> out;
    for (const float f : floats(n, low, high)) {
      out.push_back(half(f));
    }
    return out;
  }
  [[nodiscard]] std::vector<Bfloat> bfloats(std::size_t n, double low = -1.0, double high = 1.0) {
    std::vector<Bfloat> out;
    for (const float f : floats(n, low, high)) {
      out.push_back(bfloat(f));
    }
    return out;
  }
  /// Integers of all bit patterns, or of [0, below) plus `from`.
  template <class T>
  [[nodiscard]] std::vector<T>
  integers(std::size_t n, std::uint64_t below = 0, std::int64_t from = 0) {
    return make<T>(n, [&] {
      return static_cast<T>(
          below == 0
              ? random_.next()
              : static_cast<std::uint64_t>(static_cast<std::int64_t>(random_.below(below)) + from));
    });
  }
  RandomStream& random() { return random_; }
  [[nodiscard]] const std::vector<Argument>& arguments() const { return arguments_; }

private:
  template <class T>
  static std::vector<std::uint8_t> raw(const T* data, std::size_t count) {
    std::vector<std::uint8_t> bytes(count * sizeof(T));
    std::memcpy(bytes.data(), data, bytes.size());
    return bytes;
  }
  template <class T, class Draw>
  static std::vector<T> make(std::size_t n, Draw draw) {
    std::vector<T> out(n);
    for (T& element : out) {
      element = static_cast<T>(draw());
    }
    return out;
  }
  template <class T>
  static bool within(T got, double want, Bound bound) {
    const double value = number(got);
    if (std::isnan(want) || std::isnan(value)) {
      return std::isnan(want) && std::isnan(value);
    }
    if (std::isinf(want) || std::isinf(value)) {
      return value == want || (std::isinf(value) && std::is_same_v<T, float> &&
                               number(static_cast<float>(want)) == value);
    }
    const double allowed =
        bound.absolute + bound.relative * std::abs(want) + bound.ulps * ulp<T>(want);
    if (allowed == 0.0) {
      if constexpr (std::is_same_v<T, Half>) {
        return value == number(half(want));
      } else if constexpr (std::is_same_v<T, Bfloat>) {
        return value == number(bfloat(want));
      } else {
        return value == number(static_cast<T>(want));
      }
    }
    return std::abs(value - want) <= allowed;
  }
  template <class T, class E>
  static std::string compare(const std::uint8_t* now,
                             std::size_t count,
                             const std::vector<E>& expected,
                             const std::function<Bound(std::size_t)>& bound) {
    if (expected.size() != count) {
      return fmt::format("the oracle gives {} elements of {}", expected.size(), count);
    }
    std::string text;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
      T got;
      std::memcpy(&got, now + i * sizeof(T), sizeof(T));
      bool same = false;
      if constexpr (std::is_integral_v<T>) {
        same = got == static_cast<T>(expected[i]);
      } else {
        same = within(got, number(expected[i]), bound(i));
      }
      if (!same && wrong++ < 4) {
        text += describe(i, got, expected[i]);
      }
    }
    return wrong == 0 ? text : fmt::format("{} of {} elements differ:{}", wrong, count, text);
  }
  template <class T, class E>
  static std::string describe(std::size_t i, T got, const E& want) {
    if constexpr (std::is_integral_v<T>) {
      return fmt::format(" [{}] is {} ({:#x}), not {} ({:#x})", i, +got, +got,
                         +static_cast<T>(want), +static_cast<T>(want));
    } else {
      return fmt::format(" [{}] is {:.9g}, not {:.9g}", i, number(got), number(want));
    }
  }

  std::vector<Argument> arguments_;
  std::vector<std::pair<std::string, std::vector<std::uint8_t>>> constants_;
  RandomStream random_;
};

} // namespace coulomb::kernels_test
