// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/argument.hpp"

#include "base/hash.hpp"
#include "base/kernel/float16.hpp"
#include "base/kernel/normal_deviates.hpp"
#include "base/text.hpp"
#include "tests/unit/kernel/support.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

namespace coulomb::kernel {
namespace {

using test::user_error;

Argument argument(ElementType type, std::uint64_t count, FillKind kind, double value = 1.0) {
  Argument a;
  a.name = std::string("a");
  a.type = type;
  a.count = count;
  a.fill.kind = kind;
  a.fill.value = value;
  a.fill.seed = 7;
  return a;
}

template <class T>
std::vector<T> elements(const Argument& a) {
  const auto bytes = initial_contents(a);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(ElementTypes, NamesRoundTripAndSizesAreThoseOfTheGpu) {
  for (int i = 0; i < kElementTypeCount; ++i) {
    const auto type = static_cast<ElementType>(i);
    EXPECT_EQ(element_type_from_name(element_type_name(type)), type);
  }
  EXPECT_EQ(element_bytes(ElementType::f16), 2U);
  EXPECT_EQ(element_bytes(ElementType::u64), 8U);
  EXPECT_EQ(element_type_from_name("int"), ElementType::i32);
  EXPECT_EQ(
      user_error([] { (void)element_type_from_name("flaot"); }),
      "unknown element type \"flaot\" (did you mean \"float\"?); allowed: int8, uint8, int16, "
      "uint16, int32, uint32, int64, uint64, half, float, double, bfloat16, bool");
}

TEST(InitialContents, ConstantSequenceAndExpression) {
  EXPECT_EQ(elements<float>(argument(ElementType::f32, 3, FillKind::constant, 2.5)),
            (std::vector<float>{2.5F, 2.5F, 2.5F}));
  EXPECT_EQ(elements<std::int32_t>(argument(ElementType::i32, 4, FillKind::sequence)),
            (std::vector<std::int32_t>{0, 1, 2, 3}));
  Argument a = argument(ElementType::u8, 4, FillKind::expression);
  a.fill.expression = "i * i if i < 3 else 300";
  EXPECT_EQ(elements<std::uint8_t>(a), (std::vector<std::uint8_t>{0, 1, 4, 255}));
  a.fill.expression = "'x'";
  EXPECT_EQ(user_error([&] { (void)initial_contents(a); }),
            "fill expression \"'x'\": element 0 is not a number");
}

TEST(InitialContents, NormalDeviatesHaveTheMomentsAndTailOfANormal) {
  const auto v = elements<double>(argument(ElementType::f64, 1'000'000, FillKind::normal));
  double mean = 0.0;
  double square = 0.0;
  double fourth = 0.0;
  double beyond = 0.0;
  for (const double x : v) {
    mean += x;
    square += x * x;
    fourth += x * x * x * x;
    beyond += std::fabs(x) > 3.5 ? 1.0 : 0.0;
  }
  const auto n = static_cast<double>(v.size());
  EXPECT_NEAR(mean / n, 0.0, 0.005);
  EXPECT_NEAR(square / n, 1.0, 0.01);
  EXPECT_NEAR(fourth / n, 3.0, 0.05);
  EXPECT_NEAR(beyond / n, 4.653e-4, 1e-4); // the tail beyond the ziggurat's last layer
}

TEST(InitialContents, BytesAreTheSameOnEveryMachine) {
  const auto hash = [](const Argument& a) {
    const auto bytes = initial_contents(a);
    return hash64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  EXPECT_EQ(hash(argument(ElementType::f32, 100'003, FillKind::normal)), 3964095835353086931U);
  EXPECT_EQ(hash(argument(ElementType::u32, 1000, FillKind::uniform, 100.0)),
            16060990877051021310U);
}

TEST(InitialContents, TheSeedChangesRandomBytesAndAPrefixStaysAPrefix) {
  const auto a = elements<float>(argument(ElementType::f32, 1000, FillKind::normal));
  Argument other = argument(ElementType::f32, 1000, FillKind::normal);
  other.fill.seed = 8;
  EXPECT_NE(a, elements<float>(other));
  const auto longer = elements<float>(argument(ElementType::f32, 5000, FillKind::normal));
  EXPECT_TRUE(std::equal(a.begin(), a.end(), longer.begin()));
}

TEST(InitialContents, UniformIntegersStayBelowTheValue) {
  const auto v = elements<std::uint8_t>(argument(ElementType::u8, 10'000, FillKind::uniform, 10.0));
  EXPECT_EQ(*std::max_element(v.begin(), v.end()), 9);
  EXPECT_EQ(*std::min_element(v.begin(), v.end()), 0);
}

TEST(InitialContents, AFileMustHaveExactlyTheSize) {
  const std::string path = ::testing::TempDir() + "contents.bin";
  write_file_atomically(path, std::string("\x01\x00\x02\x00", 4));
  Argument a = argument(ElementType::u16, 2, FillKind::file);
  a.fill.path = path;
  EXPECT_EQ(elements<std::uint16_t>(a), (std::vector<std::uint16_t>{1, 2}));
  a.count = 3;
  EXPECT_EQ(user_error([&] { (void)initial_contents(a); }),
            "argument \"a\": " + path + " has 4 bytes, expected 6 (3 elements of uint16)");
  std::filesystem::remove(path);
}

TEST(Float16, RoundsToNearestEvenAndKeepsSpecialValues) {
  EXPECT_EQ(float16_from_double(1.0), 0x3c00);
  EXPECT_EQ(float16_from_double(-2.0), 0xc000);
  EXPECT_EQ(float16_from_double(65504.0), 0x7bff);
  EXPECT_EQ(float16_from_double(65519.9), 0x7bff);
  EXPECT_EQ(float16_from_double(65520.0), 0x7c00);
  EXPECT_EQ(float16_from_double(1.0 + 0x1p-11), 0x3c00);     // a tie goes to even
  EXPECT_EQ(float16_from_double(1.0 + 3 * 0x1p-11), 0x3c02); // a tie goes to even
  EXPECT_EQ(float16_from_double(0x1p-24), 0x0001);           // smallest subnormal
  EXPECT_EQ(float16_from_double(0x1p-25), 0x0000);
  EXPECT_EQ(float16_from_double(0x1p-14 - 0x1p-26), 0x0400); // rounds up to the smallest normal
  EXPECT_EQ(float16_from_double(std::nan("")), 0x7e00);
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    ASSERT_EQ(float16_from_double(float16_to_double(static_cast<std::uint16_t>(bits))), bits);
  }
}

TEST(PortableMath, AgreesWithLibmToAFewUlps) {
  for (double x = 1e-12; x < 1e12; x *= 1.37) {
    ASSERT_NEAR(portable_log(x), std::log(x), 4e-16 * std::max(1.0, std::fabs(std::log(x)))) << x;
  }
  for (double x = -30.0; x < 30.0; x += 0.37) {
    ASSERT_NEAR(portable_exp(x) / std::exp(x), 1.0, 8e-15) << x;
  }
}

} // namespace
} // namespace coulomb::kernel
