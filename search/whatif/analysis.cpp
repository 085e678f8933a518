// SPDX-License-Identifier: Apache-2.0
#include "search/whatif/analysis.hpp"

#include "base/error.hpp"
#include "base/eval/character.hpp"
#include "search/whatif/design.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::search {
namespace {

using eval::EvalStatus;
using kernel::Configuration;

constexpr std::size_t kInteracting = 3; ///< genes whose pairs are tried

double counter(const EvaluationRecord& record, const std::string& name) {
  const auto it = record.counters.find(name);
  return it == record.counters.end() ? 0.0 : it->second;
}

Configuration with(Configuration design, const std::string& key, const std::string& value) {
  design.set(key, value);
  return design;
}

std::string value_of(const Configuration& design, const std::string& key) {
  return kernel::to_text(*design.find(key));
}

/// `from` and `to` in the places of a change's sides.
SingleChange change_of(const std::string& key,
                       const std::string& value,
                       const EvaluationRecord& to,
                       const EvaluationRecord& from) {
  SingleChange change{.key = key, .value = value};
  const EvaluationRecord& failed = to.status == EvalStatus::ok ? from : to;
  if (failed.status != EvalStatus::ok) {
    change.problem = failed.message;
    return change;
  }
  change.effect = effect_of(to, from);
  change.exercised = std::abs(std::log(change.effect->time)) > kExercised ||
                     std::abs(std::log(change.effect->energy)) > kExercised;
  return change;
}

std::vector<SingleChange> single_changes(const Study& study,
                                         const Configuration& baseline,
                                         const EvaluationRecord& base,
                                         const EvaluateDesigns& evaluate) {
  std::vector<Configuration> designs;
  std::vector<std::pair<std::string, std::string>> changes;
  for (const StudyGene& gene : study.genes) {
    for (const std::string& value : gene.values) {
      if (value != value_of(baseline, gene.key)) {
        designs.push_back(with(baseline, gene.key, value));
        changes.emplace_back(gene.key, value);
      }
    }
  }
  const auto records = evaluate(designs);
  std::vector<SingleChange> singles;
  for (std::size_t i = 0; i < records.size(); ++i) {
    singles.push_back(change_of(changes[i].first, changes[i].second, records[i], base));
  }
  return singles;
}

/// Of each gene the value that changes time most; the genes that do so most.
std::vector<SingleChange> strongest(const std::vector<SingleChange>& singles) {
  const auto size = [](const SingleChange& c) { return std::abs(std::log(c.effect->time)); };
  std::vector<SingleChange> best;
  for (const SingleChange& single : singles) {
    if (!single.effect || !single.exercised) {
      continue;
    }
    const auto same = std::find_if(best.begin(), best.end(),
                                   [&](const SingleChange& c) { return c.key == single.key; });
    if (same == best.end()) {
      best.push_back(single);
    } else if (size(single) > size(*same)) {
      *same = single;
    }
  }
  std::stable_sort(best.begin(), best.end(),
                   [&](const SingleChange& a, const SingleChange& b) { return size(a) > size(b); });
  best.resize(std::min(best.size(), kInteracting));
  return best;
}

std::vector<Interaction> interactions_of(const std::vector<SingleChange>& singles,
                                         const Configuration& baseline,
                                         const EvaluationRecord& base,
                                         const EvaluateDesigns& evaluate) {
  const auto top = strongest(singles);
  std::vector<Interaction> pairs;
  std::vector<Configuration> designs;
  for (std::size_t a = 0; a < top.size(); ++a) {
    for (std::size_t b = a + 1; b < top.size(); ++b) {
      pairs.push_back({top[a], top[b], {}, 0.0});
      designs.push_back(with(with(baseline, top[a].key, top[a].value), top[b].key, top[b].value));
    }
  }
  const auto records = evaluate(designs);
  std::vector<Interaction> known;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].status == EvalStatus::ok) {
      Interaction pair = pairs[i];
      pair.together = effect_of(records[i], base);
      pair.beyond = std::log(pair.together.time / (pair.a.effect->time * pair.b.effect->time));
      known.push_back(std::move(pair));
    }
  }
  return known;
}

