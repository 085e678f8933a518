// SPDX-License-Identifier: Apache-2.0
#include "kernels/oracles.hpp"

#include "base/kernel/float16.hpp"
#include "tests/unit/kernel/support.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace coulomb::kernels {
namespace {

using test::user_error;

/// Bytes of each argument, and the views that an oracle takes.
struct Buffers {
  std::map<std::string, std::vector<std::uint8_t>> bytes;

  template <class T>
  void set(const std::string& name, const std::vector<T>& values) {
    auto& b = bytes[name];
    b.resize(values.size() * sizeof(T));
    std::memcpy(b.data(), values.data(), b.size());
  }
  PristineBuffers views() const {
    PristineBuffers v;
    for (const auto& [name, b] : bytes) {
      v[name] = b;
    }
    return v;
  }
};

std::vector<float> normal(const std::string& name, std::uint64_t count) {
  kernel::Argument a;
  a.name = name;
  a.count = count;
  a.fill = {kernel::FillKind::normal, 1.0, name.size() + count, {}, {}};
  const auto bytes = kernel::initial_contents(a);
  std::vector<float> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<std::uint64_t> all(std::uint64_t count) {
  std::vector<std::uint64_t> elements(count);
  std::iota(elements.begin(), elements.end(), std::uint64_t{0});
  return elements;
}

std::span<const std::uint8_t> bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(float)};
}

/// A 40 x 12 image with a 5 x 3 filter: data, the oracle, and a right result in FP32.
struct Convolution {
  static constexpr int kWidth = 40;
  static constexpr int kHeight = 12;
  Buffers buffers;
  std::unique_ptr<Oracle> oracle;
  std::vector<float> result;

  Convolution() {
    const auto in = normal("in", 44U * 14U);
    const auto w = normal("w", 15);
    buffers.set("input_image", in);
    buffers.set("d_filter", w);
    oracle = make_oracle("convolution",
                         R"({"filter_width": 5, "filter_height": 3, "problem_size": [40, 12]})",
                         buffers.views());
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        float sum = 0.0F;
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 5; ++j) {
            sum = std::fma(in[static_cast<std::size_t>((y + i) * 44 + x + j)],
                           w[static_cast<std::size_t>(i * 5 + j)], sum);
          }
        }
        result.push_back(sum);
      }
    }
  }
  OutputComparison check(const std::vector<std::uint64_t>& elements) const {
    return check_output(*oracle, "output_image", kernel::ElementType::f32, elements,
                        bytes_of(result));
  }
};

TEST(ConvolutionOracle, AcceptsARightResultOfAllAndOfSomeElements) {
  const Convolution c;
  const auto whole = c.check(all(480));
  EXPECT_TRUE(whole.passed) << whole.first_difference;
  EXPECT_EQ(whole.compared, 480U);
  EXPECT_LT(whole.max_rel_error, c.oracle->tolerance());
  EXPECT_GT(whole.max_rel_error, 0.0);
  const auto some = c.check({0, 1, 39, 40, 41, 200, 479});
  EXPECT_TRUE(some.passed) << some.first_difference;
  EXPECT_EQ(some.compared, 7U);
}

TEST(ConvolutionOracle, OneWrongElementFails) {
  Convolution c;
  c.result[123] = -c.result[123];
  const auto found = c.check(all(480));
  EXPECT_FALSE(found.passed);
  EXPECT_EQ(found.first_difference.find("output_image[123]: expected "), 0U);
  EXPECT_NE(found.first_difference.find(fmt::format(", found {:.9g}", c.result[123])),
            std::string::npos);
  EXPECT_TRUE(c.check(all(123)).passed); // only what was stored is compared
}

TEST(ConvolutionOracle, AMissingSummandFails) {
  Convolution c;
  const auto in = normal("in", 44U * 14U);
  const auto w = normal("w", 15);
  c.result[0] -= in[0] * w[0];
  EXPECT_FALSE(c.check(all(480)).passed);
}

TEST(ConvolutionOracle, NanAndInfinityFail) {
  Convolution c;
  c.result[7] = std::numeric_limits<float>::quiet_NaN();
  const auto nan = c.check(all(480));
  EXPECT_FALSE(nan.passed);
  EXPECT_EQ(nan.max_rel_error, std::numeric_limits<double>::max());
  EXPECT_NE(nan.first_difference.find("output_image[7]: expected "), std::string::npos);
  EXPECT_NE(nan.first_difference.find("found nan"), std::string::npos);
  c.result[7] = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(c.check(all(480)).passed);
}

TEST(OutputCheck, NothingStoredFails) {
  const auto found = Convolution().check({});
  EXPECT_FALSE(found.passed);
  EXPECT_EQ(found.first_difference, "output_image: nothing was stored");
}

TEST(SgemmOracle, AcceptsARightResultAndRefusesAWrongOne) {
  constexpr std::size_t m = 160;
  constexpr std::size_t n = 24;
  constexpr std::size_t k = 64;
  const auto a = normal("a", k * m);
  const auto b = normal("b", k * n);
  const auto c = normal("c", n * m);
  Buffers buffers;
  buffers.set("a", a);
  buffers.set("b", b);
  buffers.set("c", c);
  buffers.set<float>("alpha", {1.5F});
  buffers.set<float>("beta", {-0.5F});
  const auto oracle =
      make_oracle("sgemm", R"({"problem_size": [160, 24, 64], "MWG": 16})", buffers.views());
  std::vector<float> result(n * m);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < m; ++column) {
      float sum = 0.0F;
      for (std::size_t i = 0; i < k; ++i) {
        sum = std::fma(a[i * m + column], b[i * n + row], sum);
      }
      result[row * m + column] = 1.5F * sum + -0.5F * c[row * m + column];
    }
  }
  const auto check = [&] {
    return check_output(*oracle, "c", kernel::ElementType::f32, all(n * m), bytes_of(result));
  };
  EXPECT_TRUE(check().passed) << check().first_difference;
  result[m * 3 + 150] += 0.01F;
  EXPECT_FALSE(check().passed);
  EXPECT_NE(check().first_difference.find("c[630]: expected "), std::string::npos);
}

