// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/search_quality/quality.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

namespace coulomb::bench {
namespace {

constexpr std::size_t kLongestScore = 500;
constexpr std::size_t kFivePercent = 1; // of kWithin

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[n / 2] + values[(n - 1) / 2]) / 2.0;
}

/// What one search did.
struct Course {
  std::vector<double> best;    ///< after each evaluation (0: unused); at first the space's worst
  std::vector<double> seconds; ///< spent until then
};

/// `failed` counts the failures in the second half.
Course course_of(const RecordedSpace& recorded,
                 search::Strategy strategy,
                 std::size_t budget,
                 std::atomic<std::size_t>& failed) {
  Course course{std::vector<double>(budget + 1, recorded.worst()),
                std::vector<double>(budget + 1, 0.0)};
  auto& best = course.best;
  std::vector<search::Individual> evaluated;
  std::size_t committed = 0;
  bool found = false;
  for (std::size_t k = 1; k <= budget; ++k) {
    best[k] = best[k - 1];
    course.seconds[k] = course.seconds[k - 1];
    while (committed < strategy.needs()) {
      strategy.commit(evaluated[committed++]);
    }
    const auto proposal = strategy.propose();
    if (!proposal) {
      continue; // exhausted
    }
    const auto& fitness = recorded.fitness[proposal->point];
    const double seconds = recorded.seconds[proposal->point];
    course.seconds[k] += seconds;
    evaluated.push_back({proposal->id, proposal->point, fitness, seconds});
    if (fitness.status == eval::EvalStatus::ok) {
      best[k] = found ? std::min(best[k], fitness.value) : fitness.value;
      found = true;
    } else if (2 * k > budget) {
      ++failed;
    }
  }
  return course;
}

} // namespace

double Quality::score() const {
  return std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
}

double Quality::median(std::size_t within) const {
  return median_of({evaluations[within].begin(), evaluations[within].end()});
}

double Quality::median_seconds(std::size_t within) const {
  return median_of(seconds[within]);
}

double Quality::reached(std::size_t within) const {
  const auto& all = evaluations[within];
  const auto there = std::count_if(all.begin(), all.end(), [&](auto n) { return n <= budget; });
  return static_cast<double>(there) / static_cast<double>(all.size());
}

Paired paired_difference(const std::vector<Quality>& of, const std::vector<Quality>& to) {
  Paired paired;
  const auto spaces = static_cast<double>(of.size());
  double variance = 0.0;
  double log_ratio = 0.0;
  for (std::size_t s = 0; s < of.size(); ++s) {
    const auto seeds = of[s].scores.size();
    const auto n = static_cast<double>(seeds);
    double mean = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < seeds; ++i) {
      const double difference = of[s].scores[i] - to[s].scores[i];
      mean += difference / n;
      squares += difference * difference / n;
      log_ratio +=
          std::log(of[s].seconds[kFivePercent][i] / to[s].seconds[kFivePercent][i]) / (n * spaces);
    }
    paired.score += mean / spaces;
    variance += std::max(0.0, squares - mean * mean) / std::max(1.0, n - 1.0) / (spaces * spaces);
  }
  paired.score_error = std::sqrt(variance);
  paired.seconds_ratio = std::exp(log_ratio);
  return paired;
}

std::size_t budget_end(const RecordedSpace& recorded) {
  const double target = recorded.median() - 0.95 * (recorded.median() - recorded.optimum());
  const auto n = recorded.valid.size();
  const auto good = static_cast<std::size_t>(
      std::upper_bound(recorded.valid.begin(), recorded.valid.end(), target) -
      recorded.valid.begin());
  const std::size_t i = n - good; // from worst to best, the first that is good enough
  return static_cast<std::size_t>(
      std::ceil(static_cast<double>(i) / static_cast<double>(n + 1 - i)));
}

std::vector<double> random_curve(const RecordedSpace& recorded, std::size_t draws) {
  const double total = static_cast<double>(recorded.space.size());
  std::vector<double> curve(draws + 1, recorded.worst());
  for (std::size_t k = 1; k <= draws; ++k) {
    // The j-th best valid one is drawn and none better: C(N-j, k-1) / C(N, k).
    double probability = static_cast<double>(k) / total;
    double expected = 0.0;
    double any = 0.0;
    for (std::size_t j = 1; j <= recorded.valid.size() && probability > 0.0; ++j) {
      expected += probability * recorded.valid[j - 1];
      any += probability;
      const double left = total - static_cast<double>(j);
      probability *= std::max(0.0, left - static_cast<double>(k) + 1.0) / left;
    }
    curve[k] = expected / any;
  }
  return curve;
}

Quality measure_quality(const RecordedSpace& recorded,
                        const MakeStrategy& make,
                        std::size_t seeds,
                        std::size_t budget,
                        std::size_t threads) {
  std::vector<Course> courses(seeds);
  std::atomic<std::size_t> next{0};
  std::atomic<std::int64_t> nanoseconds{0};
  std::atomic<std::size_t> failed{0};
  const auto work = [&] {
    for (std::size_t seed = next++; seed < seeds; seed = next++) {
      const auto start = std::chrono::steady_clock::now();
      courses[seed] = course_of(recorded, make(recorded.space, seed + 1), budget, failed);
      nanoseconds += (std::chrono::steady_clock::now() - start).count();
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i) {
    others.emplace_back(work);
  }
  work();
  others.clear();

  Quality quality;
  quality.budget = budget;
  quality.failed = 2.0 * static_cast<double>(failed) / static_cast<double>(seeds * budget);
  quality.seconds_per_candidate =
      static_cast<double>(nanoseconds) * 1e-9 / static_cast<double>(seeds * budget);
  const std::size_t end = std::min({budget_end(recorded), kLongestScore, budget});
  const auto random = random_curve(recorded, end);
  for (const auto& [curve, seconds] : courses) {
    double score = 0.0;
    for (std::size_t k = 1; k <= end; ++k) {
      score += (random[k] - curve[k]) / (random[k] - recorded.optimum());
    }
    quality.scores.push_back(score / static_cast<double>(end));
    for (std::size_t w = 0; w < kWithin.size(); ++w) {
      const double limit = recorded.optimum() * (1.0 + kWithin[w]);
      const auto at = std::find_if(curve.begin() + 1, curve.end(),
                                   [&](double value) { return value <= limit; });
      const auto needed = static_cast<std::size_t>(at - curve.begin());
      quality.evaluations[w].push_back(needed);
      quality.seconds[w].push_back(seconds[std::min(needed, budget)]);
    }
  }
  for (std::size_t r = 0; r < kRegretAt.size(); ++r) {
    std::vector<double> regrets;
    for (const auto& [curve, seconds] : courses) {
      regrets.push_back(curve[std::min(kRegretAt[r], budget)] / recorded.optimum() - 1.0);
    }
    quality.regret[r] = median_of(regrets);
  }
  return quality;
}

} // namespace coulomb::bench
