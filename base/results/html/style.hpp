// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace coulomb::html {

/// CSS of every page. Marks differ in lightness and shape, not in hue alone.
[[nodiscard]] std::string_view style_sheet();
/// JavaScript that lets a reader sort a table by a column; without it a page is complete.
[[nodiscard]] std::string_view table_script();

} // namespace coulomb::html
