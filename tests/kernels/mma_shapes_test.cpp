// SPDX-License-Identifier: Apache-2.0
// Every shape of the tensor cores against a plain triple loop on random inputs.
#include "tests/kernels/fragments.hpp"
#include "tests/kernels/kernel_runner.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace coulomb::kernels_test {
namespace {

using std::size_t;
using Words = std::vector<std::uint32_t>;

enum class Result : std::uint8_t { f32, f16, s32, saturated, f64 };

struct ShapeCase {
  const char* entry;
  MmaShape shape;
  Result result = Result::f32;
  BitOperation bits = BitOperation::none;
};

using enum Element;
constexpr ShapeCase kShapes[] = {
    {"mma_f16_16816_f32", {16, 16, f16, f16}},
    {"mma_f16_1688_f32", {16, 8, f16, f16}},
    {"mma_bf16_16816_f32", {16, 16, bf16, bf16}},
    {"mma_bf16_1688_f32", {16, 8, bf16, bf16}},
    {"mma_tf32_1688_f32", {16, 8, tf32, tf32}},
    {"mma_tf32_1684_f32", {16, 4, tf32, tf32}},
    {"mma_f16_16816_f16", {16, 16, f16, f16}, Result::f16},
    {"mma_f16_1688_f16", {16, 8, f16, f16}, Result::f16},
    {"mma_s8_16832", {16, 32, s8, s8}, Result::s32},
    {"mma_u8s8_16832", {16, 32, u8, s8}, Result::s32},
    {"mma_s8u8_16832_sat", {16, 32, s8, u8}, Result::saturated},
    {"mma_u8_16832", {16, 32, u8, u8}, Result::s32},
    {"mma_s8_16816", {16, 16, s8, s8}, Result::s32},
    {"mma_u8_16816_sat", {16, 16, u8, u8}, Result::saturated},
    {"mma_s4_16864", {16, 64, s4, s4}, Result::s32},
    {"mma_u4s4_16864", {16, 64, u4, s4}, Result::s32},
    {"mma_u4_16864_sat", {16, 64, u4, u4}, Result::saturated},
    {"mma_s4u4_16832", {16, 32, s4, u4}, Result::s32},
    {"mma_s8_8816", {8, 16, s8, s8}, Result::s32},
    {"mma_u4s4_8832", {8, 32, u4, s4}, Result::s32},
    {"mma_b1_168256_xor", {16, 256, b1, b1}, Result::s32, BitOperation::exclusive_or},
    {"mma_b1_168256_and", {16, 256, b1, b1}, Result::s32, BitOperation::conjunction},
    {"mma_b1_168128_xor", {16, 128, b1, b1}, Result::s32, BitOperation::exclusive_or},
    {"mma_b1_168128_and", {16, 128, b1, b1}, Result::s32, BitOperation::conjunction},
    {"mma_b1_88128_xor", {8, 128, b1, b1}, Result::s32, BitOperation::exclusive_or},
    {"mma_f64_884", {8, 4, f64, f64}, Result::f64},
};

/// Random elements in the registers of a fragment. `small`: eighths below 2, whose sums are exact.
Fragment draw(RandomStream& random, Element type, int count, bool small) {
  const auto real = [&] {
    return small ? (static_cast<double>(random.below(31)) - 15.0) / 8.0 : random.normal();
  };
  Fragment out;
  for (auto& lane : out) {
    for (int r = 0; r < count; ++r) {
      const double x = real();
      const double y = real();
      switch (type) {
      case f16:
        lane.push_back(half(x).bits | static_cast<std::uint32_t>(half(y).bits) << 16);
        break;
      case bf16:
        lane.push_back(bfloat(x).bits | static_cast<std::uint32_t>(bfloat(y).bits) << 16);
        break;
      case tf32: // the low 13 bits stay: the hardware does not look at them
        lane.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(x)));
        break;
      case f64:
        lane.push_back(std::bit_cast<std::uint64_t>(x));
        break;
      default:
        lane.push_back(static_cast<std::uint32_t>(random.next()));
      }
    }
  }
  return out;
}

/// As the kernel reads it: `per_lane` words for each lane.
Words spread(const Fragment& fragment, size_t per_lane) {
  Words out(32 * per_lane, 0);
  for (size_t lane = 0; lane < 32; ++lane) {
    for (size_t r = 0; r < fragment[lane].size(); ++r) {
      out[lane * per_lane + r] = static_cast<std::uint32_t>(fragment[lane][r]);
    }
  }
  return out;
}
std::vector<double> doubles(const Fragment& fragment) {
  std::vector<double> out;
  for (const auto& lane : fragment) {
    out.push_back(std::bit_cast<double>(lane[0]));
  }
  return out;
}

/// Values of accumulator elements that the kernel keeps at [lane][stride].
template <class T>
std::vector<T> accumulators(int elements, int stride, const std::function<T(size_t)>& value) {
  std::vector<T> out(static_cast<size_t>(32 * stride));
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < elements; ++i) {
      out[static_cast<size_t>(lane * stride + i)] =
          value(static_cast<size_t>(accumulator_position(lane, i)));
    }
  }
  return out;
}

