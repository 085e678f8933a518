// SPDX-License-Identifier: Apache-2.0
// k15 fused attention, with tensor cores and without.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>

namespace coulomb::kernels_test {
namespace {

using std::size_t;

/// softmax(scale Q K^T) V with exponentials of base `base`.
std::vector<double> attention(const std::vector<double>& q,
                              const std::vector<double>& k,
                              const std::vector<double>& v,
                              size_t depth,
                              double scale,
                              double base) {
  const size_t length = k.size() / depth;
  std::vector<double> out(q.size(), 0.0);
  for (size_t r = 0; r < q.size() / depth; ++r) {
    std::vector<double> scores(length, 0.0);
    for (size_t c = 0; c < length; ++c) {
      for (size_t i = 0; i < depth; ++i) {
        scores[c] += scale * q[r * depth + i] * k[c * depth + i];
      }
    }
    const double top = *std::max_element(scores.begin(), scores.end());
    double total = 0.0;
    for (double& s : scores) {
      s = std::pow(base, s - top);
      total += s;
    }
    for (size_t c = 0; c < length; ++c) {
      for (size_t i = 0; i < depth; ++i) {
        out[r * depth + i] += scores[c] / total * v[c * depth + i];
      }
    }
  }
  return out;
}

template <class T>
std::vector<double> numbers(const std::vector<T>& elements) {
  std::vector<double> out;
  for (const T& e : elements) {
    out.push_back(number(e));
  }
  return out;
}

void flash_mma(Problem& p) {
  constexpr size_t kElements = 2 * 64 * 64; // two heads
  const auto q = p.halves(kElements);
  const auto k = p.halves(kElements);
  const auto v = p.halves(kElements);
  std::vector<double> want;
  for (size_t head = 0; head < 2; ++head) {
    const auto part = [&](const std::vector<Half>& x) {
      const auto start = x.begin() + static_cast<std::ptrdiff_t>(head * 4096);
      return numbers(std::vector<Half>(start, start + 4096));
    };
    const auto one = attention(part(q), part(k), part(v), 64, 0.5, 2.0);
    want.insert(want.end(), one.begin(), one.end());
  }
  p.input(q);
  p.input(k);
  p.input(v);
  p.output(std::vector<Half>(kElements), want, {.absolute = 2e-3});
  p.value(64);
  p.value(0.5F);
}

void flash_scalar(Problem& p) {
  const auto q = p.floats(1024, -2.0, 2.0);
  const auto k = p.floats(1024, -2.0, 2.0);
  const auto v = p.floats(1024);
  p.input(q);
  p.input(k);
  p.input(v);
  p.output(std::vector<float>(1024, 0.0F),
           attention(numbers(q), numbers(k), numbers(v), 16, 0.25, std::exp(1.0)),
           {.absolute = 5e-6});
  p.value(64);
  p.value(0.25F);
}

constexpr const char* kFlash = "k15_flash.cu";
constexpr const char* kHalfWeights =
    "weights rounded to binary16: 2^-11 of |v| < 1, and the output's ulp";

constexpr KernelCase kCases[] = {
    {kFlash, "flash_mma", {1, 2}, {128}, 16384, flash_mma, kHalfWeights},
    {kFlash,
     "flash_scalar",
     {1},
     {64},
     0,
     flash_scalar,
     "errors of __expf and of a sum of 64 terms"},
};

} // namespace

std::span<const KernelCase> attention_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
