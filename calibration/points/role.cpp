// SPDX-License-Identifier: Apache-2.0
#include "calibration/points/role.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace coulomb::calibration::points {
namespace {

bool names(const config::Provenance& p, const std::string& word) {
  return p.source.find(word) != std::string::npos || p.note.find(word) != std::string::npos;
}

} // namespace

const char* to_string(Role role) {
  switch (role) {
  case Role::echo:
    return "echo";
  case Role::set:
    return "set";
  case Role::check:
    return "check";
  }
  throw InternalError("role of no name");
}

std::vector<std::string> source_keys(const std::string& text) {
  std::vector<std::string> keys;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    const std::size_t first = std::min(text.find_first_not_of(' ', begin), end);
    const std::size_t last =
        std::min(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-", first), end);
    if (last > first) {
      keys.push_back(text.substr(first, last - first));
    }
    begin = end + 1;
  }
  return keys;
}

Role classify(const PublishedPoint& point,
              const PointPlan& plan,
              bool echo,
              const config::ProvenanceMap& provenance,
              const std::map<std::string, std::vector<std::string>>& sources) {
  if (echo) {
    return Role::echo;
  }
  for (const auto& parameter : plan.keys) {
    const auto entry = provenance.find(parameter);
    if (entry == provenance.end()) {
      throw UserError(fmt::format("points.csv: {}, {}: the GPU file has no key \"{}\"", plan.chip,
                                  plan.name, parameter));
    }
    for (const auto& key : source_keys(point.source)) {
      const auto words = sources.find(key);
      if (words != sources.end() &&
          std::any_of(words->second.begin(), words->second.end(),
                      [&](const std::string& word) { return names(entry->second, word); })) {
        return Role::set;
      }
    }
  }
  return Role::check;
}

} // namespace coulomb::calibration::points
