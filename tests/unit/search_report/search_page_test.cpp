// SPDX-License-Identifier: Apache-2.0
#include "search/report/convergence.hpp"
#include "search/report/coordinates.hpp"
#include "search/report/front_section.hpp"
#include "search/report/importance_section.hpp"
#include "search/report/search_page.hpp"
#include "tests/unit/search/scratch_directory.hpp"
#include "tests/unit/search/synthetic_records.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

using eval::EvalStatus;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string same_word(std::string_view reason) {
  return std::string(reason);
}

SearchRecords records_of(std::vector<EvaluationRecord> evaluations) {
  SearchRecords records;
  records.header = synthetic_header();
  records.evaluations = std::move(evaluations);
  records.sessions = 1;
  records.last_jobs = 2;
  records.stopped_by = "budget";
  return records;
}

std::string page_of(const SearchRecords& records, const std::string& state = "stopped by budget") {
  return search_page(records, {.dir = "runs/toy",
                               .state = state,
                               .best_command = "coulomb run toy --param 'a=<b>'",
                               .resume_command = {},
                               .generated = "2026-02-01T00:00:00Z",
                               .stall_words = same_word});
}

Measure measured_by(const SearchRecords& records) {
  return measure_of(records, Ranking(records));
}

Importance importance_of(const SearchRecords& records) {
  return parameter_importance(records, measured_by(records));
}

/// All combinations of x, y in 0..3 and z, whose time depends on x alone, twofold per step.
SearchRecords table_of_x(std::int64_t zs = 4) {
  auto records = records_of({});
  records.header.parameters = {"y", "x", "z", "fixed"};
  for (std::int64_t x = 0; x < 4; ++x) {
    for (std::int64_t y = 0; y < 4; ++y) {
      for (std::int64_t z = 0; z < zs; ++z) {
        auto e = ok_record(records.evaluations.size(), static_cast<double>(1 << x));
        e.configuration =
            kernel::Configuration({{"y", y}, {"x", x}, {"z", z}, {"fixed", std::string("always")}});
        records.evaluations.push_back(e);
      }
    }
  }
  return records;
}

TEST(Importance, GivesAParameterThatDecidesAllOfItAndNothingToTheOthers) {
  const Importance importance = importance_of(table_of_x());
  EXPECT_EQ(importance.evaluations, 64U);
  ASSERT_EQ(importance.parameters.size(), 3U);
  EXPECT_EQ(importance.parameters[0].name, "x");
  EXPECT_EQ(importance.parameters[0].values, 4U);
  EXPECT_NEAR(importance.parameters[0].share, 1.0, 1e-12);
  EXPECT_TRUE(importance.parameters[0].beyond_chance);
  for (const std::size_t other : {1U, 2U}) {
    EXPECT_EQ(importance.parameters[other].share, 0.0);
    EXPECT_FALSE(importance.parameters[other].beyond_chance);
  }
  EXPECT_THAT(importance.constant, ElementsAre("fixed"));
}

TEST(Importance, SharesBetweenTwoParametersAsTheirVariances) {
  auto records = table_of_x();
  for (auto& e : records.evaluations) { // log(time) = 2 x + y, in steps of log 2
    const auto x = std::get<std::int64_t>(*e.configuration.find("x"));
    const auto y = std::get<std::int64_t>(*e.configuration.find("y"));
    e.time_ms = static_cast<double>(std::int64_t{1} << (2 * x + y));
  }
  const Importance importance = parameter_importance(records, measured_by(records));
  // Raw 4/5 and 1/5, of which 3 degrees of freedom of 63 explain 0.2 x 3/60 and 0.8 x 3/60.
  EXPECT_NEAR(importance.parameters[0].share, 1.0 - 0.2 * 63.0 / 60.0, 1e-12);
  EXPECT_NEAR(importance.parameters[1].share, 1.0 - 0.8 * 63.0 / 60.0, 1e-12);
  EXPECT_TRUE(importance.parameters[1].beyond_chance);
}

TEST(Importance, CountsAConfigurationOnceAndOnlyThoseThatRan) {
  auto records = table_of_x();
  records.evaluations.push_back(records.evaluations.front());
  records.evaluations.push_back(failed_record(65, EvalStatus::crashed, "no"));
  EXPECT_EQ(parameter_importance(records, measured_by(records)).evaluations, 64U);
}

