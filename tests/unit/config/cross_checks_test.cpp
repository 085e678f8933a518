// SPDX-License-Identifier: Apache-2.0
#include "base/config/cross_checks.hpp"

#include "base/config/field.hpp"
#include "base/config/quantity.hpp"
#include "temporary_gpus.hpp"

#include <algorithm>
#include <gmock/gmock.h>

namespace coulomb::config {
namespace {

struct Case {
  std::string key;
  std::string value;
  std::string at;
  std::string text;
};

class CrossChecks : public ::testing::TestWithParam<Case> {};

TEST_P(CrossChecks, NameTheRelationThatDoesNotHold) {
  GpuConfig config = load_gpu("a100-pcie-40gb", {}, kShippedGpus).config;
  ASSERT_EQ(assign(field(config, GetParam().key), GetParam().value), std::nullopt);
  const auto is_key = [known = keys()](const std::string& key) {
    return std::find(known.begin(), known.end(), key) != known.end();
  };
  std::vector<std::pair<std::string, std::string>> found;
  for (const CrossProblem& p : cross_checks(config)) {
    found.emplace_back(p.key, p.text);
    EXPECT_TRUE(is_key(p.key)) << p.key;
    EXPECT_TRUE(std::all_of(p.others.begin(), p.others.end(), is_key)) << p.text;
    // What the text names takes part: a relation is skipped when one of its keys is itself wrong.
    for (const std::string& key : keys()) {
      if (p.text.find(key + " = ") != std::string::npos) {
        EXPECT_THAT(p.others, ::testing::Contains(key)) << p.text;
      }
    }
  }
  EXPECT_THAT(found, ::testing::Contains(std::pair(GetParam().at, GetParam().text)));
}

INSTANTIATE_TEST_SUITE_P(
    All,
    CrossChecks,
    ::testing::Values(
        Case{"architecture", "83", "architecture", "83 is not one of: 80, 86"},
        Case{"architecture", "86", "architecture", "86 does not belong to chip GA100; allowed: 80"},
        Case{"sm.warp_schedulers", "3", "sm.max_warps",
             "64 is not a multiple of sm.warp_schedulers = 3; nearest: 63, 66"},
        Case{"sm.max_warps", "28", "sm.max_threads_per_cta",
             "1024 threads do not fit sm.max_warps = 28 warps of 32; allowed: 32 to 896"},
        Case{"sm.pipes.imad.units", "2", "sm.pipes.imad.units",
             "2 exceeds sm.pipes.fma.units = 1, the units that IMAD shares"},
        Case{"sm.max_threads_per_cta", "1000", "sm.max_threads_per_cta",
             "1000 is not a multiple of the 32 threads of a warp; nearest: 992, 1024"},
        Case{"sm.register_file.registers", "65000", "sm.register_file.registers",
             "65000 is not a multiple of sm.warp_schedulers x sm.register_file.allocation_unit = "
             "1024; nearest: 64512, 65536"},
        Case{"sm.register_file.banks", "3", "sm.register_file.banks", "3 is not a power of two"},
        Case{"sm.register_file.bank_ports", "[2]", "sm.register_file.bank_ports",
             "1 values for sm.register_file.banks = 2"},
        Case{"sm.l1.prefetch.distance", "17", "sm.l1.prefetch.distance",
             "17 exceeds sm.l1.prefetch.max_distance = 16"},
        Case{"sm.front_end.l0_icache_size", "256 KiB", "sm.front_end.l0_icache_size",
             "262144 exceeds sm.front_end.l1_icache_size = 131072, which backs it"},
        Case{"sm.shared.carveouts", "[0, 1000, 167936]", "sm.shared.carveouts",
             "1000 is not a multiple of sm.l1.line = 128; nearest: 896, 1024"},
        Case{"sm.shared.carveouts", "[0, 200] KiB", "sm.shared.carveouts",
             "the largest, 204800, leaves nothing of sm.l1.size = 196608 to L1"},
        Case{"sm.shared.max_static_per_cta", "164 KiB", "sm.shared.max_static_per_cta",
             "167936 exceeds sm.shared.max_per_cta = 166912"},
        Case{"l2.slices", "82", "l2.slices",
             "82 is not a multiple of dram.channels = 80; nearest: 80, 160"},
        Case{"dram.channels", "96", "l2.slices",
             "80 is not a multiple of dram.channels = 96; nearest: 96"},
        Case{"sm.lsu.banks", "33", "sm.lsu.banks", "33 is not a power of two"},
        Case{"sm.l1.line", "96", "sm.l1.line", "96 is not a power of two"},
        Case{"sm.l1.line", "64", "sm.l1.line", "64: the model has lines of 128 bytes only"},
        Case{"l2.line", "256", "l2.line", "256: the model has lines of 128 bytes only"},
        Case{"sm.l1.sector", "256", "sm.l1.line",
             "128 is not a multiple of sm.l1.sector = 256; nearest: 256"},
        Case{"sm.l1.size", "196609", "sm.l1.size",
             "196609 is not a multiple of sm.l1.line = 128; nearest: 196608, 196736"},
        Case{"sm.shared.carveouts", "[]", "sm.shared.carveouts",
             "at least one carve-out is needed"},
        Case{"sm.shared.carveouts", "[8, 0, 164] KiB", "sm.shared.carveouts",
             "sizes are not ascending"},
        Case{"sm.shared.carveouts", "[8, 8, 164] KiB", "sm.shared.carveouts",
             "sizes are not ascending"},
        Case{"sm.l1.size", "164 KiB", "sm.shared.carveouts",
             "the largest, 167936, leaves nothing of sm.l1.size = 167936 to L1"},
        Case{"sm.shared.max_per_cta", "164 KiB", "sm.shared.max_per_cta",
             "167936 and sm.shared.reserved_per_cta = 1024 exceed the largest carve-out, 167936"},
        Case{"l2.slice_size", "511 KiB", "l2.slice_size",
             "523264 is not a multiple of l2.associativity x l2.line = 2048; nearest: 522240, "
             "524288"},
        Case{"l2.slices", "81", "l2.slices",
             "81 is not a multiple of l2.partitions = 2; nearest: 80, 82"},
        Case{"l2.hit_latency", "32", "l2.hit_latency",
             "32 does not exceed sm.l1.hit_latency_32 = 32"},
        Case{"l2.sector", "64", "l2.sector", "64 differs from sm.l1.sector = 32"},
        Case{"l2.sms_per_partition", "[108]", "l2.sms_per_partition",
             "1 values for l2.partitions = 2"},
        Case{"sms", "107", "l2.sms_per_partition",
             "sums to 108, but sms = 107; [] spreads the SMs evenly"},
        Case{"tlb.page_size", "3 MiB", "tlb.page_size", "3145728 is not a power of two"},
        Case{"tlb.outer_entries", "12", "tlb.outer_entries",
             "12 is not a multiple of the 8 ways of the model; nearest: 8, 16"},
        Case{"dram.row_bytes", "1000", "dram.row_bytes", "1000 is not a power of two"},
        Case{"dram.t_ras_ns", "10", "dram.t_ras_ns", "10 ns is less than dram.t_rcd_ns = 14.2 ns"},
        Case{"dram.t_rfc_ns", "3900", "dram.t_rfc_ns",
             "3900 ns is not less than dram.t_refi_ns = 3900 ns"}));

TEST(CrossChecksOfBanks, AsymmetricOnesNeedAShareEachAndNoPowerOfTwo) {
  GpuConfig config = load_gpu("a100-pcie-40gb", {}, kShippedGpus).config;
  config.sm.register_file.banks = 3;
  config.sm.register_file.bank_mapping = "asymmetric";
  const CrossProblem missing{"sm.register_file.bank_shares",
                             "2 values for sm.register_file.banks = 3",
                             {"sm.register_file.banks"}};
  EXPECT_THAT(cross_checks(config), ::testing::ElementsAre(missing));
  config.sm.register_file.bank_shares = {2, 1, 1};
  EXPECT_THAT(cross_checks(config), ::testing::IsEmpty());
}

TEST(CrossChecksTight, AcceptTheLastValueThatHolds) {
  GpuConfig config = load_gpu("a100-pcie-40gb", {}, kShippedGpus).config;
  config.l2.hit_latency = config.sm.l1.hit_latency_32 + 1;
  config.sm.max_warps = 32;
  config.sm.l1.size = 164 * 1024 + 128;
  config.dram.t_rfc_ns = 3899.9;
  config.l2.sms_per_partition.clear();
  EXPECT_THAT(cross_checks(config), ::testing::IsEmpty());
}

} // namespace
} // namespace coulomb::config
