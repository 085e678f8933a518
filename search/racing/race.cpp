// SPDX-License-Identifier: Apache-2.0
#include "search/racing/race.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>

namespace coulomb::search {
namespace {

using boost::math::statistics::mean;
using boost::math::statistics::sample_variance;

/// True if `a` is larger than `b` in the mean, by a one-sided paired t-test with this error.
bool surely_worse(const std::vector<double>& a, const std::vector<double>& b, double error) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) {
    differences.push_back(a[i] - b[i]);
  }
  const double worse = mean(differences);
  const auto n = static_cast<double>(differences.size());
  const double deviation = std::sqrt(sample_variance(differences) / n);
  if (deviation == 0.0) {
    return worse > 0.0;
  }
  const boost::math::students_t distribution(n - 1.0);
  return worse / deviation > boost::math::quantile(boost::math::complement(distribution, error));
}

/// The candidates that still run, with what they measured.
class Field {
public:
  Field(std::size_t candidates, const Sampler& sample)
      : sample_(sample), samples_(candidates), failed_(candidates, false) {
    for (std::size_t c = 0; c < candidates; ++c) {
      running_.push_back(c);
    }
  }

  void repeat(std::uint64_t repetition) {
    std::erase_if(running_, [&](std::size_t c) {
      const auto value = sample_(c, repetition);
      ++measurements_;
      failed_[c] = !value || !std::isfinite(*value);
      if (!failed_[c]) {
        samples_[c].push_back(*value);
      }
      return failed_[c];
    });
  }
  [[nodiscard]] std::optional<std::size_t> leader() const {
    const auto at =
        std::min_element(running_.begin(), running_.end(), [&](std::size_t a, std::size_t b) {
          return mean(samples_[a]) < mean(samples_[b]);
        });
    return at == running_.end() ? std::nullopt : std::optional(*at);
  }
  void drop_losers(double error) {
    if (const auto best = leader()) {
      std::erase_if(running_, [&](std::size_t c) {
        return c != *best && surely_worse(samples_[c], samples_[*best], error);
      });
    }
  }
  [[nodiscard]] std::size_t running() const { return running_.size(); }
  [[nodiscard]] RaceOutcome outcome() const {
    RaceOutcome outcome{.racers = {}, .winner = leader(), .measurements = measurements_};
    for (std::size_t c = 0; c < samples_.size(); ++c) {
      const bool stayed = std::find(running_.begin(), running_.end(), c) != running_.end();
      outcome.racers.push_back({.candidate = c,
                                .samples = samples_[c].size(),
                                .mean = samples_[c].empty() ? 0.0 : mean(samples_[c]),
                                .failed = failed_[c],
                                .tied = stayed && c != outcome.winner});
    }
    return outcome;
  }

private:
  const Sampler& sample_;
  std::vector<std::vector<double>> samples_;
  std::vector<bool> failed_;
  std::vector<std::size_t> running_;
  std::uint64_t measurements_ = 0;
};

} // namespace

RaceOutcome race(std::size_t candidates, const Sampler& sample, const RaceSettings& settings) {
  COULOMB_CHECK(settings.least >= 2 && settings.most >= settings.least,
                "a race of {} to {} repetitions", settings.least, settings.most);
  const double tests = static_cast<double>(std::max<std::size_t>(candidates, 2) - 1) *
                       static_cast<double>(settings.most - settings.least + 1);
  Field field(candidates, sample);
  for (std::uint64_t i = 0; i < settings.most; ++i) {
    field.repeat(settings.first_repetition + i);
    if (i + 1 >= settings.least) {
      field.drop_losers(settings.error / tests);
      if (field.running() <= 1) {
        break;
      }
    }
  }
  return field.outcome();
}

} // namespace coulomb::search
