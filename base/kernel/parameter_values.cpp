// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/parameter_values.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>

namespace coulomb::kernel {
namespace {

constexpr std::int64_t kDefaultLevels = 33;
constexpr std::int64_t kMaxLevels = 65'536;
constexpr std::size_t kMaxItems = 8; // 40,320 orders

std::int64_t level_count(const RealRange& range) {
  const double width = range.max - range.min;
  if (range.step) {
    const double steps = width / *range.step;
    if (!(*range.step > 0.0)) {
      throw UserError(fmt::format("step is {}; allowed: more than 0", *range.step));
    }
    if (steps >= static_cast<double>(kMaxLevels)) {
      throw UserError(fmt::format("step {} makes more than {} values", *range.step, kMaxLevels));
    }
    if (std::fabs(steps - std::round(steps)) > 1e-6) {
      const double fewer = std::max(1.0, std::floor(steps));
      throw UserError(fmt::format("step {} does not divide max - min = {}; {:.6g} and {:.6g} do",
                                  *range.step, width, width / fewer, width / std::ceil(steps)));
    }
    return std::llround(steps) + 1;
  }
  const std::int64_t levels = range.levels.value_or(width == 0.0 ? 1 : kDefaultLevels);
  const std::int64_t least = width == 0.0 ? 1 : 2;
  if (levels < least || levels > kMaxLevels) {
    throw UserError(fmt::format("levels is {}; allowed: {} to {}", levels, least, kMaxLevels));
  }
  return levels;
}

} // namespace

double rounded_level(double value) {
  return std::strtod(fmt::format("{:.12g}", value).c_str(), nullptr);
}

std::vector<ParameterValue> real_levels(const RealRange& range) {
  if (!(range.min <= range.max)) {
    throw UserError(
        fmt::format("min is {}, max is {}; allowed: min at most max", range.min, range.max));
  }
  if (range.step && range.levels) {
    throw UserError("has a step and levels; one of them is enough");
  }
  if (range.logarithmic && range.step) {
    throw UserError("log = true goes with levels: its steps are not equal");
  }
  if (range.logarithmic && !(range.min > 0.0)) {
    throw UserError(fmt::format("min is {}; allowed with log = true: more than 0", range.min));
  }
  const std::int64_t count = level_count(range);
  std::vector<ParameterValue> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = count == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(count - 1);
    const double value = range.logarithmic ? range.min * std::pow(range.max / range.min, share)
                                           : range.min + share * (range.max - range.min);
    values.emplace_back(i == 0 ? range.min : i + 1 == count ? range.max : rounded_level(value));
  }
  return values;
}

std::vector<ParameterValue> integer_range(std::int64_t min, std::int64_t max, std::int64_t step) {
  if (min > max) {
    throw UserError(fmt::format("min is {}, max is {}; allowed: min at most max", min, max));
  }
  if (step < 1) {
    throw UserError(fmt::format("step is {}; allowed: 1 or more", step));
  }
  const std::uint64_t width = static_cast<std::uint64_t>(max) - static_cast<std::uint64_t>(min);
  const auto by = static_cast<std::uint64_t>(step);
  if (width / by >= static_cast<std::uint64_t>(kMaxLevels)) {
    throw UserError(
        fmt::format("from {} to {} by {} are more than {} values", min, max, step, kMaxLevels));
  }
  if (width % by != 0) {
    throw UserError(fmt::format("step {} does not divide max - min = {}; a max of {} would do",
                                step, width, max - static_cast<std::int64_t>(width % by)));
  }
  std::vector<ParameterValue> values;
  for (std::uint64_t i = 0; i <= width / by; ++i) {
    values.emplace_back(min + static_cast<std::int64_t>(i) * step);
  }
  return values;
}

std::vector<ParameterValue> permutations(const std::vector<std::string>& items,
                                         const std::string& separator) {
  if (items.size() < 2 || items.size() > kMaxItems) {
    throw UserError(
        fmt::format("a permutation of {} items; allowed: 2 to {}", items.size(), kMaxItems));
  }
  std::set<std::string> seen;
  for (const std::string& item : items) {
    if (item.empty() || (!separator.empty() && item.find(separator) != std::string::npos)) {
      throw UserError(
          fmt::format("item \"{}\" is empty, or has the separator \"{}\" in it", item, separator),
          "separator = \"...\" chooses another one");
    }
    if (!seen.insert(item).second) {
      throw UserError(fmt::format("item \"{}\" is there twice", item));
    }
  }
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<ParameterValue> values;
  do {
    std::string joined;
    for (const std::size_t i : order) {
      joined.append(joined.empty() ? std::string() : separator).append(items[i]);
    }
    values.emplace_back(std::move(joined));
  } while (std::next_permutation(order.begin(), order.end()));
  return values;
}

} // namespace coulomb::kernel
