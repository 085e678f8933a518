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
  EXPECT_EQ(error,
            "description\n --> " + path + "\n     missing\nerror: schema\n --> " + path +
                ":1:10\n 1 | schema = 2\n   |          ~ must be 1, the only version that "
                "this release reads\nerror: descripton\n --> " +
                path +
                ":2:14\n 2 | descripton = \"x\"\n   |              ~~~ unknown key (did you "
                "mean \"description\"?); known: schema, description, include, metric\n"
                "error: kind\n --> " +
                path +
                ":6:8\n 6 | kind = \"guage\"\n   |        ~~~~~~~ one of: counter, gauge (did "
                "you mean \"gauge\"?)\nerror: metric\n --> " +
                path +
                ":7:10\n 7 | metric = 3\n   |          ~ must be a text that is not "
                "empty\n5 errors in " +
                path + ".");
}

TEST_F(MetricSetFile, TellsEveryKeyThatAMetricLacks) {
  const std::string path = write("lacking.toml", kHead + std::string("[[metric]]\nname = \"a\"\n"
                                                                     "description = \"d\"\n"
                                                                     "unit = \"inst\"\n"));
  EXPECT_THAT(error_of([&] { (void)load_metric_set(path); }),
              ::testing::AllOf(HasSubstr("kind\n --> " + path + ":3:1"),
                               HasSubstr("metric\n --> " + path + ":3:1"),
                               HasSubstr("2 errors in " + path)));
}

TEST_F(MetricSetFile, RefusesAMetricTwiceAndASetThatIncludesItself) {
  const std::string twice =
      write("twice.toml", kHead + metric("a", "m__a.sum") + metric("b", "m__a.sum"));
  EXPECT_EQ(error_of([&] { (void)load_metric_set(twice); }),
            "metric\n --> " + twice +
                ":9:1\n 9 | [[metric]]\n   | ~~~~~~~~~~ b (m__a.sum) has the "
                "same metric as the one of " +
                twice + ":3\n1 error in " + twice + ".");
  const std::string loop = write("loop.toml", std::string(kHead) + "include = [\"pool\"]\n");
  write("pool.toml", std::string(kHead) + "include = [\"loop\"]\n");
  EXPECT_THAT(
      error_of([&] { (void)load_metric_set(loop); }),
      HasSubstr("pool.toml:3:11\n 3 | include = [\"loop\"]\n   |           ~~~~~~~~ loop includes "
                "itself"));
  const std::string none = write("none.toml", std::string(kHead) + "include = [\"pol\"]\n");
  EXPECT_EQ(error_of([&] { (void)load_metric_set(none); }),
            "include\n --> " + none +
                ":3:11\n 3 | include = [\"pol\"]\n   |           ~~~~~~~ there "
                "is no set \"pol\" (did you mean \"pool\"?); there are: loop, none, pool, "
                "twice\n1 error in " +
                none + ".");
  const std::string empty = write("empty.toml", kHead);
  EXPECT_EQ(error_of([&] { (void)load_metric_set(empty); }),
            "metric\n --> " + empty +
                "\n     the set has no [[metric]] and includes none\n"
                "1 error in " +
                empty + ".");
}

TEST_F(MetricSetFile, SuggestsTheSetThatWasMeant) {
  write("basic.toml", kHead + metric("a", "m__a.sum"));
  EXPECT_EQ(error_of([&] { (void)find_metric_set("basik", dir_.string()); }),
            "no metric set \"basik\" in " + dir_.string() +
                " (did you mean \"basic\"?); there are: basic");
  const std::string broken = write("broken.toml", "schema = \n");
  EXPECT_THAT(error_of([&] { (void)load_metric_set(broken); }),
              ::testing::AllOf(HasSubstr("not valid TOML"), HasSubstr(broken + ":1")));
}

} // namespace
} // namespace coulomb::hw
