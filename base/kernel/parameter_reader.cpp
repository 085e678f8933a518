// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/parameter_reader.hpp"

#include "base/error.hpp"
#include "base/kernel/parameter_values.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>

namespace coulomb::kernel {
namespace {

using config::TomlKind;
using config::TomlScalar;
using config::TomlSetting;

const std::vector<std::string> kTypes = {"int",  "uint",   "float",      "double",
                                         "bool", "string", "permutation"};
/// Values that a message lists at most.
constexpr std::size_t kShown = 12;

bool is_real(const std::string& type) {
  return type == "float" || type == "double";
}
bool is_whole(const std::string& type) {
  return type == "int" || type == "uint";
}

std::string shown(const std::vector<ParameterValue>& values) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(values.size(), kShown); ++i) {
    texts.push_back(to_text(values[i]));
  }
  return fmt::format("{}{}", fmt::join(texts, ", "),
                     values.size() > kShown ? fmt::format(", ... ({} values)", values.size()) : "");
}

[[noreturn]] void wrong(const TomlSetting& where, std::string text) {
  throw ParameterProblem{&where, std::move(text)};
}

template <class T>
T number(const TomlSetting& s, const std::string& text) {
  T value{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) {
    wrong(s, fmt::format("{} is not a number of this type", text));
  }
  return value;
}

/// A scalar as a value of a type word.
ParameterValue value_of(const TomlSetting& s,
                        const std::string& text,
                        TomlScalar scalar,
                        const std::string& type) {
  const bool numeric = scalar == TomlScalar::integer || scalar == TomlScalar::real;
  if (is_real(type) && numeric) {
    return number<double>(s, text);
  }
  if (is_whole(type) && scalar == TomlScalar::integer) {
    const auto value = number<std::int64_t>(s, text);
    if (type != "uint" || value >= 0) {
      return value;
    }
  }
  if (type == "bool" && (scalar == TomlScalar::flag || text == "0" || text == "1")) {
    return text == "true" || text == "1";
  }
  if ((type == "string" || type == "permutation") && scalar == TomlScalar::text) {
    return text;
  }
  wrong(s, fmt::format("{} is not of type {}", text.empty() ? "this" : text, type));
}

class ParameterReader {
public:
  ParameterReader(std::string name, ParameterKeys keys) : keys_(keys) { p_.name = std::move(name); }

  TomlParameter read() {
    if (keys_.values != nullptr && keys_.values->kind != TomlKind::list) {
      wrong(*keys_.values, "expected a list of values");
    }
    p_.type = type();
    p_.kind = kind();
    p_.values = values();
    if (p_.values.empty()) {
      wrong(*keys_.values, "has no values");
    }
    p_.default_value = p_.values.front();
    read_default();
    TomlParameter made{std::move(p_), {}, {}};
    if (keys_.when != nullptr) {
      if (keys_.when->kind != TomlKind::text && keys_.when->kind != TomlKind::flag) {
        wrong(*keys_.when, "expected an expression in quotes");
      }
      made.when = keys_.when->text;
      made.when_place = keys_.when->place;
    }
    return made;
  }

private:
  /// Whichever key there is, to point at.
  [[nodiscard]] const TomlSetting& any() const {
    const auto* const key =
        std::find_if(kParameterKeys.begin(), kParameterKeys.end(),
                     [&](const ParameterKeyName& k) { return keys_.*k.member != nullptr; });
    return *(keys_.*key->member);
  }

  [[nodiscard]] std::string type() const {
    if (keys_.type != nullptr) {
      const std::string& word = keys_.type->text;
      if (std::find(kTypes.begin(), kTypes.end(), word) == kTypes.end()) {
        wrong(*keys_.type, fmt::format("unknown type \"{}\"{}; allowed: {}", word,
                                       did_you_mean(word, kTypes), fmt::join(kTypes, ", ")));
      }
      return word;
    }
    if (keys_.items != nullptr) {
      return "permutation";
    }
    std::vector<TomlScalar> scalars;
    if (keys_.values != nullptr) {
      scalars = keys_.values->scalars;
    } else {
      for (const TomlSetting* s : {keys_.min, keys_.max, keys_.step}) {
        if (s != nullptr) {
          scalars.push_back(s->scalars.front());
        }
      }
      if (keys_.levels != nullptr || keys_.log != nullptr) {
        scalars.push_back(TomlScalar::real);
      }
    }
    return common_type(scalars);
  }
  [[nodiscard]] std::string common_type(const std::vector<TomlScalar>& scalars) const {
    const auto all = [&](std::initializer_list<TomlScalar> of) {
      return std::all_of(scalars.begin(), scalars.end(), [&](TomlScalar s) {
        return std::find(of.begin(), of.end(), s) != of.end();
      });
    };
    return all({TomlScalar::integer})                     ? "int"
           : all({TomlScalar::integer, TomlScalar::real}) ? "float"
           : all({TomlScalar::flag})                      ? "bool"
           : all({TomlScalar::text})                      ? "string"
                                     : (wrong(any(), "has values of several types"), "");
  }

  [[nodiscard]] ParameterKind kind() const {
    if (p_.type == "permutation") {
      return ParameterKind::permutation;
    }
    const std::string word = keys_.order != nullptr ? keys_.order->text
                             : p_.type == "string"  ? "categorical"
                                                    : "ordered";
    if (word != "ordered" && word != "categorical") {
      wrong(*keys_.order, fmt::format("unknown order \"{}\"; allowed: ordered, categorical", word));
    }
    return word == "ordered" ? ParameterKind::ordered : ParameterKind::categorical;
  }

