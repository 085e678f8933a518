// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/bar_chart.hpp"
#include "base/results/html/parallel_chart.hpp"
#include "base/results/html/scatter_chart.hpp"
#include "base/results/html/svg.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::html {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Axis, RoundsALinearOneOutwards) {
  const Axis axis = linear_axis("t", std::vector<double>{0.32, 0.97});
  EXPECT_DOUBLE_EQ(axis.low, 0.2);
  EXPECT_DOUBLE_EQ(axis.high, 1.0);
  ASSERT_EQ(axis.ticks.size(), 5U);
  EXPECT_EQ(tick_label(axis.ticks[1]), "0.4");
  EXPECT_DOUBLE_EQ(axis.fraction(0.6), 0.5);
}

TEST(Axis, HasAWidthEvenIfAllValuesAreTheSame) {
  EXPECT_NEAR(linear_axis("t", std::vector<double>{5.0, 5.0}).fraction(5.0), 0.5, 1e-12);
  EXPECT_DOUBLE_EQ(linear_axis("t", std::vector<double>{0.0}).fraction(0.0), 0.5);
  EXPECT_DOUBLE_EQ(linear_axis("t", {}).high, 1.0);
}

TEST(Axis, IsLogarithmicWhereSmallValuesWouldVanish) {
  EXPECT_FALSE(fitting_axis("t", std::vector<double>{1.0, 4.9}).logarithmic);
  EXPECT_FALSE(fitting_axis("t", std::vector<double>{0.0, 100.0}).logarithmic);
  const Axis axis = fitting_axis("t", std::vector<double>{1.0, 100.0});
  EXPECT_TRUE(axis.logarithmic);
  EXPECT_NEAR(axis.fraction(10.0), 0.5, 1e-12);
  ASSERT_EQ(axis.ticks.size(), 5U);
  EXPECT_EQ(tick_label(axis.ticks[1]), "3");
  EXPECT_EQ(tick_label(axis.ticks[4]), "100");
}

TEST(Axis, CountsInWholeNumbers) {
  EXPECT_THAT(counting_axis("n", 0).ticks, ElementsAre(0.0, 1.0));
  EXPECT_THAT(counting_axis("n", 3).ticks, ElementsAre(0.0, 1.0, 2.0, 3.0));
  EXPECT_THAT(counting_axis("n", 59).ticks, ElementsAre(0.0, 20.0, 40.0));
}

ScatterChart small_chart() {
  return {.description = "two <points>",
          .x = counting_axis("candidate", 2),
          .y = linear_axis("time [us]", std::vector<double>{0.0, 10.0}),
          .series = {{"seen", Mark::dot, {{0.0, 10.0, ""}, {2.0, 5.0, "a \"tip\""}}},
                     {"best", Mark::step, {{0.0, 10.0, ""}, {2.0, 5.0, ""}}}},
          .strips = {{"crashed", {1.0, 1.0001}}}};
}

TEST(ScatterChart, PutsEachValueWhereItsTicksSay) {
  const ScatterChart chart = small_chart();
  const PlotArea area = plot_area(chart);
  EXPECT_DOUBLE_EQ(area.left, 67.0) << "margin 10, \"crashed\" 7 x 7.2, gap 6";
  EXPECT_DOUBLE_EQ(area.top, 46.0);
  EXPECT_DOUBLE_EQ(area.right, 850.0);
  EXPECT_DOUBLE_EQ(area.bottom, 346.0);
  const std::string html = to_html(chart);
  EXPECT_THAT(html, HasSubstr("aria-label=\"two &lt;points&gt;\""));
  EXPECT_THAT(html, HasSubstr("<text x=\"61\" y=\"350\" text-anchor=\"end\">0</text>"));
  EXPECT_THAT(html, HasSubstr("<text x=\"61\" y=\"50\" text-anchor=\"end\">10</text>"));
  EXPECT_THAT(html, HasSubstr("<text x=\"458.5\" y=\"384\" text-anchor=\"middle\">1</text>"));
  EXPECT_THAT(html, HasSubstr("<path d=\"M67 46h0\" class=\"dots\"/>"));
  EXPECT_THAT(html, HasSubstr("<circle cx=\"850\" cy=\"196\" r=\"2.5\" class=\"dot\">"
                              "<title>a &quot;tip&quot;</title></circle>"));
  EXPECT_THAT(html, HasSubstr("<path d=\"M67 46H850V196\" class=\"step\"/>"));
  EXPECT_THAT(html, HasSubstr("<path d=\"M459 352v12\" class=\"tick\"/>"))
      << "two failures on one pixel are one stroke";
}

