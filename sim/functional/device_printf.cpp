// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/device_printf.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdio>
#include <fmt/format.h>
#include <vector>

namespace coulomb::functional {
namespace {

/// A wider field is cut: a garbage `*` width must not fill the memory.
constexpr int kWidest = 4096;

/// One conversion of a format.
struct Conversion {
  std::string flags;
  int width = -1;
  int precision = -1;
  bool wide = false; ///< 64-bit integer
  char type = 0;     ///< 0: malformed
};

class Formatter {
public:
  Formatter(std::string_view format, const PrintfArguments& arguments)
      : format_(format), arguments_(arguments) {}

  PrintfResult run() {
    while (at_ < format_.size()) {
      const char c = format_[at_++];
      if (c != '%') {
        result_.text += c;
      } else if (at_ < format_.size() && format_[at_] == '%') {
        result_.text += format_[at_++];
      } else if (const Conversion conversion = parse(); conversion.type != 0) {
        convert(conversion);
        ++result_.arguments;
      } else {
        result_.arguments = -1;
        return result_;
      }
    }
    return result_;
  }

private:
  [[nodiscard]] char peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }
  [[nodiscard]] bool take(std::string_view any) {
    if (at_ < format_.size() && any.find(format_[at_]) != std::string_view::npos) {
      ++at_;
      return true;
    }
    return false;
  }
  /// Digits or `*`; -1 if there is neither.
  int number() {
    if (take("*")) {
      const auto value = static_cast<int>(arguments_.next(4));
      return std::clamp(value, -kWidest, kWidest);
    }
    int value = -1;
    while (std::isdigit(static_cast<unsigned char>(peek())) != 0) {
      value = std::min((value < 0 ? 0 : value) * 10 + (format_[at_++] - '0'), kWidest);
    }
    return value;
  }
  Conversion parse() {
    Conversion c;
    while (peek() != '\0' && std::string_view("#0+- ").find(peek()) != std::string_view::npos) {
      c.flags += format_[at_++];
    }
    c.width = number();
    if (c.width < -1) { // a negative * width means left alignment
      c.flags += '-';
      c.width = -c.width;
    }
    if (take(".")) {
      c.precision = std::max(number(), 0);
    }
    while (take("hlLqjzt")) {
      const char size = format_[at_ - 1];
      c.wide = c.wide || size != 'h';
    }
    constexpr std::string_view kTypes = "cdiouxXpeEfFgGaAs";
    if (kTypes.find(peek()) != std::string_view::npos && peek() != '\0') {
      c.type = format_[at_++];
    }
    return c;
  }
  template <class T>
  void print(const Conversion& c, std::string_view size, T value) {
    const std::string width = c.width < 0 ? "" : fmt::format("{}", c.width);
    const std::string precision = c.precision < 0 ? "" : fmt::format(".{}", c.precision);
    const std::string spec = fmt::format("%{}{}{}{}{}", c.flags, width, precision, size, c.type);
    const int length = std::snprintf(nullptr, 0, spec.c_str(), value);
    std::vector<char> buffer(static_cast<std::size_t>(std::max(length, 0)) + 1);
    std::snprintf(buffer.data(), buffer.size(), spec.c_str(), value);
    result_.text += buffer.data();
  }
  void convert(const Conversion& c) {
    switch (c.type) {
    case 'd':
    case 'i': {
      const std::uint64_t bits = arguments_.next(c.wide ? 8 : 4);
      print(c, "ll",
            c.wide ? static_cast<long long>(bits)
                   : static_cast<long long>(static_cast<std::int32_t>(bits)));
      return;
    }
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      print(c, "ll", static_cast<unsigned long long>(arguments_.next(c.wide ? 8 : 4)));
      return;
    case 'c':
      result_.text += static_cast<char>(arguments_.next(4));
      return;
    case 'p':
      print(c, "", reinterpret_cast<const void*>(arguments_.next(8)));
      return;
    case 's': {
      const std::string text = arguments_.text(arguments_.next(8));
      print(c, "", text.c_str());
      return;
    }
    default:
      print(c, "", std::bit_cast<double>(arguments_.next(8)));
      return;
    }
  }

  std::string_view format_;
  const PrintfArguments& arguments_;
  std::size_t at_ = 0;
  PrintfResult result_;
};

} // namespace

PrintfResult format_printf(std::string_view format, const PrintfArguments& arguments) {
  return Formatter(format, arguments).run();
}

} // namespace coulomb::functional
