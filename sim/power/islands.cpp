// SPDX-License-Identifier: Apache-2.0
#include "sim/power/islands.hpp"

#include "base/random.hpp"
#include "sim/power/voltage.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <queue>

namespace coulomb::power {
namespace {

/// SMs of a TPC, and of a GPC at full size (GA100: 8 TPCs).
constexpr std::size_t kSmsOfTpc = 2;
constexpr std::size_t kSmsOfGpc = 16;

std::size_t island_sms(IslandSize size, std::size_t sms) {
  switch (size) {
  case IslandSize::chip:
    return sms;
  case IslandSize::gpc:
    return kSmsOfGpc;
  case IslandSize::tpc:
    return kSmsOfTpc;
  case IslandSize::sm:
    return 1;
  }
  return sms;
}

/// Clock and voltage of each SM.
struct Arrangement {
  std::string name;
  std::vector<double> mhz;
  std::vector<double> v;
  double loss = 0.0;     ///< of regulators
  double slowdown = 1.0; ///< of a CTA, by the boundary's latency
  bool gated = false;
};

/// What the SMs need, relative: 1 + s_i.
std::vector<double> variation(const IslandStudy& study, std::size_t sms) {
  RandomStream random(study.seed, "voltage variation");
  std::vector<double> need(sms);
  for (double& n : need) {
    n = 1.0 + study.sigma * random.normal();
  }
  return need;
}

/// Voltage of islands whose SMs run at `mhz`: each serves its worst SM.
std::vector<double> island_voltages(const config::GpuConfig& gpu,
                                    const std::vector<double>& need,
                                    const std::vector<double>& mhz,
                                    std::size_t island) {
  std::vector<double> v(need.size());
  for (std::size_t first = 0; first < need.size(); first += island) {
    const std::size_t end = std::min(need.size(), first + island);
    double worst = 0.0;
    for (std::size_t i = first; i < end; ++i) {
      worst = std::max(worst, need[i] * relative_voltage(gpu.power.voltage, mhz[i]));
    }
    std::fill(v.begin() + static_cast<std::ptrdiff_t>(first),
              v.begin() + static_cast<std::ptrdiff_t>(end), worst);
  }
  return v;
}

/// When each SM had work, and when all was done.
struct Schedule {
  std::vector<double> busy_s; ///< time with at least one CTA
  double end_s = 0.0;
};

/// Greedy dispatch: the next CTA goes to the slot that is free first.
Schedule dispatch(const CtaWork& work, const Arrangement& how) {
  using Slot = std::pair<double, std::size_t>; // free at, SM
  std::priority_queue<Slot, std::vector<Slot>, std::greater<>> slots;
  for (std::size_t sm = 0; sm < how.mhz.size(); ++sm) {
    for (std::uint32_t s = 0; s < work.ctas_per_sm; ++s) {
      slots.emplace(0.0, sm);
    }
  }
  Schedule schedule{std::vector<double>(how.mhz.size(), 0.0), 0.0};
  for (std::uint64_t cta = 0; cta < work.ctas; ++cta) {
    const auto [at, sm] = slots.top();
    slots.pop();
    const double end = at + work.cta_cycles * how.slowdown / (how.mhz[sm] * 1e6);
    slots.emplace(end, sm);
    schedule.busy_s[sm] = std::max(schedule.busy_s[sm], end);
    schedule.end_s = std::max(schedule.end_s, end);
  }
  return schedule;
}

/// Energy of a launch, J: the kernel's events spread over SMs by the time they had work.
class Accounting {
public:
  Accounting(const config::GpuConfig& gpu, const Activity& activity, double temperature_c)
      : gpu_(gpu), energy_(event_energy(gpu.power.energy, activity)) {
    const config::StaticPowerConfig& standing = gpu.power.standing;
    leakage_w_ = standing.leakage_w * (1.0 + standing.leakage_per_kelvin * (temperature_c - 30.0));
    const auto of = [&](Component c) { return energy_.core_j[static_cast<std::size_t>(c)]; };
    uncore_j_ = of(Component::l2) + of(Component::crossbar);
    active_j_ = of(Component::sm_active);
    work_j_ =
        std::accumulate(energy_.core_j.begin(), energy_.core_j.end(), 0.0) - uncore_j_ - active_j_;
  }

