// SPDX-License-Identifier: Apache-2.0
#ifdef COULOMB_HAS_RANGE_PROFILER

#include "hw/cupti/metric_catalogue.hpp"

#include "base/text.hpp"
#include "hw/cupti/host_profiler.hpp"
#include "hw/cupti/legacy_names.hpp"
#include "hw/cupti/metric_plan.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <map>

namespace coulomb::hw {
namespace {

constexpr MetricKind kKinds[] = {MetricKind::counter, MetricKind::ratio, MetricKind::throughput};

/// "sm__inst_executed.avg.per_second" -> {"sm__inst_executed", ".avg.per_second"}.
std::pair<std::string, std::string> split(const std::string& name) {
  const std::size_t dot = name.find('.');
  return dot == std::string::npos ? std::pair{name, std::string{}}
                                  : std::pair{name.substr(0, dot), name.substr(dot)};
}

/// Those of the fewest words: ".sum" of ".sum, .sum.per_second, ...".
std::vector<std::string> shortest(const std::vector<std::string>& rollups) {
  const auto words = [](const std::string& rollup) {
    return std::count(rollup.begin(), rollup.end(), '.');
  };
  std::vector<std::string> out;
  for (const std::string& rollup : rollups) {
    if (!out.empty() && words(rollup) < words(out.front())) {
      out.clear();
    }
    if (out.empty() || words(rollup) == words(out.front())) {
      out.push_back(rollup);
    }
  }
  return out;
}

} // namespace

struct MetricCatalogue::Parts {
  using Bases = std::map<std::string, MetricKind>;

  explicit Parts(const CuptiPaths& paths) : library(std::make_shared<const CuptiLibrary>(paths)) {
    COULOMB_CUPTI_PARAMS(CUpti_Profiler_Host_GetSupportedChips_Params, p);
    library->check(library->cuptiProfilerHostGetSupportedChips(&p),
                   "cuptiProfilerHostGetSupportedChips");
    chips.assign(p.ppChipNames, p.ppChipNames + p.numChips);
  }

  void require(const std::string& chip) const {
    if (std::find(chips.begin(), chips.end(), chip) == chips.end()) {
      throw UserError(fmt::format("CUPTI {} knows no chip \"{}\"{}; known: {}", library->version(),
                                  chip, did_you_mean(chip, chips), fmt::join(chips, ", ")));
    }
  }

  const Bases& bases_of(const std::string& chip) {
    const auto [it, fresh] = bases.try_emplace(chip);
    if (fresh) {
      const HostProfiler host(library, chip);
      for (const MetricKind kind : kKinds) {
        for (std::string& name : host.base_metrics(kind)) {
          it->second.emplace(std::move(name), kind);
        }
      }
    }
    return it->second;
  }

  [[nodiscard]] bool collectable(const std::string& chip, const std::string& name) const {
    return HostProfiler(library, chip).add({name}); // a name that is refused spoils the object
  }

  void advise(const std::string& chip, const HostProfiler& host, MetricCheck& out);
  void advise_rollup(const std::string& chip, const HostProfiler& host, MetricCheck& out);

  std::shared_ptr<const CuptiLibrary> library;
  std::vector<std::string> chips;
  std::map<std::string, Bases> bases;
};

/// The base is right: only what follows it can be wrong.
void MetricCatalogue::Parts::advise_rollup(const std::string& chip,
                                           const HostProfiler& host,
                                           MetricCheck& out) {
  const auto [base, rollup] = split(out.name);
  const MetricKind kind = bases_of(chip).at(base);
  const std::vector<std::string> rollups = host.rollups(base, kind);
  // What is most often wanted of each kind, if nothing nearer is found.
  const std::string usual = kind == MetricKind::counter ? ".sum"
                            : kind == MetricKind::ratio ? ".ratio"
                                                        : ".avg.pct_of_peak_sustained_elapsed";
  const std::string near = rollup.empty() ? std::string{} : nearest(rollup, rollups);
  out.suggestion = base + (near.empty() ? usual : near);
  out.advice = rollup.empty()
                   ? fmt::format("{} needs a roll-up: {}", base, fmt::join(shortest(rollups), ", "))
                   : fmt::format("{} has no roll-up {}", base, rollup);
}

void MetricCatalogue::Parts::advise(const std::string& chip,
                                    const HostProfiler& host,
                                    MetricCheck& out) {
  const Bases& known = bases_of(chip);
  const auto [base, rollup] = split(out.name);
  if (known.count(base) > 0) {
    advise_rollup(chip, host, out);
    return;
  }
  if (const LegacyName* old = find_legacy_name(out.name)) {
    out.suggestion = old->metric;
    out.advice = "a name of nvprof, which GPUs of Volta and later do not have";
    return;
  }
  out.advice = out.name.rfind("launch__", 0) == 0
                   ? "launch__ names are Nsight Compute's, taken from the launch and not counted"
                   : fmt::format("{} has no metric {}", chip, base);
  std::vector<std::string> names;
  for (const auto& [name, kind] : known) {
    names.push_back(name);
  }
  const std::string near = nearest(base, names);
  if (near.empty()) {
    return;
  }
  MetricCheck other;
  other.name = near + rollup;
  if (!rollup.empty() && collectable(chip, other.name)) {
    out.suggestion = other.name;
  } else {
    advise_rollup(chip, host, other);
    out.suggestion = other.suggestion;
  }
}

MetricCatalogue::MetricCatalogue(const CuptiPaths& paths)
    : parts_(std::make_unique<Parts>(paths)) {}
MetricCatalogue::MetricCatalogue(MetricCatalogue&&) noexcept = default;
MetricCatalogue& MetricCatalogue::operator=(MetricCatalogue&&) noexcept = default;
MetricCatalogue::~MetricCatalogue() = default;

const std::string& MetricCatalogue::path() const {
  return parts_->library->path();
}

const std::string& MetricCatalogue::version() const {
  return parts_->library->version();
}

std::vector<std::string> MetricCatalogue::chips() const {
  return parts_->chips;
}

std::vector<BaseMetric> MetricCatalogue::base_metrics(const std::string& chip) const {
  parts_->require(chip);
  std::vector<BaseMetric> out;
  for (const auto& [name, kind] : parts_->bases_of(chip)) {
    out.push_back({name, kind});
  }
  return out;
}

std::vector<MetricCheck> MetricCatalogue::check(const std::string& chip,
                                                const std::vector<std::string>& names) const {
  parts_->require(chip);
  const HostProfiler host(parts_->library, chip);
  std::vector<MetricCheck> out;
  for (const std::string& name : names) {
    MetricCheck& answer = out.emplace_back();
    answer.name = name;
    answer.known = host.describe(name, answer) && parts_->collectable(chip, name);
    if (!answer.known) {
      parts_->advise(chip, host, answer);
    }
  }
  return out;
}

std::size_t MetricCatalogue::passes(const std::string& chip,
                                    const std::vector<std::string>& names) const {
  parts_->require(chip);
  const MetricPlan plan = plan_metrics(parts_->library, chip, {}, names);
  if (!plan.unknown.empty()) {
    throw UserError(fmt::format("{} does not know {}", chip, fmt::join(plan.unknown, ", ")),
                    "coulomb hw metrics NAME... --chip " + chip + " tells what was probably meant");
  }
  return plan.passes();
}

} // namespace coulomb::hw

#endif
