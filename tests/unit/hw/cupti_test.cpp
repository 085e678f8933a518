// SPDX-License-Identifier: Apache-2.0
#include "hw/cupti/counter_collector.hpp"
#include "hw/cupti/legacy_names.hpp"
#include "hw/cupti/metric_catalogue.hpp"

#include "base/error.hpp"
#include "hw/collectors/metric_set.hpp"
#include "tests/unit/hw/cupti_here.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::hw {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(CuptiPaths, AFileOrADirectoryOfTheUsersIsAllThatIsTried) {
  CuptiPaths paths;
  paths.cupti = "/opt/mine/libcupti.so.12";
  EXPECT_THAT(paths.candidates(), ::testing::ElementsAre("/opt/mine/libcupti.so.12"));
  paths.cupti = "/usr";
  EXPECT_THAT(
      paths.candidates(),
      ::testing::ElementsAre("/usr/libcupti.so.13", "/usr/libcupti.so.12", "/usr/libcupti.so"));
}

TEST(CuptiPaths, AToolkitIsSearchedWhereItsInstallersPutCupti) {
  CuptiPaths paths;
  paths.cuda_home = "/opt/cuda-12.6";
  const std::vector<std::string> found = paths.candidates();
  EXPECT_EQ(found.front(), "/opt/cuda-12.6/lib64/libcupti.so.13");
  EXPECT_THAT(found, Contains("/opt/cuda-12.6/extras/CUPTI/lib64/libcupti.so.12"));
  EXPECT_THAT(found, Contains("/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"));
  EXPECT_EQ(found.back(), "libcupti.so");
}

TEST(CounterProblems, AMissingPermissionComesWithItsFix) {
  const CounterProblem problem =
      counter_problem_of(35, "cuptiRangeProfilerEnable", "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES");
  EXPECT_EQ(problem.obstacle(), CounterObstacle::privileges);
  EXPECT_EQ(problem.exit_code(), 3);
  EXPECT_STREQ(problem.what(),
               "the driver does not let this user read performance counters (ERR_NVGPUCTRPERM) "
               "(cuptiRangeProfilerEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)");
  EXPECT_THAT(problem.hint(), HasSubstr("run as root"));
  EXPECT_THAT(problem.hint(), HasSubstr("options nvidia NVreg_RestrictProfilingToAdminUsers=0"));
  EXPECT_THAT(problem.hint(), HasSubstr("reload the nvidia modules"));
}

TEST(CounterProblems, EveryCodeHasAnObstacleAndAHint) {
  const auto obstacle = [](int code) { return counter_problem_of(code, "f", "W").obstacle(); };
  EXPECT_EQ(obstacle(26), CounterObstacle::busy);
  EXPECT_EQ(obstacle(27), CounterObstacle::unsupported_chip);
  EXPECT_EQ(obstacle(33), CounterObstacle::virtualised);
  EXPECT_EQ(obstacle(40), CounterObstacle::privileges);
  EXPECT_EQ(obstacle(43), CounterObstacle::virtualised);
  EXPECT_EQ(obstacle(46), CounterObstacle::unsupported_chip);
  EXPECT_EQ(obstacle(999), CounterObstacle::failed);
  for (int code = 1; code < 50; ++code) {
    EXPECT_FALSE(counter_problem_of(code, "f", "W").hint().empty()) << code;
  }
}

#ifdef COULOMB_TEST_HAS_RANGE_PROFILER
TEST(MetricCatalogue, WithoutALibraryItSaysWhereItLookedAndWhatToDo) {
  CuptiPaths paths;
  paths.cupti = "/nowhere/libcupti.so";
  try {
    const MetricCatalogue catalogue(paths);
    FAIL() << "found CUPTI in /nowhere";
  } catch (const CounterProblem& e) {
    EXPECT_EQ(e.obstacle(), CounterObstacle::no_library);
    EXPECT_STREQ(e.what(), "cannot load CUPTI; looked for /nowhere/libcupti.so");
    EXPECT_THAT(e.hint(), HasSubstr("point COULOMB_CUPTI at libcupti.so"));
  }
}

TEST(MetricCatalogue, RefusesALibraryThatIsNotCupti) {
  CuptiPaths paths;
  paths.cupti = "libm.so.6";
  try {
    const MetricCatalogue catalogue(paths);
    FAIL() << "took libm for CUPTI";
  } catch (const CounterProblem& e) {
    EXPECT_STREQ(e.what(), "libm.so.6 has no function cuptiGetVersion: not CUPTI 12.6 or newer");
  }
}
#else
TEST(MetricCatalogue, OfABuildWithoutHeadersSaysSo) {
  try {
    const MetricCatalogue catalogue;
    FAIL() << "a catalogue without CUPTI's headers";
  } catch (const CounterProblem& e) {
    EXPECT_EQ(e.obstacle(), CounterObstacle::no_headers);
    EXPECT_STREQ(e.what(),
                 "built without the range profiler's headers (CUDA 12.6 or newer): times only");
  }
  EXPECT_THROW(CounterCollector(0, nullptr), CounterProblem);
}
#endif

