// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/noise_fit.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "calibration/noise/simplex_search.hpp"
#include "calibration/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace coulomb::calibration {
namespace {

constexpr double kStep = 0.02;          ///< smaller level steps are taken for drift
constexpr double kSigmaPer90 = 3.29;    ///< p95 less p5 of a normal distribution
constexpr double kSigmaPerMad = 1.4826; ///< of a normal distribution
constexpr double kExtremeStep = 0.05; ///< quantile of the steps that stands for the furthest state

/// The filter that keeps rows by their clock, if the table has one.
const results::RowFilter* clock_filter(const results::SiliconTable& table) {
  for (const results::RowFilter& f : table.metadata.filters) {
    if (f.column == "clock_state") {
      return &f;
    }
  }
  return nullptr;
}

bool is_fitted_half(std::size_t row, std::uint64_t seed) {
  return hash64(fmt::format("noise split {}", row), seed) % 2 == 0;
}

/// The variables of the simplex search, on scales where a step of one means much the same anywhere.
using Variables = std::vector<double>;

Variables variables_of(const NoiseParameters& p) {
  return {std::log(p.core_ms), std::log(p.core_relative), std::log(p.core_spread), p.skew,
          std::atanh(p.autocorrelation)};
}

NoiseParameters with(NoiseParameters p, const Variables& v) {
  p.core_ms = std::clamp(std::exp(v[0]), 1e-9, 1e3);
  p.core_relative = std::clamp(std::exp(v[1]), 1e-9, 1.0);
  p.core_spread = std::clamp(std::exp(v[2]), 1e-3, 3.0);
  p.skew = std::clamp(v[3], -2.0, 2.0);
  p.autocorrelation = std::clamp(std::tanh(v[4]), -0.99, 0.99);
  return p;
}

std::optional<double> figure(const NoiseAgreement& a, const std::string& name, bool recorded) {
  for (const NoiseFigure& f : a.figures) {
    if (f.name == name) {
      return recorded ? f.recorded : f.simulated;
    }
  }
  return std::nullopt;
}

/// How far apart the tails are, which weigh nothing in a Kolmogorov-Smirnov distance: the mean
/// |ln(simulated / recorded)| of the outer quantiles.
double tail_distance(const NoiseAgreement& a) {
  double sum = 0.0;
  std::size_t n = 0;
  for (const char* name : {"residual p1", "residual p99", "residual p99.9"}) {
    const double real = std::abs(figure(a, name, true).value_or(0.0));
    const double ours = std::abs(figure(a, name, false).value_or(0.0));
    if (real > 0.0) {
      sum += std::abs(std::log(std::max(ours, 1e-3 * real) / real));
      ++n;
    }
  }
  return n == 0 ? 0.0 : sum / double(n);
}

double distance(const NoiseAgreement& a) {
  constexpr double kTailWeight = 0.2; // half the tail too short costs as much as 0.14 of distance
  const char* const name = "lag-1 autocorrelation p50";
  const double lag = figure(a, name, true).value_or(0.0) - figure(a, name, false).value_or(0.0);
  return a.ks + mean(a.ks_fifths).value_or(0.0) + a.ks_range + std::abs(lag) +
         kTailWeight * tail_distance(a);
}

double sigma_of(const std::vector<double>& values) {
  return (*quantile(values, 0.95) - *quantile(values, 0.05)) / kSigmaPer90;
}

double share(std::size_t n, const ClockEvidence& evidence) {
  return evidence.ran == 0 ? 0.0 : double(n) / double(evidence.ran);
}

NoiseAgreement half_agreement(const NoiseHalf& half,
                              const MeasurementNoise& noise,
                              ClockState clock,
                              std::uint64_t seed) {
  NoiseAgreement result = agreement(half.recorded, noise, clock, seed);
  const NoiseParameters& p = noise.parameters();
  result.figures.push_back(
      {"share with a clock step", "", share(half.clock.stepped, half.clock), p.step_probability});
  result.figures.push_back({"share off the stated clock", "",
                            share(half.clock.off_clock, half.clock), p.clock_probability});
  return result;
}

/// What needs no search: timer, first run, clock.
NoiseParameters direct_estimates(const NoiseData& data) {
  NoiseParameters p;
  p.quantum_ms = timer_quantum_ms(data.fitted.recorded.launches);
  const Jitter jitter = jitter_of(data.fitted.recorded.launches, p.quantum_ms);
  p.first_excess_ms = *quantile(jitter.first_excess_ms, 0.5);
  // Run 1 has the jitter of any other run too: that of the last one, of which no excess is left.
  std::vector<double> last;
  for (std::size_t c = 0; c < jitter.medians_ms.size(); ++c) {
    last.push_back(data.fitted.recorded.launches[c].back() - jitter.medians_ms[c]);
  }
  const double all = sigma_of(jitter.first_excess_ms);
  const double own = sigma_of(last);
  p.first_spread_ms = std::sqrt(std::max(all * all - own * own, 0.0));
  std::vector<double> second;
  for (const Launches& l : data.fitted.recorded.launches) {
    second.push_back(l[1] - *quantile({l.begin() + 2, l.end()}, 0.5));
  }
  if (p.first_excess_ms != 0.0) {
    p.excess_carry = std::clamp(*quantile(second, 0.5) / p.first_excess_ms, 0.0, 0.99);
  }
  p.step_probability = share(data.fitted.clock.stepped, data.fitted.clock);
  p.clock_probability = share(data.fitted.clock.off_clock, data.fitted.clock);
  if (!data.fitted.clock.steps.empty()) {
    // Down to the fastest state or up to the slowest, whichever way most steps go.
    const bool faster = *quantile(data.fitted.clock.steps, 0.5) < 1.0;
    p.clock_factor = std::clamp(
        *quantile(data.fitted.clock.steps, faster ? kExtremeStep : 1.0 - kExtremeStep), 0.1, 10.0);
  }
  return p;
}

/// Where the search begins: the spread that the medians of the absolute residuals suggest.
NoiseParameters first_guess(const NoiseData& data, NoiseParameters p) {
  const Jitter jitter = jitter_of(data.fitted.recorded.launches, p.quantum_ms);
  const double step = (p.quantum_ms > 0.0 ? p.quantum_ms : 1e-6) / 2.0;
  std::vector<double> magnitudes;
  for (const std::int32_t r : jitter.residuals) {
    magnitudes.push_back(std::abs(r) * step);
  }
  const double sigma = kSigmaPerMad * std::max(*quantile(magnitudes, 0.5), step);
  p.core_ms = sigma / std::sqrt(2.0);
  p.core_relative = p.core_ms / *quantile(jitter.medians_ms, 0.5);
  p.core_spread = 0.7;
  p.skew = 0.2;
  p.autocorrelation = 0.15;
  return p;
}

} // namespace

