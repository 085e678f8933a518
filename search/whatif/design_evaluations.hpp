// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_catalogue.hpp"
#include "search/driver/evaluation_channels.hpp"
#include "search/driver/interruption.hpp"
#include "search/whatif/design.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// The genes of a study as the parameters of a space of designs. The default is the baseline's
/// value, where it is listed, else the first. Throws UserError: a key that there is not, a value
/// that it cannot have, a key given twice or set for all designs.
[[nodiscard]] kernel::TunableSpec design_spec(const Study& study, const config::ResolvedGpu& gpu);

/// Evaluates designs: each is a set of genes, simulated with every kernel of the study.
class DesignEvaluations {
public:
  /// Throws UserError if a kernel or a parameter of it is unknown, EnvironmentError if a worker
  /// executable is missing. `interruption` must outlive this.
  DesignEvaluations(const Study& study,
                    const config::GpuConfig& baseline,
                    const kernel::TunableSpec& genes,
                    EvaluatorOptions options,
                    Interruption& interruption);

  /// A candidate's configuration holds the genes. As search::Evaluations.
  void submit(const Candidate& design);
  [[nodiscard]] std::optional<Evaluation> next();
  [[nodiscard]] std::uint64_t predicted() const;

private:
  struct Pending {
    Candidate design;
    config::GpuConfig gpu;
    std::vector<Evaluation> kernels;
    std::size_t missing = 0;
  };

  void reject(const Candidate& design, std::string why);

  Study study_;
  config::GpuConfig baseline_;
  std::vector<kernel::Configuration> fixed_; ///< parameters of each kernel
  std::map<std::uint64_t, Pending> pending_;
  std::deque<Evaluation> ready_; ///< that took no simulation
  // In this order: what comes later uses what comes before and ends first, save the pool, whose
  // thread calls into the evaluators.
  std::deque<Evaluator> evaluators_;
  std::unique_ptr<WorkerPool> pool_;
  std::deque<Interruption::Guard> guards_;
  std::optional<EvaluationChannels> channels_;
};

} // namespace coulomb::search
