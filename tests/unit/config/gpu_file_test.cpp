// SPDX-License-Identifier: Apache-2.0
#include "temporary_gpus.hpp"

#include <gmock/gmock.h>

namespace coulomb::config {
namespace {

using GpuFileTest = TemporaryGpus;

TEST_F(GpuFileTest, ExtendsAPresetAndChangesWhatItGives) {
  const std::string path = write("mine.toml", "extends = \"rtx-3090\"\n"
                                              "[sm]\n"
                                              "max_warps = 32\n"
                                              "l1 = { size = \"256 KiB\" }\n");
  const ResolvedGpu gpu = load_gpu(path, {}, kShippedGpus);
  EXPECT_EQ(gpu.config.id, "mine");
  EXPECT_EQ(gpu.extends, "rtx-3090");
  EXPECT_EQ(gpu.config.sm.max_warps, 32U);
  EXPECT_EQ(gpu.config.sm.l1.size, 262144U);
  EXPECT_EQ(gpu.config.sms, 82U);
  EXPECT_EQ(gpu.provenance.at("sm.max_warps"), (Provenance{"user", path, "", "", ""}));
  EXPECT_EQ(gpu.provenance.at("sms").kind, "whitepaper");
  EXPECT_TRUE(gpu.changed.empty());
}

TEST_F(GpuFileTest, TakesItsOwnProvenance) {
  const std::string path = write("mine.toml", "extends = \"rtx-3090\"\n"
                                              "sm.pipes.fma.latency = 3\n"
                                              "[[provenance]]\n"
                                              "kind = \"microbenchmark\"\n"
                                              "source = \"my chase\"\n"
                                              "confidence = \"low\"\n"
                                              "date = \"2026-01\"\n"
                                              "note = \"one board\"\n"
                                              "keys = [\"sm.pipes.fma.*\"]\n");
  const ResolvedGpu gpu = load_gpu(path, {}, kShippedGpus);
  const Provenance expected{"microbenchmark", "my chase", "low", "2026-01", "one board"};
  EXPECT_EQ(gpu.provenance.at("sm.pipes.fma.latency"), expected);
  EXPECT_EQ(gpu.provenance.at("sm.pipes.fma.units"), expected);
  EXPECT_NE(gpu.provenance.at("sm.pipes.imad.units"), expected);
}

TEST_F(GpuFileTest, PointsAtEveryMistakeAtOnce) {
  EXPECT_EQ(error_of("extends = \"rtx-3090\"\n"
                     "id = \"x\"\n"
                     "\n"
                     "[sm]\n"
                     "max_warp = 16\n"
                     "max_ctas = \"33 ns\"\n"
                     "l1 = 5\n"
                     "\n"
                     "[dram]\n"
                     "type = \"GDR6\"\n"
                     "latency_ns = \"3 cycles\"\n"
                     "[l2]\n"
                     "hit_latency = 99999 # far too slow\n"
                     "[l3]\n"),
            "id\n"
            " --> mine.toml\n"
            " 2 | id = \"x\"\n"
            "   |      ~~~ the id is the name of the file; leave this line out\n"
            "error: sm.max_warp\n"
            " --> mine.toml\n"
            " 5 | max_warp = 16\n"
            "   |            ~~ unknown key; did you mean \"max_warps\"?\n"
            "error: sm.max_ctas\n"
            " --> mine.toml\n"
            " 6 | max_ctas = \"33 ns\"\n"
            "   |            ~~~~~~~ expected a whole number, e.g. 16\n"
            "error: sm.l1\n"
            " --> mine.toml\n"
            " 7 | l1 = 5\n"
            "   |      ~ is a group of keys, such as sm.l1.size\n"
            "error: dram.type\n"
            " --> mine.toml\n"
            " 10 | type = \"GDR6\"\n"
            "    |        ~~~~~~ one of: HBM2, HBM2e, GDDR6, GDDR6X (did you mean \"GDDR6\"?)\n"
            "error: dram.latency_ns\n"
            " --> mine.toml\n"
            " 11 | latency_ns = \"3 cycles\"\n"
            "    |              ~~~~~~~~~~ expected nanoseconds, e.g. 170 or \"170 ns\"\n"
            "error: l2.hit_latency\n"
            " --> mine.toml\n"
            " 13 | hit_latency = 99999 # far too slow\n"
            "    |               ~~~~~ out of range; allowed: 1 to 5000 cycles\n"
            "error: l3\n"
            " --> mine.toml\n"
            " 14 | [l3]\n"
            "    | ~~~~ unknown key\n"
            "8 errors in mine.toml.");
}

TEST_F(GpuFileTest, ChecksTypesOfTextsFlagsAndLists) {
  EXPECT_EQ(error_of("extends = \"rtx-3090\"\n"
                     "product = 3090\n"
                     "sm.pipes.fp64_shared_by_sm = 1\n"
                     "l2.sms_per_partition = [82, \"x\"]\n"
                     "sms = [1]\n"),
            "product\n"
            " --> mine.toml\n"
            " 2 | product = 3090\n"
            "   |           ~~~~ expected a text in quotes\n"
            "error: sm.pipes.fp64_shared_by_sm\n"
            " --> mine.toml\n"
            " 3 | sm.pipes.fp64_shared_by_sm = 1\n"
            "   |                              ~ expected true or false\n"
            "error: l2.sms_per_partition\n"
            " --> mine.toml\n"
            " 4 | l2.sms_per_partition = [82, \"x\"]\n"
            "   |                        ~~~~~~~~~ expected a list of numbers, e.g. [1, 2]\n"
            "error: sms\n"
            " --> mine.toml\n"
            " 5 | sms = [1]\n"
            "   |       ~~~ expected a whole number, e.g. 82\n"
            "4 errors in mine.toml.");
}

TEST_F(GpuFileTest, PointsAtTheLineWhoseRelationFails) {
  EXPECT_EQ(
      error_of("extends = \"a100-pcie-40gb\"\n"
               "[l2]\n"
               "sms_per_partition = [62, 40]\n"),
      "l2.sms_per_partition\n"
      " --> mine.toml\n"
      " 3 | sms_per_partition = [62, 40]\n"
      "   |                     ~~~~~~~~ sums to 102, but sms = 108; [] spreads the SMs evenly\n"
      "1 error in mine.toml.");
}

TEST_F(GpuFileTest, NamesTheRelationWhenThePresetGivesTheKey) {
  EXPECT_EQ(error_of("extends = \"a100-pcie-40gb\"\nsms = 100\n"),
            "l2.sms_per_partition\n"
            " --> mine.toml\n"
            "     sums to 108, but sms = 100; [] spreads the SMs evenly\n"
            "1 error in mine.toml.");
}

TEST_F(GpuFileTest, RefusesWrongProvenance) {
  EXPECT_EQ(error_of("extends = \"rtx-3090\"\n"
                     "[[provenance]]\n"
                     "kind = \"whitepapr\"\n"
                     "sauce = \"x\"\n"
                     "keys = [\"sm.l1.siz\"]\n"
                     "[[prov]]\n"
                     "x = 1\n"),
            "provenance\n"
            " --> mine.toml\n"
            " 2 | [[provenance]]\n"
            "   | ~~~~~~~~~~~~~~ \"source\" is missing\n"
            "error: provenance.kind\n"
            " --> mine.toml\n"
            " 3 | kind = \"whitepapr\"\n"
            "   |        ~~~~~~~~~~~ one of: whitepaper, guide, microbenchmark, derived, fit, "
            "assumption, "
            "user (did you mean \"whitepaper\"?)\n"
            "error: provenance.sauce\n"
            " --> mine.toml\n"
            " 4 | sauce = \"x\"\n"
            "   |         ~~~ unknown key; did you mean \"source\"?\n"
            "error: provenance.keys\n"
            " --> mine.toml\n"
            " 5 | keys = [\"sm.l1.siz\"]\n"
            "   |        ~~~~~~~~~~~~~ \"sm.l1.siz\" is no key (did you mean \"sm.l1.size\"?)\n"
            "error: prov\n"
            " --> mine.toml\n"
            " 6 | [[prov]]\n"
            "   | ~~~~~~~~ unknown key; the only array of tables is [[provenance]]\n"
            "5 errors in mine.toml.");
}

TEST_F(GpuFileTest, PointsAtBrokenToml) {
  EXPECT_EQ(error_of("sms = 1\nsms = 2\n"), "not valid TOML\n"
                                            " --> mine.toml\n"
                                            " 2 | sms = 2\n"
                                            "   |       ~ value (\"sms\") already exists.\n"
                                            "1 error in mine.toml.");
}

TEST_F(GpuFileTest, RefusesAPresetThatDoesNotExist) {
  EXPECT_EQ(
      error_of("extends = \"rtx-390\"\n"),
      "extends\n"
      " --> mine.toml\n"
      " 1 | extends = \"rtx-390\"\n"
      "   |           ~~~~~~~~~ one of: a100-80gb-pcie, a100-pcie-40gb, a100-sxm4-40gb, rtx-3090, "
      "rtx-a4000, rtx-a6000 (did you mean \"rtx-3090\"?)\n"
      "1 error in mine.toml.");
}

TEST_F(GpuFileTest, ExtendsOneLevelOnly) {
  EXPECT_EQ(
      error_of("extends = \"rtx-a6000\"\n"),
      "extends\n"
      " --> mine.toml\n"
      " 1 | extends = \"rtx-a6000\"\n"
      "   |           ~~~~~~~~~~~ \"rtx-a6000\" itself extends \"rtx-3090\"; extend that one (one "
      "level only)\n"
      "1 error in mine.toml.");
}

TEST_F(GpuFileTest, WithoutPresetMustGiveEveryKey) {
  EXPECT_EQ(error_of("sms = 4\n"),
            "missing keys\n"
            " --> mine.toml\n"
            "     product, chip, architecture, sm_clock_mhz, base_clock_mhz, memory_clock_mhz, "
            "launch_overhead_us, kernel_start_cycles and 105 more: give them, or take them from a "
            "preset: "
            "extends = \"a100-pcie-40gb\"\n"
            "1 error in mine.toml.");
}

TEST_F(GpuFileTest, EmptyKnownTableDoesNoHarm) {
  EXPECT_EQ(error_of("extends = \"rtx-3090\"\n[sm.l1]\n"), "no error");
}

} // namespace
} // namespace coulomb::config
