// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/json_view.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace coulomb::kernel {
namespace {

constexpr std::size_t kShownCharacters = 60;

std::string shown(const nlohmann::json& value) {
  std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > kShownCharacters) {
    text = text.substr(0, kShownCharacters) + "...";
  }
  return text;
}

/// nlohmann's reason without its own prefix "[json.exception...] parse error at line 1, column 2:
/// ".
std::string reason(const std::string& what) {
  const std::size_t column = what.find("column");
  const std::size_t colon = what.find(": ", column == std::string::npos ? 0 : column);
  return colon == std::string::npos ? what : what.substr(colon + 2);
}

} // namespace

nlohmann::json parse_json(const std::string& text, const std::string& origin) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& e) {
    // `byte` is 1-based and counts the character that could not be read.
    const std::size_t at = std::min(e.byte == 0 ? 0 : e.byte - 1, text.size());
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    const std::size_t start = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t column = start == std::string::npos ? at + 1 : at - start;
    throw UserError(
        fmt::format("{}:{}:{}: malformed JSON: {}", origin, line, column, reason(e.what())),
        "correct the file at this position");
  }
}

JsonView JsonView::at(const std::string& key) const {
  if (auto member = find(key)) {
    return *member;
  }
  fail(fmt::format("\"{}\" is missing{}", key, did_you_mean(key, keys())));
}

std::optional<JsonView> JsonView::find(const std::string& key) const {
  if (!value_->is_object()) {
    wrong_type("an object");
  }
  const auto it = value_->find(key);
  if (it == value_->end() || it->is_null()) {
    return std::nullopt;
  }
  return JsonView(*it, origin_, path_.empty() ? key : path_ + "." + key);
}

std::vector<JsonView> JsonView::elements() const {
  if (!value_->is_array()) {
    wrong_type("a list");
  }
  std::vector<JsonView> views;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    views.emplace_back((*value_)[i], origin_, fmt::format("{}[{}]", path_, i));
  }
  return views;
}

std::vector<std::string> JsonView::keys() const {
  if (!value_->is_object()) {
    wrong_type("an object");
  }
  std::vector<std::string> names;
  for (const auto& item : value_->items()) {
    names.push_back(item.key());
  }
  return names;
}

const std::string& JsonView::string() const {
  if (!value_->is_string()) {
    wrong_type("a string");
  }
  return value_->get_ref<const std::string&>();
}

double JsonView::number() const {
  if (!value_->is_number()) {
    wrong_type("a number");
  }
  return value_->get<double>();
}

bool JsonView::boolean() const {
  if (value_->is_boolean()) {
    return value_->get<bool>();
  }
  if (value_->is_number_integer() && (*value_ == 0 || *value_ == 1)) {
    return *value_ == 1;
  }
  wrong_type("true or false");
}

std::string JsonView::expression() const {
  if (value_->is_string()) {
    return string();
  }
  if (value_->is_number() || value_->is_boolean()) {
    return value_->dump();
  }
  wrong_type("an expression or a number");
}

bool JsonView::is_string() const {
  return value_->is_string();
}
bool JsonView::is_array() const {
  return value_->is_array();
}
bool JsonView::is_number() const {
  return value_->is_number();
}

void JsonView::only(const std::vector<std::string>& allowed) const {
  for (const auto& key : keys()) {
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end()) {
      fail(fmt::format("unknown key \"{}\"{}; allowed: {}", key, did_you_mean(key, allowed),
                       fmt::join(allowed, ", ")));
    }
  }
}

void JsonView::fail(const std::string& message) const {
  throw UserError(path_.empty() ? fmt::format("{}: {}", origin_, message)
                                : fmt::format("{}: {}: {}", origin_, path_, message));
}

void JsonView::wrong_type(const std::string& expected) const {
  fail(fmt::format("expected {}, found {}", expected, shown(*value_)));
}

} // namespace coulomb::kernel
