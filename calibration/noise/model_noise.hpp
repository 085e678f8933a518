// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::calibration {

enum class PerturbationKind : std::uint8_t {
  uniform_factor,     ///< value x U(range)
  log_uniform_factor, ///< value x exp(U(ln range))
  choice              ///< one of the values, each as likely
};

/// One thing that is not known exactly about a GPU.
struct Perturbation {
  std::string name;
  std::vector<std::string> keys; ///< of the GPU file; they move together
  PerturbationKind kind = PerturbationKind::uniform_factor;
  double low = 1.0; ///< factors
  double high = 1.0;
  std::vector<std::string> values; ///< choice: as `--set` takes them
  std::string basis;               ///< "spread": of published figures; "assumption"
  std::string source;              ///< where the range comes from
};

/// Doubt about the simulated GPU: what its micro-architecture might also be. A candidate that wins
/// only on the exact numbers of a GPU file is no winner.
class ModelNoise {
public:
  /// Reads e.g. configs/noise/default.toml. Throws UserError with every mistake, each with
  /// path:line: unknown key (did you mean), no such GPU parameter, a list or text under a factor,
  /// range not ascending, source missing.
  static ModelNoise load(const std::string& path);

  /// "KEY=VALUE" for config::apply_overrides(): draw k (from 0; every draw is perturbed, the GPU as
  /// stated is none of them). Depends on nothing but GPU, seed, k and the perturbation's name, so
  /// that all candidates meet the same draws (common random numbers), and a perturbation more or
  /// less leaves the others alone. Whole-number parameters are rounded, and all kept in their
  /// range. A draw that would break a relation between parameters is drawn anew.
  /// Throws UserError if no draw of this GPU keeps them.
  [[nodiscard]] std::vector<std::string>
  draw(const config::GpuConfig& gpu, std::uint64_t seed, std::uint64_t k) const;

  [[nodiscard]] const std::vector<Perturbation>& perturbations() const { return perturbations_; }

private:
  std::string path_;
  std::vector<Perturbation> perturbations_;
};

/// configs/noise/default.toml of this installation.
[[nodiscard]] std::string default_model_noise();

} // namespace coulomb::calibration