/// 256 halves from 1 on, in steps of 2^-8: exact, and so are products and their sums in FP32.
std::vector<std::uint16_t> exact_halves(std::size_t count, std::size_t step) {
  std::vector<std::uint16_t> halves(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double value = 1.0 + static_cast<double>(i * step % 256) / 256.0;
    halves[i] = kernel::float16_from_double(i % 3 == 0 ? -value : value);
  }
  return halves;
}

TEST(HgemmOracle, MultipliesRowMajorHalvesAndNoticesOneWrongElement) {
  constexpr std::size_t m = 24;
  constexpr std::size_t n = 136;
  constexpr std::size_t k = 16;
  const auto a = exact_halves(m * k, 7);
  const auto b = exact_halves(k * n, 11);
  Buffers buffers;
  buffers.set("a", a);
  buffers.set("b", b);
  const auto oracle = make_oracle("hgemm", R"({"problem_size": [24, 136, 16]})", buffers.views());
  std::vector<float> result(m * n);
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      double sum = 0.0;
      for (std::size_t i = 0; i < k; ++i) {
        sum += kernel::float16_to_double(a[row * k + i]) *
               kernel::float16_to_double(b[i * n + column]);
      }
      result[row * n + column] = static_cast<float>(sum);
    }
  }
  const auto check = [&] {
    return check_output(*oracle, "c", kernel::ElementType::f32, all(m * n), bytes_of(result));
  };
  EXPECT_TRUE(check().passed) << check().first_difference;
  EXPECT_EQ(check().compared, m * n);
  EXPECT_EQ(check().max_rel_error, 0.0);
  EXPECT_EQ(oracle->tolerance(), 32 * 0x1p-24);
  result[n * 5 + 130] += 0x1p-10F;
  EXPECT_FALSE(check().passed);
  EXPECT_EQ(check().first_difference.find("c[810]: expected "), 0U) << check().first_difference;
}

TEST(SaxpyOracle, IsExactToTwoRoundings) {
  Buffers buffers;
  buffers.set<float>("alpha", {2.5F});
  buffers.set<float>("x", {1.0F, 2.0F, -4.0F});
  buffers.set<float>("y", {0.5F, 0.0F, 10.0F});
  const auto oracle = make_oracle("saxpy", R"({"problem_size": [3]})", buffers.views());
  std::vector<double> value(2);
  std::vector<double> magnitude(2);
  const std::vector<std::uint64_t> elements = {0, 2};
  oracle->expected("y", elements, value, magnitude);
  EXPECT_EQ(value, (std::vector<double>{3.0, 0.0}));
  EXPECT_EQ(magnitude, (std::vector<double>{3.0, 20.0}));
  EXPECT_EQ(oracle->tolerance(), 2.0 * 0x1p-24);
  EXPECT_THROW(oracle->expected("x", elements, value, magnitude), InternalError);
}

TEST(Oracles, SayWhatIsMissing) {
  Buffers buffers;
  buffers.set<float>("x", {1.0F});
  const auto error = [&](const std::string& name, const std::string& parameters) {
    return user_error([&] { (void)make_oracle(name, parameters, buffers.views()); });
  };
  EXPECT_EQ(error("sgem", "{}"), "unknown oracle \"sgem\" (did you mean \"sgemm\"?); known: "
                                 "convolution, dedispersion, elementwise, hgemm, saxpy, sgemm");
  EXPECT_EQ(error("saxpy", "{}"),
            "oracle saxpy: parameters need \"problem_size\", a list of integers");
  EXPECT_EQ(error("saxpy", "[]"), "oracle saxpy: parameters are not a JSON object: []");
  EXPECT_EQ(error("saxpy", R"({"problem_size": [0]})"),
            "oracle saxpy: problem_size holds 0; allowed: integers from 1");
  EXPECT_EQ(error("saxpy", R"({"problem_size": [2]})"),
            "oracle saxpy needs the contents of argument \"alpha\"");
  buffers.set<float>("alpha", {1.0F});
  EXPECT_EQ(error("saxpy", R"({"problem_size": [2]})"),
            "oracle saxpy: argument \"x\" has 4 bytes, needed: 2 floats");
  EXPECT_EQ(error("hgemm", R"({"problem_size": [1, 1, 8]})"),
            "oracle hgemm needs the contents of argument \"a\"");
  buffers.set<std::uint16_t>("a", {0});
  EXPECT_EQ(error("hgemm", R"({"problem_size": [1, 1, 8]})"),
            "oracle hgemm: argument \"a\" has 2 bytes, needed: 8 halves");
  EXPECT_EQ(error("dedispersion", R"({"problem_size": [2, 2]})"),
            "oracle dedispersion needs problem_size[2]; problem_size has 2 numbers");
  EXPECT_EQ(error("convolution", R"({"problem_size": [2, 2]})"),
            "oracle convolution needs the integer parameter \"filter_width\"");
}

TEST(Oracles, ToleranceIsTheTighterOfBothBounds) {
  EXPECT_EQ(fp32_sum_tolerance(1), 0x1p-24);
  EXPECT_EQ(fp32_sum_tolerance(64), 64 * 0x1p-24);
  EXPECT_EQ(fp32_sum_tolerance(256), 128 * 0x1p-24);
}

} // namespace
} // namespace coulomb::kernels
