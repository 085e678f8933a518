// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/argument_text.hpp"

#include "base/hash.hpp"
#include "tests/unit/kernel/support.hpp"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>

namespace coulomb::kernel {
namespace {

using test::user_error;

Argument parsed(const std::string& text) {
  return parse_argument_text(text, 2, "/data");
}

template <class T>
T first_of(const Argument& argument) {
  T value;
  const auto bytes = initial_contents(argument);
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

TEST(ArgumentText, ABufferHasACount) {
  const Argument a = parsed("x:float[1024*4]=normal:7");
  EXPECT_EQ(a.name, "x");
  EXPECT_EQ(a.type, ElementType::f32);
  EXPECT_TRUE(a.vector);
  EXPECT_TRUE(a.writable);
  EXPECT_TRUE(a.passed);
  EXPECT_FALSE(a.output);
  EXPECT_EQ(a.count, 4096U);
  EXPECT_EQ(a.fill, (Fill{FillKind::normal, 1.0, 7, "", ""}));
}

TEST(ArgumentText, ABufferWithoutAFillIsZero) {
  EXPECT_TRUE(starts_zero(parsed("float[8]")));
  EXPECT_TRUE(starts_zero(parsed("float[8]=zero")));
}

TEST(ArgumentText, AScalarHasAValueAndAPositionForAName) {
  const Argument a = parsed("int=-5");
  EXPECT_EQ(a.name, "arg2");
  EXPECT_FALSE(a.vector);
  EXPECT_EQ(a.count, 1U);
  EXPECT_EQ(first_of<std::int32_t>(a), -5);
  EXPECT_EQ(user_error([] { (void)parsed("int"); }), "argument \"int\": has no value");
}

TEST(ArgumentText, MarksSayByValueAndOutput) {
  const Argument box = parsed("box:value:float[6]=sequence");
  EXPECT_FALSE(box.vector);
  EXPECT_EQ(argument_bytes(box), 24U);
  EXPECT_EQ(argument_text(box), "box value:float[6]");
  const Argument y = parsed("y:output:half[16]");
  EXPECT_TRUE(y.vector);
  EXPECT_TRUE(y.output);
  EXPECT_EQ(parsed("output:half[16]").name, "output");
  EXPECT_TRUE(parsed("output:half[16]").output);
}

TEST(ArgumentText, EveryFillHasItsNumbers) {
  EXPECT_EQ(parsed("x:float[2]=2.5").fill, (Fill{FillKind::constant, 2.5, 0, "", ""}));
  EXPECT_EQ(parsed("x:float[2]=-inf").fill.value, -INFINITY);
  EXPECT_EQ(parsed("x:float[2]=normal:3:0.5").fill, (Fill{FillKind::normal, 0.5, 3, "", ""}));
  EXPECT_EQ(parsed("x:float[2]=normal").fill.seed, hash64("x", 0xc0a1));
  EXPECT_EQ(parsed("x:float[2]=uniform").fill.value, 1.0);
  EXPECT_EQ(parsed("x:int[2]=uniform:1").fill, (Fill{FillKind::uniform, 0x1p31, 1, "", ""}));
  EXPECT_EQ(parsed("x:uint[2]=uniform::10").fill.value, 10.0);
  EXPECT_EQ(parsed("x:int[2]=sequence").fill.kind, FillKind::sequence);
  EXPECT_EQ(parsed("x:uint64[2]=random:9").fill, (Fill{FillKind::random, 0.0, 9, "", ""}));
  EXPECT_EQ(parsed("x:int[2]=expr:i % 3 == 1").fill,
            (Fill{FillKind::expression, 0.0, 0, "", "i % 3 == 1"}));
  EXPECT_EQ(parsed("x:float[2]=@a/in.npy").fill,
            (Fill{FillKind::npy, 0.0, 0, "/data/a/in.npy", ""}));
  EXPECT_EQ(parsed("x:float[2]=@/t/in.bin").fill, (Fill{FillKind::file, 0.0, 0, "/t/in.bin", ""}));
}

TEST(ArgumentText, IntegersAreExactAndMustFit) {
  EXPECT_EQ(first_of<std::uint64_t>(parsed("n:uint64=0xfedcba9876543211")), 0xfedcba9876543211U);
  EXPECT_EQ(first_of<std::int64_t>(parsed("n:int64=-9223372036854775808")), INT64_MIN);
  EXPECT_EQ(first_of<std::int64_t>(parsed("n:int64=-9007199254740993")), -9007199254740993);
  EXPECT_EQ(first_of<std::int16_t>(parsed("n:int16=-0x10")), -16);
  EXPECT_EQ(first_of<std::uint8_t>(parsed("n:bool=true")), 1);
  EXPECT_EQ(
      user_error([] { (void)parsed("n:int8=128"); }),
      "argument \"n:int8=128\": n: \"128\" is not a value of int8; allowed: whole numbers from "
      "-128 to 127");
  EXPECT_EQ(user_error([] { (void)parsed("n:uint=1.5"); }),
            "argument \"n:uint=1.5\": n: \"1.5\" is not a value of uint32; allowed: whole numbers "
            "from 0 to 4294967295");
}

TEST(ArgumentText, Bfloat16RoundsToNearestEvenOnce) {
  EXPECT_EQ(first_of<std::uint16_t>(parsed("x:bfloat16=1")), 0x3f80);
  // 1 + 2^-8 is a tie to even; a hair more goes up, though a float would not hold it.
  EXPECT_EQ(first_of<std::uint16_t>(parsed("x:bfloat16=1.00390625")), 0x3f80);
  EXPECT_EQ(first_of<std::uint16_t>(parsed("x:bfloat16=1.0039062500000002")), 0x3f81);
  EXPECT_EQ(first_of<std::uint16_t>(parsed("x:bfloat16=-1e39")), 0xff80);
}

TEST(ArgumentText, RandomSetsEveryBitOfIntegersOnly) {
  const auto bytes = initial_contents(parsed("x:uint8[4096]=random:1"));
  std::uint8_t all = 0;
  for (const std::uint8_t b : bytes) {
    all = static_cast<std::uint8_t>(all | b);
  }
  EXPECT_EQ(all, 0xff);
  for (const std::uint8_t b : initial_contents(parsed("x:bool[64]=random:1"))) {
    EXPECT_LE(b, 1);
  }
  EXPECT_EQ(
      user_error([] { (void)parsed("x:float[4]=random"); }),
      "argument \"x:float[4]=random\": x: random sets every bit, which only integers and bool "
      "can have");
}

TEST(ArgumentText, SaysWhatIsWrong) {
  EXPECT_EQ(
      user_error([] { (void)parsed("x:flaot[4]"); }),
      "argument \"x:flaot[4]\": unknown element type \"flaot\" (did you mean \"float\"?); "
      "allowed: int8, uint8, int16, uint16, int32, uint32, int64, uint64, half, float, double, "
      "bfloat16, bool");
  EXPECT_EQ(user_error([] { (void)parsed("x:float[4"); }),
            "argument \"x:float[4\": \"]\" is missing behind the count");
  EXPECT_EQ(user_error([] { (void)parsed("x:float[0]"); }),
            "argument \"x:float[0]\": the count of x is 0; allowed: 1 to 1099511627776");
  EXPECT_EQ(
      user_error([] { (void)parsed("x:float[n]"); }),
      "argument \"x:float[n]\": the count of x: expression \"n\", column 1: unknown name \"n\"");
  EXPECT_EQ(
      user_error([] { (void)parsed("x:inout:float[4]"); }),
      "argument \"x:inout:float[4]\": \"inout\" is neither a name nor a mark; marks are value "
      "and output");
  EXPECT_EQ(user_error([] { (void)parsed("x:float[4]=nromal"); }),
            "argument \"x:float[4]=nromal\": \"nromal\" is no fill; allowed: a number, zero, "
            "sequence, normal[:SEED[:SCALE]], uniform[:SEED[:BELOW]], random[:SEED], "
            "expr:EXPRESSION, @FILE.npy, @FILE.bin");
  EXPECT_EQ(user_error([] { (void)parsed("x:float[4]=normal:x"); }),
            "argument \"x:float[4]=normal:x\": seed \"x\" of x is not a whole number from 0");
  EXPECT_EQ(user_error([] { (void)parsed("x:float[4]=sequence:1"); }),
            "argument \"x:float[4]=sequence:1\": \"sequence:1\" has 1 numbers; sequence takes at "
            "most 0");
  EXPECT_EQ(user_error([] { (void)parsed("x:float[4]=@"); }),
            "argument \"x:float[4]=@\": no file is named behind the @");
  EXPECT_EQ(user_error([] { (void)parsed("x:float[4]=expr:j"); }),
            "argument \"x:float[4]=expr:j\": \"j\" uses the unknown name \"j\"; known: i (the "
            "element's index)");
}

TEST(SymbolText, IsNoParameterAndKeepsItsContentsWithoutAFill) {
  const Argument kept = parse_symbol_text("table:float[8]");
  EXPECT_EQ(kept.constant_symbol, "table");
  EXPECT_FALSE(kept.passed);
  EXPECT_FALSE(kept.vector);
  EXPECT_EQ(kept.fill.kind, FillKind::keep);
  EXPECT_EQ(argument_bytes(kept), 32U);
  EXPECT_EQ(parse_symbol_text("counter:int=3").fill.value, 3.0);
  EXPECT_EQ(user_error([] { (void)parse_symbol_text("float[8]"); }),
            "argument \"float[8]\": a symbol is written NAME:TYPE[COUNT]=FILL");
}

} // namespace
} // namespace coulomb::kernel
