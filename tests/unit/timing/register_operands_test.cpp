// SPDX-License-Identifier: Apache-2.0
// Registers of words that the compiler emitted; widths by hand from the PTX ISA's fragments.
#include "sim/timing/register_operands.hpp"

#include "sim/isa/cubin.hpp"

#include <gtest/gtest.h>

namespace coulomb::timing {
namespace {

RegisterOperands of(std::uint64_t low, std::uint64_t high) {
  return register_operands(isa::decode(low, high, 0, "test"));
}

struct Case {
  const char* text;
  std::uint64_t low;
  std::uint64_t high;
  int reads;
  int writes;
};

TEST(RegisterOperands, CountsRegistersOfEveryKindOfOperand) {
  constexpr Case kCases[] = {
      {"FFMA R5, R2, c[0x3][0x8], R5", 0x00c0020002057a23ULL, 0x004fc40000000005ULL, 2, 1},
      {"LDG.E R4, [R2.64]", 0x0000000402047981ULL, 0x000ea2000c1e1900ULL, 2, 1},
      {"LDS R9, [UR7+-0x20]", 0xffffe007ff097984ULL, 0x000e680008000800ULL, 0, 1},
      {"ATOMS.ADD R5, [RZ], R16", 0x00000010ff05938cULL, 0x0002220000000000ULL, 1, 1},
      {"ATOMS.POPC.INC.32 RZ, [URZ+0x24]", 0x00002400ffff7f8cULL, 0x000fe8000d00003fULL, 0, 0},
      {"LDC R0, c[0x0][R0+0x160]", 0x0000580000007b82ULL, 0x00321e0000000800ULL, 1, 1},
  };
  for (const Case& c : kCases) {
    const RegisterOperands r = of(c.low, c.high);
    EXPECT_EQ(r.reads(), c.reads) << c.text;
    EXPECT_EQ(r.destination.count, c.writes) << c.text;
  }
}

TEST(RegisterOperands, TensorOperandsHaveTheirFragmentsRegisters) {
  constexpr Case kCases[] = {
      {"HMMA.16816.F32 R4, R24, R44, R4", 0x0000002c1804723cULL, 0x081ff00000001804ULL, 4 + 2 + 4,
       4},
      {"HMMA.16816.F16 R22, R4, R2, RZ", 0x000000020416723cULL, 0x000ff600000008ffULL, 4 + 2, 2},
      {"HMMA.1688.F32 R8, R4, R2, RZ", 0x000000020408723cULL, 0x004fe200000010ffULL, 2 + 1, 4},
      {"HMMA.SP.16832.F32 R16, R4, R8, RZ, R5", 0x00040e080410723cULL, 0x004ff60000005affULL,
       4 + 4 + 1, 4},
      {"IMMA.16832.S8.S8 R12, R4, R2, RZ", 0x00000002040c7237ULL, 0x0c8fe20000405cffULL, 4 + 2, 4},
      {"IMMA.16816.S8.S8 R12, R4, R2, R12", 0x00000002040c7237ULL, 0x0c0ff6000040540cULL, 2 + 1 + 4,
       4},
      {"DMMA.884 R16, R16, R18, RZ", 0x000000121010723fULL, 0x001e3600000000ffULL, 2 + 2, 4},
  };
  for (const Case& c : kCases) {
    const RegisterOperands r = of(c.low, c.high);
    EXPECT_EQ(r.reads(), c.reads) << c.text;
    EXPECT_EQ(r.destination.count, c.writes) << c.text;
  }
}

TEST(RegisterOperands, NamesTheSpans) {
  const RegisterOperands r = of(0x0000002c1804723cULL, 0x081ff00000001804ULL);
  ASSERT_EQ(r.source_count, 3);
  EXPECT_EQ(r.sources[0].first, 24);
  EXPECT_EQ(r.sources[0].count, 4);
  EXPECT_EQ(r.sources[1].first, 44);
  EXPECT_EQ(r.sources[1].count, 2);
  EXPECT_EQ(r.destination.first, 4);
}

} // namespace
} // namespace coulomb::timing
