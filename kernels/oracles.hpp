// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/argument.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace coulomb::kernels {

/// Contents of each argument before the launch, by argument name; a scalar is its one element. The
/// bytes must outlive the oracle.
using PristineBuffers = std::map<std::string, std::span<const std::uint8_t>>;

/// Computes what a kernel should have stored, independently of the kernel and in double precision.
class Oracle {
public:
  virtual ~Oracle() = default;

  /// Expected values of `elements` (ascending indices) of output `argument`, and for each the sum
  /// of the magnitudes of its summands. All spans have the same length. Throws InternalError for an
  /// argument that the kernel does not write and for an index outside it.
  virtual void expected(const std::string& argument,
                        std::span<const std::uint64_t> elements,
                        std::span<double> value,
                        std::span<double> magnitude) const = 0;

  /// Largest allowed |found - expected| / magnitude.
  [[nodiscard]] virtual double tolerance() const = 0;
};

/// Names that make_oracle knows, sorted.
[[nodiscard]] std::vector<std::string> oracle_names();

/// Makes an oracle for one launch. `parameters_json` is an object with every T1 parameter and
/// "problem_size". Throws UserError: unknown name (did you mean), missing parameter, missing or too
/// small buffer.
[[nodiscard]] std::unique_ptr<Oracle>
make_oracle(const std::string& name, const std::string& parameters_json, PristineBuffers buffers);

/// Result of comparing one output argument with its oracle.
struct OutputComparison {
  bool passed = false;
  double max_rel_error =
      0.0; ///< largest |found - expected| / magnitude; the largest double for NaN
  std::uint64_t compared = 0;   ///< elements
  std::string first_difference; ///< "output_image[17]: expected 0.25, found 0.5"; empty if none
};

/// Compares `elements` (ascending) of output `argument` with the oracle. `contents` is the whole
/// buffer after the run. NaN and infinity fail, as does an empty `elements`: a kernel that stored
/// nothing has no right result.
[[nodiscard]] OutputComparison check_output(const Oracle& oracle,
                                            const std::string& argument,
                                            kernel::ElementType type,
                                            std::span<const std::uint64_t> elements,
                                            std::span<const std::uint8_t> contents);

/// Bound on the error of an FP32 sum of `summands` products, relative to the sum of their
/// magnitudes: min(n, 8 sqrt(n)) * 2^-24. The first is the deterministic bound for a sum in any
/// order (N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1); the
/// second the probabilistic one with lambda = 8 (N. Higham and T. Mary, SIAM J. Sci. Comput. 41(5),
/// 2019), exceeded with probability below 2n * 1.3e-14. The tighter bound is what lets a single
/// missing summand show.
[[nodiscard]] double fp32_sum_tolerance(std::uint64_t summands);

} // namespace coulomb::kernels
