// SPDX-License-Identifier: Apache-2.0
#include "cli/search_silicon.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "hw/device/gpu_device.hpp"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>

namespace coulomb::cli {
namespace {

/// Null if the plan has a recorded device.
std::unique_ptr<hw::MeasuringDevice>
open_gpu(const SearchOptions& options, const SearchPlan& plan, const std::atomic<bool>& stop) {
  if (plan.recorded) {
    return nullptr;
  }
  constexpr std::string_view kDevice = "device:";
  const std::string number = options.ladder.silicon.substr(kDevice.size());
  std::uint32_t ordinal = 0;
  const char* last = number.data() + number.size();
  const auto [end, ec] = std::from_chars(number.data(), last, ordinal);
  if (ec != std::errc{} || end != last) {
    throw UserError(fmt::format("search: --silicon is \"{}\"; a device is named by its number",
                                options.ladder.silicon),
                    "\"coulomb hw doctor\" lists the devices");
  }
  hw::MeasureOptions how;
  how.cache_state = options.fidelity.cache_state;
  return std::make_unique<hw::GpuDevice>(ordinal, how, executable_dir(), &stop);
}

} // namespace

calibration::SiliconRun silicon_run(const eval::MeasureOutcome& outcome) {
  calibration::SiliconRun run;
  if (outcome.status != eval::EvalStatus::ok || outcome.samples_ms.empty()) {
    run.problem = fmt::format("{}: {}", eval::to_string(outcome.status), outcome.message);
    return run;
  }
  constexpr double kStandardErrors = 1.96; // in half a 95 % confidence interval
  const eval::SampleStatistics statistics = eval::sample_statistics(outcome.samples_ms);
  run.ms = statistics.median;
  run.noise = statistics.noise / kStandardErrors;
  return run;
}

SearchSilicon::SearchSilicon(const SearchOptions& options,
                             const SearchPlan& plan,
                             const std::string& dir,
                             const std::atomic<bool>& stop)
    : plan_(plan), stop_(stop), opened_(open_gpu(options, plan, stop)),
      device_(opened_ ? opened_.get() : plan.recorded.get()),
      journal_((std::filesystem::path(dir) / "silicon.journal").string(),
               device_->address(),
               plan.spec.name) {
  if (!options.resume && journal_.size() > 0) { // another search's, that simulated nothing
    throw UserError(fmt::format("{} holds {} silicon runs already", dir, journal_.size()),
                    "continue with --resume, or choose another --out");
  }
}

std::optional<calibration::SiliconRun>
SearchSilicon::measure(const calibration::LadderCandidate& candidate) {
  if (const auto known = journal_.find(candidate.configuration())) {
    return known;
  }
  if (stop_.load()) {
    return std::nullopt;
  }
  try {
    const auto run = silicon_run(device_->measure(plan_.spec, candidate.configuration()));
    journal_.keep(candidate.configuration(), run);
    return run;
  } catch (const EnvironmentError&) {
    if (stop_.load()) {
      return std::nullopt;
    }
    throw;
  }
}

} // namespace coulomb::cli
