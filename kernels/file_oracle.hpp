// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/argument.hpp"
#include "base/kernel/element_reader.hpp"
#include "base/kernel/launch_output.hpp"
#include "base/npy.hpp"
#include "kernels/oracles.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coulomb::kernels {

/// Expected contents of one output, from a .npy file. An element is right if
/// |found - expected| <= tolerance * max(|expected|, rms of all finite expected ones); the rms
/// keeps sums that cancel from failing for their last bits. Integers are exact unless a tolerance
/// is given; infinities must be equal; NaN is right only where it is expected and allowed.
class FileOracle {
public:
  /// Throws UserError: unreadable file, other number of elements, a dtype that cannot be compared
  /// (integers with integers of any width, floating point with float16 to float64, bfloat16 also
  /// with its bits as uint16).
  FileOracle(kernel::ExpectedOutput expected, const kernel::Argument& argument);

  /// Compares the elements `stored` (ascending), or all if it is null, of `contents`. Nothing
  /// stored is a difference.
  [[nodiscard]] OutputComparison check(const std::vector<std::uint64_t>* stored,
                                       std::span<const std::uint8_t> contents) const;

private:
  /// |found - expected| / scale of element `i`, and whether it is right.
  struct Verdict {
    double error = 0.0;
    bool right = false;
  };
  [[nodiscard]] Verdict compare(const std::uint8_t* found, std::uint64_t element) const;
  [[nodiscard]] std::string difference(const std::uint8_t* found, std::uint64_t element) const;
  void check_shape(const kernel::Argument& argument);

  kernel::ExpectedOutput expected_;
  kernel::ElementType type_;
  kernel::ElementType file_type_ = kernel::ElementType::f32;
  NpyArray array_;
  double tolerance_ = 0.0;
  double rms_ = 0.0;
  bool exact_ = false; ///< integers without a tolerance
};

/// The tolerance of `type` where none is given: 1e-4 float, 1e-2 half and bfloat16, 1e-9 double,
/// else 0.
[[nodiscard]] double default_tolerance(kernel::ElementType type);

} // namespace coulomb::kernels
