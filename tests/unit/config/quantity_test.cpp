// SPDX-License-Identifier: Apache-2.0
#include "base/config/quantity.hpp"

#include <gtest/gtest.h>

namespace coulomb::config {
namespace {

class Quantity : public ::testing::Test {
protected:
  /// What assign() says; empty when it succeeds.
  std::string set(const char* key, std::string_view text) {
    return assign(field(config_, key), text).value_or("");
  }
  std::string text(const char* key) { return format_value(field(config_, key)); }

  GpuConfig config_;
};

TEST_F(Quantity, BareNumberIsInTheUnitOfTheKey) {
  EXPECT_EQ(set("sm.l1.size", "131072"), "");
  EXPECT_EQ(config_.sm.l1.size, 131072U);
  EXPECT_EQ(set("dram.latency_ns", "170.5"), "");
  EXPECT_EQ(config_.dram.latency_ns, 170.5);
}

TEST_F(Quantity, BytesTakeBinaryUnits) {
  EXPECT_EQ(set("sm.l1.size", "256 KiB"), "");
  EXPECT_EQ(config_.sm.l1.size, 262144U);
  EXPECT_EQ(set("sm.l1.size", "1MiB"), "");
  EXPECT_EQ(config_.sm.l1.size, 1048576U);
  EXPECT_EQ(set("sm.l1.size", "128.5 KiB"), "");
  EXPECT_EQ(config_.sm.l1.size, 131584U);
}

TEST_F(Quantity, DecimalKilobytesAreRefusedAsAmbiguous) {
  EXPECT_EQ(
      set("sm.l1.size", "192 KB"),
      "unit \"KB\" is not one of: B, bytes, KiB, MiB (did you mean \"KiB\"?); expected bytes, "
      "e.g. 196608 or \"192 KiB\"");
}

TEST_F(Quantity, ClocksTimesAndRatesAreConverted) {
  EXPECT_EQ(set("sm_clock_mhz", "1.41 GHz"), "");
  EXPECT_EQ(config_.sm_clock_mhz, 1410.0);
  EXPECT_EQ(set("dram.latency_ns", "0.2 us"), "");
  EXPECT_EQ(config_.dram.latency_ns, 200.0);
  EXPECT_EQ(set("launch_overhead_us", "2600 ns"), "");
  EXPECT_EQ(config_.launch_overhead_us, 2.6);
  EXPECT_EQ(set("dram.channel_gbps", "39 GB/s"), "");
  EXPECT_EQ(config_.dram.channel_gbps, 39.0);
  EXPECT_EQ(set("l2.slice_bytes_per_cycle", "32 B/cycle"), "");
  EXPECT_EQ(config_.l2.slice_bytes_per_cycle, 32U);
  EXPECT_EQ(set("l2.hit_latency", "1 cycle"), "");
  EXPECT_EQ(config_.l2.hit_latency, 1U);
}

TEST_F(Quantity, WrongUnitIsAnsweredWithTheRightOnes) {
  EXPECT_EQ(
      set("sm.l1.hit_latency_32", "33 ns"),
      "unit \"ns\" is not one of: cycles, cycle; expected SM cycles, e.g. 32 or \"32 cycles\"");
  EXPECT_EQ(set("dram.latency_ns", "33 cycles"),
            "unit \"cycles\" is not one of: ns, us, ms, s; expected nanoseconds, e.g. 189 or "
            "\"189 ns\"");
  EXPECT_EQ(set("sms", "33 cycles"),
            "takes no unit, so \"cycles\" is wrong; expected a whole number, e.g. 108");
  EXPECT_EQ(config_.sm.l1.hit_latency_32, 32U);
}

TEST_F(Quantity, UnitInTheWrongCaseIsAnsweredWithTheRightOne) {
  EXPECT_EQ(
      set("sm_clock_mhz", "1.41 Ghz"),
      "unit \"Ghz\" is not one of: MHz, GHz, kHz (did you mean \"GHz\"?); expected megahertz, "
      "e.g. 1410 or \"1410 MHz\"");
  EXPECT_EQ(set("dram.channel_gbps", "20 gb/s"),
            "unit \"gb/s\" is not one of: GB/s, MB/s, TB/s (did you mean \"GB/s\"?); expected "
            "gigabytes per second, e.g. 19.44 or \"19.44 GB/s\"");
}

TEST_F(Quantity, TextThatIsNoNumberIsRefused) {
  for (const char* wrong : {"", " ", "abc", "0x10", "1 2", "nan", "inf", "1e999", "--1"}) {
    EXPECT_EQ(set("sms", wrong), "expected a whole number, e.g. 108") << wrong;
  }
}

TEST_F(Quantity, RangeIsInclusive) {
  EXPECT_EQ(set("sm.front_end.prefetch_depth", "0"), "");
  EXPECT_EQ(set("sm.front_end.prefetch_depth", "64"), "");
  EXPECT_EQ(set("sm.front_end.prefetch_depth", "65"), "out of range; allowed: 0 to 64");
  EXPECT_EQ(set("sm.l1.hit_latency_32", "0"), "out of range; allowed: 1 to 500 cycles");
  EXPECT_EQ(set("sm.l1.size", "32 MiB"), "out of range; allowed: 4 KiB to 16 MiB");
  EXPECT_EQ(config_.sm.front_end.prefetch_depth, 64U);
}

TEST_F(Quantity, FractionOfACountIsRefused) {
  EXPECT_EQ(set("sms", "1.5"), "expected a whole number");
  EXPECT_EQ(set("l2.hit_latency", "206.5"), "expected a whole number of SM cycles");
}

TEST_F(Quantity, ListsTakeBracketsOrNot) {
  EXPECT_EQ(set("l2.sms_per_partition", "[62, 46]"), "");
  EXPECT_EQ(config_.l2.sms_per_partition, (std::vector<std::uint32_t>{62, 46}));
  EXPECT_EQ(set("l2.sms_per_partition", "54,54"), "");
  EXPECT_EQ(config_.l2.sms_per_partition, (std::vector<std::uint32_t>{54, 54}));
  EXPECT_EQ(set("l2.sms_per_partition", "[]"), "");
  EXPECT_TRUE(config_.l2.sms_per_partition.empty());
}

TEST_F(Quantity, UnitAfterTheBracketHoldsForAllElementsWithoutOne) {
  EXPECT_EQ(set("sm.shared.carveouts", "[0, 8, 1 MiB] KiB"), "");
  EXPECT_EQ(config_.sm.shared.carveouts, (std::vector<std::uint32_t>{0, 8192, 1048576}));
}

TEST_F(Quantity, WrongListIsRefusedWhole) {
  config_.l2.sms_per_partition = {62, 46};
  EXPECT_EQ(set("l2.sms_per_partition", "[62, x]"),
            "expected a list of numbers, e.g. \"[62, 46]\"");
  EXPECT_EQ(set("l2.sms_per_partition", "[62"), "expected a list of numbers, e.g. \"[62, 46]\"");
  EXPECT_EQ(set("l2.sms_per_partition", "[62, 0]"), "out of range; allowed: 1 to 1024");
  EXPECT_EQ(config_.l2.sms_per_partition, (std::vector<std::uint32_t>{62, 46}));
}

TEST_F(Quantity, FlagsAreTrueOrFalse) {
  EXPECT_EQ(set("sm.pipes.fp64_shared_by_sm", "true"), "");
  EXPECT_TRUE(config_.sm.pipes.fp64_shared_by_sm);
  EXPECT_EQ(set("sm.pipes.fp64_shared_by_sm", "1"), "expected true or false");
}

TEST_F(Quantity, TextsAreCheckedAgainstTheirChoices) {
  EXPECT_EQ(set("dram.type", "GDDR6X"), "");
  EXPECT_EQ(set("dram.type", "GDR6"),
            "one of: HBM2, HBM2e, GDDR6, GDDR6X (did you mean \"GDDR6\"?)");
  EXPECT_EQ(set("product", ""), "expected a text that is not empty");
  EXPECT_EQ(config_.dram.type, "GDDR6X");
}

TEST_F(Quantity, IsPrintedWithTheLargestWholeUnit) {
  EXPECT_EQ(text("sm.l1.size"), "192 KiB");
  EXPECT_EQ(text("sm.l1.line"), "128 B");
  EXPECT_EQ(text("sm.l1.hit_latency_32"), "32 cycles");
  EXPECT_EQ(text("sms"), "108");
  EXPECT_EQ(text("dram.channel_gbps"), "19.44 GB/s");
  EXPECT_EQ(text("l2.sms_per_partition"), "[]");
  config_.sm.shared.carveouts = {0, 8192};
  EXPECT_EQ(text("sm.shared.carveouts"), "[0, 8] KiB");
  config_.sm.shared.carveouts = {0, 100};
  EXPECT_EQ(text("sm.shared.carveouts"), "[0, 100] B");
}

TEST_F(Quantity, PrintedValueIsReadBackTheSame) {
  config_.sm.shared.carveouts = {0, 8192, 167936};
  config_.l2.sms_per_partition = {62, 46};
  config_.id = config_.product = "x";
  config_.chip = "GA100";
  config_.dram.type = "HBM2e";
  config_.dram.channel_gbps = 0.1 + 0.2;
  GpuConfig copy = config_;
  for (const Field& f : fields(config_)) {
    const std::string printed = format_value(f);
    EXPECT_EQ(assign(field(copy, f.key), printed), std::nullopt) << f.key << " = " << printed;
    EXPECT_EQ(format_value(field(copy, f.key)), printed);
  }
  EXPECT_EQ(copy.dram.channel_gbps, config_.dram.channel_gbps);
  EXPECT_EQ(copy.sm.shared.carveouts, config_.sm.shared.carveouts);
}

} // namespace
} // namespace coulomb::config
