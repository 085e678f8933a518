// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/engine/evaluator.hpp"

#include <string>
#include <vector>

namespace coulomb::search {

/// What the outputs of a tunable kernel without an oracle are compared with.
struct ReferenceOutput {
  std::vector<kernel::ExpectedOutput> expected; ///< empty if there is no reference
  std::string problem;                          ///< then why, for people
};

/// Runs the spec's default configuration functionally, the whole grid, and keeps its outputs as
/// .npy files in `directory`, which is made if missing: the reference of every other configuration.
/// Outputs are the arguments that the spec marks as such; if it marks none, all buffers that the
/// kernel may write; without those whose size depends on a parameter. Of `options`, the limits and
/// directories hold. Deterministic: it depends on the spec and the GPU alone. Throws like
/// Evaluator::evaluate.
[[nodiscard]] ReferenceOutput run_default_configuration(const kernel::TunableSpec& spec,
                                                        const config::GpuConfig& gpu,
                                                        EvaluatorOptions options,
                                                        const std::string& directory);

/// True if run_default_configuration is of use: no oracle, several configurations, outputs.
[[nodiscard]] bool needs_reference(const kernel::TunableSpec& spec);

} // namespace coulomb::search
