// SPDX-License-Identifier: Apache-2.0
// Single instructions, as the compiler encodes them, on chosen register values.
#include "base/error.hpp"
#include "sim/functional/executor.hpp"
#include "sim/isa/cubin.hpp"
#include "tests/unit/functional/machine.hpp"

#include <bit>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

namespace coulomb::functional {
namespace {
using test::Machine;
using U = std::uint32_t;
constexpr U kNan = 0x7fffffff;

U bits(float f) {
  return std::bit_cast<U>(f);
}

/// FADD.FTZ R11, R14, R9
U fadd_ftz(U a, U b) {
  return Machine(0x000000090e0b7221, 0x000fca0000010000).set(14, a).set(9, b).step().get(11);
}

TEST(Instruction, FtzFlushesInputsAndResults) {
  EXPECT_EQ(fadd_ftz(bits(1.0F), bits(2.0F)), bits(3.0F));
  EXPECT_EQ(fadd_ftz(0x00400000, 0), 0U);
  EXPECT_EQ(fadd_ftz(0x80400000, 0x80000000), 0x80000000U);
  EXPECT_EQ(fadd_ftz(0x00800001, 0x80800000), 0U); // difference 2^-149
  EXPECT_EQ(fadd_ftz(0x7fc12345, 0), kNan);
}

TEST(Instruction, SaturatingFmaClampsAndNegates) {
  // FFMA.SAT R2, -R0, R3, 0.5
  const auto run = [](float a, float b) {
    return Machine(0x3f00000000027423, 0x000fc80000002103)
        .set(0, bits(a))
        .set(3, bits(b))
        .step()
        .get(2);
  };
  EXPECT_EQ(run(0.25F, 1.0F), bits(0.25F));
  EXPECT_EQ(run(-1.0F, 1.0F), bits(1.0F));
  EXPECT_EQ(run(1.0F, 1.0F), 0U);
  EXPECT_EQ(run(std::numeric_limits<float>::infinity(), 0.0F), 0U);
}

TEST(Instruction, ReciprocalFlushesSubnormals) {
  // MUFU.RCP R8, R3
  const auto rcp = [](U a) {
    return Machine(0x0000000300087308, 0x000e640000001000).set(3, a).step().get(8);
  };
  EXPECT_EQ(rcp(bits(4.0F)), bits(0.25F));
  EXPECT_EQ(rcp(bits(3.0F)), bits(1.0F / 3.0F));
  EXPECT_EQ(rcp(0x80000001), 0xff800000U); // flushed to -0
  EXPECT_EQ(rcp(bits(3e38F)), 0U);
  EXPECT_EQ(rcp(0x7f800000), 0U);
  EXPECT_EQ(rcp(kNan), kNan);
}

TEST(Instruction, MinimumPropagatesNanOnlyOnDemand) {
  // FMNMX.NAN R9, R4.reuse, c[0x0][0x170], !PT: the constant is 0 here
  const auto max_nan = [](U a) {
    return Machine(0x00005c0004097a09, 0x040fe40007820000).set(4, a).step().get(9);
  };
  EXPECT_EQ(max_nan(bits(-1.0F)), 0U);
  EXPECT_EQ(max_nan(bits(2.0F)), bits(2.0F));
  EXPECT_EQ(max_nan(0xffc00001), kNan);
}

TEST(Instruction, PackedBf16FmaRoundsOnce) {
  // HFMA2.BF16_V2 R0, R11, 1, 1, R14
  const auto add = [](U a, U c) {
    return Machine(0x3f803f800b007831, 0x108fe2000020000e).set(11, a).set(14, c).step().get(0);
  };
  EXPECT_EQ(add(0x3f803f80, 0x3f804000), 0x40004040U); // 1 + 1, 1 + 2
  EXPECT_EQ(add(0x3f803f80, 0x3b803c00), 0x3f803f81U); // a tie to even; 1 + 2^-7
  EXPECT_EQ(add(0x7f800000, 0xff807fc1), 0x7fff7fffU); // inf - inf, NaN
}

TEST(Instruction, PackedHalfReluClampsNegatives) {
  // HFMA2.RELU R34, R24, R4, R29
  Machine m(0x0000000418227231, 0x180fe2000380801d);
  m.set(24, 0x3c003c00).set(4, 0x4000c000).set(29, 0x3c003c00).step();
  EXPECT_EQ(m.get(34), 0x42000000U); // high 1 * 2 + 1 = 3; low 1 * -2 + 1 < 0
}

TEST(Instruction, PackedHalfFmaDoesNotRoundTwice) {
  // HFMA2.RELU: 1.0009765625 * 1.0009765625 + 2^-24 lies just above a tie between halves
  Machine m(0x0000000418227231, 0x180fe2000380801d);
  m.set(24, 0x3c013c01).set(4, 0x3e003e00).set(29, 0x00010001).step();
  // 1025/1024 * 1.5 = 1.50146484375: halfway between 0x3e01 and 0x3e02; the addend decides
  EXPECT_EQ(m.get(34), 0x3e023e02U);
}

TEST(Instruction, PredicatesMoveToAndFromRegisters) {
  // P2R R20, PR, RZ, 0x40
  Machine to(0x00000040ff147803, 0x000fc40000000000);
  to.warp->predicates[6] = 0x5;
  to.warp->predicates[0] = 0xffffffff;
  to.step();
  EXPECT_EQ(to.warp->registers[20][0], 0x40U);
  EXPECT_EQ(to.warp->registers[20][1], 0U);
  EXPECT_EQ(to.warp->registers[20][2], 0x40U);
  // R2P PR, R0, 0x3
  Machine from(0x0000000300007804, 0x000fe20000000000);
  from.warp->predicates[2] = 0x1234;
  for (U l = 0; l < 32; ++l) {
    from.warp->registers[0][l] = l;
  }
  from.step();
  EXPECT_EQ(from.warp->predicates[0], 0xaaaaaaaaU);
  EXPECT_EQ(from.warp->predicates[1], 0xccccccccU);
  EXPECT_EQ(from.warp->predicates[2], 0x1234U);
}

TEST(Instruction, DoubleMinimumSelectsItsOperand) {
  // DSETP.MIN.AND P0, P1, R10, 1, PT
  const auto run = [](double a) {
    Machine m(0x3ff000000a00742a, 0x000e480003900000);
    m.set64(10, a).step();
    return std::pair{m.warp->predicates[0] & 1, m.warp->predicates[1] & 1};
  };
  EXPECT_EQ(run(0.5), (std::pair{1U, 0U}));
  EXPECT_EQ(run(2.0), (std::pair{0U, 0U}));
  EXPECT_EQ(run(std::numeric_limits<double>::quiet_NaN()), (std::pair{0U, 0U}));
}

TEST(Instruction, HalfComparisonSelectsHalves) {
  // HSETP2.GT.AND P0, PT, R4.H0_H0, R29.H1_H1, PT
  Machine m(0x3000001d04007234, 0x040fe20003f04800);
  m.set(4, 0x00004000).set(29, 0x3c007c00).step();
  EXPECT_EQ(m.warp->predicates[0], 0xffffffffU); // 2 > 1
}

TEST(Instruction, CarryChainsThroughPredicates) {
  // IADD3.X R9, R0, c[0x0][0x184], RZ, P0, !PT
  Machine m(0x0000610000097a10, 0x040fe200007fe4ff);
  m.set(0, 41);
  m.warp->predicates[0] = 0x2;
  m.step();
  EXPECT_EQ(m.warp->registers[9][0], 41U);
  EXPECT_EQ(m.warp->registers[9][1], 42U);
}

TEST(Instruction, LogicSetsAPredicateAndDropsRz) {
  // LOP3.LUT P0, RZ, R7, 0x1f, RZ, 0xc0, !PT
  Machine m(0x0000001f07ff7812, 0x000fce000780c0ff);
  for (U l = 0; l < 32; ++l) {
    m.warp->registers[7][l] = l * 16;
  }
  m.step();
  EXPECT_EQ(m.warp->predicates[0], 0xaaaaaaaaU);
  EXPECT_EQ(m.warp->registers[255], (std::array<U, 32>{}));
}

TEST(Instruction, PackingSaturates) {
  // I2IP.S8.S32.SAT R3, R0, R3, R2
  Machine m(0x0000000300037239, 0x010fca0000001002);
  m.set(0, static_cast<U>(-300)).set(3, 100).set(2, 0xabcd1234).step();
  EXPECT_EQ(m.get(3), 0x12348064U);
}

TEST(Instruction, HalvesPackWithTheFirstOnTop) {
  // F2FP.BF16.PACK_AB R6, R17, R12; F2FP.RELU.PACK_AB R9, R0, R9
  Machine bf16(0x0000000c1106723e, 0x002fc400000010ff);
  EXPECT_EQ(bf16.set(17, bits(1.0F)).set(12, bits(-2.0F)).step().get(6), 0x3f80c000U);
  Machine relu(0x000000090009723e, 0x008fca00000008ff);
  EXPECT_EQ(relu.set(0, bits(1.0F)).set(9, bits(-2.0F)).step().get(9), 0x3c000000U);
}

TEST(Instruction, FinitePackingClampsOverflowAndKeepsNan) {
  // F2FP.SATFINITE.PACK_AB R0, R14, R3
  const auto pack = [](U high, U low) {
    return Machine(0x000000030e00723e, 0x008fc400000020ff).set(14, high).set(3, low).step().get(0);
  };
  EXPECT_EQ(pack(bits(1e6F), bits(-65520.0F)), 0x7bfffbffU);
  EXPECT_EQ(pack(0x7f800000, 0xff800000), 0x7bfffbffU); // infinities
  EXPECT_EQ(pack(kNan, bits(-2.0F)), 0x7fffc000U);
}

TEST(Instruction, ConversionToBytesSaturates) {
  // F2IP.U8.F32.TRUNC.NTZ R17, RZ, R2, RZ
  const auto convert = [](U a) {
    return Machine(0x00000002ff117243, 0x000fca000000c4ff).set(2, a).step().get(17);
  };
  EXPECT_EQ(convert(bits(254.9F)), 254U);
  EXPECT_EQ(convert(bits(1e9F)), 255U);
  EXPECT_EQ(convert(bits(-3.0F)), 0U);
  EXPECT_EQ(convert(kNan), 0U);
}

TEST(Instruction, ConversionThatPacksTwoIsRefused) {
  // F2IP.U8.F32.TRUNC.NTZ R17, R3, R2, RZ
  EXPECT_THROW(Machine(0x0000000203117243, 0x000fca000000c4ff), UnsupportedError);
}

TEST(Instruction, StackOfUnoptimisedCodeEndsAtZero) {
  // S2R R0, SR_LMEMHIOFF
  EXPECT_EQ(Machine(0x0000000000007919, 0x000e220000003700).set(0, 5).step().get(0), 0U);
}

TEST(Instruction, ProfilerTriggersDoNothing) {
  // PMTRIG 0x8
  Machine m(0x0000000800007801, 0x000fe40003800000);
  m.step();
  EXPECT_EQ(m.warp->pc, 16U);
  EXPECT_EQ(m.result.event, StepEvent::none);
}

TEST(Instruction, MbarrierArrivalsCountAndFlipThePhase) {
  // ATOMS.ARRIVE.64 R2, [URZ] by 32 lanes
  isa::KernelImage image;
  image.name = "one";
  image.registers = 64;
  image.static_shared_bytes = 8;
  image.constant0.resize(0x200);
  image.code.push_back(isa::decode(0x00000000ff027f8c, 0x008e22000c80043f, 0, "one"));
  image.code.push_back(isa::decode(0x000000000000794dULL, 0x000fea0003800000ULL, 16, "one"));
  const ExecutableKernel kernel({}, image, Dim3{}, Dim3{32, 1, 1}, 0, {}, 1);
  GlobalMemory memory;
  const Executor executor(kernel, memory);
  const auto warp = std::make_unique<WarpState>();
  WarpState* pointer = warp.get();
  CtaState cta;
  executor.start_cta(cta, 0, &pointer);
  constexpr U kExpected = 40; // threads
  const U initial[2] = {0x40000000U - kExpected, 0x80000000U - kExpected};
  std::memcpy(cta.shared.data(), initial, sizeof initial);
  StepResult result;
  U words[2];
  const auto arrive = [&] {
    warp->pc = 0;
    Executor(kernel, memory).step(*warp, cta, MachineState{}, result);
    std::memcpy(words, cta.shared.data(), sizeof words);
  };
  arrive();
  EXPECT_EQ(words[0], initial[0]);
  EXPECT_EQ(words[1], 0x80000000U - 8);
  EXPECT_EQ(warp->registers[2][0], initial[0]);
  EXPECT_EQ(warp->registers[3][0], initial[1]);
  EXPECT_EQ(warp->registers[3][31], initial[1] + 31);
  EXPECT_TRUE(result.access.atomic);
  EXPECT_EQ(result.access.bytes, 8);
  arrive(); // the eighth completes the phase, 24 count for the next
  EXPECT_EQ(words[0], initial[0]);
  EXPECT_EQ(words[1], 0x80000000U | (0x80000000U - kExpected + 24));
}

TEST(Instruction, UniformIndexReachesBeyondTheBankAsZero) {
  // ULDC UR6, c[0x3][UR5+0xb4]: the module has no bank 3
  Machine m(0x00c02d0005067abb, 0x000fe40008000800);
  m.warp->uniform[6] = 7;
  m.step();
  EXPECT_EQ(m.warp->uniform[6], 0U);
  // ULDC.64 UR6, c[0x0][UR5+0x0] of the grid's and the block's dimensions
  Machine pair(0x0000000005067abb, 0x000fe40008000a00);
  pair.warp->uniform[5] = 8;
  pair.step();
  EXPECT_EQ(pair.warp->uniform[6], 1U); // blockDim.z
  EXPECT_EQ(pair.warp->uniform[7], 1U); // gridDim.x
  // ULDC.U8: the rest of the register is cleared
  Machine byte(0x0000000005067abb, 0x000fe40008000000);
  byte.warp->uniform[6] = ~0U;
  byte.step();
  EXPECT_EQ(byte.warp->uniform[6], 32U); // blockDim.x
  EXPECT_EQ(byte.result.access.space, MemorySpace::none);
}

TEST(Instruction, MisalignedUniformIndexFaults) {
  Machine m(0x00c02d0005067abb, 0x000fe40008000800);
  m.warp->uniform[5] = 2;
  try {
    m.step();
    FAIL();
  } catch (const KernelFault& e) {
    EXPECT_STREQ(e.what(),
                 "misaligned access: 4 bytes at constant address 0xb6 in kernel one at pc "
                 "0x0000: ULDC UR6, c[0x3][UR5+0xb4], CTA (0, 0, 0), warp 0, all lanes");
  }
}

TEST(Instruction, UniformPermuteRespectsItsGuard) {
  // @UP2 UPRMT UR4, UR4, 0x5410, UR5
  Machine m(0x0000541004042896, 0x000fca0008000005);
  m.warp->uniform[4] = 0x11112222;
  m.warp->uniform[5] = 0x33334444;
  m.warp->uniform_predicates[2] = false;
  m.step();
  EXPECT_EQ(m.warp->uniform[4], 0x11112222U);
  m.warp->pc = 0;
  m.warp->uniform_predicates[2] = true;
  m.step();
  EXPECT_EQ(m.warp->uniform[4], 0x44442222U);
}

TEST(Instruction, UniformPermuteReplicatesSigns) {
  // UPRMT UR15, UR6, 0x9910, URZ
  Machine m(0x00009910060f7896, 0x000fe2000800003f);
  m.warp->uniform[6] = 0x1234fedc;
  m.step();
  EXPECT_EQ(m.warp->uniform[15], 0xfffffedcU);
}

TEST(Instruction, GuardMasksLanesAndCountsThem) {
  // FADD.FTZ R11, R14, R9 guarded by P2 (bits 12..14)
  Machine m(0x000000090e0b2221, 0x000fca0000010000);
  m.set(11, 7).set(14, bits(1.0F)).set(9, bits(1.0F));
  m.warp->predicates[2] = 0x0000fff0;
  m.step();
  EXPECT_EQ(m.result.executed, 0x0000fff0U);
  EXPECT_EQ(m.warp->registers[11][3], 7U);
  EXPECT_EQ(m.warp->registers[11][4], bits(2.0F));
  EXPECT_EQ(m.warp->registers[11][16], 7U);
  EXPECT_EQ(m.warp->pc, 16U);
}

TEST(Instruction, NeverExecutedInstructionOnlyMovesOn) {
  // @!PT FADD.FTZ
  Machine m(0x000000090e0bf221, 0x000fca0000010000);
  m.set(11, 7).step();
  EXPECT_EQ(m.get(11), 7U);
  EXPECT_EQ(m.result.executed, 0U);
  EXPECT_EQ(m.warp->pc, 16U);
}

TEST(Instruction, UnmodelledOnesAreRefusedAtLoad) {
  // LDG.E R12, [R4], P1
  try {
    Machine m(0x00000000040c7381, 0x00006200001e0906);
    FAIL();
  } catch (const UnsupportedError& e) {
    EXPECT_THAT(e.what(), ::testing::StartsWith("instruction not modelled in kernel one at pc "
                                                "0x0000: LDG.E R12, [R4], P1"));
  }
}

TEST(Instruction, UnreachableOnesMayStay) {
  isa::KernelImage image;
  image.name = "one";
  image.registers = 8;
  image.constant0.resize(0x200);
  image.code.push_back(isa::decode(0x000000000000794dULL, 0x000fea0003800000ULL, 0, "one"));
  image.code.push_back(isa::decode(0x00000000040c7381, 0x00006200001e0906, 16, "one"));
  EXPECT_NO_THROW(ExecutableKernel(isa::Cubin{}, image, {}, {}, 0, {}, 1));
}

} // namespace
} // namespace coulomb::functional
