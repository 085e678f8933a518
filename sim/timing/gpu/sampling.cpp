// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/gpu/sampling.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::timing::gpu {

SamplingPlan plan_sampling(const config::GpuConfig& gpu,
                           std::uint64_t ctas,
                           std::uint32_t resident,
                           std::uint32_t sms,
                           std::uint32_t waves,
                           double instructions) {
  SamplingPlan plan;
  plan.ctas_total = ctas;
  plan.resident = std::max(1U, resident);
  plan.ctas_per_real_sm = static_cast<double>(ctas) / gpu.sms;
  plan.whole_chip = sms == 0 || sms >= gpu.sms;
  plan.sms = plan.whole_chip ? gpu.sms : sms;
  const std::uint64_t share = (ctas + gpu.sms - 1) / gpu.sms;
  std::uint64_t limit = std::uint64_t{waves == 0 ? kSampledWaves : waves} * plan.resident;
  if (waves == 0 && instructions > 0.0) {
    limit = std::max(limit, static_cast<std::uint64_t>(kSampledInstructions / instructions));
  }
  const std::uint64_t left_out = share > limit ? (share - limit) / plan.resident : 0; // waves
  plan.ctas_per_sm_limit = plan.whole_chip ? ~std::uint64_t{0} : share - left_out * plan.resident;
  return plan;
}

double extrapolate_cycles(const SamplingPlan& plan, const std::vector<Completion>& completions) {
  if (completions.empty()) {
    return 0.0;
  }
  const std::size_t simulated = completions.size();
  const auto end = static_cast<double>(completions.back().at);
  // The grid ends with the SM that got one CTA more than others.
  const double left = std::ceil(plan.ctas_per_real_sm) - static_cast<double>(simulated);
  if (plan.whole_chip || left <= 0.0) {
    return end;
  }
  // From the end of the first wave to when the last CTA began and the SM was full for the last
  // time.
  const std::size_t first = std::min<std::size_t>(plan.resident, simulated) - 1;
  const std::size_t last =
      simulated > 2 * std::size_t{plan.resident} ? simulated - plan.resident : simulated - 1;
  const auto issued = [&](std::size_t from, std::size_t to) {
    return static_cast<double>(completions[to].instructions - completions[from].instructions);
  };
  double per_cta = end / static_cast<double>(simulated);
  if (last > first && issued(first, last) > 0.0) {
    const double cycles = static_cast<double>(completions[last].at - completions[first].at);
    const double work =
        static_cast<double>(completions.back().instructions) / static_cast<double>(simulated);
    per_cta = cycles * work / issued(first, last);
  }
  return end + left * per_cta;
}

} // namespace coulomb::timing::gpu
