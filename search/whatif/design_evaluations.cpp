// SPDX-License-Identifier: Apache-2.0
#include "search/whatif/design_evaluations.hpp"

#include "base/config/field.hpp"
#include "base/config/quantity.hpp"
#include "base/error.hpp"
#include "base/kernel/spec_lookup.hpp"

#include <algorithm>
#include <utility>

namespace coulomb::search {
namespace {

using eval::EvalStatus;

kernel::TunableParameter gene_parameter(const StudyGene& gene, const config::ResolvedGpu& gpu) {
  if (std::find(gpu.changed.begin(), gpu.changed.end(), gene.key) != gpu.changed.end()) {
    throw UserError(fmt::format("what-if: {} is both a gene and set for all designs", gene.key),
                    "leave one of them out");
  }
  kernel::TunableParameter parameter;
  parameter.name = gene.key;
  parameter.type = "string";
  parameter.gpu_key = true;
  for (const std::string& value : gene.values) {
    config::GpuConfig changed = gpu.config;
    if (const auto allowed = config::assign(config::field(changed, gene.key), value)) {
      throw UserError(fmt::format("what-if: gene {}: {}; found \"{}\"", gene.key, *allowed, value));
    }
    if (config::diff(gpu.config, changed).empty()) {
      parameter.default_value = value; // the baseline's own
    }
    parameter.values.emplace_back(value);
  }
  if (std::find(parameter.values.begin(), parameter.values.end(), parameter.default_value) ==
      parameter.values.end()) {
    parameter.default_value = parameter.values.front();
  }
  return parameter;
}

EvaluationChannel channel_of(Evaluator& evaluator) {
  return {.evaluations = {.submit = [&](const auto& candidate) { evaluator.submit(candidate); },
                          .next = [&] { return evaluator.next(); }},
          .cancel = [&] { evaluator.cancel(); }};
}

} // namespace

kernel::TunableSpec design_spec(const Study& study, const config::ResolvedGpu& gpu) {
  kernel::TunableSpec spec;
  spec.name = study.name;
  for (const StudyGene& gene : study.genes) {
    if (spec.find(gene.key) != nullptr) {
      throw UserError(fmt::format("what-if: the gene {} is given twice", gene.key));
    }
    spec.parameters.push_back(gene_parameter(gene, gpu));
  }
  return spec;
}

DesignEvaluations::DesignEvaluations(const Study& study,
                                     const config::GpuConfig& baseline,
                                     const kernel::TunableSpec& genes,
                                     EvaluatorOptions options,
                                     Interruption& interruption)
    : study_(study), baseline_(baseline), pool_(make_worker_pool(options)) {
  options.pool = pool_.get();
  std::vector<EvaluationChannel> channels;
  for (const StudyKernel& kernel : study.kernels) {
    kernel::TunableSpec spec = kernel::find_spec(kernel.spec);
    fixed_.push_back(spec.configuration(kernel.params));
    spec.parameters.insert(spec.parameters.end(), genes.parameters.begin(), genes.parameters.end());
    evaluators_.emplace_back(std::move(spec), baseline, options);
  }
  for (Evaluator& evaluator : evaluators_) {
    guards_.emplace_back(interruption, evaluator);
    channels.push_back(channel_of(evaluator));
  }
  channels_.emplace(std::move(channels));
}

void DesignEvaluations::reject(const Candidate& design, std::string why) {
  Evaluation e;
  e.id = design.id;
  e.configuration = design.configuration;
  e.status = EvalStatus::restricted;
  e.message = std::move(why);
  ready_.push_back(std::move(e));
}

void DesignEvaluations::submit(const Candidate& design) {
  Pending pending{design, {}, std::vector<Evaluation>(fixed_.size()), fixed_.size()};
  try {
    pending.gpu = design_gpu(baseline_, study_.limits, design.configuration);
  } catch (const UserError& error) {
    return reject(design, fmt::format("there is no such GPU: {}", error.what()));
  }
  if (auto why = over_area(pending.gpu, study_.limits)) {
    return reject(design, std::move(*why));
  }
  pending_.emplace(design.id, std::move(pending));
  for (std::size_t k = 0; k < fixed_.size(); ++k) {
    auto entries = fixed_[k].entries();
    const auto& genes = design.configuration.entries();
    entries.insert(entries.end(), genes.begin(), genes.end());
    channels_->send(k, {design.id, kernel::Configuration(std::move(entries))});
  }
}

std::optional<Evaluation> DesignEvaluations::next() {
  if (!ready_.empty()) {
    Evaluation e = std::move(ready_.front());
    ready_.pop_front();
    return e;
  }
  while (auto arrival = channels_->next()) {
    const auto at = pending_.find(arrival->evaluation.id);
    COULOMB_CHECK(at != pending_.end(), "design {} was not being evaluated",
                  arrival->evaluation.id);
    at->second.kernels[arrival->channel] = std::move(arrival->evaluation);
    if (--at->second.missing > 0) {
      continue;
    }
    const Pending done = std::move(pending_.extract(at).mapped());
    Evaluation e = combine_kernels(study_, done.gpu, done.kernels);
    e.id = done.design.id;
    e.configuration = done.design.configuration;
    return e;
  }
  pending_.clear(); // the rest was dropped
  return std::nullopt;
}

std::uint64_t DesignEvaluations::predicted() const {
  std::uint64_t sum = 0;
  for (const Evaluator& evaluator : evaluators_) {
    sum += evaluator.predicted();
  }
  return sum;
}

} // namespace coulomb::search
