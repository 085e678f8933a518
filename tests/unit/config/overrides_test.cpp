// SPDX-License-Identifier: Apache-2.0
#include "base/config/config_json.hpp"
#include "temporary_gpus.hpp"

#include <gmock/gmock.h>

namespace coulomb::config {
namespace {

using ::testing::ElementsAre;
using ListGpus = TemporaryGpus;

GpuConfig a100() {
  return load_gpu("a100-pcie-40gb", {}, kShippedGpus).config;
}

std::string error_of(const std::vector<std::string>& overrides) {
  GpuConfig config = a100();
  const std::string before = to_json_text(config);
  try {
    (void)apply_overrides(config, overrides);
  } catch (const UserError& e) {
    EXPECT_EQ(to_json_text(config), before) << "changed in spite of the error";
    return e.what();
  }
  return "no error";
}

TEST(Overrides, ChangeTheConfigAndItsProvenance) {
  const ResolvedGpu gpu =
      load_gpu("a100-pcie-40gb", {"sm.l1.size=256 KiB", "sm_clock_mhz=765 MHz"}, kShippedGpus);
  EXPECT_EQ(gpu.config.sm.l1.size, 262144U);
  EXPECT_EQ(gpu.config.sm_clock_mhz, 765.0);
  EXPECT_THAT(gpu.changed, ElementsAre("sm.l1.size", "sm_clock_mhz"));
  EXPECT_EQ(gpu.provenance.at("sm.l1.size"), (Provenance{"user", "--set", "", "", ""}));
  EXPECT_EQ(gpu.config.id, "a100-pcie-40gb");
}

TEST(Overrides, ToTheSameValueChangeNothing) {
  const ResolvedGpu gpu = load_gpu("a100-pcie-40gb", {"sm.l1.size=192 KiB"}, kShippedGpus);
  EXPECT_TRUE(gpu.changed.empty());
  EXPECT_EQ(gpu.provenance.at("sm.l1.size").kind, "whitepaper");
}

TEST(Overrides, LastOneWins) {
  GpuConfig config = a100();
  EXPECT_THAT(apply_overrides(config, {"l2.hit_latency=300", "l2.hit_latency=301 cycles"}),
              ElementsAre("l2.hit_latency"));
  EXPECT_EQ(config.l2.hit_latency, 301U);
}

TEST(Overrides, MayOnlyTogetherSatisfyARelation) {
  GpuConfig config = a100();
  EXPECT_THAT(apply_overrides(config, {"sms=64", "l2.sms_per_partition=[32, 32]"}),
              ElementsAre("l2.sms_per_partition", "sms"));
}

TEST(Overrides, NameEveryMistakeAtOnce) {
  EXPECT_EQ(
      error_of({"sm.l1.siz=3", "sm.l1.size=abc", "l2.slices=1.5", "foo", "sms=0", "id=x"}),
      "--set sm.l1.siz=3: unknown configuration key \"sm.l1.siz\" (did you mean \"sm.l1.size\"?)\n"
      "error: --set sm.l1.size: expected bytes, e.g. 196608 or \"192 KiB\"; found \"abc\"\n"
      "error: --set l2.slices: expected a whole number; found \"1.5\"\n"
      "error: --set foo: expected KEY=VALUE, e.g. sm.l1.size=\"256 KiB\"\n"
      "error: --set sms: out of range; allowed: 1 to 1024; found \"0\"\n"
      "error: --set id=x: unknown configuration key \"id\"");
}

TEST(Overrides, ThatBreakARelationSayWhich) {
  EXPECT_EQ(error_of({"sms=100"}),
            "after --set sms=100: l2.sms_per_partition: sums to 108, but sms = "
            "100; [] spreads the SMs evenly");
}

TEST(Diff, ListsKeysInOrderWithUnits) {
  GpuConfig after = a100();
  after.dram.latency_ns = 200;
  after.sm.l1.size = 131072;
  after.id = "other";
  EXPECT_THAT(diff(a100(), after), ElementsAre(Difference{"sm.l1.size", "192 KiB", "128 KiB"},
                                               Difference{"dram.latency_ns", "189 ns", "200 ns"}));
}

TEST(LoadGpu, UnknownIdNamesTheNearestAndAll) {
  try {
    (void)load_gpu("rtx3090", {}, kShippedGpus);
    FAIL() << "no error";
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(),
                 "unknown GPU \"rtx3090\" (did you mean \"rtx-3090\"?); known: a100-80gb-pcie, "
                 "a100-pcie-40gb, a100-sxm4-40gb, a100-sxm4-80gb, a40, rtx-3060, rtx-3070, "
                 "rtx-3080, rtx-3090, rtx-a4000, rtx-a6000");
    EXPECT_EQ(e.hint(), "to use a file of your own, give its path ending in .toml");
  }
}

TEST(LoadGpu, MissingFileIsNamed) {
  try {
    (void)load_gpu("no/such.toml", {}, kShippedGpus);
    FAIL() << "no error";
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "cannot read no/such.toml: No such file or directory");
  }
}

TEST_F(ListGpus, NamesTheTomlFilesSorted) {
  write("b.toml", "");
  write("a.toml", "");
  write("notes.md", "");
  EXPECT_THAT(list_gpus(dir_), ElementsAre("a", "b"));
}

TEST_F(ListGpus, MissingFolderIsAnEnvironmentError) {
  try {
    (void)list_gpus(dir_ + "/none");
    FAIL() << "no error";
  } catch (const EnvironmentError& e) {
    EXPECT_EQ(std::string(e.what()),
              "cannot list the GPUs in " + dir_ + "/none: No such file or directory");
    EXPECT_EQ(e.hint(), "set COULOMB_HOME to the folder that holds configs/ and kernels/");
  }
}

} // namespace
} // namespace coulomb::config
