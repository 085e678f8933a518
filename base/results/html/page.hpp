// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace coulomb::html {

/// One self-contained HTML file: style, charts and script are inside it, and its content security
/// policy forbids it to load anything. It reads well in light and dark, in grey and on paper.
///
/// What is added is HTML already: text of others goes through escape() first, as the functions of
/// elements.hpp, Table and the charts do.
class Page {
public:
  explicit Page(std::string title) : title_(std::move(title)) {}

  /// Under what is there so far.
  void add(std::string_view html) { body_ += html; }
  /// A heading of the second level, and what stands under it.
  void section(std::string_view title, std::string_view html);
  /// The whole file.
  [[nodiscard]] std::string text() const;

private:
  std::string title_; ///< not escaped
  std::string body_;
};

} // namespace coulomb::html
