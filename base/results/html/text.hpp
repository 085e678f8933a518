// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace coulomb::html {

/// `text` as content or attribute value of HTML: &, <, >, " and ' as entities; bytes that are no
/// UTF-8 and control characters other than tab and line feed as U+FFFD.
[[nodiscard]] std::string escape(std::string_view text);

/// The first `columns` columns of `text`, the last of them an ellipsis if some had to go; a
/// character outside Latin, Greek and Cyrillic counts two columns. Not escaped.
[[nodiscard]] std::string shorten(std::string_view text, std::size_t columns);

/// The same with the ellipsis in the middle: names of one search often differ in their ends only.
[[nodiscard]] std::string shorten_middle(std::string_view text, std::size_t columns);

/// Pixels that `text` takes at most in the page's font of `font_px`: an estimate, on the wide side.
[[nodiscard]] double text_width(std::string_view text, double font_px);

/// "0.5531", "12.3", "1,234,567": `digits` significant digits, and no exponent from 1e-4 up.
[[nodiscard]] std::string format_number(double value, int digits = 4);

} // namespace coulomb::html
