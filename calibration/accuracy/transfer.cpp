// SPDX-License-Identifier: Apache-2.0
#include "calibration/accuracy/transfer.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "calibration/statistics.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace coulomb::calibration {
namespace {

using Times = std::vector<std::optional<double>>;

/// Ratio of the times of each match, of those that have both.
struct Ratios {
  std::vector<double> measured;
  std::vector<double> predicted;
};

Ratios ratios_of(const std::vector<Observation>& observations,
                 const std::vector<Match>& matched,
                 const Times& times) {
  Ratios out;
  for (const Match& m : matched) {
    if (times[m.from] && times[m.to]) {
      out.measured.push_back(observations[m.from].silicon_ms / observations[m.to].silicon_ms);
      out.predicted.push_back(*times[m.from] / *times[m.to]);
    }
  }
  return out;
}

std::set<std::string> kernels_on(const std::vector<Observation>& observations,
                                 const std::string& board,
                                 const KernelIdentity& identity) {
  std::set<std::string> kernels;
  for (const Observation& o : observations) {
    if (o.board == board) {
      kernels.insert(identity.kernel_of(o.spec));
    }
  }
  return kernels;
}

/// Figures of the times on `to`, of those that `times` has.
AccuracyFigures absolute(const std::vector<Observation>& observations,
                         const std::vector<std::size_t>& chosen,
                         const Times& times,
                         const BootstrapSettings& bootstrap,
                         const std::string& name) {
  std::vector<double> silicon;
  std::vector<double> predicted;
  std::vector<double> noise;
  for (const std::size_t i : chosen) {
    if (times[i]) {
      silicon.push_back(observations[i].silicon_ms);
      predicted.push_back(*times[i]);
      noise.push_back(observations[i].silicon_noise);
    }
  }
  return accuracy_figures(silicon, predicted, noise, bootstrap, name);
}

std::vector<std::size_t> positions(const std::vector<Observation>& observations,
                                   const std::string& board,
                                   const std::string& kernel,
                                   const KernelIdentity& identity) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (observations[i].board == board && identity.kernel_of(observations[i].spec) == kernel) {
      found.push_back(i);
    }
  }
  return found;
}

Times simulated_times(const std::vector<Observation>& observations) {
  Times times;
  for (const Observation& o : observations) {
    times.emplace_back(o.sim_ms);
  }
  return times;
}

} // namespace

std::vector<Match> matches(const std::vector<Observation>& observations,
                           const std::string& from,
                           const std::string& to,
                           const std::string& kernel,
                           const KernelIdentity& identity) {
  const auto key = [&](std::size_t i) {
    return identity.key(observations[i].spec, observations[i].parameters);
  };
  std::map<std::string, std::size_t> on_to;
  for (const std::size_t i : positions(observations, to, kernel, identity)) {
    on_to.emplace(key(i), i);
  }
  std::vector<Match> found;
  std::set<std::string> seen;
  for (const std::size_t i : positions(observations, from, kernel, identity)) {
    const auto other = on_to.find(key(i));
    if (other != on_to.end() && seen.insert(other->first).second) {
      found.push_back({i, other->second});
    }
  }
  return found;
}

RatioFigures ratio_figures(const std::vector<double>& measured,
                           const std::vector<double>& predicted,
                           const BootstrapSettings& bootstrap,
                           const std::string& name) {
  // Errors of a ratio are those of a time: (predicted - measured) / measured.
  const AccuracyFigures f = accuracy_figures(measured, predicted, {}, bootstrap, "ratio." + name);
  return {.n = f.n, .median = f.median, .p90 = f.p90, .bias = f.bias.value, .spearman = f.spearman};
}

std::vector<std::optional<double>> transferred_times(const std::vector<Observation>& observations,
                                                     const std::string& from,
                                                     const std::string& to,
                                                     const KernelIdentity& identity,
                                                     const HeldOutSettings& settings,
                                                     const Calibrate& calibrate) {
  const auto group = held_out_groups(observations, HeldOut::configuration, identity);
  const std::size_t groups = group.empty() ? 0 : *std::max_element(group.begin(), group.end()) + 1;
  const auto fold = folds_of(groups, settings.folds, settings.seed);
  Times times(observations.size());
  for (std::size_t f = 0; f < settings.folds; ++f) {
    std::vector<Observation> known;
    std::vector<Observation> asked;
    std::vector<std::size_t> asked_at;
    for (std::size_t i = 0; i < observations.size(); ++i) {
      const Observation& o = observations[i];
      if (o.board == from && fold[group[i]] != f) {
        known.push_back(o);
      } else if ((o.board == from || o.board == to) && fold[group[i]] == f) {
        asked.push_back(o);
        asked_at.push_back(i);
      }
    }
    if (known.empty() || asked.empty()) {
      continue;
    }
    const auto corrected = calibrate(known, asked);
    COULOMB_CHECK(corrected.size() == asked.size(), "{} corrected times for {} observations",
                  corrected.size(), asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      times[asked_at[i]] = corrected[i];
    }
  }
  return times;
}

std::vector<Transfer> transfers(const std::vector<Observation>& observations,
                                const std::string& from,
                                const std::string& to,
                                const KernelIdentity& identity,
                                const std::vector<std::optional<double>>& held_out,
                                const std::vector<std::optional<double>>& transferred,
                                const BootstrapSettings& bootstrap) {
  const Times simulated = simulated_times(observations);
  const auto on_to = kernels_on(observations, to, identity);
  std::vector<Transfer> all;
  for (const std::string& kernel : kernels_on(observations, from, identity)) {
    if (!on_to.contains(kernel)) {
      continue;
    }
    const auto matched = matches(observations, from, to, kernel, identity);
    const auto of_to = positions(observations, to, kernel, identity);
    const std::string name = fmt::format("{}.{}.{}", from, to, kernel);
    const auto figures = [&](const Times& times) {
      const Ratios r = ratios_of(observations, matched, times);
      return ratio_figures(r.measured, r.predicted, bootstrap, name);
    };
    const auto measured = ratios_of(observations, matched, simulated).measured;
    Transfer t;
    t.from = from;
    t.to = to;
    t.kernel = kernel;
    t.from_n = positions(observations, from, kernel, identity).size();
    t.to_n = of_to.size();
    t.ratio_p10 = quantile(measured, 0.1);
    t.ratio_median = quantile(measured, 0.5);
    t.ratio_p90 = quantile(measured, 0.9);
    t.constant =
        ratio_figures(measured, std::vector<double>(measured.size(), t.ratio_median.value_or(0.0)),
                      bootstrap, name);
    t.simulator = figures(simulated);
    t.to_simulator = absolute(observations, of_to, simulated, bootstrap, name);
    if (!held_out.empty()) {
      t.both = figures(held_out);
    }
    if (!transferred.empty()) {
      t.from_only = figures(transferred);
      t.to_calibrated = absolute(observations, of_to, transferred, bootstrap, name);
    }
    all.push_back(std::move(t));
  }
  return all;
}

} // namespace coulomb::calibration
