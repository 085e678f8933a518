// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/kernels/problem.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace coulomb::kernels_test {

/// How a 32-bit register (64-bit for f64) holds elements of a matrix.
enum class Element : std::uint8_t { f16, bf16, tf32, f64, s8, u8, s4, u4, b1 };

/// Bits of one element.
[[nodiscard]] int element_bits(Element type);
/// Element `index` of a register. tf32 is the upper 19 bits; a bit is 0 or 1.
[[nodiscard]] double element_value(Element type, std::uint64_t word, int index);

/// Registers of one operand: [lane][register].
using Fragment = std::array<std::vector<std::uint64_t>, 32>;

/// Shape of mma.sync: m is 8 or 16, n is 8.
struct MmaShape {
  int m = 16;
  int k = 8;
  Element a = Element::f16;
  Element b = Element::f16;

  /// Registers of A, B and the accumulator in each lane.
  [[nodiscard]] int a_registers() const;
  [[nodiscard]] int b_registers() const;
  [[nodiscard]] int c_elements() const { return m * 8 / 32; }
};

enum class BitOperation : std::uint8_t { none, exclusive_or, conjunction };

/// Sum over k of A(row, k) B(k, column), [m * 8], by a plain triple loop over the elements that the
/// PTX ISA's fragment figures give to each lane.
[[nodiscard]] std::vector<double> multiply(const MmaShape& shape,
                                           const Fragment& a,
                                           const Fragment& b,
                                           BitOperation bits = BitOperation::none);
/// The same of |A| |B|, to bound roundings.
[[nodiscard]] std::vector<double>
multiply_magnitudes(const MmaShape& shape, const Fragment& a, const Fragment& b);

/// Position in [m * 8] of accumulator element `i` of a lane.
[[nodiscard]] int accumulator_position(int lane, int i);

} // namespace coulomb::kernels_test