TEST(BarChart, DrawsSharesToScaleAndTheUnreliableAsOutlines) {
  const std::string html = to_html(
      BarChart{.description = "shares",
               .title = "share [%]",
               .bars = {{"aaaaaaaaaa", 0.5, "50 %", false}, {"<b>", 2.0, "too much", true}}});
  // Names take 72, notes 57.6 pixels: the axis runs from 88 to 804.
  EXPECT_THAT(html,
              HasSubstr("<rect x=\"88\" y=\"14\" width=\"358\" height=\"16\" class=\"bar\"/>"));
  EXPECT_THAT(
      html, HasSubstr("<rect x=\"88\" y=\"38\" width=\"716\" height=\"16\" class=\"faint bar\"/>"));
  EXPECT_THAT(html, HasSubstr(">&lt;b&gt;</text>"));
  EXPECT_THAT(html, HasSubstr("<text x=\"231.2\" y=\"74\" text-anchor=\"middle\">20 %</text>"));
}

TEST(ParallelChart, LeadsEachLineThroughItsValues) {
  ParallelChart chart{
      .description = "d", .axes = {}, .lines = {}, .quiet = "rest", .plain = "", .strong = "best"};
  chart.axes = {{"a", {{0.0, "1"}, {1.0, "2"}}}, {"b<", {{0.0, "x"}, {1.0, "y"}}}};
  chart.lines = {{{0.0, 1.0}, Weight::strong, "tip"}, {{1.0, 0.0}, Weight::quiet, ""}};
  const std::string html = to_html(chart);
  // Axes at 60 and 280; the bottom at 344, the top at 64.
  EXPECT_THAT(html, HasSubstr("<path d=\"M60 344L280 64\" class=\"strong\"/>"));
  EXPECT_THAT(html, HasSubstr("<path d=\"M60 64L280 344\" class=\"quiet\"/>"));
  EXPECT_THAT(html, HasSubstr("<title>tip</title>"));
  EXPECT_THAT(html, HasSubstr(">b&lt;</text>"));
}

TEST(ParallelChart, LeavesOutLabelsThatWouldOverlap) {
  ParallelChart chart{
      .description = "d", .axes = {{"a", {}}}, .lines = {}, .quiet = "", .plain = "", .strong = ""};
  for (int i = 0; i <= 100; ++i) {
    chart.axes[0].ticks.push_back({i / 100.0, fmt::format("v{}", i)});
  }
  const std::string html = to_html(chart);
  EXPECT_THAT(html, HasSubstr(">v0</text>"));
  EXPECT_THAT(html, Not(HasSubstr(">v1</text>"))) << "2.8 pixels above v0";
  EXPECT_THAT(html, HasSubstr(">v6</text>")) << "16.8 pixels above v0";
  EXPECT_THAT(html, Not(HasSubstr(">v96</text>"))) << "it is in v100's way";
  EXPECT_THAT(html, HasSubstr(">v100</text>"));
}

TEST(Svg, CutsALongTextAndKeepsTheWholeInATooltip) {
  EXPECT_EQ(svg::text(1.26, 2, svg::Anchor::start, "abcdef", 4),
            "<text x=\"1.3\" y=\"2\">ab\xE2\x80\xA6"
            "f<title>abcdef</title></text>\n");
}

} // namespace
} // namespace coulomb::html
