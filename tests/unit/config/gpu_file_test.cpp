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
  EXPECT_EQ(
      error_of("extends = \"rtx-3090\"\n"
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
      " --> mine.toml:2:6\n"
      " 2 | id = \"x\"\n"
      "   |      ~~~ the id is the name of the file; leave this line out\n"
      "error: sm.max_warp\n"
      " --> mine.toml:5:12\n"
      " 5 | max_warp = 16\n"
      "   |            ~~ unknown key; did you mean \"max_warps\"?\n"
      "error: sm.max_ctas\n"
      " --> mine.toml:6:12\n"
      " 6 | max_ctas = \"33 ns\"\n"
      "   |            ~~~~~~~ takes no unit, so \"ns\" is wrong; expected a whole number, e.g. "
      "16; "
      "found \"33 ns\"\n"
      "error: sm.l1\n"
      " --> mine.toml:7:6\n"
      " 7 | l1 = 5\n"
      "   |      ~ is a group of keys, such as sm.l1.size; found 5\n"
      "error: dram.type\n"
      " --> mine.toml:10:8\n"
      " 10 | type = \"GDR6\"\n"
      "    |        ~~~~~~ one of: HBM2, HBM2e, GDDR6, GDDR6X (did you mean \"GDDR6\"?); found "
      "\"GDR6\"\n"
      "error: dram.latency_ns\n"
      " --> mine.toml:11:14\n"
      " 11 | latency_ns = \"3 cycles\"\n"
      "    |              ~~~~~~~~~~ unit \"cycles\" is not one of: ns, us, ms, s; expected "
      "nanoseconds, e.g. 170 or \"170 ns\"; found \"3 cycles\"\n"
      "error: l2.hit_latency\n"
      " --> mine.toml:13:15\n"
      " 13 | hit_latency = 99999 # far too slow\n"
      "    |               ~~~~~ out of range; allowed: 1 to 5000 cycles; found 99999\n"
      "error: l3\n"
      " --> mine.toml:14:1\n"
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
            " --> mine.toml:2:11\n"
            " 2 | product = 3090\n"
            "   |           ~~~~ expected a text in quotes; found 3090\n"
            "error: sm.pipes.fp64_shared_by_sm\n"
            " --> mine.toml:3:30\n"
            " 3 | sm.pipes.fp64_shared_by_sm = 1\n"
            "   |                              ~ expected true or false; found 1\n"
            "error: l2.sms_per_partition\n"
            " --> mine.toml:4:24\n"
            " 4 | l2.sms_per_partition = [82, \"x\"]\n"
            "   |                        ~~~~~~~~~ expected a list of numbers, e.g. [1, 2]; found "
            "[82, x]\n"
            "error: sms\n"
            " --> mine.toml:5:7\n"
            " 5 | sms = [1]\n"
            "   |       ~~~ expected a whole number, e.g. 82; found [1]\n"
            "4 errors in mine.toml.");
}

TEST_F(GpuFileTest, PointsAtTheLineWhoseRelationFails) {
  EXPECT_EQ(
      error_of("extends = \"a100-pcie-40gb\"\n"
               "[l2]\n"
               "sms_per_partition = [62, 40]\n"),
      "l2.sms_per_partition\n"
      " --> mine.toml:3:21\n"
      " 3 | sms_per_partition = [62, 40]\n"
      "   |                     ~~~~~~~~ sums to 102, but sms = 108; [] spreads the SMs evenly\n"
      "1 error in mine.toml.");
}

