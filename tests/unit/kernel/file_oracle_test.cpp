// SPDX-License-Identifier: Apache-2.0
#include "kernels/file_oracle.hpp"

#include "base/text.hpp"
#include "tests/unit/kernel/support.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace coulomb::kernels {
namespace {

namespace fs = std::filesystem;
using kernel::Argument;
using kernel::ElementType;
using test::user_error;
using Elements = std::vector<std::uint64_t>;

template <class T>
std::span<const std::uint8_t> bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)};
}

class FileOracleTest : public testing::Test {
protected:
  FileOracleTest() {
    std::string pattern = (fs::temp_directory_path() / "coulomb-oracle-XXXXXX").string();
    dir_ = ::mkdtemp(pattern.data());
  }
  ~FileOracleTest() override {
    std::error_code ignored;
    fs::remove_all(dir_, ignored);
  }

  /// Oracle of output "y" of `type` from a file of these values.
  template <class T>
  [[nodiscard]] FileOracle oracle(ElementType type,
                                  const std::string& dtype,
                                  const std::vector<T>& values,
                                  double tolerance = -1.0,
                                  bool allow_nan = false,
                                  std::uint64_t count = 0) const {
    const std::string path = (dir_ / "y.npy").string();
    write_file_atomically(path, npy_file(dtype, {values.size()}, bytes_of(values)));
    Argument argument;
    argument.name = "y";
    argument.type = type;
    argument.count = count == 0 ? values.size() : count;
    return FileOracle({"y", path, tolerance, allow_nan, "y.npy"}, argument);
  }

  fs::path dir_;
};

TEST_F(FileOracleTest, AllowsFloatsTheirToleranceOfTheLargerOfValueAndRms) {
  // rms 10: a tiny element may be off by 1e-4 * 10.
  const std::vector<float> expected = {std::sqrt(200.0F), 0.0F};
  const auto o = oracle(ElementType::f32, "<f4", expected);
  const std::vector<float> close = {expected[0] * 1.00009F, 0.0009F};
  EXPECT_TRUE(o.check(nullptr, bytes_of(close)).passed);
  const std::vector<float> far = {expected[0], 0.0011F};
  const auto result = o.check(nullptr, bytes_of(far));
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.first_difference, "y[1]: expected 0, found 0.00109999999");
  EXPECT_EQ(result.compared, 2U);
  EXPECT_NEAR(result.max_rel_error, 1.1e-4, 1e-9);
}

TEST_F(FileOracleTest, ComparesOnlyWhatWasStored) {
  const std::vector<float> expected = {1.0F, 2.0F, 3.0F};
  const auto o = oracle(ElementType::f32, "<f4", expected);
  const std::vector<float> found = {0.0F, 2.0F, 3.0F};
  const Elements stored = {1, 2};
  EXPECT_TRUE(o.check(&stored, bytes_of(found)).passed);
  EXPECT_EQ(o.check(&stored, bytes_of(found)).compared, 2U);
  EXPECT_FALSE(o.check(nullptr, bytes_of(found)).passed);
  const Elements none;
  EXPECT_EQ(o.check(&none, bytes_of(found)).first_difference, "y: nothing was stored");
}

TEST_F(FileOracleTest, IntegersAreExactWhateverTheirWidth) {
  const std::vector<std::int64_t> expected = {-1, 9007199254740993, 5};
  const auto o = oracle(ElementType::i64, "<i8", expected);
  EXPECT_TRUE(o.check(nullptr, bytes_of(expected)).passed);
  const std::vector<std::int64_t> off = {-1, 9007199254740992, 5};
  EXPECT_EQ(o.check(nullptr, bytes_of(off)).first_difference,
            "y[1]: expected 9007199254740993, found 9007199254740992");
  const auto narrow = oracle<std::int64_t>(ElementType::i32, "<i8", {-1, 7});
  EXPECT_TRUE(narrow.check(nullptr, bytes_of(std::vector<std::int32_t>{-1, 7})).passed);
  const auto sign = oracle<std::uint32_t>(ElementType::i32, "<u4", {0xffffffff});
  EXPECT_EQ(sign.check(nullptr, bytes_of(std::vector<std::int32_t>{-1})).first_difference,
            "y[0]: expected 4294967295, found -1");
  const auto loose = oracle<std::int32_t>(ElementType::i32, "<i4", {100, 100}, 0.01);
  EXPECT_TRUE(loose.check(nullptr, bytes_of(std::vector<std::int32_t>{101, 100})).passed);
}

TEST_F(FileOracleTest, NanIsRightOnlyWhereItIsExpectedAndAllowed) {
  const std::vector<float> expected = {NAN, INFINITY, 1.0F};
  EXPECT_FALSE(oracle(ElementType::f32, "<f4", expected).check(nullptr, bytes_of(expected)).passed);
  const auto allowed = oracle(ElementType::f32, "<f4", expected, -1.0, true);
  EXPECT_TRUE(allowed.check(nullptr, bytes_of(expected)).passed);
  const std::vector<float> nan_elsewhere = {NAN, INFINITY, NAN};
  EXPECT_EQ(allowed.check(nullptr, bytes_of(nan_elsewhere)).first_difference,
            "y[2]: expected 1, found nan");
  const std::vector<float> finite = {NAN, 3e38F, 1.0F};
  EXPECT_EQ(allowed.check(nullptr, bytes_of(finite)).first_difference,
            "y[1]: expected inf, found 3.00000001e+38");
}

TEST_F(FileOracleTest, ReadsHalfAndBfloat16) {
  const std::vector<std::uint16_t> ones_half = {0x3c00, 0xbc00};
  const auto wide = oracle<double>(ElementType::f16, "<f8", {1.0, -1.0});
  EXPECT_TRUE(wide.check(nullptr, bytes_of(ones_half)).passed);
  const std::vector<std::uint16_t> ones_bfloat = {0x3f80, 0xbf80};
  const auto bits = oracle(ElementType::bf16, "<u2", ones_bfloat);
  EXPECT_TRUE(bits.check(nullptr, bytes_of(ones_bfloat)).passed);
  const auto floats = oracle<float>(ElementType::bf16, "<f4", {1.004F, -1.0F});
  EXPECT_TRUE(floats.check(nullptr, bytes_of(ones_bfloat)).passed);
}

TEST_F(FileOracleTest, RefusesAFileThatDoesNotFit) {
  const std::string path = (dir_ / "y.npy").string();
  EXPECT_EQ(user_error([&] { (void)oracle<float>(ElementType::i32, "<f4", {1.0F}); }),
            path + ": dtype '<f4' cannot be compared with argument \"y\" of int32");
  EXPECT_EQ(
      user_error([&] { (void)oracle<float>(ElementType::f32, "<f4", {1.0F}, -1.0, false, 3); }),
      path + " has 1 elements, argument \"y\" has 3");
}

} // namespace
} // namespace coulomb::kernels