TEST(MetricCatalogue, ListsTheChipsAndTheirBaseMetricsWithoutAGpu) {
  COULOMB_NEEDS_CUPTI(catalogue);
  EXPECT_THAT(catalogue.chips(), ::testing::IsSupersetOf({"GA100", "GA102", "GA106"}));
  const std::vector<BaseMetric> metrics = catalogue.base_metrics("GA100");
  EXPECT_GT(metrics.size(), 2500U);
  const auto it = std::find_if(metrics.begin(), metrics.end(), [](const BaseMetric& m) {
    return m.name == "l1tex__t_sector_hit_rate";
  });
  ASSERT_NE(it, metrics.end());
  EXPECT_EQ(it->kind, MetricKind::ratio);
  try {
    (void)catalogue.base_metrics("GA110");
    FAIL() << "there is no GA110";
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(), HasSubstr("knows no chip \"GA110\" (did you mean \"GA1"));
    EXPECT_THAT(e.what(), HasSubstr("known: "));
  }
}

TEST(MetricCatalogue, TellsUnitAndMeaningOfAKnownMetric) {
  COULOMB_NEEDS_CUPTI(catalogue);
  const MetricCheck m = catalogue.check("GA100", {"dram__bytes_read.sum"}).at(0);
  EXPECT_TRUE(m.known);
  EXPECT_EQ(m.kind, MetricKind::counter);
  EXPECT_EQ(m.unit, "byte");
  EXPECT_EQ(m.hw_unit, "dram");
  EXPECT_EQ(m.description, "# of bytes read from DRAM");
}

TEST(MetricCatalogue, SaysWhatIsWrongWithAnUnknownMetricAndWhatWasMeant) {
  COULOMB_NEEDS_CUPTI(catalogue);
  struct Case {
    const char* name;
    const char* suggestion;
    const char* advice;
  };
  constexpr Case kCases[] = {
      {"dram__bytes_reed.sum", "dram__bytes_read.sum", "GA100 has no metric dram__bytes_reed"},
      {"sm__inst_executed.summ", "sm__inst_executed.sum", "sm__inst_executed has no roll-up .summ"},
      {"sm__inst_executed", "sm__inst_executed.sum",
       "sm__inst_executed needs a roll-up: .avg, .max, .min, .sum"},
      {"l1tex__t_sector_hit_rate", "l1tex__t_sector_hit_rate.ratio",
       "l1tex__t_sector_hit_rate needs a roll-up: .max_rate, .pct, .ratio"},
      {"gld_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
       "a name of nvprof"},
      {"launch__registers_per_thread", "", "launch__ names are Nsight Compute's"},
      {"dram__throughput.avg.pct_of_peak_sustained_elapsd",
       "dram__throughput.avg.pct_of_peak_sustained_elapsed",
       "dram__throughput has no roll-up .avg.pct_of_peak_sustained_elapsd"},
  };
  for (const Case& c : kCases) {
    const MetricCheck m = catalogue.check("GA100", {c.name}).at(0);
    EXPECT_FALSE(m.known) << c.name;
    EXPECT_EQ(m.suggestion, c.suggestion) << c.name;
    EXPECT_THAT(m.advice, HasSubstr(c.advice)) << c.name;
  }
}

TEST(MetricCatalogue, ChipsDifferInWhatTheyHave) {
  COULOMB_NEEDS_CUPTI(catalogue);
  const std::string fabric = "lts__t_sectors_srcunit_ltcfabric.sum";
  EXPECT_TRUE(catalogue.check("GA100", {fabric}).at(0).known);
  EXPECT_FALSE(catalogue.check("GA102", {fabric}).at(0).known);
}

TEST(MetricCatalogue, CountsThePassesOfASet) {
  COULOMB_NEEDS_CUPTI(catalogue);
  EXPECT_EQ(catalogue.passes("GA100", {}), 0U);
  EXPECT_EQ(catalogue.passes("GA100", {"sm__cycles_elapsed.max"}), 1U);
  const std::size_t basic = catalogue.passes("GA100", find_metric_set("basic").metrics_on("GA100"));
  const std::size_t full = catalogue.passes("GA100", find_metric_set("full").metrics_on("GA100"));
  EXPECT_GE(basic, 2U);
  EXPECT_GT(full, basic);
  try {
    (void)catalogue.passes("GA100", {"sm__cycles_elapsed.max", "nonsense.sum"});
    FAIL() << "nonsense was planned";
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "GA100 does not know nonsense.sum");
  }
}

TEST(MetricCatalogue, MetricsThatDoNotGoTogetherAreCollectedOneAfterTheOther) {
  COULOMB_NEEDS_CUPTI(catalogue);
  const std::size_t apart = catalogue.passes("GA100", {"pcie__read_bytes.sum"}) +
                            catalogue.passes("GA100", {"dram__bytes_read.sum"});
  EXPECT_EQ(catalogue.passes("GA100", {"pcie__read_bytes.sum", "dram__bytes_read.sum"}), apart);
}

TEST(MetricCatalogue, EveryShippedSetIsKnownToEveryAmpereChip) {
  COULOMB_NEEDS_CUPTI(catalogue);
  for (const char* chip : {"GA100", "GA102", "GA104", "GA106"}) {
    const std::vector<std::string> metrics = find_metric_set("full").metrics_on(chip);
    for (const MetricCheck& m : catalogue.check(chip, metrics)) {
      EXPECT_TRUE(m.known) << chip << " " << m.name << ": " << m.advice;
    }
  }
}

TEST(LegacyNames, MapToMetricsOfTheAmpereGeneration) {
  COULOMB_NEEDS_CUPTI(catalogue);
  std::vector<std::string> metrics;
  for (const LegacyName& name : legacy_names()) {
    metrics.emplace_back(name.metric);
  }
  for (const char* chip : {"GA100", "GA102"}) {
    for (const MetricCheck& m : catalogue.check(chip, metrics)) {
      EXPECT_TRUE(m.known) << chip << " " << m.name;
    }
  }
}

} // namespace
} // namespace coulomb::hw