TEST_F(GpuFileTest, PointsAtTheOtherSideOfARelationWhenThePresetGivesTheKey) {
  EXPECT_EQ(error_of("extends = \"a100-pcie-40gb\"\nsms = 100\n"),
            "l2.sms_per_partition\n"
            " --> mine.toml:2:7\n"
            " 2 | sms = 100\n"
            "   |       ~~~ sums to 108, but sms = 100; [] spreads the SMs evenly\n"
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
            " --> mine.toml:2:1\n"
            " 2 | [[provenance]]\n"
            "   | ~~~~~~~~~~~~~~ \"source\" is missing\n"
            "error: provenance.kind\n"
            " --> mine.toml:3:8\n"
            " 3 | kind = \"whitepapr\"\n"
            "   |        ~~~~~~~~~~~ one of: whitepaper, guide, microbenchmark, derived, fit, "
            "assumption, "
            "user (did you mean \"whitepaper\"?); found \"whitepapr\"\n"
            "error: provenance.sauce\n"
            " --> mine.toml:4:9\n"
            " 4 | sauce = \"x\"\n"
            "   |         ~~~ unknown key; did you mean \"source\"?\n"
            "error: provenance.keys\n"
            " --> mine.toml:5:8\n"
            " 5 | keys = [\"sm.l1.siz\"]\n"
            "   |        ~~~~~~~~~~~~~ \"sm.l1.siz\" is no key (did you mean \"sm.l1.size\"?)\n"
            "error: prov\n"
            " --> mine.toml:6:1\n"
            " 6 | [[prov]]\n"
            "   | ~~~~~~~~ unknown key; the only array of tables is [[provenance]]\n"
            "5 errors in mine.toml.");
}

TEST_F(GpuFileTest, PointsAtBrokenToml) {
  EXPECT_EQ(error_of("sms = 1\nsms = 2\n"), "not valid TOML\n"
                                            " --> mine.toml:2:7\n"
                                            " 2 | sms = 2\n"
                                            "   |       ~ value (\"sms\") already exists.\n"
                                            "1 error in mine.toml.");
}

TEST_F(GpuFileTest, RefusesAPresetThatDoesNotExist) {
  EXPECT_EQ(
      error_of("extends = \"rtx-390\"\n"),
      "extends\n"
      " --> mine.toml:1:11\n"
      " 1 | extends = \"rtx-390\"\n"
      "   |           ~~~~~~~~~ one of: a100-80gb-pcie, a100-pcie-40gb, a100-sxm4-40gb, "
      "a100-sxm4-80gb, a40, rtx-3060, rtx-3070, rtx-3080, rtx-3090, rtx-a4000, rtx-a6000 (did you "
      "mean \"rtx-3090\"?); found \"rtx-390\"\n"
      "1 error in mine.toml.");
}

TEST_F(GpuFileTest, ExtendsOneLevelOnly) {
  EXPECT_EQ(
      error_of("extends = \"rtx-a6000\"\n"),
      "extends\n"
      " --> mine.toml:1:11\n"
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
            "launch_overhead_us, kernel_start_cycles and 227 more: give them, or take them from a "
            "preset: "
            "extends = \"a100-pcie-40gb\"\n"
            "1 error in mine.toml.");
}

