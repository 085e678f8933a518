// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/oracle_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace coulomb::kernels {
namespace {

/// Columns and rows of C summed together: sums and magnitudes (2 x 8 KiB) stay in the L1 cache.
constexpr std::size_t kColumns = 128;
constexpr std::size_t kRows = 8;

/// C[n][m] = alpha * sum over k of A[k][m] * B[k][n] + beta * C[n][m].
class SgemmOracle final : public Oracle {
public:
  explicit SgemmOracle(const OracleInputs& inputs)
      : size_m_(inputs.problem_size(0)), size_n_(inputs.problem_size(1)),
        size_k_(inputs.problem_size(2)), alpha_(inputs.floats("alpha", 1)[0]),
        beta_(inputs.floats("beta", 1)[0]), a_(inputs.floats("a", size_k_ * size_m_)),
        b_(inputs.floats("b", size_k_ * size_n_)), c_(inputs.floats("c", size_n_ * size_m_)) {}

  void expected(const std::string& argument,
                std::span<const std::uint64_t> elements,
                std::span<double> value,
                std::span<double> magnitude) const override {
    COULOMB_CHECK(argument == "c", "sgemm does not write \"{}\"", argument);
    COULOMB_CHECK(elements.empty() || elements.back() < size_m_ * size_n_,
                  "c[{}] is outside {} x {}", elements.back(), size_n_, size_m_);
    std::vector<ElementRun> runs = runs_of(elements, size_m_, kColumns);
    // Runs of the same columns follow each other, so that a group reads A once for several rows of
    // C.
    std::sort(runs.begin(), runs.end(), [](const ElementRun& x, const ElementRun& y) {
      return std::tie(x.column, x.length, x.row) < std::tie(y.column, y.length, y.row);
    });
    for (std::size_t begin = 0; begin < runs.size();) {
      std::size_t end = begin + 1;
      while (end < runs.size() && end - begin < kRows && runs[end].column == runs[begin].column &&
             runs[end].length == runs[begin].length) {
        ++end;
      }
      sum(std::span(runs).subspan(begin, end - begin), value, magnitude);
      begin = end;
    }
  }

  /// k products, then the scaled sum and the scaled old value.
  [[nodiscard]] double tolerance() const override { return fp32_sum_tolerance(size_k_ + 2); }

private:
  struct alignas(32) Block {
    std::array<std::array<double, kColumns>, kRows> total{};
    std::array<std::array<double, kColumns>, kRows> absolute{};
  };

  void sum(std::span<const ElementRun> rows,
           std::span<double> value,
           std::span<double> magnitude) const {
    const std::size_t length = rows[0].length;
    Block block;
    std::array<double, kColumns> a_row{};
    for (std::uint64_t k = 0; k < size_k_; ++k) {
      const float* a = a_.data() + k * size_m_ + rows[0].column;
      std::copy_n(a, length, a_row.begin());
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto b = static_cast<double>(b_[k * size_n_ + rows[r].row]);
        double* total = block.total[r].data();
        double* absolute = block.absolute[r].data();
        for (std::size_t m = 0; m < length; ++m) {
          const double product = a_row[m] * b;
          total[m] += product;
          absolute[m] += std::fabs(product);
        }
      }
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const float* old = c_.data() + rows[r].row * size_m_ + rows[r].column;
      for (std::size_t m = 0; m < length; ++m) {
        const double kept = static_cast<double>(beta_) * static_cast<double>(old[m]);
        value[rows[r].first + m] = static_cast<double>(alpha_) * block.total[r][m] + kept;
        magnitude[rows[r].first + m] =
            std::fabs(static_cast<double>(alpha_)) * block.absolute[r][m] + std::fabs(kept);
      }
    }
  }

  std::uint64_t size_m_;
  std::uint64_t size_n_;
  std::uint64_t size_k_;
  float alpha_;
  float beta_;
  std::span<const float> a_;
  std::span<const float> b_;
  std::span<const float> c_;
};

} // namespace

std::unique_ptr<Oracle> make_sgemm_oracle(const OracleInputs& inputs) {
  return std::make_unique<SgemmOracle>(inputs);
}

} // namespace coulomb::kernels
