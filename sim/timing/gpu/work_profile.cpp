// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/gpu/work_profile.hpp"

#include "sim/functional/cta_runner.hpp"

#include <algorithm>

namespace coulomb::timing::gpu {
namespace {

constexpr std::uint64_t kProbes = 32;
constexpr std::uint64_t kProbeInstructions = 4096; ///< of a warp; more tells nothing more
/// A CTA that executes less than this share of what another one does is idle.
constexpr std::uint64_t kIdleShare = 8;
/// Instructions of a CTA that are executed to know how much it does, and of all such CTAs.
constexpr std::uint64_t kWholeCta = 10'000'000;
constexpr std::uint64_t kWholeCtas = 40'000'000;

/// Warp instructions of one CTA, at most about `limit`; a fault ends it where it is, as the timed
/// run is what judges the kernel.
std::uint64_t
executed(functional::CtaRunner& runner, std::uint64_t cta, std::uint64_t limit, bool& finished) {
  runner.start(cta);
  try {
    finished = runner.advance(limit);
  } catch (const functional::KernelFault&) {
    finished = false;
  }
  return runner.executed();
}

/// Ids spread over the grid without a period that tiles could have: multiples of the golden ratio.
std::uint64_t probe_id(std::uint64_t i, std::uint64_t ctas) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  const double turn = static_cast<double>(i) * kGoldenRatio;
  const double place = turn - static_cast<double>(static_cast<std::uint64_t>(turn));
  return std::min(static_cast<std::uint64_t>(place * static_cast<double>(ctas)), ctas - 1);
}

/// Mean of CTAs that work, spread over them; 0 if one of them has no end in sight. Stores stay
/// until the memory is restored.
double mean_work(functional::CtaRunner& runner, const WorkProfile& profile) {
  std::uint64_t sum = 0;
  std::uint64_t probes = 0;
  bool finished = false;
  while (probes < std::min(kProbes, profile.ctas) && sum < kWholeCtas) {
    sum += executed(runner, profile.id(probe_id(probes, profile.ctas)), kWholeCta, finished);
    if (!finished) {
      return 0.0;
    }
    ++probes;
  }
  return probes == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(probes);
}

} // namespace

WorkProfile profile_work(const functional::ExecutableKernel& kernel,
                         functional::GlobalMemory& memory,
                         std::uint64_t ctas) {
  WorkProfile profile;
  profile.ctas = ctas;
  if (ctas < 2 || ctas > kMostCtas) {
    return profile;
  }
  functional::CtaRunner runner(kernel, memory);
  const std::uint64_t most_of_a_cta = kProbeInstructions * kernel.warps_per_cta();
  std::vector<std::uint64_t> counts;
  bool finished = false;
  for (std::uint64_t i = 0; i < std::min(kProbes, ctas); ++i) {
    counts.push_back(executed(runner, probe_id(i, ctas), most_of_a_cta, finished));
  }
  const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
  std::uint64_t idle = 0; // most that an idle CTA executed
  for (const std::uint64_t count : counts) {
    idle = count * kIdleShare < most ? std::max(idle, count) : idle;
  }
  memory.restore(); // CTAs that take tickets must find them as at a launch
  if (idle == 0) {
    return profile;
  }
  const std::uint64_t limit = 2 * idle;
  for (std::uint64_t cta = 0; cta < ctas; ++cta) {
    static_cast<void>(executed(runner, cta, limit + 1, finished));
    if (!finished) {
      profile.working.push_back(cta);
    }
  }
  memory.restore();
  if (profile.working.empty()) { // they only differ little after all
    return profile;
  }
  profile.ctas = profile.working.size();
  profile.idle = ctas - profile.ctas;
  profile.instructions = mean_work(runner, profile);
  memory.restore();
  return profile;
}

} // namespace coulomb::timing::gpu
