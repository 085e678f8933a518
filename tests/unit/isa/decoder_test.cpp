// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "sim/isa/cubin.hpp"

#include <gtest/gtest.h>

namespace coulomb::isa {
namespace {

Instruction decode_at(std::uint32_t pc, std::uint64_t low, std::uint64_t high) {
  return decode(low, high, pc, "kernel");
}

std::string refusal(std::uint64_t low, std::uint64_t high) {
  try {
    static_cast<void>(decode(low, high, 0x40, "saxpy"));
  } catch (const UnsupportedError& error) {
    EXPECT_EQ(error.exit_code(), 4);
    EXPECT_NE(error.hint().find("data/sass/isa.json"), std::string::npos);
    return error.what();
  }
  return "decoded";
}

TEST(Decoder, ReadsTheControlBits) {
  // LDG.E.128.CONSTANT R16, [R24.64+0x800]
  const Instruction i = decode_at(0x450, 0x0008000618107981, 0x000ee8000c1e9d00);
  EXPECT_EQ(i.control.stall, 4);
  EXPECT_FALSE(i.control.yield);
  EXPECT_EQ(i.control.write_barrier, 3);
  EXPECT_EQ(i.control.read_barrier, kNoBarrier);
  EXPECT_EQ(i.control.wait_mask, 0);
  EXPECT_EQ(i.control.reuse, 0);
}

TEST(Decoder, ReadsWaitMaskReuseAndYieldHint) {
  // HMMA.16816.F32 R4, R24, R44.reuse, R4
  const Instruction i = decode_at(0x4b0, 0x0000002c1804723c, 0x081ff00000001804);
  EXPECT_EQ(i.control.stall, 8);
  EXPECT_FALSE(i.control.yield);
  EXPECT_EQ(i.control.write_barrier, kNoBarrier);
  EXPECT_EQ(i.control.wait_mask, 1);
  EXPECT_EQ(i.control.reuse, 2);
  EXPECT_TRUE(i.operands[2].reuse);
  EXPECT_FALSE(i.operands[1].reuse);
  // PLOP3 of an unoptimised build
  const Control slow = decode_at(0x240, 0x000000000000781c, 0x003fde000070e170).control;
  EXPECT_EQ(slow.stall, 15);
  EXPECT_TRUE(slow.yield);
  EXPECT_EQ(slow.wait_mask, 3);
}

TEST(Decoder, ReadsAGlobalLoad) {
  const Instruction i = decode_at(0x450, 0x0008000618107981, 0x000ee8000c1e9d00);
  EXPECT_EQ(i.opcode, Opcode::LDG);
  EXPECT_EQ(i.pc, 0x450u);
  EXPECT_FALSE(i.has_guard());
  EXPECT_EQ(i.modifier(Modifier::size), 6u);
  EXPECT_EQ(i.modifier(Modifier::E_), 1u);
  EXPECT_EQ(i.modifier(Modifier::order), 4u);
  EXPECT_EQ(i.modifier(Modifier::evict), 1u);
  EXPECT_EQ(i.modifier(Modifier::RELU), 0u) << "a modifier that the row lacks reads as zero";
  ASSERT_EQ(i.operand_count, 4);
  EXPECT_EQ(i.operands[0].kind, OperandKind::predicate);
  EXPECT_EQ(i.operands[0].index, kPredicateTrue);
  EXPECT_EQ(i.operands[1].kind, OperandKind::reg);
  EXPECT_EQ(i.operands[1].index, 16);
  const Operand& address = i.operands[2];
  EXPECT_EQ(address.kind, OperandKind::memory);
  EXPECT_EQ(address.index, 24);
  EXPECT_EQ(address.value, 0x800);
  EXPECT_TRUE(address.wide);
  EXPECT_TRUE(address.has_uniform);
  EXPECT_TRUE(address.descriptor);
  EXPECT_EQ(address.uniform, 6);
  EXPECT_EQ(i.operands[3].index, kPredicateTrue) << "stored as 7 - index";
}

TEST(Decoder, ReadsScaledAndUniformSharedAddresses) {
  // LDS.128 R12, [R54.X4+0x80]
  const Operand scaled = decode_at(0, 0x00008000360c7984, 0x002fe80000004c00).operands[1];
  EXPECT_EQ(scaled.index, 54);
  EXPECT_EQ(scaled.scale, 1);
  EXPECT_EQ(scaled.value, 0x80);
  EXPECT_FALSE(scaled.has_uniform);
  // LDS R9, [UR7+-0x20]
  const Operand uniform = decode_at(0, 0xffffe007ff097984, 0x000e680008000800).operands[1];
  EXPECT_EQ(uniform.index, kRegisterZero);
  EXPECT_TRUE(uniform.has_uniform);
  EXPECT_FALSE(uniform.descriptor);
  EXPECT_EQ(uniform.uniform, 7);
  EXPECT_EQ(uniform.value, -0x20);
}

TEST(Decoder, MakesBranchTargetsSectionOffsets) {
  // @!P0 BRA 0x70
  const Instruction branch = decode_at(0x110, 0xffffff5000008947, 0x000fea000383ffff);
  EXPECT_EQ(branch.guard, 0);
  EXPECT_TRUE(branch.guard_negate);
  EXPECT_TRUE(branch.has_guard());
  ASSERT_EQ(branch.operand_count, 3);
  EXPECT_EQ(branch.operands[0].index, kPredicateTrue);
  EXPECT_EQ(branch.operands[1].kind, OperandKind::absent);
  EXPECT_EQ(branch.operands[2].kind, OperandKind::target);
  EXPECT_EQ(branch.operands[2].value, 0x70);
  // BSSY B0, 0xaa0
  EXPECT_EQ(decode_at(0x3d0, 0x000006c000007945, 0x003fde0003800000).operands[2].value, 0xaa0);
}

TEST(Decoder, GivesIndirectBranchesTheValueThatTheRegisterIsAddedTo) {
  // RET.REL.NODEC R2 0x0: the encoded offset cancels pc + 16
  EXPECT_EQ(decode_at(0x22a0, 0xffffdd5002007950, 0x000fea0003c3ffff).operands[2].value, 0);
  // BRX R2 -0x110 at 0x100
  const Instruction brx = decode_at(0x100, 0xfffffef002007949, 0x000fea000383ffff);
  EXPECT_EQ(brx.operands[2].value, 0);
  EXPECT_EQ(disassemble(brx), "BRX R2 -0x110");
}

TEST(Decoder, TurnsNegateIntoInvertForExtendedIntegerOperands) {
  // IADD3.X R5, R3, ~R5, RZ, P0, !PT
  const Instruction i = decode_at(0x50, 0x8000000503057210, 0x003fde00007fe4ff);
  EXPECT_EQ(i.modifier(Modifier::X_), 1u);
  EXPECT_TRUE(i.operands[4].invert);
  EXPECT_FALSE(i.operands[4].negate);
  EXPECT_EQ(i.operands[6].kind, OperandKind::predicate);
  EXPECT_EQ(i.operands[6].index, 0);
  EXPECT_TRUE(i.operands[7].negate) << "!PT";
}

TEST(Decoder, KeepsThePlaceOfAbsentOperands) {
  // IADD3 without .X has no carry-in predicates
  const Instruction i = decode_at(0, 0xffffffff06067810, 0x000fc80007ffe0ff);
  EXPECT_EQ(disassemble(i), "IADD3 R6, R6, -0x1, RZ");
  ASSERT_EQ(i.operand_count, 8);
  EXPECT_EQ(i.operands[4].kind, OperandKind::immediate);
  EXPECT_EQ(i.operands[4].value, -1);
  EXPECT_EQ(i.operands[6].kind, OperandKind::absent);
  EXPECT_EQ(i.operands[7].kind, OperandKind::absent);
}

TEST(Decoder, ReadsDoubleImmediatesAndConstants) {
  // DSETP.GTU.OR P1, PT, |R12|, +INF , P1
  const Instruction compare = decode_at(0, 0x7ff000000c00742a, 0x002e5c0000f2c600);
  EXPECT_TRUE(compare.operands[2].absolute);
  EXPECT_EQ(compare.operands[3].kind, OperandKind::f64_immediate);
  EXPECT_EQ(compare.operands[3].value, 0x7ff0000000000000);
  // DFMA R10, |R2|, c[0x2][0x0], R10
  const Instruction fma = decode_at(0, 0x00800000020a7a2b, 0x001064000000020a);
  EXPECT_EQ(fma.operands[2].kind, OperandKind::constant);
  EXPECT_EQ(fma.operands[2].bank, 2);
  EXPECT_EQ(fma.operands[2].value, 0);
  // LDC.64 R2, c[0x0][R2+0x160]
  const Instruction indexed = decode_at(0, 0x0000580002027b82, 0x00321e0000000a00);
  EXPECT_EQ(indexed.operands[1].kind, OperandKind::constant_indexed);
  EXPECT_EQ(indexed.operands[1].index, 2);
  EXPECT_EQ(indexed.operands[1].value, 0x160);
}

TEST(Decoder, ReadsAConstantAtAUniformIndex) {
  // ULDC UR6, c[0x3][UR5+-0x7f4c]
  const Instruction load = decode_at(0, 0x00e02d0005067abb, 0x000fe40008000800);
  EXPECT_EQ(load.opcode, Opcode::ULDC);
  EXPECT_EQ(load.operands[0].kind, OperandKind::uniform_reg);
  EXPECT_EQ(load.operands[0].index, 6);
  EXPECT_EQ(load.operands[1].kind, OperandKind::constant_indexed);
  EXPECT_EQ(load.operands[1].bank, 3);
  EXPECT_TRUE(load.operands[1].has_uniform);
  EXPECT_EQ(load.operands[1].uniform, 5);
  EXPECT_EQ(load.operands[1].index, kRegisterZero);
  EXPECT_EQ(load.operands[1].value, -0x7f4c);
}

TEST(Decoder, RefusesAUniformConstantLoadWithoutItsUniformBit) {
  EXPECT_EQ(refusal(0x00c02d0005067abb, 0x000fe40000000800),
            "kernel saxpy, pc 0x40: ULDC: bit 91 is not modelled (word 00c02d0005067abb "
            "000fe40000000800, low half first)");
  EXPECT_EQ(refusal(0x00c02d0005067abb, 0x000fe40008000c00),
            "kernel saxpy, pc 0x40: ULDC: value 6 of the field at bit 73 is not modelled (word "
            "00c02d0005067abb 000fe40008000c00, low half first)");
}

TEST(Decoder, ReadsHalfSelectors) {
  // HFMA2 R15, R15, R14.reuse.H0_H0, R11.reuse
  const Instruction i = decode_at(0x180, 0x2000000e0f0f7231, 0x180fe2000000000b);
  EXPECT_EQ(i.operands[1].select, static_cast<std::uint8_t>(HalfSelect::both));
  EXPECT_EQ(i.operands[2].select, static_cast<std::uint8_t>(HalfSelect::low));
  EXPECT_TRUE(i.operands[3].reuse);
}

TEST(Decoder, ReadsASplitTruthTable) {
  // PLOP3.LUT P0, PT, P0, PT, PT, 0x8, 0x0
  const Instruction i = decode_at(0x240, 0x000000000000781c, 0x003fde000070e170);
  EXPECT_EQ(i.operands[5].kind, OperandKind::lut);
  EXPECT_EQ(i.operands[5].value, 8);
}

TEST(Decoder, NamesKernelPcAndWordOfAnUnknownOpcode) {
  EXPECT_EQ(
      refusal(0x0000000000000b66, 0),
      "kernel saxpy, pc 0x40: unknown opcode 0xb66 (word 0000000000000b66 0000000000000000, low "
      "half first)");
}

TEST(Decoder, RefusesABitThatNoFieldCovers) {
  // NOP with bit 40 set
  EXPECT_EQ(
      refusal(0x0000010000007918, 0x000fc00000000000),
      "kernel saxpy, pc 0x40: NOP: bit 40 is not modelled (word 0000010000007918 000fc00000000000, "
      "low half first)");
}

TEST(Decoder, RefusesAFieldValueOutsideTheTable) {
  // MUFU with function 15
  EXPECT_EQ(refusal(0x0000000000007308, 0x000e240000003c00),
            "kernel saxpy, pc 0x40: MUFU: value 15 of the field at bit 74 is not modelled (word "
            "0000000000007308 000e240000003c00, low half first)");
}

TEST(Decoder, AcceptsEvictionHintsOfAtomics) {
  // RED.E.ADD.STRONG.GPU with eviction "last" instead of "normal"
  const Instruction normal = decode_at(0, 0x000000020400798e, 0x000fe2000c10e184);
  Instruction last = decode_at(0, 0x000000020400798e, 0x000fe2000c20e184);
  EXPECT_EQ(last.operands, normal.operands);
}

} // namespace
} // namespace coulomb::isa
