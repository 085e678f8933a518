// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/accuracy/kernel_identity.hpp"
#include "calibration/data/observations.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// Times [ms] of `asked` as corrected by what is learnt from `known` alone; one each, above 0.
using Calibrate = std::function<std::vector<double>(const std::vector<Observation>& known,
                                                    const std::vector<Observation>& asked)>;

/// What calibration never sees when it predicts an observation.
enum class HeldOut : std::uint8_t {
  configuration, ///< the configuration, on every board, and all with the same machine code
  kernel,        ///< every observation of the kernel
  board          ///< every observation of the board
};

/// Number of the group that each observation belongs to, from 0 in order of appearance:
/// observations of one group are held out together. By configuration: the same configuration on any
/// board, in any specification of its kernel, and those whose simulations agree to the last bit on
/// one board, which are the same machine code (parameters without effect make many of those).
[[nodiscard]] std::vector<std::size_t> held_out_groups(const std::vector<Observation>& observations,
                                                       HeldOut what,
                                                       const KernelIdentity& identity);

struct HeldOutSettings {
  std::size_t folds = 5; ///< of configurations; at least 2. Kernels and boards are left out singly
  std::uint64_t seed = 1;
};

/// Corrected times [ms] of all observations, each from a calibration on the observations of other
/// groups only. Absent where no others are left (a single kernel or board).
[[nodiscard]] std::vector<std::optional<double>>
held_out_times(const std::vector<Observation>& observations,
               HeldOut what,
               const KernelIdentity& identity,
               const HeldOutSettings& settings,
               const Calibrate& calibrate);

/// Fold of each group: groups shuffled by the seed, then dealt out in turn.
[[nodiscard]] std::vector<std::size_t>
folds_of(std::size_t groups, std::size_t folds, std::uint64_t seed);

} // namespace coulomb::calibration
