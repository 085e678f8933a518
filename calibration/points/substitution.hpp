// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace coulomb::calibration::points {

/// `text` with every "${NAME}" replaced by its value. Throws UserError for a name without one.
[[nodiscard]] std::string substitute(std::string text,
                                     const std::map<std::string, std::string>& values);

/// `text` with every `from`, which is not empty, replaced.
[[nodiscard]] std::string
replace_all(std::string text, const std::string& from, const std::string& to);

} // namespace coulomb::calibration::points
