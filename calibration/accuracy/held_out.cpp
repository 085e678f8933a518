// SPDX-License-Identifier: Apache-2.0
#include "calibration/accuracy/held_out.hpp"

#include "base/error.hpp"
#include "base/random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace coulomb::calibration {
namespace {

/// Board, specification and every bit of the simulation: equal for the same machine code only.
std::string simulation_key(const Observation& o) {
  std::string key =
      fmt::format("{}\n{}\n{:x}", o.board, o.spec, std::bit_cast<std::uint64_t>(o.sim_ms));
  for (const double f : o.features) {
    key +=
        std::isnan(f) ? std::string("\n-") : fmt::format("\n{:x}", std::bit_cast<std::uint64_t>(f));
  }
  return key;
}

/// Merges what must stay together (disjoint sets with path halving).
class Sets {
public:
  explicit Sets(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) {
      i = parent_[i] = parent_[parent_[i]];
    }
    return i;
  }
  void merge(std::size_t a, std::size_t b) { parent_[root(b)] = root(a); }

private:
  std::vector<std::size_t> parent_;
};

std::vector<std::string>
keys_of(const Observation& o, HeldOut what, const KernelIdentity& identity) {
  switch (what) {
  case HeldOut::configuration:
    // The prefixes keep the two kinds of key apart.
    return {std::string("c").append(identity.key(o.spec, o.parameters)),
            std::string("s").append(simulation_key(o))};
  case HeldOut::kernel:
    return {identity.kernel_of(o.spec)};
  case HeldOut::board:
    return {o.board};
  }
  return {};
}

std::vector<double> calibrated(const std::vector<Observation>& known,
                               const std::vector<Observation>& asked,
                               const Calibrate& calibrate) {
  std::vector<double> times = calibrate(known, asked);
  COULOMB_CHECK(times.size() == asked.size(), "{} corrected times for {} observations",
                times.size(), asked.size());
  return times;
}

} // namespace

std::vector<std::size_t> held_out_groups(const std::vector<Observation>& observations,
                                         HeldOut what,
                                         const KernelIdentity& identity) {
  Sets sets(observations.size());
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    for (const std::string& key : keys_of(observations[i], what, identity)) {
      sets.merge(first.emplace(key, i).first->second, i);
    }
  }
  std::map<std::size_t, std::size_t> number;
  std::vector<std::size_t> groups;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    groups.push_back(number.emplace(sets.root(i), number.size()).first->second);
  }
  return groups;
}

std::vector<std::size_t> folds_of(std::size_t groups, std::size_t folds, std::uint64_t seed) {
  COULOMB_CHECK(folds >= 2, "{} folds", folds);
  std::vector<std::size_t> order(groups);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream random(seed, "accuracy.folds");
  for (std::size_t i = groups; i > 1; --i) {
    std::swap(order[i - 1], order[random.below(i)]);
  }
  std::vector<std::size_t> fold(groups);
  for (std::size_t i = 0; i < groups; ++i) {
    fold[order[i]] = i % folds;
  }
  return fold;
}

std::vector<std::optional<double>> held_out_times(const std::vector<Observation>& observations,
                                                  HeldOut what,
                                                  const KernelIdentity& identity,
                                                  const HeldOutSettings& settings,
                                                  const Calibrate& calibrate) {
  std::vector<std::size_t> fold = held_out_groups(observations, what, identity);
  const std::size_t groups = fold.empty() ? 0 : *std::max_element(fold.begin(), fold.end()) + 1;
  std::size_t folds = groups;
  if (what == HeldOut::configuration) {
    folds = settings.folds;
    const auto of_group = folds_of(groups, folds, settings.seed);
    std::transform(fold.begin(), fold.end(), fold.begin(),
                   [&](std::size_t group) { return of_group[group]; });
  }
  std::vector<std::optional<double>> times(observations.size());
  for (std::size_t f = 0; f < folds; ++f) {
    std::vector<Observation> known;
    std::vector<Observation> asked;
    for (std::size_t i = 0; i < observations.size(); ++i) {
      (fold[i] == f ? asked : known).push_back(observations[i]);
    }
    if (known.empty() || asked.empty()) {
      continue;
    }
    const auto corrected = calibrated(known, asked, calibrate);
    for (std::size_t i = 0, next = 0; i < observations.size(); ++i) {
      if (fold[i] == f) {
        times[i] = corrected[next++];
      }
    }
  }
  return times;
}

} // namespace coulomb::calibration