TEST(Importance, GroupsManyNumbersSoThatEachGroupSaysSomething) {
  auto records = records_of({});
  records.header.parameters = {"x"};
  for (std::int64_t x = 0; x < 64; ++x) { // every value once: one group each would explain all
    auto e = ok_record(static_cast<std::uint64_t>(x), x % 2 == 0 ? 1.0 : 2.0);
    e.configuration = kernel::Configuration({{"x", x}});
    records.evaluations.push_back(e);
  }
  const Importance importance = parameter_importance(records, measured_by(records));
  EXPECT_EQ(importance.parameters[0].values, 64U);
  EXPECT_EQ(importance.parameters[0].share, 0.0);
}

TEST(Importance, SaysWhenNothingCanBeTold) {
  EXPECT_THAT(importance_section(importance_of(records_of({ok_record(0, 1.0)}))),
              HasSubstr("Too few evaluations to tell: 1 different configurations ran"));
  auto flat = table_of_x();
  for (auto& e : flat.evaluations) {
    e.time_ms = 3.0;
  }
  EXPECT_THAT(importance_section(parameter_importance(flat, measured_by(flat))),
              HasSubstr("All configurations that ran came out the same"));
}

TEST(Convergence, FollowsTheBestAndTicksOffFailures) {
  const auto records = records_of({ok_record(0, 4.0), failed_record(1, EvalStatus::crashed, "no"),
                                   ok_record(2, 5.0), ok_record(3, 2.0), ok_record(4, 3.0)});
  EXPECT_THAT(improvements(records, measured_by(records)), ElementsAre(0U, 3U));
  const auto [chart, stride] = convergence_chart(records, measured_by(records));
  EXPECT_EQ(stride, 1U);
  EXPECT_EQ(chart.y.title, "time [ms]");
  ASSERT_EQ(chart.series.size(), 3U);
  EXPECT_EQ(chart.series[0].points.size(), 4U);
  ASSERT_EQ(chart.series[1].points.size(), 3U) << "led on to the last evaluation";
  EXPECT_EQ(chart.series[1].points[2].x, 4.0);
  EXPECT_EQ(chart.series[1].points[2].y, 2.0);
  EXPECT_EQ(chart.series[2].points[1].label, "candidate 3: 2 ms, model");
  ASSERT_EQ(chart.strips.size(), 1U);
  EXPECT_EQ(chart.strips[0].name, "crashed");
  EXPECT_THAT(chart.strips[0].xs, ElementsAre(1.0));
}

TEST(Coordinates, SetTheFastestTenthApart) {
  const auto table = table_of_x();
  const auto [chart, tenth, rest] = coordinates_chart(table, measured_by(table));
  EXPECT_EQ(tenth, 6U);
  EXPECT_EQ(rest, 58U);
  ASSERT_EQ(chart.axes.size(), 4U) << "y, x, z and the time, not what is fixed";
  EXPECT_EQ(chart.axes[3].title, "time [ms]");
  EXPECT_EQ(chart.lines.size(), 64U);
  EXPECT_EQ(chart.lines[0].weight, html::Weight::strong);
  EXPECT_EQ(chart.lines[0].positions[1], 0.0);
  EXPECT_EQ(chart.lines[63].positions[1], 1.0);
  EXPECT_EQ(chart.plain, "the best tenth (6)");
}

TEST(SearchPage, TellsTheBestItsGainAndHowToRepeatIt) {
  const std::string page = page_of(records_of(
      {ok_record(0, 4.0), ok_record(1, 2.0), failed_record(2, EvalStatus::deadlock, "stuck")}));
  EXPECT_THAT(page, HasSubstr("<h1>Search of toy on a100-pcie-40gb</h1>"));
  EXPECT_THAT(page, HasSubstr("strategy ga, seed 3, 3 of 60 evaluations, stopped by budget."));
  EXPECT_THAT(page, HasSubstr("<b>2 ms</b><span>the best time</span>"));
  EXPECT_THAT(page, HasSubstr("<b>2.00 x</b><span>as fast as the first evaluation, 4 ms</span>"));
  EXPECT_THAT(page, HasSubstr("<pre>coulomb run toy --param &#39;a=&lt;b&gt;&#39;</pre>"));
  EXPECT_THAT(page, HasSubstr("<pre>coulomb search toy --gpu a100-pcie-40gb --seed 3</pre>"));
  EXPECT_THAT(page, HasSubstr("<td>2: stuck</td>"));
  EXPECT_THAT(page, HasSubstr("<td>barrier 75 %</td>"));
  EXPECT_THAT(page, HasSubstr("a100-pcie-40gb, configuration hash cc"));
  EXPECT_THAT(page, Not(HasSubstr("The search is running")));
}

