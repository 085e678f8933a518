// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_gpu/options.hpp"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>

namespace coulomb::fake {

std::string option(const char* name, const std::string& fallback) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? fallback : std::string{value};
}

double option_number(const char* name, double fallback) {
  const std::string text = option(name);
  return text.empty() ? fallback : number_of(text, name);
}

std::vector<double> option_numbers(const char* name, const std::vector<double>& fallback) {
  std::vector<double> numbers;
  for (const std::string& part : split(option(name), ',')) {
    numbers.push_back(number_of(part, name));
  }
  return numbers.empty() ? fallback : numbers;
}

double number_of(std::string_view text, std::string_view where) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || *end != '\0') {
    refuse_option(where, fmt::format("\"{}\" is not a number", text));
  }
  return value;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end != 0) {
      parts.emplace_back(text.substr(0, end));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

void refuse_option(std::string_view name, std::string_view problem) {
  fmt::print(stderr, "fake GPU: {}: {}\n", name, problem);
  std::abort();
}

} // namespace coulomb::fake
