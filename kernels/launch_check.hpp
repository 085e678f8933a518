// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/argument.hpp"
#include "base/kernel/launch_output.hpp"
#include "kernels/oracles.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coulomb::kernels {

/// What a launch is compared with: files, or, without any, an oracle.
struct LaunchReference {
  const std::vector<kernel::ExpectedOutput>& expected;
  const std::string& oracle; ///< name in oracles.hpp; empty: none
  const std::string& oracle_parameters;

  [[nodiscard]] bool none() const { return expected.empty() && oracle.empty(); }
};

/// What a launch left behind, wherever it ran. Argument `i` is the i-th of `arguments`; what a
/// function returns need not outlive the next call.
struct LaunchResult {
  const std::vector<kernel::Argument>& arguments;
  std::function<PristineBuffers()> pristine; ///< asked for by oracles only
  std::function<std::span<const std::uint8_t>(std::size_t)> contents;
  /// Elements of an output that are compared with an oracle, ascending.
  std::function<std::vector<std::uint64_t>(std::size_t)> oracle_elements;
  /// The same for a file; nothing: all.
  std::function<std::optional<std::vector<std::uint64_t>>(std::size_t)> file_elements;
};

struct LaunchComparison : OutputComparison {
  std::string reference; ///< "oracle saxpy", "ref.npy, other.npy"
};

/// Compares every output; the first difference found is told. An oracle with nothing to compare
/// fails. Throws UserError for a file or oracle that does not fit the launch.
[[nodiscard]] LaunchComparison check_launch(const LaunchReference& reference,
                                            const LaunchResult& result);

} // namespace coulomb::kernels
