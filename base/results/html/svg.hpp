// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace coulomb::html::svg {

/// Height of every letter in a chart, in the chart's pixels.
inline constexpr double kFont = 12.0;
/// All charts of a page are as wide as each other, so that they line up; pixels.
inline constexpr double kWidth = 880.0;
inline constexpr double kLeastWidth = 720.0; ///< a narrower window scrolls the chart
inline constexpr double kMargin = 10.0;      ///< left and right of what a chart draws

enum class Anchor : std::uint8_t { start, middle, end };

/// "12.5" or "12": tenths of a pixel.
[[nodiscard]] std::string coordinate(double value);
/// Opens a drawing; `description` is what a screen reader says of it. It shrinks with the window
/// down to `least_width` pixels, below which its frame scrolls.
[[nodiscard]] std::string
open(double width, double height, double least_width, std::string_view description);
[[nodiscard]] std::string close();
/// A text whose baseline starts, is centred or ends at (x, y). Longer than `columns` columns its
/// middle is cut out, and a tooltip has the whole.
[[nodiscard]] std::string text(double x,
                               double y,
                               Anchor anchor,
                               std::string_view content,
                               std::size_t columns = 1000,
                               std::string_view css_class = {});
[[nodiscard]] std::string
line(double x1, double y1, double x2, double y2, std::string_view css_class);
[[nodiscard]] std::string
rect(double x, double y, double width, double height, std::string_view css_class);
/// `data` as the d attribute of SVG's path; it holds no text of others.
[[nodiscard]] std::string path(std::string_view data, std::string_view css_class);
/// With a tooltip, unless it is empty.
[[nodiscard]] std::string
circle(double x, double y, double radius, std::string_view css_class, std::string_view tooltip);

} // namespace coulomb::html::svg
