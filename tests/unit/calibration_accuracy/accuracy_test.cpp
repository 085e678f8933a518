// SPDX-License-Identifier: Apache-2.0
#include "calibration/accuracy/figures.hpp"
#include "calibration/accuracy/held_out.hpp"
#include "calibration/accuracy/transfer.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <unistd.h>

namespace coulomb::calibration {
namespace {

const std::vector<double> kSilicon = {1.0, 2.0, 4.0, 8.0, 10.0};

Observation observed(const std::string& board,
                     const std::string& spec,
                     std::int64_t block,
                     double silicon_ms,
                     double sim_ms) {
  Observation o;
  o.board = board;
  o.spec = spec;
  o.parameters = kernel::Configuration({{"block", block}});
  o.silicon_ms = silicon_ms;
  o.sim_ms = sim_ms;
  o.features = {sim_ms};
  return o;
}

TEST(AccuracyFigures, AreThoseOfAHandMadeSet) {
  const std::vector<double> predicted = {1.1, 1.8, 4.0, 8.8, 10.0}; // +10, -10, 0, +10, 0 %
  const auto figures = accuracy_figures(kSilicon, predicted, {}, {.replicates = 0}, "hand-made");
  EXPECT_EQ(figures.n, 5U);
  EXPECT_NEAR(*figures.mape.value, 0.06, 1e-12);
  EXPECT_NEAR(*figures.median.value, 0.1, 1e-12);
  EXPECT_NEAR(*figures.bias.value, 0.02, 1e-12);
  EXPECT_DOUBLE_EQ(*figures.spearman.value, 1.0);
  EXPECT_FALSE(figures.mape.interval.has_value());
  EXPECT_DOUBLE_EQ(*figures.top1_regret, 0.0);
  EXPECT_FALSE(figures.noise_floor.has_value()) << "the noise is not known";
}

TEST(AccuracyFigures, IntervalHoldsTheFigureAndRepeats) {
  const std::vector<double> predicted = {1.1, 1.8, 4.2, 8.8, 10.0};
  const auto once = accuracy_figures(kSilicon, predicted, {}, {.replicates = 500}, "a");
  const auto again = accuracy_figures(kSilicon, predicted, {}, {.replicates = 500}, "a");
  ASSERT_TRUE(once.mape.interval.has_value());
  EXPECT_LT(once.mape.interval->low, *once.mape.value);
  EXPECT_GT(once.mape.interval->high, *once.mape.value);
  EXPECT_GE(once.mape.interval->low, 0.0);
  EXPECT_LE(once.mape.interval->high, 0.1 + 1e-12) << "no error is larger";
  EXPECT_EQ(once.mape.interval->low, again.mape.interval->low);
}

TEST(AccuracyFigures, RunsCountInTheOrderOfPrediction) {
  const std::vector<double> predicted = {3.0, 1.0, 2.0, 5.0, 4.0};
  EXPECT_EQ(runs_to_within(kSilicon, predicted, 0.01), 3U); // 2.0, 4.0, then the best
  EXPECT_EQ(runs_to_within(kSilicon, predicted, 1.0), 1U);  // twice the best is near enough
  EXPECT_EQ(runs_to_within({}, {}, 0.05), std::nullopt);
}

TEST(HeldOut, TwinsOfOneMachineCodeStayTogether) {
  std::vector<Observation> all = {observed("a", "k", 1, 1.0, 2.0), observed("a", "k", 2, 1.0, 2.0),
                                  observed("a", "k", 3, 1.0, 3.0), observed("b", "k", 3, 1.0, 4.0)};
  const auto groups = held_out_groups(all, HeldOut::configuration, {});
  EXPECT_EQ(groups[0], groups[1]) << "simulations that agree to the last bit";
  EXPECT_NE(groups[0], groups[2]);
  EXPECT_EQ(groups[2], groups[3]) << "one configuration on two boards";
}

TEST(HeldOut, NobodyIsPredictedFromItsOwnGroup) {
  std::vector<Observation> all;
  for (std::int64_t i = 0; i < 40; ++i) {
    all.push_back(observed(i % 2 == 0 ? "a" : "b", i % 3 == 0 ? "j" : "k", i / 2,
                           1.0 + static_cast<double>(i), 2.0 + static_cast<double>(i)));
  }
  for (const HeldOut what : {HeldOut::configuration, HeldOut::kernel, HeldOut::board}) {
    const auto groups = held_out_groups(all, what, {});
    const auto group_of = [&](const Observation& o) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].silicon_ms == o.silicon_ms) {
          return groups[i];
        }
      }
      return groups.size();
    };
    std::size_t asked_in_all = 0;
    const auto times = held_out_times(
        all, what, {}, {}, [&](const auto& known, const std::vector<Observation>& asked) {
          std::set<std::size_t> known_groups;
          for (const auto& o : known) {
            known_groups.insert(group_of(o));
          }
          for (const auto& o : asked) {
            EXPECT_FALSE(known_groups.contains(group_of(o)));
          }
          asked_in_all += asked.size();
          return std::vector<double>(asked.size(), 1.0);
        });
    EXPECT_EQ(asked_in_all, all.size());
    EXPECT_EQ(times.size(), all.size());
  }
}

class KernelIdentityFile : public ::testing::Test {
protected:
  void TearDown() override { std::filesystem::remove(path_); }
  std::string path_ =
      (std::filesystem::temp_directory_path() / fmt::format("kernels-{}.toml", ::getpid()))
          .string();
};

TEST_F(KernelIdentityFile, MatchesConfigurationsOfTwoSpecifications) {
  write_file_atomically(path_,
                        "[j]\nkernel = \"conv\"\n[k]\nkernel = \"conv\"\nfixed.shared = 1\n");
  const auto identity = KernelIdentity::load(path_);
  EXPECT_EQ(identity.kernel_of("k"), "conv");
  EXPECT_EQ(identity.kernel_of("other"), "other");
  Observation shared = observed("a", "j", 32, 2.0, 2.0);
  shared.parameters =
      kernel::Configuration({{"shared", std::int64_t{1}}, {"block", std::int64_t{32}}});
  Observation global = shared;
  global.parameters.set("shared", std::int64_t{0});
  const std::vector<Observation> all = {global, shared, observed("b", "k", 32, 4.0, 3.0)};
  const auto pairs = matches(all, "a", "b", "conv", identity);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].from, 1U);
  EXPECT_EQ(pairs[0].to, 2U);
}

TEST_F(KernelIdentityFile, NamesAnUnknownKey) {
  write_file_atomically(path_, "[j]\nkernal = \"conv\"\n");
  try {
    (void)KernelIdentity::load(path_);
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("kernal"), std::string::npos) << error.what();
  }
}

TEST(RatioFigures, CompareRatiosAndNotTimes) {
  const auto figures = ratio_figures({1.0, 2.0, 4.0}, {1.1, 2.0, 3.6}, {.replicates = 0}, "ratio");
  EXPECT_EQ(figures.n, 3U);
  EXPECT_NEAR(*figures.median.value, 0.1, 1e-12);
  EXPECT_NEAR(*figures.bias, 0.0, 1e-12);
  EXPECT_DOUBLE_EQ(*figures.spearman.value, 1.0);
}

} // namespace
} // namespace coulomb::calibration
