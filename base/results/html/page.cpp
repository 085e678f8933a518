// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/page.hpp"

#include "base/results/html/style.hpp"
#include "base/results/html/text.hpp"

#include <fmt/format.h>

namespace coulomb::html {

void Page::section(std::string_view title, std::string_view html) {
  body_ += fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escape(title), html);
}

std::string Page::text() const {
  // The empty icon keeps a browser from asking a server for one.
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; "
      "form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{0}</title>\n<style>\n{1}</style>\n</head>\n"
      "<body>\n<main>\n<h1>{0}</h1>\n{2}</main>\n<script>\n{3}</script>\n</body>\n</html>\n",
      escape(title_), style_sheet(), body_, table_script());
}

} // namespace coulomb::html
