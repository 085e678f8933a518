// SPDX-License-Identifier: Apache-2.0
// Corner cases and address forms of single instructions.
#include "base/error.hpp"
#include "sim/functional/kernel_impl.hpp"
#include "tests/unit/functional/machine.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <utility>

namespace coulomb::functional {
namespace {
using test::Machine;
using U = std::uint32_t;

U bits(float f) {
  return std::bit_cast<U>(f);
}
std::uint64_t pair(const Machine& m, unsigned r) {
  return m.get(r) | std::uint64_t{m.get(r + 1)} << 32;
}

TEST(InstructionForms, DoubleNanConvertsToTheTopBitAlone) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  // F2I.F64.TRUNC R9, R8; F2I.U32.F64.TRUNC R17, R16; F2I.S64.F64.TRUNC R4, R4;
  // F2I.U64.F64.TRUNC R12, R12
  EXPECT_EQ(Machine(0x0000000800097311, 0x004e68000030d100).set64(8, kNan).step().get(9),
            0x80000000U);
  EXPECT_EQ(Machine(0x0000001000117311, 0x004e28000030d000).set64(16, kNan).step().get(17),
            0x80000000U);
  Machine s64(0x0000000400047311, 0x004e28000030d900);
  EXPECT_EQ(pair(s64.set64(4, kNan).step(), 4), 0x8000000000000000U);
  Machine u64(0x0000000c000c7311, 0x004e68000030d800);
  EXPECT_EQ(pair(u64.set64(12, kNan).step(), 12), 0x8000000000000000U);
}

TEST(InstructionForms, SixtyFourBitIntegersConvertWhole) {
  // I2F.S64 R5, R4: a pair; I2F.F64.S64 R8, R8
  const auto to_float = [](std::int64_t v) {
    return Machine(0x0000000400057312, 0x004e280000301400)
        .set(4, static_cast<U>(v))
        .set(5, static_cast<U>(static_cast<std::uint64_t>(v) >> 32))
        .step()
        .get(5);
  };
  EXPECT_EQ(to_float(1LL << 40), bits(0x1p40F));
  EXPECT_EQ(to_float(-(1LL << 40) - 1), bits(-0x1p40F));
  EXPECT_EQ(to_float((1LL << 40) + (1LL << 16) + 1), bits(0x1.000002p40F)); // above a half ulp
  Machine wide(0x0000000800087312, 0x004e280000301c00);
  wide.set(8, 7).set(9, 0xffffffffU).step();
  EXPECT_EQ(pair(wide, 8), std::bit_cast<std::uint64_t>(-4294967289.0));
  // I2F.S64 R2, 0x5; I2F.F64.U64 R2, 0x5: the word of the instruction is the upper half
  EXPECT_EQ(Machine(0x0000000500027912, 0x000e240000301400).step().get(2), bits(0x5p32F));
  Machine immediate(0x0000000500027912, 0x000e240000301800);
  EXPECT_EQ(pair(immediate.step(), 2), std::bit_cast<std::uint64_t>(0x5p32));
}

TEST(InstructionForms, ImmediateOfAWideConversionHasTheSourcesFormat) {
  // F2I.U64.TRUNC R2, 5 and +QNAN; F2F.F64.F32 R2, 5; F2I.F64.TRUNC R2, 2048
  Machine f32(0x40a0000000027911, 0x000e22000020d800);
  EXPECT_EQ(pair(f32.step(), 2), 5U);
  Machine nan(0x7fffffff00027911, 0x000e22000020d800);
  EXPECT_EQ(pair(nan.step(), 2), 0x8000000000000000U);
  Machine widened(0x40a0000000027910, 0x000e220000201800);
  EXPECT_EQ(pair(widened.step(), 2), std::bit_cast<std::uint64_t>(5.0));
  EXPECT_EQ(Machine(0x40a0000000027911, 0x000e22000030d100).step().get(2), 2048U);
}

TEST(InstructionForms, DivisionCheckSendsUnsafeExponentsToTheSlowPath) {
  // FCHK P0, R7, R3
  const auto slow = [](float a, float b) {
    Machine m(0x0000000307007302, 0x000e220000000000);
    m.set(7, bits(a)).set(3, bits(b)).step();
    return m.warp->predicates[0] & 1U;
  };
  EXPECT_EQ(slow(1.0F, 3.0F), 0U);
  EXPECT_EQ(slow(0x1p-101F, 0x1p-20F), 0U); // its remainder is still exact
  EXPECT_EQ(slow(0x1p-102F, 0x1p-20F), 1U);
  EXPECT_EQ(slow(0x1p50F, 0x1p-50F), 0U);
  EXPECT_EQ(slow(0x1p51F, 0x1p-50F), 1U);
  EXPECT_EQ(slow(0x1p-51F, 0x1p50F), 1U);
  EXPECT_EQ(slow(0x1p60F, 0x1p123F), 0U);
  EXPECT_EQ(slow(0x1p60F, 0x1p124F), 1U);
  EXPECT_EQ(slow(0x1p-60F, 0x1p-123F), 1U);
  EXPECT_EQ(slow(INFINITY, 1.0F), 1U);
  EXPECT_EQ(slow(0.0F, 1.0F), 1U);
  EXPECT_EQ(slow(1.0F, 0.0F), 1U);
}

TEST(InstructionForms, DoubleMinimumAndMaximumOrderZeroes) {
  // DSETP.MIN.AND P0, P1, R12, R6, PT and DSETP.MAX
  const auto takes_first = [](bool maximum, double a, double b) {
    Machine m(0x000000060c00722aULL, maximum ? 0x000e0c000390f000ULL : 0x000e0c0003900000ULL);
    m.set64(12, a).set64(6, b).step();
    return (m.warp->predicates[0] & 1U) != 0;
  };
  EXPECT_TRUE(takes_first(false, -0.0, 0.0));
  EXPECT_FALSE(takes_first(false, 0.0, -0.0));
  EXPECT_TRUE(takes_first(true, 0.0, -0.0));
  EXPECT_FALSE(takes_first(true, -0.0, 0.0));
  EXPECT_TRUE(takes_first(true, 2.0, 1.0));
  EXPECT_FALSE(takes_first(false, 2.0, 1.0));
}

TEST(InstructionForms, AbsoluteValueOfTheLeastIntegerStays) {
  // IABS R7, R6
  const auto absolute = [](U a) {
    return Machine(0x0000000600077213, 0x003fde0000000000).set(6, a).step().get(7);
  };
  EXPECT_EQ(absolute(0x80000000U), 0x80000000U);
  EXPECT_EQ(absolute(0x80000001U), 0x7fffffffU);
  EXPECT_EQ(absolute(5), 5U);
}

TEST(InstructionForms, GenericAtomicSaysThatItIsDone) {
  // ATOM.E.ADD.64.STRONG.GPU P0, R8, [R4.64], R8
  Machine m(0x000000080408798a, 0x00321e000810e5c4);
  const std::uint64_t address = m.memory.allocate("counter", 8);
  m.set(4, static_cast<U>(address)).set(5, static_cast<U>(address >> 32));
  m.set(8, 3).set(9, 1);
  m.warp->predicates[0] = 0;
  m.step();
  EXPECT_EQ(m.warp->predicates[0], 0xffffffffU);
  EXPECT_EQ(m.get(8), 0U); // lane 0 comes first
  EXPECT_EQ(m.warp->registers[8][31], 93U);
  std::uint64_t sum = 0;
  std::memcpy(&sum, m.memory.read(address, 8), 8);
  EXPECT_EQ(sum, 32 * 0x100000003ULL);
}

TEST(InstructionForms, GenericAtomicWorksOnEachLanesLocalMemory) {
  // ATOM.E.ADD.64.STRONG.GPU P0, R8, [R4.64], R8
  Machine m(0x000000080408798a, 0x00321e000810e5c4);
  m.set(4, static_cast<U>(kLocalWindow + 16)).set(5, static_cast<U>(kLocalWindow >> 32));
  for (U l = 0; l < 32; ++l) {
    m.warp->registers[8][l] = l;
    m.warp->registers[9][l] = l + 1;
  }
  m.step();
  EXPECT_EQ(m.result.access.space, MemorySpace::local);
  for (U l = 0; l < 32; ++l) {
    U low = 0;
    U high = 0;
    std::memcpy(&low, m.warp->local.data() + 4 * 128 + l * 4, 4);
    std::memcpy(&high, m.warp->local.data() + 5 * 128 + l * 4, 4);
    EXPECT_EQ(low, l);
    EXPECT_EQ(high, l + 1);
  }
}

TEST(InstructionForms, LocalAddressesMayBeUniform) {
  // STL [R5+UR6], R16, then LDL R8, [UR5]
  Machine store(0x0000001005007987, 0x000fe40008100806);
  store.warp->uniform[6] = 8;
  store.set(5, 4).set(16, 77).step();
  U word = 0;
  std::memcpy(&word, store.warp->local.data() + 3 * 128 + 31 * 4, 4);
  EXPECT_EQ(word, 77U);
  Machine load(0x00000005ff087983, 0x000ea80008100800);
  load.warp->uniform[5] = 20;
  word = 99;
  std::memcpy(load.warp->local.data() + 5 * 128, &word, 4);
  EXPECT_EQ(load.step().get(8), 99U);
  EXPECT_EQ(load.result.access.address[0], 20U);
}

TEST(InstructionForms, GenericLoadWithoutUniformHasAWideOffset) {
  // LD.E.STRONG.SM R7, [R2+0x4]
  Machine m(0x0000000402077980, 0x004ee2000010a900);
  const std::uint64_t address = m.memory.allocate("data", 8);
  const U data[2] = {1, 2};
  m.memory.initialise(address, {reinterpret_cast<const std::uint8_t*>(data), sizeof data});
  m.set(2, static_cast<U>(address)).set(3, static_cast<U>(address >> 32));
  EXPECT_EQ(m.step().get(7), 2U);
}

TEST(InstructionForms, SharedAtomicsScaleTheirAddressOrAddAUniform) {
  // ATOMS.ADD RZ, [R6.X4+0xc00], R3: 0xc00 is outside, and the fault names the address
  Machine outside(0x000c000306ff738c, 0x0001e40000004000);
  EXPECT_THROW(outside.set(6, 5).set(3, 1).step(), KernelFault);
  // ATOMS.ADD RZ, [R6.X4+0x10], R3
  Machine scaled(0x0000100306ff738c, 0x0001e40000004000);
  scaled.set(6, 5).set(3, 2).step();
  U word = 0;
  std::memcpy(&word, scaled.cta.shared.data() + 36, 4);
  EXPECT_EQ(word, 64U);
  // ATOMS.ADD RZ, [UR4+0x10], R4
  Machine uniform(0x00001004ffff798c, 0x0001e40008000004);
  uniform.warp->uniform[4] = 4;
  uniform.set(4, 3).step();
  std::memcpy(&word, uniform.cta.shared.data() + 20, 4);
  EXPECT_EQ(word, 96U);
}

TEST(InstructionForms, CopyArrivalCountsEveryLane) {
  // ARRIVES.LDGSTSBAR.64 [UR6]
  Machine m(0x00000000ff0079b0, 0x001fe20008000a06);
  const U initial[2] = {0x40000000U - 100, 0x80000000U - 100};
  std::memcpy(m.cta.shared.data(), initial, sizeof initial);
  m.warp->uniform[6] = 0;
  m.step();
  U words[2];
  std::memcpy(words, m.cta.shared.data(), sizeof words);
  EXPECT_EQ(words[0], initial[0]);
  EXPECT_EQ(words[1], initial[1] + 32);
}

TEST(InstructionForms, UniformFieldsExtendAndMask) {
  const auto run = [](std::uint64_t low, std::uint64_t high, U a) {
    Machine m(low, high);
    m.warp->uniform[4] = a;
    m.step();
    return m.warp->uniform[4];
  };
  // USGXT UR4, UR4, 0x18; USGXT.U32; UBMSK UR4, UR4, 0x5
  EXPECT_EQ(run(0x000000180404789a, 0x000fe40008000200, 0x12800001), 0xff800001U);
  EXPECT_EQ(run(0x000000180404789a, 0x000fe40008000000, 0x12800001), 0x00800001U);
  EXPECT_EQ(run(0x000000050404789b, 0x000fe40008000000, 4), 0x1f0U);
  EXPECT_EQ(run(0x000000050404789b, 0x000fe40008000000, 30), 0xc0000000U);
  EXPECT_EQ(run(0x000000050404789b, 0x000fe40008000000, 99), 0U);
}

TEST(InstructionForms, UniformPredicatesMoveToAndFromRegisters) {
  // UP2UR UR5, UPR, UR7, 0x3
  Machine to(0x0000000307057883, 0x000fe40008000000);
  to.warp->uniform_predicates[0] = false;
  to.warp->uniform_predicates[1] = true;
  to.warp->uniform_predicates[2] = true;
  to.warp->uniform[7] = 0xf1;
  to.step();
  EXPECT_EQ(to.warp->uniform[5], 0xf2U);
  // UR2UP UPR, UR7, 0x3
  Machine from(0x0000000307007884, 0x000fe40008000000);
  from.warp->uniform_predicates[0] = true;
  from.warp->uniform_predicates[2] = false;
  from.warp->uniform[7] = 0x6;
  from.step();
  EXPECT_FALSE(from.warp->uniform_predicates[0]);
  EXPECT_TRUE(from.warp->uniform_predicates[1]);
  EXPECT_FALSE(from.warp->uniform_predicates[2]); // not in the mask
}

TEST(InstructionForms, PredicateLogicReadsSignsOfRegisters) {
  // PLOP3.LUT P0, PT, R3.SIGN, R6.SIGN, R0.SIGN, 0x2, 0x0: only the last is negative
  const auto run = [](U a, U b, U c) {
    Machine m(0x000000060300721f, 0x000fe40000700200);
    m.set(3, a).set(6, b).set(0, c).step();
    return m.warp->predicates[0];
  };
  EXPECT_EQ(run(1, 2, 0x80000000U), 0xffffffffU);
  EXPECT_EQ(run(0xffffffffU, 2, 0x80000000U), 0U);
  EXPECT_EQ(run(1, 2, 3), 0U);
}

// Source: NVRTC makes the factor 0x80000001 out of 0x00010000 as -R.H0_NH1.
TEST(InstructionForms, PackedFmaMaySwapTheHalvesOfAFactorAndNegateOne) {
  // HFMA2 R30, R2, R30.H0_NH1, 1, 1 and -R30.H0_NH1; R30 holds 2 and 1, R2 2 and 3
  const auto run = [](std::uint64_t high) {
    return Machine(0x3c003c00021e7431, high).set(2, 0x40004200).set(30, 0x40003c00).step().get(30);
  };
  EXPECT_EQ(run(0x000fe2000040001e), 0x4200c500U); // 2 * 1 + 1, 3 * -2 + 1
  EXPECT_EQ(run(0x000fe2000050001e), 0xbc004700U); // 2 * -1 + 1, 3 * 2 + 1
}

TEST(InstructionForms, HighLeaTakesAnImmediateAsItsUpperPart) {
  // LEA.HI R10, R6, RZ, 0x10, 0x5: the high word of {0x10, R6} << 5
  EXPECT_EQ(Machine(0x00000010060a7411, 0x000fe400078f28ff).set(6, 0xf8000001U).step().get(10),
            0x21fU);
}

TEST(InstructionForms, PerformanceMonitorsCountNothing) {
  // CS2R R4, SR_PM7; CS2R.32 R5, SR_PM6
  Machine wide(0x0000000000047805, 0x000fe20000017200);
  EXPECT_EQ(pair(wide.set(4, 1).set(5, 1).step(), 4), 0U);
  EXPECT_EQ(Machine(0x0000000000057805, 0x000fe20000007000).set(5, 1).step().get(5), 0U);
}

} // namespace
} // namespace coulomb::functional
