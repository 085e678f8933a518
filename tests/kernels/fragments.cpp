// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/fragments.hpp"

namespace coulomb::kernels_test {
namespace {

/// A as [m][k], B as [n][k].
std::vector<double>
gather(const Fragment& fragment, Element type, int rows, int k, bool sixteen_rows) {
  const int bits = element_bits(type);
  const int word_bits = type == Element::f64 ? 64 : 32;
  const int per_word = word_bits / bits;
  std::vector<double> out(static_cast<std::size_t>(rows * k));
  for (int lane = 0; lane < 32; ++lane) {
    const auto& words = fragment[static_cast<std::size_t>(lane)];
    for (int r = 0; r < static_cast<int>(words.size()); ++r) {
      const int row = lane / 4 + (sixteen_rows ? 8 * (r % 2) : 0);
      const int group = lane % 4 + 4 * (sixteen_rows ? r / 2 : r);
      for (int e = 0; e < per_word; ++e) {
        out[static_cast<std::size_t>(row * k + group * per_word + e)] =
            element_value(type, words[static_cast<std::size_t>(r)], e);
      }
    }
  }
  return out;
}

template <class Term>
std::vector<double>
sum_terms(const MmaShape& shape, const Fragment& a, const Fragment& b, Term term) {
  const auto left = gather(a, shape.a, shape.m, shape.k, shape.m == 16);
  const auto right = gather(b, shape.b, 8, shape.k, false);
  std::vector<double> out(static_cast<std::size_t>(shape.m * 8));
  for (int row = 0; row < shape.m; ++row) {
    for (int column = 0; column < 8; ++column) {
      double total = 0.0;
      for (int k = 0; k < shape.k; ++k) {
        total += term(left[static_cast<std::size_t>(row * shape.k + k)],
                      right[static_cast<std::size_t>(column * shape.k + k)]);
      }
      out[static_cast<std::size_t>(row * 8 + column)] = total;
    }
  }
  return out;
}

} // namespace

int element_bits(Element type) {
  switch (type) {
  case Element::f16:
  case Element::bf16:
    return 16;
  case Element::tf32:
    return 32;
  case Element::f64:
    return 64;
  case Element::s8:
  case Element::u8:
    return 8;
  case Element::s4:
  case Element::u4:
    return 4;
  case Element::b1:
    return 1;
  }
  return 0;
}

double element_value(Element type, std::uint64_t word, int index) {
  const int bits = element_bits(type);
  if (type == Element::f64) {
    return std::bit_cast<double>(word);
  }
  if (type == Element::tf32) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(word) & 0xffffe000U);
  }
  const auto raw = static_cast<std::uint32_t>(word >> (bits * index)) & ((1U << bits) - 1U);
  switch (type) {
  case Element::f16:
    return number(Half{static_cast<std::uint16_t>(raw)});
  case Element::bf16:
    return number(Bfloat{static_cast<std::uint16_t>(raw)});
  case Element::s8:
  case Element::s4:
    return static_cast<double>(raw) - (raw >> (bits - 1) != 0 ? std::ldexp(1.0, bits) : 0.0);
  default:
    return raw;
  }
}

int MmaShape::a_registers() const {
  return m * k * element_bits(a) / (32 * (a == Element::f64 ? 64 : 32));
}
int MmaShape::b_registers() const {
  return 8 * k * element_bits(b) / (32 * (b == Element::f64 ? 64 : 32));
}

std::vector<double>
multiply(const MmaShape& shape, const Fragment& a, const Fragment& b, BitOperation bits) {
  switch (bits) {
  case BitOperation::exclusive_or:
    return sum_terms(shape, a, b, [](double x, double y) { return x != y ? 1.0 : 0.0; });
  case BitOperation::conjunction:
  case BitOperation::none:
    break;
  }
  return sum_terms(shape, a, b, [](double x, double y) { return x * y; });
}

std::vector<double>
multiply_magnitudes(const MmaShape& shape, const Fragment& a, const Fragment& b) {
  return sum_terms(shape, a, b, [](double x, double y) { return std::abs(x * y); });
}

int accumulator_position(int lane, int i) {
  return (lane / 4 + 8 * (i / 2)) * 8 + lane % 4 * 2 + i % 2;
}

} // namespace coulomb::kernels_test
