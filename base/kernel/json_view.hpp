// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::kernel {

/// Parses JSON text. Throws UserError "origin:line:column: ..." for malformed JSON.
[[nodiscard]] nlohmann::json parse_json(const std::string& text, const std::string& origin);

/// A JSON value that knows where it came from, so that a wrong type or a missing key is reported as
/// `file.json: KernelSpecification.LocalSize.X: expected ..., found ...`. Refers to the document it
/// views.
class JsonView {
public:
  JsonView(const nlohmann::json& value, std::string origin, std::string path = {})
      : value_(&value), origin_(std::move(origin)), path_(std::move(path)) {}

  /// The member, which must exist; did-you-mean over the object's keys otherwise.
  [[nodiscard]] JsonView at(const std::string& key) const;
  /// The member, or nothing if it is absent or null.
  [[nodiscard]] std::optional<JsonView> find(const std::string& key) const;
  [[nodiscard]] std::vector<JsonView> elements() const;
  [[nodiscard]] std::vector<std::string> keys() const;

  [[nodiscard]] const std::string& string() const;
  [[nodiscard]] double number() const;
  /// true/false, or 0/1 as T1 files write it.
  [[nodiscard]] bool boolean() const;
  /// An expression: a string as it is, a number or a bool as text.
  [[nodiscard]] std::string expression() const;
  [[nodiscard]] bool is_string() const;
  [[nodiscard]] bool is_array() const;
  [[nodiscard]] bool is_number() const;
  [[nodiscard]] const nlohmann::json& json() const { return *value_; }

  /// Throws UserError for a key that is none of `allowed`, with did-you-mean.
  void only(const std::vector<std::string>& allowed) const;
  /// Throws UserError "origin: path: message".
  [[noreturn]] void fail(const std::string& message) const;

private:
  [[noreturn]] void wrong_type(const std::string& expected) const;

  const nlohmann::json* value_;
  std::string origin_;
  std::string path_;
};

} // namespace coulomb::kernel