  [[nodiscard]] IslandOutcome outcome(const Arrangement& how, const Schedule& schedule) const {
    const config::StaticPowerConfig& standing = gpu_.power.standing;
    const double sms = static_cast<double>(how.mhz.size());
    const double busy = std::accumulate(schedule.busy_s.begin(), schedule.busy_s.end(), 0.0);
    double busy_cycles = 0.0;
    for (std::size_t i = 0; i < how.mhz.size(); ++i) {
      busy_cycles += schedule.busy_s[i] * how.mhz[i];
    }
    double sm_j = 0.0;
    for (std::size_t i = 0; i < how.mhz.size(); ++i) {
      const double v2 = how.v[i] * how.v[i];
      const double on_s = how.gated ? schedule.busy_s[i] : schedule.end_s;
      const double off_s = schedule.end_s - on_s;
      const double share = schedule.busy_s[i] * how.mhz[i] / busy_cycles;
      const double leak_w = standing.leakage_sm_share * leakage_w_ / sms * v2;
      const double clock_w = standing.clock_tree_w_per_ghz * how.mhz[i] / 1000.0 / sms * v2;
      sm_j += v2 * share * (work_j_ + active_j_) + (leak_w + clock_w) * on_s +
              standing.gated_leakage * leak_w * off_s;
    }
    const double rail = *std::max_element(how.v.begin(), how.v.end());
    const double uncore_w = (1.0 - standing.leakage_sm_share) * leakage_w_ * rail * rail;
    IslandOutcome out;
    out.name = how.name;
    out.time_s = schedule.end_s;
    out.energy_j = sm_j / (1.0 - how.loss) + uncore_j_ * rail * rail + energy_.dram_j +
                   (uncore_w + standing.board_w + standing.dram_background_w) * schedule.end_s;
    out.power_w = out.energy_j / out.time_s;
    out.edp = out.energy_j * out.time_s;
    out.idle_share = 1.0 - busy / (schedule.end_s * sms);
    return out;
  }

private:
  const config::GpuConfig& gpu_;
  EventEnergy energy_;
  double leakage_w_ = 0.0; ///< at v = 1
  double uncore_j_ = 0.0;
  double active_j_ = 0.0;
  double work_j_ = 0.0;
};

/// Every other island faster, the others slower, by the study's spread, around the clock of `gpu`
/// or as near to it as the highest clock of the chip allows.
std::vector<double>
two_clocks(const config::GpuConfig& gpu, const IslandStudy& study, std::size_t island) {
  const double centre =
      std::min(gpu.sm_clock_mhz, gpu.power.limit.highest_clock_mhz - study.spread_mhz);
  std::vector<double> mhz(gpu.sms);
  for (std::size_t i = 0; i < mhz.size(); ++i) {
    mhz[i] = centre + (i / island % 2 == 0 ? study.spread_mhz : -study.spread_mhz);
  }
  return mhz;
}

} // namespace

std::vector<IslandOutcome> study_islands(const config::GpuConfig& gpu,
                                         const Activity& activity,
                                         const CtaWork& given,
                                         const IslandStudy& study) {
  const std::vector<double> need = variation(study, gpu.sms);
  const std::size_t island = island_sms(study.size, gpu.sms);
  const double temperature = estimate_power(gpu, activity, default_point(gpu)).temperature_c;
  const Accounting accounting(gpu, activity, temperature);
  const double boundary = 1.0 + study.latency_sensitivity * study.boundary_cycles;
  CtaWork work = given; // whose CTAs take as long as it takes them to fill the simulated time
  {
    const Arrangement as_simulated{"", std::vector<double>(gpu.sms, activity.sm_clock_mhz), {}};
    work.cta_cycles *= activity.time_s / dispatch(given, as_simulated).end_s;
  }
  const auto evaluate = [&](const Arrangement& how) {
    return accounting.outcome(how, dispatch(work, how));
  };
  const auto one_rail = [&](const std::string& name, double mhz) {
    const std::vector<double> clocks(gpu.sms, mhz);
    return Arrangement{name, clocks, island_voltages(gpu, need, clocks, gpu.sms)};
  };
  std::vector<IslandOutcome> outcomes = {evaluate(one_rail("one rail", gpu.sm_clock_mhz))};
  const std::string islands =
      fmt::format("islands per {}", kIslandSizes[static_cast<std::size_t>(study.size)]);
  const std::vector<double> same(gpu.sms, gpu.sm_clock_mhz);
  Arrangement own{islands,
                  same,
                  island_voltages(gpu, need, same, island),
                  study.conversion_loss,
                  boundary,
                  study.gate_idle_sms};
  outcomes.push_back(evaluate(own));
  if (study.spread_mhz > 0.0) {
    own.name = fmt::format("{}, +-{:.0f} MHz", islands, study.spread_mhz);
    own.mhz = two_clocks(gpu, study, island);
    own.v = island_voltages(gpu, need, own.mhz, island);
    outcomes.push_back(evaluate(own));
    const double equal = gpu.sm_clock_mhz * outcomes.front().time_s / outcomes.back().time_s;
    outcomes.push_back(
        evaluate(one_rail(fmt::format("one rail at {:.0f} MHz, as fast", equal), equal)));
  }
  return outcomes;
}

} // namespace coulomb::power
