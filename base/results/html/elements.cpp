// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/elements.hpp"

#include "base/results/html/text.hpp"

#include <fmt/format.h>

namespace coulomb::html {

std::string paragraph(std::string_view text) {
  return fmt::format("<p>{}</p>\n", escape(text));
}

std::string remark(std::string_view text) {
  return fmt::format("<p class=\"soft\">{}</p>\n", escape(text));
}

std::string notice(std::string_view text) {
  return fmt::format("<p class=\"notice\">{}</p>\n", escape(text));
}

std::string code_block(std::string_view text) {
  return fmt::format("<pre>{}</pre>\n", escape(text));
}

std::string tiles(const std::vector<Tile>& tiles) {
  std::string out = "<div class=\"tiles\">\n";
  for (const Tile& tile : tiles) {
    out += fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", escape(tile.value),
                       escape(tile.caption));
  }
  return out + "</div>\n";
}

std::string facts(const Facts& facts) {
  std::string out = "<dl class=\"facts\">\n";
  for (const auto& [name, text] : facts) {
    if (!text.empty()) {
      out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape(name), escape(text));
    }
  }
  return out + "</dl>\n";
}

} // namespace coulomb::html
