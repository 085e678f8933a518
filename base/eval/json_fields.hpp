// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace coulomb::eval {

/// Parses one JSON object; `what` ("compile request") names it in messages.
/// Throws UserError for malformed text or anything but an object.
[[nodiscard]] nlohmann::json parse_object(const std::string& text, const std::string& what);
/// One line of UTF-8; bytes that are not UTF-8 (compiler logs) become U+FFFD.
[[nodiscard]] std::string dump_line(const nlohmann::json& object);
/// JSON has no NaN or infinity: they are written as the texts "nan", "inf" and "-inf".
[[nodiscard]] nlohmann::json number_json(double value);
[[nodiscard]] nlohmann::json numbers_json(const std::map<std::string, double>& values);

/// Typed access to the fields of one JSON object. Every accessor throws UserError when the field is
/// missing or has another type, naming the object, the field, and what was found.
class JsonFields {
public:
  /// `object` must outlive this and be a JSON object.
  JsonFields(const nlohmann::json& object, std::string what);

  [[nodiscard]] std::string text(const char* name) const;
  [[nodiscard]] bool flag(const char* name) const;
  [[nodiscard]] std::uint64_t u64(const char* name) const;
  /// Also throws when the value exceeds 2^32 - 1.
  [[nodiscard]] std::uint32_t u32(const char* name) const;
  [[nodiscard]] double number(const char* name) const;
  [[nodiscard]] std::map<std::string, double> numbers(const char* name) const;
  [[nodiscard]] const nlohmann::json& array(const char* name) const;
  [[nodiscard]] JsonFields object(const char* name) const;
  /// A wrong value of field `name`, as a UserError: "<what>: field \"name\" must be <expected>,
  /// ...".
  [[noreturn]] void fail(const char* name, const std::string& expected) const;

private:
  [[nodiscard]] const nlohmann::json& at(const char* name) const;

  const nlohmann::json* object_;
  std::string what_;
};

} // namespace coulomb::eval