std::vector<KernelLimit>
limits_of(const Study& study, const EvaluationRecord& design, const EvaluationRecord& base) {
  std::vector<KernelLimit> limits;
  for (const StudyKernel& kernel : study.kernels) {
    KernelLimit limit{.kernel = kernel.name};
    std::tie(limit.before, limit.busy_before) = limiter_of(base, kernel.name);
    std::tie(limit.after, limit.busy_after) = limiter_of(design, kernel.name);
    limit.time = counter(design, kernel_metric(kernel.name, "time_ms")) /
                 counter(base, kernel_metric(kernel.name, "time_ms"));
    limit.sm_clock_mhz = counter(design, kernel_metric(kernel.name, "sm_clock_mhz"));
    limit.power_w = counter(design, kernel_metric(kernel.name, "power_w"));
    limits.push_back(std::move(limit));
  }
  return limits;
}

DesignReasons reasons_for(const Study& study,
                          const EvaluationRecord& design,
                          const Configuration& baseline,
                          const EvaluationRecord& base,
                          const EvaluateDesigns& evaluate) {
  DesignReasons reasons{design, effect_of(design, base), limits_of(study, design, base), {}};
  std::vector<Configuration> without;
  std::vector<std::string> keys;
  for (const StudyGene& gene : study.genes) {
    const std::string before = value_of(baseline, gene.key);
    if (value_of(design.configuration, gene.key) != before) {
      without.push_back(with(design.configuration, gene.key, before));
      keys.push_back(gene.key);
    }
  }
  const auto records = evaluate(without);
  for (std::size_t i = 0; i < records.size(); ++i) {
    reasons.changes.push_back(
        change_of(keys[i], value_of(design.configuration, keys[i]), design, records[i]));
  }
  return reasons;
}

} // namespace

Effect effect_of(const EvaluationRecord& design, const EvaluationRecord& base) {
  const auto ratio = [&](const char* name) { return counter(design, name) / counter(base, name); };
  return {design.time_ms / base.time_ms, ratio("model__energy.sum"), ratio("model__power.avg"),
          counter(design, "model__area.mm2") - counter(base, "model__area.mm2")};
}

std::pair<std::string, double> limiter_of(const EvaluationRecord& design,
                                          const std::string& kernel) {
  const std::string prefix = kernel_metric(kernel, "busy.");
  std::pair<std::string, double> limiter{"latency", 0.0};
  for (auto it = design.counters.lower_bound(prefix);
       it != design.counters.end() && it->first.starts_with(prefix); ++it) {
    if (it->second > limiter.second) {
      limiter = {it->first.substr(prefix.size()), it->second};
    }
  }
  if (limiter.second < eval::kLimitingUtilization) {
    limiter.first = "latency";
  }
  return limiter;
}

std::optional<StudyAnalysis> analyse_study(const Study& study,
                                           const Configuration& baseline,
                                           const std::vector<EvaluationRecord>& designs,
                                           const EvaluateDesigns& evaluate) {
  const auto base = evaluate({baseline});
  if (base.empty()) {
    return std::nullopt;
  }
  StudyAnalysis analysis;
  analysis.baseline = base.front();
  if (analysis.baseline.status != EvalStatus::ok) {
    throw UserError(fmt::format("what-if: the baseline design is {}: {}",
                                eval::to_string(analysis.baseline.status),
                                analysis.baseline.message),
                    "begin from a GPU that keeps to the limits, or loosen them");
  }
  bool interrupted = false;
  const EvaluateDesigns all = [&](const std::vector<Configuration>& wanted) {
    auto records = wanted.empty() ? std::vector<EvaluationRecord>() : evaluate(wanted);
    interrupted = interrupted || records.size() != wanted.size();
    return interrupted ? std::vector<EvaluationRecord>() : records;
  };
  analysis.singles = single_changes(study, baseline, analysis.baseline, all);
  analysis.interactions = interactions_of(analysis.singles, baseline, analysis.baseline, all);
  for (const EvaluationRecord& design : designs) {
    analysis.designs.push_back(reasons_for(study, design, baseline, analysis.baseline, all));
  }
  return interrupted ? std::nullopt : std::optional(std::move(analysis));
}

} // namespace coulomb::search
