// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/opcode_table.hpp"

#include <gtest/gtest.h>
#include <set>

namespace coulomb::isa {
namespace {

TEST(OpcodeTable, HasOneRowPerOpcodeValueInAscendingOrder) {
  ASSERT_EQ(opcode_rows().size(), 368u);
  for (std::size_t i = 1; i < opcode_rows().size(); ++i) {
    EXPECT_LT(opcode_rows()[i - 1].value, opcode_rows()[i].value);
  }
}

TEST(OpcodeTable, FindsEveryRowByItsValueAndNoOther) {
  std::size_t found = 0;
  for (unsigned value = 0; value < 4096; ++value) {
    const std::uint16_t row = find_row(value);
    if (row != kNoRow) {
      EXPECT_EQ(opcode_row(row).value, value);
      ++found;
    }
  }
  EXPECT_EQ(found, opcode_rows().size());
}

TEST(OpcodeTable, NamesEveryOpcodeOnce) {
  std::set<std::string_view> names;
  for (int i = 0; i < kOpcodeCount; ++i) {
    names.insert(opcode_name(static_cast<Opcode>(i)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kOpcodeCount));
  EXPECT_EQ(opcode_name(Opcode::LOP3_LUT), "LOP3.LUT");
  EXPECT_EQ(opcode_name(Opcode::HFMA2_MMA), "HFMA2.MMA");
}

TEST(OpcodeTable, FitsTheInstructionRecord) {
  for (const OpcodeRow& row : opcode_rows()) {
    EXPECT_LE(row.operand_count, Instruction::kMaxOperands);
    EXPECT_LE(row.modifier_count, Instruction::kMaxModifiers);
  }
}

TEST(OpcodeTable, NeverFixesABitThatAFieldUses) {
  for (const OpcodeRow& row : opcode_rows()) {
    for (unsigned i = 0; i < row.modifier_count; ++i) {
      const ModifierField& field = modifier_field(row.modifiers[i]);
      EXPECT_EQ(extract(row.fixed, field.field), 0u) << opcode_name(row.opcode);
      EXPECT_EQ(extract(row.fixed, field.high_field), 0u) << opcode_name(row.opcode);
    }
    for (unsigned i = 0; i < row.operand_count; ++i) {
      const OperandField& field = operand_field(row.operands[i]);
      EXPECT_EQ(extract(row.fixed, field.field), 0u) << opcode_name(row.opcode);
      EXPECT_EQ(extract(row.fixed, field.offset), 0u) << opcode_name(row.opcode);
    }
    EXPECT_EQ(row.ones.low & ~row.fixed.low, 0u);
    EXPECT_EQ(row.ones.high & ~row.fixed.high, 0u);
  }
}

TEST(OpcodeTable, ExtractsAcrossTheMiddleOfTheWord) {
  const Word word{0xf000000000000000, 0x000000000000000a};
  EXPECT_EQ(extract(word, {60, 8}), 0xafu);
  EXPECT_EQ(extract(word, {64, 4}), 0xau);
  EXPECT_EQ(extract(word, {0, 0}), 0u);
}

TEST(OpcodeTable, NamesSpecialRegisters) {
  EXPECT_EQ(special_register_name(33), "SR_TID.X");
  EXPECT_EQ(special_register_name(255), "SRZ");
  EXPECT_EQ(barrier_register_name(26), "MACTIVE");
}

} // namespace
} // namespace coulomb::isa