TEST(SearchPage, MakesSenseBeforeAnythingRan) {
  const std::string none = page_of(records_of({}), "running");
  EXPECT_THAT(none, HasSubstr("No evaluation is finished yet."));
  EXPECT_THAT(none, HasSubstr("The search is running: this page shows what was finished at "
                              "2026-02-01T00:00:00Z."));
  const std::string failed = page_of(records_of(
      {failed_record(0, EvalStatus::crashed, "no"), failed_record(1, EvalStatus::crashed, "no")}));
  EXPECT_THAT(failed, HasSubstr("None: every configuration failed."));
  EXPECT_THAT(failed, HasSubstr("No configuration has run, so there is nothing to draw."));
  EXPECT_THAT(failed, Not(HasSubstr("<svg")));
  const std::string one = page_of(records_of({ok_record(0, 1.0)}));
  EXPECT_THAT(one, HasSubstr("the first evaluation is the best"));
  EXPECT_THAT(one, HasSubstr("It takes two different configurations that ran to compare them."));
}

TEST(SearchPage, EscapesWhateverTheRecordsHold) {
  const std::string attack = "</pre></svg>\"'><script>alert(1)</script><img src=http://x>\xFF";
  auto records = records_of({});
  auto& h = records.header;
  for (std::string* text :
       {&h.version, &h.spec, &h.spec_path, &h.spec_hash, &h.source_hash, &h.gpu, &h.gpu_hash,
        &h.strategy, &h.command, &h.started, &h.fidelity.cache_state, &records.damage}) {
    *text = attack;
  }
  h.gpu_overrides = {attack};
  h.parameters = {attack, attack + "2"};
  for (std::uint64_t id = 0; id < 40; ++id) {
    auto e = id % 4 == 3 ? failed_record(id, EvalStatus::crashed, attack + "\n" + attack)
                         : ok_record(id, 1.0 + static_cast<double>(id % 7));
    e.origin = e.finished = attack;
    e.configuration = kernel::Configuration(
        {{attack, static_cast<std::int64_t>(id)}, {attack + "2", attack + fmt::to_string(id % 3)}});
    if (e.status == EvalStatus::ok) {
      e.stalls = {{attack, 0.5}};
    }
    records.evaluations.push_back(e);
  }
  const std::string page = search_page(records, {.dir = attack,
                                                 .state = attack,
                                                 .best_command = attack,
                                                 .resume_command = attack,
                                                 .generated = attack,
                                                 .stall_words = same_word});
  EXPECT_EQ(page.find("<script>"), page.rfind("<script>")) << "the page's own";
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("\xFF")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

TEST(SearchPage, StaysSmallWithTwentyThousandEvaluationsOfThirtyParameters) {
  const ScratchDirectory scratch;
  const std::string dir = scratch.path("large");
  {
    SearchHeader header = synthetic_header();
    header.budget = 20'000;
    header.parameters.clear();
    for (int p = 0; p < 30; ++p) {
      header.parameters.push_back(fmt::format("parameter_with_a_rather_long_name_{}", p));
    }
    auto store = SearchStore::create(dir, header);
    store.begin_session(2, header.command);
    for (std::uint64_t id = 0; id < 20'000; ++id) {
      auto e = id % 10 == 9 ? failed_record(id, EvalStatus::compile_failed, std::string(2000, 'm'))
                            : ok_record(id, 0.1 + static_cast<double>(id * 7919 % 20'011) / 1e3);
      std::vector<kernel::Configuration::Entry> entries;
      for (std::size_t p = 0; p < 30; ++p) {
        entries.emplace_back(header.parameters[p],
                             static_cast<std::int64_t>((id * 31 + id / (p + 1)) % (p + 2)));
      }
      entries[0].second = static_cast<std::int64_t>(id);
      e.configuration = kernel::Configuration(entries);
      e.counters.clear();
      store.add(e);
    }
    store.end_session("budget");
  }
  const std::string page = page_of(load_search(dir));
  EXPECT_LT(page.size(), 1'000'000U);
  EXPECT_THAT(page, HasSubstr("one in 6 of the evaluations that ran is drawn as a dot"));
  EXPECT_THAT(page, HasSubstr("150 lines are drawn of each group, evenly spaced by rank."));
  EXPECT_THAT(page, HasSubstr("The 50 best of 18,000 that ran;"));
}

SearchRecords records_of_two_objectives(const std::string& second) {
  auto records = records_of({});
  records.header.objectives = {.objectives = {"time", second}, .reward = {}};
  const std::vector<std::pair<double, std::uint32_t>> values = {
      {4.0, 10}, {2.0, 20}, {3.0, 30}, {1.0, 40}};
  for (const auto& [ms, registers] : values) {
    records.evaluations.push_back(ok_record(records.evaluations.size(), ms));
    records.evaluations.back().registers = registers;
  }
  return records;
}

std::vector<std::pair<double, double>> points_of(const html::ScatterSeries& series) {
  std::vector<std::pair<double, double>> points;
  for (const auto& point : series.points) {
    points.emplace_back(point.x, point.y);
  }
  return points;
}

TEST(Front, IsDrawnAsRingsAndAStepAlongWhatItDominates) {
  const auto records = records_of_two_objectives("registers");
  const Ranking ranking(records);
  const auto chart = front_chart(records, ranking.front(), measure_of(records, ranking, 0),
                                 measure_of(records, ranking, 1), true);
  ASSERT_EQ(chart.series.size(), 3U);
  EXPECT_EQ(chart.series[0].points.size(), 4U);
  const std::vector<std::pair<double, double>> front = {{1.0, 40}, {2.0, 20}, {4.0, 10}};
  EXPECT_EQ(points_of(chart.series[1]), front);
  EXPECT_EQ(points_of(chart.series[2]), front);
  EXPECT_EQ(chart.series[2].points[0].label, "candidate 3: 1 ms, registers 40");
  EXPECT_EQ(chart.x.title, "time [ms]");
}

TEST(Front, TurnsTheStepRoundWhereMoreIsBetter) {
  const auto records = records_of_two_objectives("max registers");
  const Ranking ranking(records);
  const auto chart = front_chart(records, ranking.front(), measure_of(records, ranking, 1),
                                 measure_of(records, ranking, 0), true);
  // 40 registers in 1 ms beat all others in both.
  EXPECT_EQ(points_of(chart.series[2]), (std::vector<std::pair<double, double>>{{40, 1.0}}));
  auto traded = records;
  traded.evaluations[0].registers = 50; // 4 ms
  const Ranking again(traded);
  const auto edge = front_chart(traded, again.front(), measure_of(traded, again, 1),
                                measure_of(traded, again, 0), true)
                        .series[1];
  EXPECT_EQ(points_of(edge),
            (std::vector<std::pair<double, double>>{{40, 1.0}, {40, 4.0}, {50, 4.0}}));
}

TEST(Front, HasAGrowingHypervolumeFromTheTwelfthEvaluationOn) {
  auto records = records_of_two_objectives("registers");
  EXPECT_TRUE(growth_chart(records, Ranking(records)).series.empty());
  EXPECT_THAT(page_of(records), HasSubstr("Below 12 evaluations that ran"));
  for (std::uint64_t id = 4; id < 20; ++id) {
    records.evaluations.push_back(ok_record(id, 5.0 - 0.25 * static_cast<double>(id)));
    records.evaluations.back().registers = static_cast<std::uint32_t>(60 - id);
  }
  const auto line = growth_chart(records, Ranking(records)).series.at(0);
  ASSERT_EQ(line.points.size(), 9U);
  EXPECT_EQ(line.points.front().x, 11.0);
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    EXPECT_GE(line.points[i].y, line.points[i - 1].y);
  }
  EXPECT_GT(line.points.back().y, line.points.front().y);
}

TEST(SearchPage, SaysThatTimesWereRecordedAndShowsNoFigureThatWasNot) {
  auto records = records_of({ok_record(0, 1.0)});
  records.evaluations[0].ipc = 0.0;
  records.evaluations[0].registers = 0;
  records.header.silicon = "convolution/table";
  const std::string page = page_of(records);
  EXPECT_THAT(page, HasSubstr("recorded measurements of convolution/table"));
  EXPECT_THAT(page, Not(HasSubstr("Times are the simulator")));
  EXPECT_THAT(page, Not(HasSubstr("sampled: ")));
  EXPECT_THAT(page, HasSubstr("It was measured, not simulated. This simulates it:"));
}

} // namespace
} // namespace coulomb::search
