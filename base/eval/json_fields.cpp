// SPDX-License-Identifier: Apache-2.0
#include "base/eval/json_fields.hpp"

#include "base/error.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace coulomb::eval {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// The number that `value` stands for; `ok` says whether it stands for one.
double number_of(const nlohmann::json& value, bool& ok) {
  ok = true;
  if (value.is_number()) {
    return value.get<double>();
  }
  if (value == "nan") {
    return kNan;
  }
  if (value == "inf") {
    return kInfinity;
  }
  if (value == "-inf") {
    return -kInfinity;
  }
  ok = false;
  return 0.0;
}

std::string excerpt(const nlohmann::json& value) {
  constexpr std::size_t kLongest = 60;
  std::string text = dump_line(value);
  if (text.size() > kLongest) {
    text.resize(kLongest);
    text += "...";
  }
  return text;
}

} // namespace

nlohmann::json parse_object(const std::string& text, const std::string& what) {
  nlohmann::json object;
  try {
    object = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& e) {
    throw UserError(fmt::format("{}: malformed JSON at byte {}", what, e.byte),
                    "expected one JSON object");
  }
  if (!object.is_object()) {
    throw UserError(fmt::format("{}: found {}, not a JSON object", what, excerpt(object)));
  }
  return object;
}

std::string dump_line(const nlohmann::json& object) {
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

nlohmann::json number_json(double value) {
  if (std::isnan(value)) {
    return "nan";
  }
  if (std::isinf(value)) {
    return value > 0 ? "inf" : "-inf";
  }
  return value;
}

nlohmann::json numbers_json(const std::map<std::string, double>& values) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [name, value] : values) {
    out[name] = number_json(value);
  }
  return out;
}

JsonFields::JsonFields(const nlohmann::json& object, std::string what)
    : object_(&object), what_(std::move(what)) {
  if (!object.is_object()) {
    throw UserError(fmt::format("{}: found {}, not a JSON object", what_, excerpt(object)));
  }
}

const nlohmann::json& JsonFields::at(const char* name) const {
  const auto found = object_->find(name);
  if (found == object_->end()) {
    throw UserError(fmt::format("{}: field \"{}\" is missing", what_, name));
  }
  return *found;
}

void JsonFields::fail(const char* name, const std::string& expected) const {
  throw UserError(fmt::format("{}: field \"{}\" must be {}, found {}", what_, name, expected,
                              excerpt(at(name))));
}

std::string JsonFields::text(const char* name) const {
  const auto& value = at(name);
  if (!value.is_string()) {
    fail(name, "a string");
  }
  return value.get<std::string>();
}

bool JsonFields::flag(const char* name) const {
  const auto& value = at(name);
  if (!value.is_boolean()) {
    fail(name, "true or false");
  }
  return value.get<bool>();
}

std::uint64_t JsonFields::u64(const char* name) const {
  const auto& value = at(name);
  if (!value.is_number_unsigned()) {
    fail(name, "a whole number of 0 or more");
  }
  return value.get<std::uint64_t>();
}

std::uint32_t JsonFields::u32(const char* name) const {
  const std::uint64_t value = u64(name);
  if (value > std::numeric_limits<std::uint32_t>::max()) {
    fail(name, "at most 4294967295");
  }
  return static_cast<std::uint32_t>(value);
}

double JsonFields::number(const char* name) const {
  bool ok = false;
  const double value = number_of(at(name), ok);
  if (!ok) {
    fail(name, "a number");
  }
  return value;
}

std::map<std::string, double> JsonFields::numbers(const char* name) const {
  const auto& object = at(name);
  if (!object.is_object()) {
    fail(name, "an object of numbers");
  }
  std::map<std::string, double> out;
  for (const auto& [key, value] : object.items()) {
    bool ok = false;
    out[key] = number_of(value, ok);
    if (!ok) {
      fail(name, "an object of numbers");
    }
  }
  return out;
}

const nlohmann::json& JsonFields::array(const char* name) const {
  const auto& value = at(name);
  if (!value.is_array()) {
    fail(name, "an array");
  }
  return value;
}

JsonFields JsonFields::object(const char* name) const {
  const auto& value = at(name);
  if (!value.is_object()) {
    fail(name, "an object");
  }
  return {value, fmt::format("{}: {}", what_, name)};
}

} // namespace coulomb::eval