TEST_F(GpuFileTest, ReportsValuesAndRelationsInOnePass) {
  EXPECT_EQ(
      error_of("extends = \"a100-pcie-40gb\"\n"
               "sm_clock_mhz = \"1410 Mhz\"\n"
               "[sm]\n"
               "max_warps = 30\n"
               "[sm.shared]\n"
               "carveouts = \"[0, 64, 200] KiB\"\n"
               "[l2]\n"
               "slice_size = \"501 KiB\"\n"
               "[dram]\n"
               "channels = 60\n"),
      "sm_clock_mhz\n"
      " --> mine.toml:2:16\n"
      " 2 | sm_clock_mhz = \"1410 Mhz\"\n"
      "   |                ~~~~~~~~~~ unit \"Mhz\" is not one of: MHz, GHz, kHz (did you mean "
      "\"MHz\"?); expected megahertz, e.g. 1410 or \"1410 MHz\"; found \"1410 Mhz\"\n"
      "error: sm.max_warps\n"
      " --> mine.toml:4:13\n"
      " 4 | max_warps = 30\n"
      "   |             ~~ 30 is not a multiple of sm.warp_schedulers = 4; nearest: 28, 32\n"
      "error: sm.max_threads_per_cta\n"
      " --> mine.toml:4:13\n"
      " 4 | max_warps = 30\n"
      "   |             ~~ 1024 threads do not fit sm.max_warps = 30 warps of 32; allowed: 32 "
      "to 960\n"
      "error: sm.shared.carveouts\n"
      " --> mine.toml:6:13\n"
      " 6 | carveouts = \"[0, 64, 200] KiB\"\n"
      "   |             ~~~~~~~~~~~~~~~~~~ the largest, 204800, leaves nothing of sm.l1.size = "
      "196608 to L1\n"
      "error: l2.slice_size\n"
      " --> mine.toml:8:14\n"
      " 8 | slice_size = \"501 KiB\"\n"
      "   |              ~~~~~~~~~ 513024 is not a multiple of l2.associativity x l2.line = "
      "2048; nearest: 512000, 514048\n"
      "error: l2.slices\n"
      " --> mine.toml:10:12\n"
      " 10 | channels = 60\n"
      "    |            ~~ 80 is not a multiple of dram.channels = 60; nearest: 60, 120\n"
      "6 errors in mine.toml.");
}

TEST_F(GpuFileTest, LeavesOutRelationsOfAValueThatIsItselfWrong) {
  // 6 slices would clash with 80 channels, but the file may have meant to change those too.
  EXPECT_EQ(
      error_of("extends = \"a100-pcie-40gb\"\n"
               "[l2]\n"
               "slices = 6\n"
               "[dram]\n"
               "channels = \"3 GB\"\n"),
      "dram.channels\n"
      " --> mine.toml:5:12\n"
      " 5 | channels = \"3 GB\"\n"
      "   |            ~~~~~~ takes no unit, so \"GB\" is wrong; expected a whole number, e.g. "
      "80; found \"3 GB\"\n"
      "1 error in mine.toml.");
  EXPECT_EQ(error_of("extends = \"a100-pcie-40gb\"\n"
                     "[l2]\n"
                     "slices = 6\n"
                     "[dram]\n"
                     "chanels = 3\n"),
            "dram.chanels\n"
            " --> mine.toml:5:11\n"
            " 5 | chanels = 3\n"
            "   |           ~ unknown key; did you mean \"channels\"?\n"
            "1 error in mine.toml.");
}

TEST_F(GpuFileTest, ReportsItsOwnMistakesBesideAPresetThatDoesNotExist) {
  EXPECT_EQ(
      error_of("extends = 3090\n"
               "sms = 0\n"
               "[[provenance]]\n"
               "kind = \"guide\"\n"
               "source = 5\n"
               "keys = \"sms\"\n"),
      "extends\n"
      " --> mine.toml:1:11\n"
      " 1 | extends = 3090\n"
      "   |           ~~~~ expected the id of a preset, e.g. \"a100-pcie-40gb\"; found 3090\n"
      "error: sms\n"
      " --> mine.toml:2:7\n"
      " 2 | sms = 0\n"
      "   |       ~ out of range; allowed: 1 to 1024; found 0\n"
      "error: provenance.source\n"
      " --> mine.toml:5:10\n"
      " 5 | source = 5\n"
      "   |          ~ expected a text in quotes; found 5\n"
      "error: provenance.keys\n"
      " --> mine.toml:6:8\n"
      " 6 | keys = \"sms\"\n"
      "   |        ~~~~~ expected a list of keys, e.g. [\"sms\", \"sm.l1.*\"]; found \"sms\"\n"
      "4 errors in mine.toml.");
}

TEST_F(GpuFileTest, EmptyKnownTableDoesNoHarm) {
  EXPECT_EQ(error_of("extends = \"rtx-3090\"\n[sm.l1]\n"), "no error");
}

} // namespace
} // namespace coulomb::config