void add_floats(
    Problem& p, const ShapeCase& row, const Fragment& a, const Fragment& b, bool small) {
  const auto sums = multiply(row.shape, a, b);
  const auto sizes = multiply_magnitudes(row.shape, a, b);
  const int elements = row.shape.c_elements();
  const bool wide = row.result == Result::f32;
  const int stride = wide ? 4 : row.result == Result::f16 ? 4 : 2;
  auto start = p.doubles(sums.size(), -4.0, 4.0);
  for (double& s : start) {
    s = small ? std::round(s * 8.0) / 8.0 : wide ? static_cast<float>(s) : s;
    s = row.result == Result::f16 ? number(half(s)) : s;
  }
  const auto want =
      accumulators<double>(elements, stride, [&](size_t i) { return sums[i] + start[i]; });
  const auto size = accumulators<double>(elements, stride,
                                         [&](size_t i) { return sizes[i] + std::abs(start[i]); });
  // f32: products are exact and aligned to the largest with at least 24 bits kept, each step cut
  // off
  // ("FP8/tensor-core accumulation" probes: Fasi et al., Numerical behavior of NVIDIA tensor cores,
  // 2021). f16: the same, then one rounding. f64: chained fused multiply-adds.
  const double unit = row.result == Result::f64 ? 0x1p-51 : 0x1p-22;
  const auto bound = [=](size_t i) {
    return small ? Bound{}
                 : Bound{.absolute = unit * size[i], .ulps = row.result == Result::f16 ? 0.5 : 0.0};
  };
  if (wide) {
    const auto c = accumulators<float>(elements, stride,
                                       [&](size_t i) { return static_cast<float>(start[i]); });
    p.input(c);
    p.output_each<float, double>(std::vector<float>(c.size(), 0.0F), want, bound);
  } else if (row.result == Result::f16) {
    const auto c = accumulators<Half>(elements, stride, [&](size_t i) { return half(start[i]); });
    p.input(c);
    p.output_each<Half, double>(std::vector<Half>(c.size()), want, bound);
  } else {
    const auto c = accumulators<double>(elements, stride, [&](size_t i) { return start[i]; });
    p.input(c);
    p.output_each<double, double>(std::vector<double>(c.size(), 0.0), want, bound);
  }
}

/// `edge`: accumulators near both ends, so that sums wrap or saturate.
void add_integers(
    Problem& p, const ShapeCase& row, const Fragment& a, const Fragment& b, bool edge) {
  const auto sums = multiply(row.shape, a, b, row.bits);
  const int elements = row.shape.c_elements();
  using Limits = std::numeric_limits<std::int32_t>;
  std::vector<std::int32_t> start(sums.size());
  for (auto& s : start) {
    const auto r = static_cast<std::int32_t>(p.random().below(2000));
    s = !edge ? r - 1000 : r % 2 == 0 ? Limits::max() - r : Limits::min() + r;
  }
  const auto result = [&](size_t i) {
    auto sum = static_cast<std::int64_t>(sums[i]) + start[i];
    if (row.result == Result::saturated) {
      sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
    }
    return static_cast<std::int32_t>(sum);
  };
  p.input(accumulators<std::int32_t>(elements, 4, [&](size_t i) { return start[i]; }));
  p.output(std::vector<std::int32_t>(128, 0), accumulators<std::int32_t>(elements, 4, result));
}

class TensorShape : public testing::TestWithParam<ShapeCase> {};

TEST_P(TensorShape, AgreesWithATripleLoopOnRandomInputs) {
  const std::string missing = missing_compiler();
  if (!missing.empty()) {
    GTEST_SKIP() << missing;
  }
  const ShapeCase& row = GetParam();
  for (const char* architecture : {"sm_80", "sm_86"}) {
    const std::string cubin = compiled("mma_shapes.cu", architecture);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Problem p(seed);
      const bool odd = seed % 2 == 1;
      const Fragment a = draw(p.random(), row.shape.a, row.shape.a_registers(), odd);
      const Fragment b = draw(p.random(), row.shape.b, row.shape.b_registers(), odd);
      if (row.result == Result::f64) {
        p.input(doubles(a));
        p.input(doubles(b));
      } else {
        p.input(spread(a, 4));
        p.input(spread(b, 2));
      }
      if (row.result == Result::s32 || row.result == Result::saturated) {
        add_integers(p, row, a, b, odd);
      } else {
        add_floats(p, row, a, b, odd);
      }
      ASSERT_EQ(run_and_compare({cubin, row.entry, {1}, {32}}, p), "")
          << row.entry << " for " << architecture << ", seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         TensorShape,
                         testing::ValuesIn(kShapes),
                         [](const testing::TestParamInfo<ShapeCase>& row) {
                           return std::string(row.param.entry);
                         });

} // namespace
} // namespace coulomb::kernels_test
