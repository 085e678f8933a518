// SPDX-License-Identifier: Apache-2.0
#include "search/space/value_order.hpp"

#include <algorithm>

namespace coulomb::search {

std::optional<double> as_number(const kernel::ParameterValue& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*i);
  }
  if (const auto* d = std::get_if<double>(&value)) {
    return *d;
  }
  return std::nullopt;
}

std::vector<kernel::ParameterValue> ordered_values(std::vector<kernel::ParameterValue> values) {
  std::vector<kernel::ParameterValue> unique;
  for (auto& value : values) {
    if (std::find(unique.begin(), unique.end(), value) == unique.end()) {
      unique.push_back(std::move(value));
    }
  }
  const bool numbers = std::all_of(unique.begin(), unique.end(),
                                   [](const auto& v) { return as_number(v).has_value(); });
  if (numbers) {
    std::stable_sort(unique.begin(), unique.end(), [](const auto& a, const auto& b) {
      return as_number(a).value() < as_number(b).value();
    });
  }
  return unique;
}

} // namespace coulomb::search
