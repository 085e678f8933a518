// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/kernel/element_reader.hpp"
#include "kernels/oracles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coulomb::kernels {
namespace {

/// Elements compared at a time: bounds the memory of a whole-chip check.
constexpr std::size_t kChunk = 65'536;

double relative_error(double found, double expected, double magnitude) {
  const double difference = std::fabs(found - expected);
  if (difference == 0.0) {
    return 0.0;
  }
  const double relative = difference / magnitude;
  // NaN, and a difference where nothing was summed, are as wrong as can be; JSON has no infinity.
  return relative < std::numeric_limits<double>::max() ? relative
                                                       : std::numeric_limits<double>::max();
}

} // namespace

OutputComparison check_output(const Oracle& oracle,
                              const std::string& argument,
                              kernel::ElementType type,
                              std::span<const std::uint64_t> elements,
                              std::span<const std::uint8_t> contents) {
  OutputComparison result;
  if (elements.empty()) {
    result.first_difference = fmt::format("{}: nothing was stored", argument);
    return result;
  }
  const std::size_t size = kernel::element_bytes(type);
  COULOMB_CHECK(elements.back() < contents.size() / size, "{}[{}] is outside {} bytes", argument,
                elements.back(), contents.size());
  const kernel::ElementReader read_element = kernel::element_reader(type);
  const double tolerance = oracle.tolerance();
  std::vector<double> value(std::min(kChunk, elements.size()));
  std::vector<double> magnitude(value.size());
  for (std::size_t begin = 0; begin < elements.size(); begin += kChunk) {
    const auto chunk = elements.subspan(begin, std::min(kChunk, elements.size() - begin));
    oracle.expected(argument, chunk, std::span(value).first(chunk.size()),
                    std::span(magnitude).first(chunk.size()));
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      const double found = read_element(contents.data() + chunk[i] * size);
      const double error = relative_error(found, value[i], magnitude[i]);
      result.max_rel_error = std::max(result.max_rel_error, error);
      if (!(error <= tolerance) && result.first_difference.empty()) {
        result.first_difference = fmt::format("{}[{}]: expected {:.9g}, found {:.9g}", argument,
                                              chunk[i], value[i], found);
      }
    }
  }
  result.compared = elements.size();
  result.passed = result.first_difference.empty();
  return result;
}

} // namespace coulomb::kernels