  /// Throws where keys are given that have no meaning beside `with`.
  void only_with(std::initializer_list<const TomlSetting*> keys, const char* with) const {
    for (const TomlSetting* s : keys) {
      if (s != nullptr) {
        wrong(*s, fmt::format("goes with {}", with));
      }
    }
  }

  [[nodiscard]] std::vector<ParameterValue> values() const {
    if (p_.type == "permutation") {
      return orders();
    }
    only_with({keys_.items, keys_.separator}, "type = \"permutation\"");
    if (keys_.values != nullptr) {
      only_with({keys_.step, keys_.levels, keys_.log}, "min and max, not with a list of values");
      return listed();
    }
    if (keys_.min == nullptr && keys_.max == nullptr && p_.type == "bool") {
      only_with({keys_.step, keys_.levels, keys_.log}, "min and max");
      return {false, true};
    }
    if (keys_.min == nullptr || keys_.max == nullptr) {
      wrong(any(), "has no values; write values = [...], min and max, or items = [...]");
    }
    return ranged();
  }

  [[nodiscard]] std::vector<ParameterValue> orders() const {
    only_with(
        {keys_.values, keys_.min, keys_.max, keys_.step, keys_.levels, keys_.log, keys_.order},
        "values that are no permutation; a permutation has items");
    if (keys_.items == nullptr || keys_.items->kind != TomlKind::list) {
      wrong(any(), "a permutation has items = [\"...\", ...]");
    }
    try {
      return permutations(keys_.items->items,
                          keys_.separator == nullptr ? "," : keys_.separator->text);
    } catch (const UserError& e) {
      wrong(*keys_.items, e.what());
    }
  }

  [[nodiscard]] std::vector<ParameterValue> listed() const {
    const TomlSetting& s = *keys_.values;
    std::vector<ParameterValue> values;
    for (std::size_t i = 0; i < s.items.size(); ++i) {
      values.push_back(value_of(s, s.items[i], s.scalars[i], p_.type));
      within(s, values.back());
    }
    return values;
  }
  /// A listed value must lie between min and max, if they are given.
  void within(const TomlSetting& s, const ParameterValue& value) const {
    for (const TomlSetting* bound : {keys_.min, keys_.max}) {
      if (bound == nullptr) {
        continue;
      }
      const ParameterValue limit = value_of(*bound, bound->text, bound->scalars.front(), p_.type);
      if (bound == keys_.min ? value < limit : limit < value) {
        wrong(s, fmt::format("{} is {} {} = {}", to_text(value),
                             bound == keys_.min ? "below" : "above",
                             bound == keys_.min ? "min" : "max", to_text(limit)));
      }
    }
  }

  [[nodiscard]] std::vector<ParameterValue> ranged() const {
    const auto get = [&](const TomlSetting& s) {
      return value_of(s, s.text, s.scalars.front(), p_.type);
    };
    if (!is_whole(p_.type) && !is_real(p_.type)) {
      wrong(*keys_.min, fmt::format("goes with numbers, not with type {}", p_.type));
    }
    const TomlSetting& pointed = keys_.step != nullptr     ? *keys_.step
                                 : keys_.levels != nullptr ? *keys_.levels
                                                           : *keys_.max;
    try {
      if (is_whole(p_.type)) {
        only_with({keys_.levels, keys_.log}, "type = \"float\"");
        const std::int64_t step =
            keys_.step == nullptr ? 1 : std::get<std::int64_t>(get(*keys_.step));
        return integer_range(std::get<std::int64_t>(get(*keys_.min)),
                             std::get<std::int64_t>(get(*keys_.max)), step);
      }
      RealRange range;
      range.min = std::get<double>(get(*keys_.min));
      range.max = std::get<double>(get(*keys_.max));
      range.logarithmic = keys_.log != nullptr && keys_.log->text == "true";
      if (keys_.step != nullptr) {
        range.step = std::get<double>(get(*keys_.step));
      }
      if (keys_.levels != nullptr) {
        range.levels = number<std::int64_t>(*keys_.levels, keys_.levels->text);
      }
      return real_levels(range);
    } catch (const UserError& e) {
      wrong(pointed, e.what());
    }
  }

  void read_default() {
    if (keys_.given == nullptr) {
      return;
    }
    const TomlSetting& s = *keys_.given;
    if (s.kind == TomlKind::list || s.kind == TomlKind::table) {
      wrong(s, "expected one value");
    }
    ParameterValue value = value_of(s, s.text, s.scalars.front(), p_.type);
    const auto has = [&] {
      return std::find(p_.values.begin(), p_.values.end(), value) != p_.values.end();
    };
    if (auto* d = std::get_if<double>(&value); d != nullptr && !has()) {
      *d = rounded_level(*d);
    }
    if (!has()) {
      wrong(s, fmt::format("default {} is not one of its values: {}", to_text(value),
                           shown(p_.values)));
    }
    p_.default_value = std::move(value);
  }

  ParameterKeys keys_;
  TunableParameter p_;
};

} // namespace

TomlParameter read_parameter(const std::string& name, const ParameterKeys& keys) {
  return ParameterReader(name, keys).read();
}

} // namespace coulomb::kernel
