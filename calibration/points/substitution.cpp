// SPDX-License-Identifier: Apache-2.0
#include "calibration/points/substitution.hpp"

#include "base/error.hpp"

namespace coulomb::calibration::points {

std::string substitute(std::string text, const std::map<std::string, std::string>& values) {
  for (std::size_t at = text.find("${"); at != std::string::npos; at = text.find("${", at)) {
    const std::size_t end = text.find('}', at);
    const std::string name = text.substr(at + 2, end == std::string::npos ? end : end - at - 2);
    const auto value = values.find(name);
    if (end == std::string::npos || value == values.end()) {
      throw UserError(fmt::format("\"{}\": no value is called \"{}\"", text, name));
    }
    text.replace(at, end - at + 1, value->second);
  }
  return text;
}

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

} // namespace coulomb::calibration::points
