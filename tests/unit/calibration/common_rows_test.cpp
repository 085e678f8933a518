// SPDX-License-Identifier: Apache-2.0
#include "calibration/common_rows.hpp"

#include "synthetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <set>
#include <utility>

namespace coulomb::calibration {
namespace {

using testing::message_of;
using Row = std::pair<std::int64_t, double>; // parameter x, time

results::SiliconTable
table_of(const std::string& spec, const std::string& path, const std::vector<Row>& rows) {
  results::SiliconTable table;
  table.path = path;
  table.metadata.spec = spec;
  for (const auto& [x, ms] : rows) {
    results::SiliconRow row;
    row.row = table.rows.size();
    row.parameters = kernel::Configuration({{"x", x}});
    row.time_ms = ms;
    table.rows.push_back(row);
  }
  return table;
}

/// x from `first` on, each `ms(x)`, in scrambled order.
results::SiliconTable table_of(const std::string& path, std::int64_t first, auto ms) {
  std::vector<Row> rows;
  for (std::int64_t i = 0; i < 400; ++i) {
    const std::int64_t x = first + (i * 7 + first) % 400;
    rows.emplace_back(x, ms(static_cast<double>(x)));
  }
  return table_of("saxpy", path, rows);
}

std::set<std::string> drawn(results::SiliconTable table,
                            const std::vector<results::SiliconTable>& others,
                            const SampleRequest& request) {
  const KernelIdentity identity;
  const CommonRows common = keep_common_rows(table, others, identity);
  std::set<std::string> keys;
  for (const std::size_t row : draw_common_sample(table, common, request).rows) {
    keys.insert(identity.key("saxpy", table.rows[row].parameters));
  }
  return keys;
}

TEST(CommonRows, AreWhatEveryTableRecordedAndMayBeCompared) {
  auto a = table_of("saxpy", "a.csv", {{1, 9.0}, {2, 1.0}, {3, 4.0}, {4, 1.0}, {5, 2.0}, {3, 5.0}});
  auto b = table_of("saxpy", "b.csv", {{5, 8.0}, {4, 1.0}, {3, 1.0}, {2, 1.0}});
  a.rows[3].exclusion = "clock"; // x = 4
  b.rows[3].time_ms.reset();     // x = 2
  b.rows[3].status = eval::EvalStatus::launch_invalid;
  const CommonRows common = keep_common_rows(a, {b}, KernelIdentity());
  ASSERT_EQ(common.entries.size(), 2U);
  EXPECT_EQ(common.entries[0].row, 2U); // x = 3: sqrt(4 * 1), of its two rows the first
  EXPECT_NEAR(common.entries[0].mean_ms, 2.0, 1e-12);
  EXPECT_EQ(common.entries[1].row, 4U); // x = 5: sqrt(2 * 8)
  EXPECT_NEAR(common.entries[1].mean_ms, 4.0, 1e-12);
  EXPECT_EQ(a.excluded(),
            (std::map<std::string, std::size_t>{{"clock", 1}, {"not recorded in b.csv", 3}}));
}

TEST(CommonRows, OfTwoSpecificationsOfOneKernelMeetInTheirKey) {
  results::SiliconTable a = table_of("convolution", "a.csv", {{1, 1.0}, {2, 1.0}});
  for (auto& row : a.rows) {
    auto entries = row.parameters.entries();
    entries.emplace_back("use_cmem", std::int64_t{1});
    entries.emplace_back("use_shmem", row.row == 0 ? std::int64_t{1} : std::int64_t{0});
    row.parameters = kernel::Configuration(std::move(entries));
  }
  const auto b = table_of("convolution_bat", "b.csv", {{2, 1.0}, {1, 1.0}});
  const auto identity = KernelIdentity::load(default_kernel_identity_path());
  const CommonRows common = keep_common_rows(a, {b}, identity);
  ASSERT_EQ(common.entries.size(), 1U);
  EXPECT_EQ(common.entries[0].row, 0U) << "x = 2 does not use shared memory there";
}

TEST(CommonRows, AreDrawnAlikeWhicheverTableIsSampled) {
  const auto a = table_of("a.csv", 0, [](double x) { return 1.0 + x; });
  const auto b = table_of("b.csv", 100, [](double x) { return 0.3 + std::fmod(x * 37.0, 91.0); });
  const auto c = table_of("c.csv", 50, [](double x) { return 900.0 - x; });
  for (const std::size_t count : {1U, 10U, 37U, 60U, 299U}) {
    const SampleRequest request{.count = count, .seed = 5};
    const auto of_two = drawn(a, {b}, request);
    EXPECT_EQ(of_two.size(), count);
    EXPECT_EQ(drawn(b, {a}, request), of_two);
    const auto of_three = drawn(a, {b, c}, request);
    EXPECT_EQ(of_three.size(), count);
    EXPECT_EQ(drawn(a, {c, b}, request), of_three);
    EXPECT_EQ(drawn(c, {b, a}, request), of_three);
  }
  EXPECT_NE(drawn(a, {b}, {.count = 60, .seed = 5}), drawn(a, {b}, {.count = 60, .seed = 6}));
}

TEST(CommonRows, OfASmallerSampleArePartOfALargerOne) {
  const auto a = table_of("a.csv", 0, [](double x) { return 1.0 + x; });
  const auto b = table_of("b.csv", 100, [](double x) { return 2.0 + x; });
  const auto few = drawn(a, {b}, {.count = 20});
  const auto more = drawn(a, {b}, {.count = 60});
  EXPECT_TRUE(std::includes(more.begin(), more.end(), few.begin(), few.end()));
}

TEST(CommonRows, ComeEvenlyFromTheDecilesOfTheMeanTime) {
  auto a = table_of("a.csv", 0, [](double x) { return 1.0 + x; });
  const auto b = table_of("b.csv", 100, [](double x) { return 1.0 + x; });
  results::SiliconRow failing;
  failing.status = eval::EvalStatus::launch_invalid;
  a.rows.push_back(failing);
  const CommonRows common = keep_common_rows(a, {b}, KernelIdentity());
  const Sample sample = draw_common_sample(a, common, {.count = 50});
  EXPECT_EQ(sample.eligible, 300U); // x from 100 to 399
  EXPECT_EQ(sample.drawn_eligible, 50U);
  EXPECT_TRUE(std::is_sorted(sample.rows.begin(), sample.rows.end()));
  std::array<int, 10> seen{};
  for (const std::size_t row : sample.rows) {
    ++seen.at(static_cast<std::size_t>((*a.rows[row].time_ms - 101.0) / 30.0));
  }
  EXPECT_THAT(seen, ::testing::Each(5));
  EXPECT_NEAR(sample.deciles[1].from_ms, 131.0, 1e-9);
  EXPECT_NEAR(sample.deciles[1].to_ms, 160.0, 1e-9);
  EXPECT_EQ(sample.failing, 1U);
  EXPECT_EQ(sample.drawn_failing, 0U);
}

TEST(CommonRows, RefuseAnotherKernelAndTablesWithNothingInCommon) {
  auto a = table_of("saxpy", "a.csv", {{1, 1.0}});
  const auto other = table_of("sgemm", "b.csv", {{1, 1.0}});
  EXPECT_EQ(message_of([&] { (void)keep_common_rows(a, {other}, KernelIdentity()); }),
            "b.csv holds kernel sgemm, a.csv holds saxpy: they have no configuration in common");
  const auto apart = table_of("saxpy", "c.csv", {{2, 1.0}});
  EXPECT_EQ(message_of([&] { (void)keep_common_rows(a, {apart}, KernelIdentity()); }),
            "a.csv and c.csv have no configuration in common that may be compared");
  const CommonRows common = keep_common_rows(a, {a}, KernelIdentity());
  EXPECT_EQ(message_of([&] { (void)draw_common_sample(a, common, {.count = 0}); }),
            "a sample of 0 rows compares nothing");
}

} // namespace
} // namespace coulomb::calibration
