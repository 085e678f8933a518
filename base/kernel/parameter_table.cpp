// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/parameter_table.hpp"

#include "base/kernel/parameter_reader.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <iterator>

namespace coulomb::kernel {
namespace {

using config::SourcePlace;
using config::TomlFile;
using config::TomlProblem;
using config::TomlSetting;

bool is_identifier(const std::string& name) {
  const auto fits = [](char c, bool first) {
    return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0 ||
           (!first && std::isdigit(static_cast<unsigned char>(c)) != 0);
  };
  return !name.empty() && fits(name.front(), true) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return fits(c, false); });
}

struct Named {
  std::string name;
  SourcePlace place;
  ParameterKeys keys;
};

void add_setting(const TomlSetting& s, std::vector<Named>& found, std::vector<TomlProblem>& out) {
  const std::string key = s.key.substr(std::string(kParameterPrefix).size());
  const std::size_t dot = key.find('.');
  const std::string name = key.substr(0, dot);
  if (!is_identifier(name)) {
    out.push_back({s.key, "a parameter's name is that of a macro: letters, digits and _", s.place});
    return;
  }
  auto named = std::find_if(found.begin(), found.end(), [&](auto& n) { return n.name == name; });
  if (named == found.end()) {
    found.push_back({name, s.place, {}});
    named = std::prev(found.end());
  }
  if (dot == std::string::npos) { // the short form, NAME = [values]; or an empty table
    named->keys.values = &s;
    return;
  }
  const std::string word = key.substr(dot + 1);
  std::vector<std::string> known;
  for (const ParameterKeyName& k : kParameterKeys) {
    known.emplace_back(k.name);
    if (word == k.name) {
      named->keys.*k.member = &s;
      return;
    }
  }
  out.push_back(
      {s.key,
       fmt::format("unknown key{}; allowed: {}", did_you_mean(word, known), fmt::join(known, ", ")),
       s.place});
}

} // namespace

std::vector<TomlParameter> read_parameters(const TomlFile& file,
                                           std::vector<TomlProblem>& problems) {
  std::vector<Named> found;
  for (const TomlSetting& s : file.settings) {
    if (s.key.starts_with(kParameterPrefix)) {
      add_setting(s, found, problems);
    }
  }
  std::vector<TomlParameter> parameters;
  for (const Named& n : found) {
    if (std::all_of(kParameterKeys.begin(), kParameterKeys.end(),
                    [&](const ParameterKeyName& k) { return n.keys.*k.member == nullptr; })) {
      continue; // all its keys are unknown
    }
    try {
      parameters.push_back(read_parameter(n.name, n.keys));
    } catch (const ParameterProblem& w) {
      problems.push_back({kParameterPrefix + n.name, w.text, w.where->place});
    }
  }
  return parameters;
}

} // namespace coulomb::kernel
