// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/report/importance.hpp"

#include <string>

namespace coulomb::search {

/// The shares as bars, what they mean and what they do not; or why nothing can be told.
[[nodiscard]] std::string importance_section(const Importance& importance);

} // namespace coulomb::search
