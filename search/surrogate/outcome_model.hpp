// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/individual.hpp"
#include "search/strategy/seen_points.hpp"
#include "search/surrogate/cost_model.hpp"
#include "search/surrogate/gaussian_process.hpp"
#include "search/surrogate/success_model.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace coulomb::search {

/// What steers the model of a search. Nothing here depends on a space, a budget or the number of
/// jobs; docs/search.md has the measurements behind the values.
struct ModelSettings {
  std::size_t observations = 384;    ///< most that the model holds; then the best and a sample
  std::size_t fit_observations = 96; ///< most that its lengths are fitted to
  double growth = 1.3;               ///< fitted anew when there are this many times more
  double cost_weight = 0.0;          ///< power of the expected seconds that divides the improvement
  bool operator==(const ModelSettings&) const = default;
};

/// What the evaluations so far say of configurations nobody evaluated: a Gaussian process on the
/// logarithm of the fitness value (on the value itself once one is not positive). Outcomes worse
/// than the median count as the median, so that the model spends itself on the good half. Failed
/// evaluations are no numbers: they feed the model of success.
class OutcomeModel {
public:
  OutcomeModel(const SearchSpace& space, const ModelSettings& settings, std::uint64_t seed);

  /// A point that was proposed: until its outcome is known, it counts as expected.
  void expect(Point point);
  /// Its outcome.
  void learn(const Individual& evaluated);
  /// The outcome of a point that was never proposed.
  void adopt(const Individual& immigrant);
  /// All outcomes so far, adopted ones among them, in their order, with other values.
  void relearn(std::span<const Individual> history);
  /// There are enough outcomes for a model.
  [[nodiscard]] bool ready() const { return succeeded_ >= kFewest; }
  /// The candidates must be named anew: enough was learnt since the last time.
  [[nodiscard]] bool due() const;
  /// Fits the model and watches `candidates`.
  void renew(const std::vector<Point>& candidates);
  /// More candidates, as many as there is room for.
  void watch(const std::vector<Point>& candidates);
  /// The unseen candidate of the greatest expected improvement over the best outcome, weighed by
  /// how likely it is to run and by what it costs; nothing if all were seen.
  [[nodiscard]] std::optional<Point> most_promising(const SeenPoints& seen) const;

private:
  static constexpr std::size_t kFewest = 3;

  struct Outcome {
    Point point = 0;
    bool ok = false;
    double value = 0.0;
  };

  [[nodiscard]] double transformed(double value) const;
  [[nodiscard]] float standardised(double value) const;
  [[nodiscard]] std::vector<const Outcome*> chosen(std::size_t most, std::uint64_t index) const;
  /// Keeps an outcome; true if it has a value for the process.
  bool keep(const Individual& evaluated);
  void set_scale();
  void fit();
  void observe_expectation(Point point);

  const SearchSpace* space_;
  ModelSettings settings_;
  std::uint64_t seed_;
  Correlation correlation_;
  float noise_ = 1e-3F;

  SuccessModel success_;
  CostModel cost_;             ///< learns nothing if costs do not weigh
  bool first_failure_ = false; ///< since the last renewal

  std::vector<Outcome> outcomes_;
  std::vector<Gene> genes_; ///< [outcomes][dimensions]
  std::size_t succeeded_ = 0;
  std::size_t next_fit_ = 0;
  double best_ = 0.0; ///< value of the best outcome; meaningful if any succeeded

  bool logarithmic_ = true;
  bool all_positive_ = true;
  double cap_ = 0.0;   ///< transformed values above count as this
  double mean_ = 0.0;  ///< of the transformed values
  double scale_ = 1.0; ///< their standard deviation

  std::optional<GaussianProcess> process_;
  std::vector<Point> candidates_;
  struct Expected {
    Point point = 0;
    std::optional<std::size_t> observation; ///< where the process holds it
  };
  std::deque<Expected> expected_; ///< in the order in which outcomes arrive
};

} // namespace coulomb::search
