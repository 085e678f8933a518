// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/svg.hpp"

#include "base/results/html/text.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace coulomb::html::svg {

std::string coordinate(double value) {
  const double tenths = std::round(10.0 * value) + 0.0; // no -0
  std::string text = fmt::format("{:.1f}", tenths / 10.0);
  if (text.ends_with(".0")) {
    text.resize(text.size() - 2);
  }
  return text;
}

std::string open(double width, double height, double least_width, std::string_view description) {
  return fmt::format("<div class=\"chart\"><svg role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {} "
                     "{}\" width=\"{}\" style=\"min-width:{}px;max-width:{}px\">\n",
                     escape(description), coordinate(width), coordinate(height), coordinate(width),
                     coordinate(least_width), coordinate(width));
}

std::string close() {
  return "</svg></div>\n";
}

std::string text(double x,
                 double y,
                 Anchor anchor,
                 std::string_view content,
                 std::size_t columns,
                 std::string_view css_class) {
  constexpr std::array<std::string_view, 3> kAnchors = {"", " text-anchor=\"middle\"",
                                                        " text-anchor=\"end\""};
  const std::string shown = shorten_middle(content, columns);
  return fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}{}</text>\n", coordinate(x), coordinate(y),
                     kAnchors[static_cast<std::size_t>(anchor)],
                     css_class.empty() ? "" : fmt::format(" class=\"{}\"", css_class),
                     escape(shown),
                     shown == content ? "" : fmt::format("<title>{}</title>", escape(content)));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view css_class) {
  return fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n",
                     coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2), css_class);
}

std::string rect(double x, double y, double width, double height, std::string_view css_class) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"/>\n",
                     coordinate(x), coordinate(y), coordinate(width), coordinate(height),
                     css_class);
}

std::string path(std::string_view data, std::string_view css_class) {
  return fmt::format("<path d=\"{}\" class=\"{}\"/>\n", data, css_class);
}

std::string
circle(double x, double y, double radius, std::string_view css_class, std::string_view tooltip) {
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\"{}\n", coordinate(x),
                     coordinate(y), coordinate(radius), css_class,
                     tooltip.empty() ? "/>"
                                     : fmt::format("><title>{}</title></circle>", escape(tooltip)));
}

} // namespace coulomb::html::svg
