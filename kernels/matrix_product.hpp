// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/oracle_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace coulomb::kernels {

/// Columns and rows of a product summed together: sums and magnitudes (2 x 8 KiB) stay in the L1
/// cache.
inline constexpr std::size_t kProductColumns = 128;
inline constexpr std::size_t kProductRows = 8;

/// Some elements of the product of two matrices, in double: element (row, column) is the sum over k
/// below `depth` of left(row, k) * right(k, column), and its magnitude the sum of the products'
/// absolutes. `elements` are ascending indices of a result with `width` columns; `value` and
/// `magnitude` have their length. `left(row, k)` returns a double; `right(k, column, out)` writes
/// out.size() of them, from `column` on.
template <class Left, class Right>
void multiply_matrices(std::span<const std::uint64_t> elements,
                       std::uint64_t width,
                       std::uint64_t depth,
                       const Left& left,
                       const Right& right,
                       std::span<double> value,
                       std::span<double> magnitude) {
  struct alignas(32) Block {
    std::array<std::array<double, kProductColumns>, kProductRows> total{};
    std::array<std::array<double, kProductColumns>, kProductRows> absolute{};
  };
  std::vector<ElementRun> runs = runs_of(elements, width, kProductColumns);
  // Runs of the same columns follow each other, so that a group reads the right matrix once for
  // several rows of the result.
  std::sort(runs.begin(), runs.end(), [](const ElementRun& x, const ElementRun& y) {
    return std::tie(x.column, x.length, x.row) < std::tie(y.column, y.length, y.row);
  });
  std::array<double, kProductColumns> right_row{};
  for (std::size_t begin = 0, end = 0; begin < runs.size(); begin = end) {
    const ElementRun& first = runs[begin];
    for (end = begin + 1; end < runs.size() && end - begin < kProductRows &&
                          runs[end].column == first.column && runs[end].length == first.length;) {
      ++end;
    }
    Block block;
    for (std::uint64_t k = 0; k < depth; ++k) {
      right(k, first.column, std::span(right_row).first(first.length));
      for (std::size_t r = begin; r < end; ++r) {
        const double factor = left(runs[r].row, k);
        double* total = block.total[r - begin].data();
        double* absolute = block.absolute[r - begin].data();
        for (std::size_t i = 0; i < first.length; ++i) {
          const double product = right_row[i] * factor;
          total[i] += product;
          absolute[i] += std::fabs(product);
        }
      }
    }
    for (std::size_t r = begin; r < end; ++r) {
      std::copy_n(block.total[r - begin].begin(), first.length, value.begin() + runs[r].first);
      std::copy_n(block.absolute[r - begin].begin(), first.length,
                  magnitude.begin() + runs[r].first);
    }
  }
}

} // namespace coulomb::kernels
