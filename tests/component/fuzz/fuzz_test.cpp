// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "campaign.hpp"
#include "comparer.hpp"
#include "generator.hpp"
#include "hw/toolchain/nvrtc.hpp"

#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace coulomb::fuzz {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

void nothing(std::uint64_t) {}

/// Tests that compile programs are skipped, with the reason, where there is no compiler.
class Campaigns : public ::testing::Test {
protected:
  void SetUp() override {
    try {
      const toolchain::Nvrtc nvrtc(toolchain::ToolchainPaths::from_environment());
    } catch (const EnvironmentError& e) {
      GTEST_SKIP() << e.what();
    }
  }
};

TEST(Generator, GivesTheSameProgramForTheSameSeedAndIndex) {
  EXPECT_EQ(generate(5, 17).render("k"), generate(5, 17).render("k"));
  EXPECT_NE(generate(5, 17).render("k"), generate(5, 18).render("k"));
  EXPECT_NE(generate(5, 17).render("k"), generate(6, 17).render("k"));
}

TEST(Generator, BoundsTheSizeOfAProgram) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Program program = generate(1, i);
    EXPECT_LE(program.steps.statements(), 120U) << i;
    EXPECT_GE(program.steps.statements(), 2U) << i;
    EXPECT_LE(program.threads(), 128U) << i;
  }
}

TEST(Generator, FillsEveryPlaceholderOfItsRules) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    const std::string text = generate(1, i).render("k");
    for (const char* left : {"%u", "%i", "%w", "%l", "%f", "%d", "%b", "%B", "%K", "%N", "%R"}) {
      EXPECT_THAT(text, Not(HasSubstr(left)));
    }
  }
}

TEST(Comparer, NamesTheThreadTheWordAndBothValues) {
  Result expected;
  expected.threads.resize(2);
  Result found = expected;
  found.threads[1].s.f0 = 1.5F;
  found.threads[1].arr[2] = 7;
  found.accumulators.w[3] = 9;
  EXPECT_THAT(compare(found, expected),
              ElementsAre("thread 1: f0 = 0x3fc00000 (1.5), expected 0x00000000 (0)",
                          "thread 1: arr[2] = 0x00000007, expected 0x00000000",
                          "accumulator 3: acc->w = 0x0000000000000009, expected "
                          "0x0000000000000000"));
}

TEST(Comparer, TakesEveryNanForTheSameButNotTheSignOfZero) {
  Result expected;
  expected.threads.resize(1);
  Result found = expected;
  found.threads[0].s.f0 = std::bit_cast<float>(0x7fffffffU);
  expected.threads[0].s.f0 = std::bit_cast<float>(0xffc00001U);
  EXPECT_THAT(compare(found, expected), IsEmpty());
  found.threads[0].s.d1 = -0.0;
  EXPECT_THAT(
      compare(found, expected),
      ElementsAre("thread 0: d1 = 0x8000000000000000 (-0), expected 0x0000000000000000 (0)"));
}

TEST(Shrinker, OffersOnlySmallerOrSimplerPrograms) {
  const Program program = generate(1, 3);
  const auto offers = reductions(program);
  ASSERT_FALSE(offers.empty());
  for (const Program& offer : offers) {
    EXPECT_LE(offer.steps.size(), program.steps.size() + 1);
    EXPECT_NE(offer.render("k") + std::to_string(offer.ctas),
              program.render("k") + std::to_string(program.ctas));
  }
}

TEST(Shrinker, KeepsWhatMakesTheVerdict) {
  const RunBatch run = [](std::span<const Program> programs) {
    std::vector<Outcome> outcomes;
    for (const Program& p : programs) {
      const bool differs = p.render("k").find("sqrt") != std::string::npos;
      outcomes.push_back({differs ? Verdict::differ : Verdict::agree, {}});
    }
    return outcomes;
  };
  std::uint64_t index = 0;
  while (generate(1, index).render("k").find("sqrt") == std::string::npos) {
    ++index;
  }
  const Shrunk shrunk = shrink(generate(1, index), {Verdict::differ, {}}, run, 1000);
  EXPECT_THAT(shrunk.program.render("k"), HasSubstr("sqrt"));
  EXPECT_LE(shrunk.program.steps.statements(), 2U);
  EXPECT_LT(shrunk.program.steps.size(), 12U);
}

TEST_F(Campaigns, FindAndShrinkAPlantedError) {
  CampaignOptions options;
  options.programs = 25;
  options.shrink_limit = 1;
  options.host_options = {"-DFUZZ_PLANT"};
  const CampaignResult result = run_campaign(options, nothing);
  ASSERT_FALSE(result.differences.empty());
  const Difference& first = result.differences.front();
  ASSERT_TRUE(first.shrunk);
  EXPECT_LE(first.smallest.program.steps.statements(), 4U);
  const std::string text = describe(first, options.seed);
  EXPECT_THAT(text, HasSubstr("of seed 1 (sm_80): outputs differ"));
  EXPECT_THAT(text, HasSubstr("__popc("));
  EXPECT_THAT(text, HasSubstr(", expected 0x"));
}

TEST_F(Campaigns, GiveTheSameDifferencesWithOneThreadAndWithTwo) {
  CampaignOptions options;
  options.programs = 60;
  options.first = 10;
  options.shrink_limit = 0;
  options.host_options = {"-DFUZZ_PLANT"};
  std::set<std::uint64_t> found[2];
  for (unsigned jobs : {1U, 2U}) {
    options.jobs = jobs;
    const CampaignResult result = run_campaign(options, nothing);
    EXPECT_EQ(result.programs, 60U);
    for (const Difference& d : result.differences) {
      found[jobs - 1].insert(d.index);
    }
  }
  EXPECT_FALSE(found[0].empty());
  EXPECT_EQ(found[0], found[1]);
}

} // namespace
} // namespace coulomb::fuzz
