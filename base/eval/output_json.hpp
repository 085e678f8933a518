// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/json_fields.hpp"
#include "base/eval/simulation.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace coulomb::eval {

// What simulations and measurements say of a kernel's outputs. Readers throw UserError naming the
// field.
[[nodiscard]] nlohmann::json output_check_json(const OutputCheck& check);
[[nodiscard]] OutputCheck output_check_from_json(const JsonFields& fields);
[[nodiscard]] nlohmann::json expected_json(const kernel::ExpectedOutput& e);
[[nodiscard]] kernel::ExpectedOutput expected_from_json(const JsonFields& fields);
[[nodiscard]] nlohmann::json output_file_json(const kernel::OutputFile& o);
[[nodiscard]] kernel::OutputFile output_file_from_json(const JsonFields& fields);
/// The strings of the array `name`.
[[nodiscard]] std::vector<std::string> texts_from_json(const JsonFields& fields, const char* name);

template <class T>
nlohmann::json list_json(const std::vector<T>& items, nlohmann::json (*one)(const T&)) {
  nlohmann::json list = nlohmann::json::array();
  for (const T& item : items) {
    list.push_back(one(item));
  }
  return list;
}

/// The objects of the array `name`; messages number them.
template <class T>
std::vector<T>
list_from_json(const JsonFields& fields, const char* name, T (*one)(const JsonFields&)) {
  std::vector<T> items;
  for (const auto& item : fields.array(name)) {
    items.push_back(one(JsonFields(item, fmt::format("{} {}", name, items.size()))));
  }
  return items;
}

} // namespace coulomb::eval
