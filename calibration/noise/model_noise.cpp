// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/model_noise.hpp"

#include "base/config/field.hpp"
#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

namespace coulomb::calibration {
namespace {

/// The parameter times the factor, as its kind of number and within what is allowed.
std::string scaled(const config::Field& field, double factor) {
  const auto kept = [&](double value) { return std::clamp(value, field.spec.min, field.spec.max); };
  if (const auto* whole = std::get_if<std::uint32_t*>(&field.member)) {
    return fmt::format("{}", std::llround(kept(**whole * factor)));
  }
  return fmt::format("{}", kept(**std::get_if<double*>(&field.member) * factor));
}

double drawn_factor(const Perturbation& p, RandomStream& random) {
  const double u = random.uniform();
  return p.kind == PerturbationKind::log_uniform_factor ? p.low * std::pow(p.high / p.low, u)
                                                        : p.low + u * (p.high - p.low);
}

std::vector<std::string> overrides_of(const std::vector<Perturbation>& perturbations,
                                      config::GpuConfig gpu,
                                      std::uint64_t seed,
                                      std::uint64_t index) {
  std::vector<std::string> overrides;
  for (const Perturbation& p : perturbations) {
    RandomStream random(seed, "model noise: " + p.name, index);
    if (p.kind == PerturbationKind::choice) {
      const std::string& value = p.values[random.below(p.values.size())];
      for (const std::string& key : p.keys) {
        overrides.push_back(fmt::format("{}={}", key, value));
      }
      continue;
    }
    const double factor = drawn_factor(p, random);
    for (const std::string& key : p.keys) {
      overrides.push_back(fmt::format("{}={}", key, scaled(config::field(gpu, key), factor)));
    }
  }
  return overrides;
}

} // namespace

std::vector<std::string>
ModelNoise::draw(const config::GpuConfig& gpu, std::uint64_t seed, std::uint64_t k) const {
  constexpr std::uint64_t kTries = 64;
  std::optional<UserError> last;
  for (std::uint64_t t = 0; t < kTries; ++t) {
    // Tries of one draw lie far from those of another.
    std::vector<std::string> overrides = overrides_of(perturbations_, gpu, seed, k + (t << 32U));
    config::GpuConfig perturbed = gpu;
    try {
      config::apply_overrides(perturbed, overrides);
      return overrides;
    } catch (const UserError& e) {
      last = e;
    }
  }
  throw UserError(fmt::format("{}: {} draws for {} all break a relation between its parameters; "
                              "the last: {}",
                              path_, kTries, gpu.id, last->what()),
                  "narrow the range that is named, or leave the perturbation out");
}

std::string default_model_noise() {
  return home_dir() + "/configs/noise/default.toml";
}

} // namespace coulomb::calibration
