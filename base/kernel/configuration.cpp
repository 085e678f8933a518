// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/configuration.hpp"

#include "base/error.hpp"

#include <nlohmann/json.hpp>

namespace coulomb::kernel {

std::string to_text(const ParameterValue& value) {
  struct Visitor {
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(double v) const {
      std::string text = fmt::format("{}", v);
      // A macro of a float must stay a float: 1 / x and 1.0 / x differ in CUDA.
      return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
    }
  };
  return std::visit(Visitor{}, value);
}

std::string key_text(const ParameterValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) {
    return to_text(value);
  }
  const bool literal = nlohmann::json::accept(*text) || *text == "inf" || *text == "nan";
  return literal || text->find_first_of("=\"") != std::string::npos
             ? nlohmann::json(*text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
             : *text;
}

nlohmann::json to_json(const ParameterValue& value) {
  return std::visit([](const auto& v) { return nlohmann::json(v); }, value);
}

const ParameterValue* Configuration::find(const std::string& name) const {
  for (const auto& [key, value] : entries_) {
    if (key == name) {
      return &value;
    }
  }
  return nullptr;
}

void Configuration::set(const std::string& name, ParameterValue value) {
  for (auto& [key, old] : entries_) {
    if (key == name) {
      old = std::move(value);
      return;
    }
  }
  throw InternalError(fmt::format("configuration has no parameter \"{}\"", name));
}

std::string Configuration::key() const {
  std::string text;
  for (const auto& [name, value] : entries_) {
    if (!text.empty()) {
      text += ' ';
    }
    text += name;
    text += '=';
    text += key_text(value);
  }
  return text;
}

nlohmann::json Configuration::json() const {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [name, value] : entries_) {
    object[name] = to_json(value);
  }
  return object;
}

} // namespace coulomb::kernel
