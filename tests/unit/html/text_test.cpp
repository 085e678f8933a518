// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/elements.hpp"
#include "base/results/html/page.hpp"
#include "base/results/html/table.hpp"
#include "base/results/html/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::html {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kAttack = "\"><script>alert('x')</script>&amp;";
constexpr const char* kHarmless =
    "&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;";

TEST(HtmlText, EscapesEveryCharacterThatMeansSomethingInHtml) {
  EXPECT_EQ(escape(kAttack), kHarmless);
}

TEST(HtmlText, KeepsOtherScriptsAndReplacesWhatIsNoUtf8) {
  EXPECT_EQ(escape("größe \xE5\xA4\xA7 \xF0\x9F\x98\x80"), "größe \xE5\xA4\xA7 \xF0\x9F\x98\x80");
  EXPECT_EQ(escape("a\xFF"
                   "b\xC3"),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
  EXPECT_EQ(escape("\xC0\xBC"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "an overlong <";
  EXPECT_EQ(escape(std::string_view("a\0b\tc\nd", 7)), "a\xEF\xBF\xBD"
                                                       "b\tc\nd");
}

TEST(HtmlText, ShortensToColumnsAndNeverWithinACharacter) {
  EXPECT_EQ(shorten("block_size_x", 12), "block_size_x");
  EXPECT_EQ(shorten("block_size_x", 8), "block_s\xE2\x80\xA6");
  EXPECT_EQ(shorten("größer", 4), "grö\xE2\x80\xA6");
  EXPECT_EQ(shorten("\xE5\xA4\xA7\xE5\xA4\xA7\xE5\xA4\xA7", 5),
            "\xE5\xA4\xA7\xE5\xA4\xA7\xE2\x80\xA6");
}

TEST(HtmlText, CutsTheMiddleOfNamesThatDifferInTheirEnds) {
  EXPECT_EQ(shorten_middle("tile_size_x", 11), "tile_size_x");
  EXPECT_EQ(shorten_middle("tile_size_x", 6), "til\xE2\x80\xA6_x");
  EXPECT_EQ(shorten_middle("aaaaaaä\xE5\xA4\xA7", 7), "aaa\xE2\x80\xA6ä\xE5\xA4\xA7");
}

TEST(HtmlText, WritesNumbersWithoutExponents) {
  EXPECT_EQ(format_number(0.55314), "0.5531");
  EXPECT_EQ(format_number(1234567.4), "1,234,567");
  EXPECT_EQ(format_number(-1234.4), "-1,234");
  EXPECT_EQ(format_number(12.0), "12");
  EXPECT_EQ(format_number(0.0), "0");
}

TEST(HtmlElements, EscapeWhatTheyAreGiven) {
  for (const std::string& html :
       {paragraph(kAttack), remark(kAttack), notice(kAttack), code_block(kAttack),
        tiles({{kAttack, kAttack}}), facts({{kAttack, kAttack}}), text_cell(kAttack).html,
        long_text_cell(kAttack).html, number_cell(1.0, kAttack).html,
        to_html(Table{.columns = {{kAttack, kAttack}}, .rows = {{text_cell(kAttack)}}})}) {
    EXPECT_THAT(html, HasSubstr(kHarmless));
    EXPECT_THAT(html, Not(HasSubstr("<script")));
  }
}

TEST(HtmlElements, FactsLeaveOutWhatIsEmpty) {
  EXPECT_EQ(facts({{"a", "1"}, {"b", ""}}), "<dl class=\"facts\">\n<dt>a</dt><dd>1</dd>\n</dl>\n");
}

TEST(HtmlTable, FoldsAwayWhatIsLongerThanALineAndBoundsIt) {
  EXPECT_EQ(long_text_cell("one line").html, "one line");
  EXPECT_EQ(long_text_cell("first\nsecond").html,
            "<details><summary>first</summary><pre>first\nsecond</pre></details>");
  const std::string html = long_text_cell(std::string(1'000'000, 'x')).html;
  EXPECT_LT(html.size(), 5000U);
  EXPECT_THAT(html, HasSubstr("\n... 996000 bytes more</pre>"));
}

TEST(HtmlTable, GivesSortingTheNumberBehindTheText) {
  EXPECT_EQ(
      to_html({.columns = {{"time", "us", true}},
               .rows = {{number_cell(1234.5, "1,234")}},
               .sortable = true}),
      "<div class=\"scroll\"><table class=\"sortable\">\n"
      "<thead><tr><th scope=\"col\" class=\"number\">time<small>us</small></th></tr></thead>\n"
      "<tbody>\n<tr><td class=\"number\" data-v=\"1234.5\">1,234</td></tr>\n"
      "</tbody></table></div>\n");
}

TEST(HtmlPage, RefersToNothingOutsideItself) {
  Page page(kAttack);
  page.section(kAttack, paragraph("text"));
  const std::string text = page.text();
  EXPECT_THAT(text, HasSubstr("default-src 'none'"));
  EXPECT_THAT(text, HasSubstr(std::string("<title>") + kHarmless + "</title>"));
  EXPECT_THAT(text, HasSubstr(std::string("<h2>") + kHarmless + "</h2>\n<p>text</p>"));
  for (const char* outside : {"http://", "https://", "@import", "url(", " src="}) {
    EXPECT_THAT(text, Not(HasSubstr(outside)));
  }
  EXPECT_EQ(text.find("<script>"), text.rfind("<script>")) << "its own";
}

} // namespace
} // namespace coulomb::html
