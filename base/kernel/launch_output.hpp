// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::kernel {

/// What an argument or a module variable is to hold after the launch.
struct ExpectedOutput {
  std::string argument;
  std::string path; ///< .npy file with as many elements
  /// Largest allowed |found - expected| / max(|expected|, rms of all expected); negative: 0 for
  /// integers, 1e-4 for float, 1e-2 for half and bfloat16, 1e-9 for double.
  double tolerance = -1.0;
  bool allow_nan = false; ///< NaN equals NaN
  std::string reference;  ///< what it is compared with, for people: "ref.npy"
  bool operator==(const ExpectedOutput&) const = default;
};

/// An argument or a module variable to be written to a .npy file after the launch.
struct OutputFile {
  std::string argument;
  std::string path;
  std::vector<std::uint64_t> shape; ///< empty: one dimension
  bool operator==(const OutputFile&) const = default;
};

} // namespace coulomb::kernel
