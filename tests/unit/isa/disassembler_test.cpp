// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/cubin.hpp"
#include "sim/isa/number_text.hpp"

#include <gtest/gtest.h>

namespace coulomb::isa {
namespace {

std::string text_of(std::uint64_t low, std::uint64_t high, std::uint32_t pc = 0) {
  return disassemble(decode(low, high, pc, "kernel"));
}

TEST(Disassembler, PrintsConstantOperands) {
  EXPECT_EQ(text_of(0x00000a00ff017624, 0x000fe400078e00ff),
            "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]");
  EXPECT_EQ(text_of(0x0000460000047ab9, 0x000fe20000000a00), "ULDC.64 UR4, c[0x0][0x118]");
  EXPECT_EQ(text_of(0x0000580002027b82, 0x00321e0000000a00), "LDC.64 R2, c[0x0][R2+0x160]");
}

TEST(Disassembler, PrintsConstantsAtUniformIndices) {
  EXPECT_EQ(text_of(0x00c02d0005067abb, 0x000fe40008000800), "ULDC UR6, c[0x3][UR5+0xb4]");
  EXPECT_EQ(text_of(0x00c000800e0b7abb, 0x000fe40008000000), "ULDC.U8 UR11, c[0x3][UR14+0x2]");
  EXPECT_EQ(text_of(0x00c0000013077abb, 0x000fe40008000200), "ULDC.S8 UR7, c[0x3][UR19]");
  EXPECT_EQ(text_of(0x00c000000c097abb, 0x000fe20008000400), "ULDC.U16 UR9, c[0x3][UR12]");
  EXPECT_EQ(text_of(0x00c000000b087abb, 0x000fc40008000600), "ULDC.S16 UR8, c[0x3][UR11]");
  EXPECT_EQ(text_of(0x00c000000a0e7abb, 0x000fc40008000a00), "ULDC.64 UR14, c[0x3][UR10]");
  EXPECT_EQ(text_of(0x00e02d0005067abb, 0x000fe40008000800), "ULDC UR6, c[0x3][UR5+-0x7f4c]");
  EXPECT_EQ(text_of(0x00c02d003f067abb, 0x000fe40008000800), "ULDC UR6, c[0x3][URZ+0xb4]");
  EXPECT_EQ(text_of(0x00c000003f062abb, 0x000fe40008000800), "@UP2 ULDC UR6, c[0x3][URZ]");
}

TEST(Disassembler, PrintsUniformPermutesTriggersAndPacking) {
  EXPECT_EQ(text_of(0x00009910060f7896, 0x000fe2000800003f), "UPRMT UR15, UR6, 0x9910, URZ");
  EXPECT_EQ(text_of(0x0000541004042896, 0x000fca0008000005), "@UP2 UPRMT UR4, UR4, 0x5410, UR5");
  EXPECT_EQ(text_of(0x00000005060f7296, 0x000fe2000800003f), "UPRMT UR15, UR6, UR5, URZ");
  EXPECT_EQ(text_of(0x0000000800007801, 0x000fe40003800000), "PMTRIG 0x8");
  EXPECT_EQ(text_of(0x00000002ff117243, 0x000fca000000c4ff),
            "F2IP.U8.F32.TRUNC.NTZ R17, RZ, R2, RZ");
}

TEST(Disassembler, PrintsMemoryOperands) {
  EXPECT_EQ(text_of(0x00008000360c7984, 0x002fe80000004c00), "LDS.128 R12, [R54.X4+0x80]");
  EXPECT_EQ(text_of(0xffffe007ff097984, 0x000e680008000800), "LDS R9, [UR7+-0x20]");
  EXPECT_EQ(text_of(0x00001000ff087984, 0x000ea20000000c00), "LDS.128 R8, [0x10]");
  EXPECT_EQ(text_of(0x00002400ffff7f8c, 0x000fe8000d00003f), "ATOMS.POPC.INC.32 RZ, [URZ+0x24]");
  EXPECT_EQ(text_of(0xfffffc1108007986, 0x0001e2000c10190e), "STG.E [R8.64+-0x4], R17");
}

TEST(Disassembler, PrintsGuardsAndPredicates) {
  EXPECT_EQ(text_of(0xffffff5000008947, 0x000fea000383ffff, 0x110), "@!P0 BRA 0x70");
  EXPECT_EQ(text_of(0x000000073f077290, 0x000fe200087fe43f),
            "UIADD3.X UR7, URZ, UR7, URZ, UP0, !UPT");
  EXPECT_EQ(text_of(0x000002527f007947, 0x000fea000b800000, 0x290), "BRA.DIV ~URZ, 0x4f0");
  // the guard of a uniform instruction is a uniform predicate
  EXPECT_EQ(text_of(0x000000073f070290, 0x000fe200087fe43f),
            "@UP0 UIADD3.X UR7, URZ, UR7, URZ, UP0, !UPT");
}

TEST(Disassembler, PrintsReuseBeforeHalfSelectors) {
  EXPECT_EQ(text_of(0x2000000e0f0f7231, 0x180fe2000000000b),
            "HFMA2 R15, R15, R14.reuse.H0_H0, R11.reuse");
}

TEST(Disassembler, PrintsIntegersThenLongFractionsThenExponents) {
  EXPECT_EQ(float_text(12582913.0f), "12582913");
  EXPECT_EQ(float_text(-0.5), "-0.5");
  EXPECT_EQ(float_text(1.0029599666595458984375f), "1.0029599666595458984");
  EXPECT_EQ(float_text(2147483648.0), "2.14748364800000000000e+09");
  EXPECT_EQ(float_text(-36893492545465614336.0), "-3.68934925454656143360e+19");
  EXPECT_EQ(float_text(1.428606765330187045e-06f), "1.428606765330187045e-06");
}

TEST(Disassembler, PrintsInfinitiesWithATrailingBlank) {
  EXPECT_EQ(text_of(0x7ff000000c00742a, 0x002e5c0000f2c600),
            "DSETP.GTU.OR P1, PT, |R12|, +INF , P1");
  EXPECT_EQ(float_text(half_value(0xfc00)), "-INF ");
  EXPECT_EQ(float_text(half_value(0x7e00)), "+QNAN ");
}

TEST(NumberText, ReadsHalvesExactly) {
  EXPECT_EQ(half_value(0x3c00), 1.0);
  EXPECT_EQ(half_value(0x0001), 5.9604644775390625e-08);
  EXPECT_EQ(half_value(0xfbff), -65504.0);
  EXPECT_EQ(bfloat16_value(0x3f80), 1.0);
  EXPECT_EQ(bfloat16_value(0xc040), -3.0);
}

TEST(NumberText, PrintsSignedHexadecimal) {
  EXPECT_EQ(hex_text(0), "0x0");
  EXPECT_EQ(hex_text(-0x20), "-0x20");
  EXPECT_EQ(hex_text(std::numeric_limits<std::int64_t>::min()), "-0x8000000000000000");
}

} // namespace
} // namespace coulomb::isa
