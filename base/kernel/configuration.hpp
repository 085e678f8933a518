// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace coulomb::kernel {

/// Value of one tunable parameter.
using ParameterValue = std::variant<std::int64_t, double, bool, std::string>;

/// As it is written in a macro definition or a table: 1, 0.5, true, name.
[[nodiscard]] std::string to_text(const ParameterValue& value);
/// As a key has it: values of different types differ, 1, 1.0, true and the text "1". So a text that
/// reads as another value, or as the next parameter of a key, is quoted.
[[nodiscard]] std::string key_text(const ParameterValue& value);
[[nodiscard]] nlohmann::json to_json(const ParameterValue& value);

/// A point of a tuning space: every parameter of the spec, in the spec's order.
class Configuration {
public:
  using Entry = std::pair<std::string, ParameterValue>;

  Configuration() = default;
  explicit Configuration(std::vector<Entry> entries) : entries_(std::move(entries)) {}

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] const ParameterValue* find(const std::string& name) const;
  /// Replaces the value of an existing parameter; throws InternalError if there is none.
  void set(const std::string& name, ParameterValue value);
  /// "block_size_x=32 block_size_y=4 ...": also the identity of the configuration within its spec.
  [[nodiscard]] std::string key() const;
  [[nodiscard]] nlohmann::json json() const;
  bool operator==(const Configuration&) const = default;

private:
  std::vector<Entry> entries_;
};

} // namespace coulomb::kernel
