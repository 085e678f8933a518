// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Pieces of a page, made of plain text: each escapes what it is given.
namespace coulomb::html {

[[nodiscard]] std::string paragraph(std::string_view text);
/// Says how to read what stands above or below it.
[[nodiscard]] std::string remark(std::string_view text);
/// What a reader must not overlook.
[[nodiscard]] std::string notice(std::string_view text);
/// A line to copy.
[[nodiscard]] std::string code_block(std::string_view text);

/// A figure at the head of a page.
struct Tile {
  std::string value; ///< with its unit
  std::string caption;
};
[[nodiscard]] std::string tiles(const std::vector<Tile>& tiles);

/// Names and what they stand for, one below the other; pairs with an empty text are left out.
using Facts = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] std::string facts(const Facts& facts);

} // namespace coulomb::html
