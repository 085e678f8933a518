// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "sim/isa/cubin.hpp"
#include "sim/isa/encoder.hpp"

#include <gtest/gtest.h>

namespace coulomb::isa {
namespace {

/// LDG.E.128.CONSTANT R16, [R24.64+0x800]
Instruction global_load() {
  return decode(0x0008000618107981, 0x000ee8000c1e9d00, 0x450, "kernel");
}

std::string text_after(const Instruction& changed) {
  const EncodedWord word = encode(changed);
  return disassemble(decode(word.low, word.high, changed.pc, "kernel"));
}

std::string refusal(const Instruction& changed) {
  try {
    static_cast<void>(encode(changed));
  } catch (const UserError& error) {
    return error.what();
  }
  return "encoded";
}

TEST(Encoder, ChangesRegistersOffsetsAndModifiers) {
  Instruction load = global_load();
  load.operands[1].index = 40;
  load.operands[2].value = -16;
  load.guard = 3;
  load.guard_negate = true;
  EXPECT_EQ(text_after(load), "@!P3 LDG.E.128.CONSTANT R40, [R24.64+-0x10]");
}

TEST(Encoder, ChangesControlBits) {
  Instruction load = global_load();
  load.control = {7, true, 5, 2, 0x21, 1};
  const EncodedWord word = encode(load);
  EXPECT_EQ(decode(word.low, word.high, 0, "kernel").control, load.control);
}

TEST(Encoder, MovesBranchesByTheirTarget) {
  Instruction branch = decode(0xffffff5000008947, 0x000fea000383ffff, 0x110, "kernel");
  branch.operands[2].value = 0x400;
  EXPECT_EQ(text_after(branch), "@!P0 BRA 0x400");
}

TEST(Encoder, ChangesTheIndexOfAUniformConstantLoad) {
  Instruction load = decode(0x00c02d0005067abb, 0x000fe40008000800, 0, "kernel");
  const EncodedWord same = encode(load);
  EXPECT_EQ(same.low, load.low);
  EXPECT_EQ(same.high, load.high);
  load.operands[1].uniform = 20;
  load.operands[1].value = -4;
  EXPECT_EQ(text_after(load), "ULDC UR6, c[0x3][UR20+-0x4]");
  load.operands[1].index = 5; // a general register
  EXPECT_EQ(refusal(load),
            "cannot encode ULDC (0xabb), operand 1: value 0x5 does not fit 0 bits at bit 0");
}

TEST(Encoder, RefusesAnOffsetThatDoesNotFit) {
  Instruction load = global_load();
  load.operands[2].value = 1 << 23;
  EXPECT_EQ(
      refusal(load),
      "cannot encode LDG (0x981), operand 2: value 8388608 does not fit 24 signed bits at bit 40");
}

TEST(Encoder, RefusesAnOperandOfAnotherKind) {
  Instruction load = global_load();
  load.operands[1].kind = OperandKind::immediate;
  EXPECT_EQ(refusal(load),
            "cannot encode LDG (0x981), operand 1: the operand is of kind 5, the row has kind 1");
}

TEST(Encoder, RefusesAFlagThatTheFormLacks) {
  Instruction load = global_load();
  load.operands[1].negate = true;
  EXPECT_EQ(refusal(load), "cannot encode LDG (0x981), operand 1: a flag is set that this form of "
                           "the opcode does not have");
}

} // namespace
} // namespace coulomb::isa
