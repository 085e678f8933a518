// SPDX-License-Identifier: Apache-2.0
#include "hw/collectors/metric_set.hpp"

#include "base/error.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace coulomb::hw {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

class MetricSetFile : public ::testing::Test {
protected:
  MetricSetFile()
      : dir_(fs::temp_directory_path() / ("coulomb_metric_set_" + std::to_string(::getpid()))) {
    fs::create_directories(dir_);
  }
  ~MetricSetFile() override { fs::remove_all(dir_); }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (dir_ / name).string();
    std::ofstream(path) << text;
    return path;
  }

  static std::string error_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const UserError& e) {
      return e.what();
    }
    return "no error";
  }

  fs::path dir_;
};

constexpr const char* kHead = "schema = 1\ndescription = \"a set\"\n";

std::string metric(const std::string& name, const std::string& cupti) {
  return "[[metric]]\nname = \"" + name +
         "\"\nkind = \"counter\"\ndescription = \"d\"\nmetric = \"" + cupti +
         "\"\nunit = \"inst\"\n";
}

TEST(MetricSets, ThoseThatComeWithCoulombCanBeRead) {
  EXPECT_THAT(metric_set_names(),
              IsSupersetOf({"basic", "full", "memory", "stalls", "throughput"}));
  std::size_t parts = 0;
  for (const char* name : {"basic", "memory", "stalls", "throughput"}) {
    const MetricSet set = find_metric_set(name);
    EXPECT_FALSE(set.description.empty()) << name;
    EXPECT_GE(set.metrics.size(), 4U) << name;
    parts += set.metrics.size();
  }
  EXPECT_EQ(find_metric_set("full").metrics.size(), parts);
}

TEST(MetricSets, CountersAddUpAndGaugesDoNot) {
  for (const CollectedMetric& m : find_metric_set("full").metrics) {
    const bool adds = m.metric.ends_with(".sum") || m.metric.ends_with(".max");
    EXPECT_EQ(m.kind == CollectorKind::counter, adds) << m.where << ": " << m.metric;
  }
}

TEST(MetricSets, LeaveOutWhatAChipDoesNotHave) {
  const MetricSet set = find_metric_set("memory");
  const std::string fabric = "lts__t_sectors_srcunit_ltcfabric.sum";
  EXPECT_THAT(set.metrics_on("GA100"), ::testing::Contains(fabric));
  EXPECT_THAT(set.metrics_on("GA102"), ::testing::Not(::testing::Contains(fabric)));
}

TEST_F(MetricSetFile, ReadsMetricsAndIncludedSets) {
  write("one.toml", kHead + metric("a", "m__a.sum"));
  const std::string two =
      write("two.toml", "schema = 1\ndescription = \"two\"\ninclude = [\"one\"]\n" +
                            metric("b", "m__b.sum") + "chips = [\"GA100\"]\n");
  const MetricSet set = load_metric_set(two);
  EXPECT_EQ(set.name, "two");
  EXPECT_EQ(set.description, "two");
  EXPECT_THAT(set.metrics_on("GA100"), ElementsAre("m__a.sum", "m__b.sum"));
  EXPECT_THAT(set.metrics_on("GA102"), ElementsAre("m__a.sum"));
  EXPECT_EQ(set.metrics[1].where, two + ":4");
}

TEST_F(MetricSetFile, TellsEveryProblemWithItsLine) {
  const std::string path = write("bad.toml", "schema = 2\ndescripton = \"x\"\n\n[[metric]]\n"
                                             "name = \"a\"\nkind = \"guage\"\nmetric = 3\n"
                                             "unit = \"inst\"\ndescription = \"d\"\n");
  const std::string error = error_of([&] { (void)load_metric_set(path); });
  EXPECT_EQ(error, path + ":1: schema must be 1, the only version that this release reads\n" +
                       path + ":1: missing key \"description\"\n" + path +
                       ":2: unknown key \"descripton\" (did you mean \"description\"?); known: "
                       "schema, description, include, metric\n" +
                       path +
                       ":6: kind is \"guage\"; one of: counter, gauge (did you mean \"gauge\"?)\n" +
                       path + ":7: metric must be a text that is not empty");
}

TEST_F(MetricSetFile, RefusesAMetricTwiceAndASetThatIncludesItself) {
  const std::string twice =
      write("twice.toml", kHead + metric("a", "m__a.sum") + metric("b", "m__a.sum"));
  EXPECT_EQ(error_of([&] { (void)load_metric_set(twice); }),
            twice + ":9: b (m__a.sum) has the same metric as the one of " + twice + ":3");
  const std::string loop = write("loop.toml", std::string(kHead) + "include = [\"pool\"]\n");
  write("pool.toml", std::string(kHead) + "include = [\"loop\"]\n");
  EXPECT_THAT(error_of([&] { (void)load_metric_set(loop); }),
              HasSubstr("pool.toml:3: loop includes itself"));
  const std::string none = write("none.toml", std::string(kHead) + "include = [\"pol\"]\n");
  EXPECT_EQ(error_of([&] { (void)load_metric_set(none); }),
            none + ":3: no set \"pol\" to include (did you mean \"pool\"?); there are: loop, none, "
                   "pool, twice");
  const std::string empty = write("empty.toml", kHead);
  EXPECT_EQ(error_of([&] { (void)load_metric_set(empty); }),
            empty + ": the set has no [[metric]] and includes none");
}

TEST_F(MetricSetFile, SuggestsTheSetThatWasMeant) {
  write("basic.toml", kHead + metric("a", "m__a.sum"));
  EXPECT_EQ(error_of([&] { (void)find_metric_set("basik", dir_.string()); }),
            "no metric set \"basik\" in " + dir_.string() +
                " (did you mean \"basic\"?); there are: basic");
  const std::string broken = write("broken.toml", "schema = \n");
  EXPECT_THAT(error_of([&] { (void)load_metric_set(broken); }),
              HasSubstr(broken + ":1: not valid TOML"));
}

} // namespace
} // namespace coulomb::hw
