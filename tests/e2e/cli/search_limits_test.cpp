// SPDX-License-Identifier: Apache-2.0
// Limits of a search mean what they say: no value means "none" or "all": docs/complaints.md.
#include "tests/e2e/cli/specs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

struct Limit {
  const char* option;
  Strings more; ///< options that it goes with
};

TEST(SearchLimits, HaveNoMagicZeroOrMinusOne) {
  const Workplace workplace;
  write_small_saxpy(workplace);
  const std::vector<Limit> limits = {
      {"--budget", {}},      {"--jobs", {}},
      {"--lookahead", {}},   {"--fence", {}},
      {"--sms", {}},         {"--islands", {"--strategy", "ga-islands"}},
      {"--sim-timeout", {}}, {"--compile-timeout", {}}};
  for (const Limit& limit : limits) {
    for (const char* value : {"0", "-1"}) {
      Strings args = {"search", "small.json", "--gpu", kGpu, "--out", "out"};
      args.insert(args.end(), limit.more.begin(), limit.more.end());
      args.insert(args.end(), {limit.option, value});
      const Result result = run(workplace, args);
      EXPECT_EQ(result.exit_code, 2) << limit.option << " " << value;
      EXPECT_THAT(result.err,
                  StartsWith(std::string("error: search: ") + limit.option + " is " + value));
    }
  }
}

TEST(SearchLimits, OfTimeAreFinite) {
  const Workplace workplace;
  write_small_saxpy(workplace);
  for (const char* option : {"--sim-timeout", "--compile-timeout"}) {
    for (const char* value : {"inf", "nan"}) {
      const Result result =
          run(workplace, {"search", "small.json", "--gpu", kGpu, "--out", "out", option, value});
      EXPECT_EQ(result.exit_code, 2) << option << " " << value;
      EXPECT_THAT(result.err, HasSubstr("it must be above 0 seconds"));
    }
  }
}

TEST(SearchOfFailures, SaysTheFirstMessageTheShareWastedAndExitsWith4) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write_kernel(workplace, "suspect", "  y[i] = undeclared;");
  const Result result =
      run(workplace, {"search", "suspect.json", "--gpu", kGpu, "--budget", "3", "--out", "out"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, HasSubstr("best       none: no configuration ran\n"));
  EXPECT_THAT(result.out, HasSubstr("100.0 % of the evaluations gave no time\n"));
  EXPECT_THAT(result.out, HasSubstr("compile_failed        1  first: suspect.cu("));
  EXPECT_THAT(result.out, HasSubstr("error: identifier \"undeclared\" is undefined\n"));
  EXPECT_THAT(result.out, HasSubstr("read the first messages above: every configuration failed\n"));
  Json status = run(workplace, {"search", "status", "out", "--json"}).json();
  EXPECT_EQ(status["wasted_share"], 1.0);
  EXPECT_EQ(status["first_messages"], status["messages"]);
  EXPECT_THAT(status["first_messages"].value("compile_failed", ""), HasSubstr("undeclared"));
}

TEST(SearchPredictions, AnotherSearchDoesNotSimulateTheSameAgain) {
  const Workplace workplace;
  write_small_saxpy(workplace);
  const auto search = [&](const char* out, const char* seed) {
    const Result result =
        run(workplace, {"search", "small.json", "--gpu", kGpu, "--strategy", "exhaustive", "--seed",
                        seed, "--predictions", "known", "--out", out, "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  };
  const Result first = search("one", "1");
  EXPECT_THAT(first.err, HasSubstr("0 simulations were answered from known"));
  const Result second = search("two", "1");
  EXPECT_THAT(second.err,
              MatchesRegex("(.|\n)*[1-9][0-9]* simulations were answered from known(.|\n)*"));
  EXPECT_EQ(first.json()["best"], second.json()["best"]);
}

} // namespace
} // namespace coulomb::e2e
