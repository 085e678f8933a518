// SPDX-License-Identifier: Apache-2.0
#include "calibration/robust/perturbed_evaluators.hpp"

#include "base/config/gpu_catalogue.hpp"

namespace coulomb::calibration {
namespace {

constexpr std::uint64_t kCommonSeed = 1;

GpuEvaluations as_evaluations(search::Evaluator& evaluator) {
  return {.evaluations = {.submit = [&](const auto& candidate) { evaluator.submit(candidate); },
                          .next = [&] { return evaluator.next(); }},
          .cancel = [&] { evaluator.cancel(); }};
}

} // namespace

GpuDraws common_draws(const ModelNoise& noise, const config::GpuConfig& gpu, std::uint64_t count) {
  GpuDraws draws;
  for (std::uint64_t k = 0; k < count; ++k) {
    draws.push_back(noise.draw(gpu, kCommonSeed, k));
  }
  return draws;
}

PerturbedEvaluators::PerturbedEvaluators(const kernel::TunableSpec& spec,
                                         const config::GpuConfig& gpu,
                                         const GpuDraws& draws,
                                         search::EvaluatorOptions options,
                                         search::Interruption& interruption)
    : pool_(search::make_worker_pool(options)) {
  options.pool = pool_.get();
  evaluators_.emplace_back(spec, gpu, options);
  for (const auto& draw : draws) {
    config::GpuConfig perturbed = gpu;
    config::apply_overrides(perturbed, draw);
    evaluators_.emplace_back(spec, perturbed, options);
  }
  std::vector<GpuEvaluations> all;
  for (search::Evaluator& evaluator : evaluators_) {
    guards_.emplace_back(interruption, evaluator);
    all.push_back(as_evaluations(evaluator));
  }
  GpuEvaluations stated = std::move(all.front());
  all.erase(all.begin());
  evaluations_.emplace(std::move(stated), std::move(all));
}

std::uint64_t PerturbedEvaluators::predicted() const {
  std::uint64_t sum = 0;
  for (const search::Evaluator& evaluator : evaluators_) {
    sum += evaluator.predicted();
  }
  return sum;
}

std::string PerturbedEvaluators::prediction_problem() const {
  for (const search::Evaluator& evaluator : evaluators_) {
    if (std::string problem = evaluator.prediction_problem(); !problem.empty()) {
      return problem;
    }
  }
  return {};
}

} // namespace coulomb::calibration
