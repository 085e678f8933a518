// SPDX-License-Identifier: Apache-2.0
#include "cli/search_estimate.hpp"

#include "base/text.hpp"
#include "cli/json_output.hpp"

#include <algorithm>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

constexpr std::size_t kProbes = 8;

/// Seconds of each probe, of whichever worker.
struct Seconds {
  std::vector<double> all;

  [[nodiscard]] double mean() const {
    return all.empty() ? 0.0 : boost::math::statistics::mean(all);
  }
  [[nodiscard]] double least() const {
    return all.empty() ? 0.0 : *std::min_element(all.begin(), all.end());
  }
  [[nodiscard]] double most() const {
    return all.empty() ? 0.0 : *std::max_element(all.begin(), all.end());
  }
  /// Standard error of the mean, as a share of it.
  [[nodiscard]] double uncertainty() const {
    if (all.size() < 2 || mean() <= 0.0) {
      return 1.0;
    }
    const auto n = static_cast<double>(all.size());
    return std::sqrt(boost::math::statistics::sample_variance(all) / n) / mean();
  }
};

struct Probes {
  std::uint64_t count = 0;
  std::uint64_t ok = 0;
  Seconds compile; ///< what the compiler needs, also of what came from the cache
  Seconds simulate;
  Seconds total;
  std::vector<std::string> failures; ///< a line each
};

Probes probe(const SearchOptions& options,
             const search::SearchSpace& space,
             search::Evaluator& evaluator) {
  RandomStream random(options.seed, "search.estimate", 0);
  std::vector<search::Candidate> candidates;
  for (const auto point : space.sample(kProbes, random)) {
    candidates.push_back({candidates.size(), space.configuration(point)});
  }
  Probes probes;
  evaluator.evaluate(candidates, [&](const search::Evaluation& e) {
    ++probes.count;
    probes.ok += e.status == eval::EvalStatus::ok ? 1U : 0U;
    probes.compile.all.push_back(e.compile.compile_s);
    probes.simulate.all.push_back(e.sim_s);
    const auto simulations = static_cast<double>(1 + options.robust); // the draws' come on top
    probes.total.all.push_back(e.compile.compile_s + simulations * e.sim_s);
    if (e.status != eval::EvalStatus::ok) {
      probes.failures.push_back(fmt::format("{}: {}", eval::to_string(e.status),
                                            e.message.substr(0, e.message.find('\n'))));
    }
  });
  return probes;
}

std::string duration(double seconds) {
  return seconds < 120.0    ? fmt::format("{:.0f} s", seconds)
         : seconds < 7200.0 ? fmt::format("{:.0f} min", seconds / 60.0)
                            : fmt::format("{:.1f} h", seconds / 3600.0);
}

} // namespace

int estimate_search(const SearchOptions& options,
                    const kernel::TunableSpec& spec,
                    const search::SearchSpace& space,
                    search::Evaluator& evaluator) {
  const Probes probes = probe(options, space, evaluator);
  const auto evaluations = std::min<std::uint64_t>(options.budget, space.size());
  const double busy = std::min<double>(options.jobs, static_cast<double>(options.lookahead));
  const double wall = static_cast<double>(evaluations) * probes.total.mean() / busy;
  if (options.json) {
    nlohmann::ordered_json json;
    json["schema"] = kJsonSchema;
    json["version"] = COULOMB_VERSION;
    json["spec"] = spec.name;
    json["space_size"] = space.size();
    json["evaluations"] = evaluations;
    json["probes"] = {{"count", probes.count}, {"ok", probes.ok}, {"failures", probes.failures}};
    json["compile_s"] = probes.compile.mean();
    json["sim_s"] = probes.simulate.mean();
    json["wall_s"] = wall;
    json["uncertainty"] = probes.total.uncertainty();
    fmt::print("{}\n", json.dump(2));
    return probes.ok > 0 ? 0 : 4;
  }
  fmt::print("dry run    {} on {}: {} of {} valid configurations would be evaluated\n", spec.name,
             options.gpu, with_thousands(evaluations), with_thousands(space.size()));
  fmt::print("probes     {} drawn at random, {} ok\n", probes.count, probes.ok);
  for (const std::string& failure : probes.failures) {
    fmt::print("           {}\n", failure);
  }
  const auto line = [](const char* what, const Seconds& s) {
    fmt::print("{:<10} {:.2f} s each, {:.2f} to {:.2f}\n", what, s.mean(), s.least(), s.most());
  };
  line("compile", probes.compile);
  line("simulate", probes.simulate);
  fmt::print("estimate   {} with {} workers, give or take {:.0f} %; nothing was stored\n",
             duration(wall), busy, 100.0 * probes.total.uncertainty());
  return probes.ok > 0 ? 0 : 4;
}

} // namespace coulomb::cli