NoiseData noise_data(const results::SiliconTable& table,
                     const results::SiliconSamples& samples,
                     std::uint64_t seed) {
  const char* const hint =
      "tables with single launches name them in [time] samples; of the shipped "
      "ones: convolution and dedispersion of the A100-PCIE-40GB";
  if (samples.empty()) {
    throw UserError(fmt::format("{} has no single launches, only their {}; noise cannot be fitted "
                                "to it",
                                table.path, table.metadata.statistic),
                    hint);
  }
  NoiseData data;
  const results::RowFilter* const filter = clock_filter(table);
  data.clock = filter != nullptr ? ClockState::stated : ClockState::free;
  for (const results::SiliconRow& row : table.rows) {
    const auto found = samples.find(row.row);
    if (found == samples.end() || row.failed() || found->second.size() < kLeastLaunches) {
      continue;
    }
    const Launches& launches = found->second;
    NoiseHalf& half = is_fitted_half(row.row, seed) ? data.fitted : data.held_out;
    const double step = level_step(launches);
    ++half.clock.ran;
    if (std::abs(step - 1.0) > kStep) {
      ++half.clock.stepped;
      half.clock.steps.push_back(step);
    } else if (filter != nullptr && row.exclusion == filter->reason) {
      ++half.clock.off_clock;
    }
    if (row.eligible()) {
      half.recorded.rows.push_back(row.row);
      half.recorded.launches.push_back(launches);
    }
  }
  const std::size_t fitted = data.fitted.recorded.rows.size();
  const std::size_t held_out = data.held_out.recorded.rows.size();
  if (std::min(fitted, held_out) < kLeastConfigurations) {
    throw UserError(
        fmt::format("{}: {} eligible configurations with {} launches or more; at least {} are "
                    "needed for a fit and a test of it",
                    table.path, fitted + held_out, kLeastLaunches, 2 * kLeastConfigurations),
        hint);
  }
  return data;
}

NoiseFit judge_noise(const NoiseData& data, const NoiseParameters& parameters, std::uint64_t seed) {
  const MeasurementNoise noise(parameters);
  return {parameters, half_agreement(data.fitted, noise, data.clock, seed),
          half_agreement(data.held_out, noise, data.clock, seed)};
}

NoiseFit fit_noise(const NoiseData& data, std::uint64_t seed) {
  const NoiseParameters start = first_guess(data, direct_estimates(data));
  const SimplexSearch search{variables_of(start), {0.5, 0.5, 0.3, 0.2, 0.15}, 250, 1e-4};
  const std::vector<double> best = search.minimise([&](const Variables& v) {
    return distance(
        agreement(data.fitted.recorded, MeasurementNoise(with(start, v)), data.clock, seed));
  });
  return judge_noise(data, with(start, best), seed);
}

} // namespace coulomb::calibration
