// SPDX-License-Identifier: Apache-2.0
#include "base/eval/features.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace coulomb::eval {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t kWarpThreads = 32;

constexpr std::string_view kIntroduction =
    R"(# Features

One flat vector of numbers per evaluation, for models that are trained on them. The names are the same for simulations and
for measurements: `coulomb run --json` has them under `features`, `coulomb search export DIR --format features` writes them
as CSV, one line per evaluation, `coulomb hw features FILE` those of a measurement file. A feature that is not known is null
in JSON, empty in CSV and NaN in HDF5, never 0: its input is missing (silicon does not report it, an older search did not keep
it, the kernel was not simulated), or what is divided by is 0.

HDF5 files have them as one dataset `features` of 64-bit floats, evaluations x features, in the group `/evaluations` of a search's
`search.h5` (written when it ends, and by `coulomb search export DIR --format h5`) and in the group `/measurements` of
`coulomb hw features FILE -o FILE.h5`. Beside it are the texts of the columns, in the order of this table: `features_names`,
`features_units`, `features_descriptions`. Rows are those of the group's other columns: `id` and `param.NAME` of a search,
`kernel` and `parameters` of measurements.

```
f = h5py.File("search.h5")["evaluations"]
table = pandas.DataFrame(f["features"][:], index=f["id"][:], columns=f["features_names"].asstr()[:])
```

A feature is a sum of inputs over a sum of inputs, times a factor. Inputs are counters ([counters.md](counters.md)),
`stall.` (share of warp-cycles), `launch.` (grid, CTA, resources, time, limits of the GPU) and `code.` (static counts of the
machine code, `sim/isa/code_mix.cpp`). A test compares this page with the table in the code (`base/eval/feature_table.cpp`).

| feature | unit | group | inputs | definition |
| --- | --- | --- | --- | --- |
)";

double found(const std::map<std::string, double>& values, std::string_view name) {
  const auto at = values.find(std::string(name));
  return at == values.end() || !std::isfinite(at->second) ? kUnknown : at->second;
}

double stall_share(const FeatureInputs& inputs, std::string_view reason) {
  const double share = found(inputs.stalls, reason);
  if (!std::isnan(share)) {
    return share;
  }
  const double all = found(inputs.counters, "sm__warps_active.sum");
  const double cycles =
      found(inputs.counters, fmt::format("smsp__warps_issue_stalled_{}.sum", reason));
  return all > 0.0 ? cycles / all : kUnknown;
}

double input(const FeatureInputs& inputs, std::string_view term) {
  const auto after = [term](std::string_view prefix) -> std::optional<std::string_view> {
    return term.starts_with(prefix) ? std::optional(term.substr(prefix.size())) : std::nullopt;
  };
  if (const auto reason = after("stall.")) {
    return stall_share(inputs, *reason);
  }
  if (const auto name = after("launch.")) {
    return found(inputs.launch, *name);
  }
  if (const auto name = after("code.")) {
    return found(inputs.code_mix, *name);
  }
  return found(inputs.counters, term);
}

double sum(const FeatureInputs& inputs, std::span<const std::string_view> terms) {
  double total = 0.0;
  for (const std::string_view term : terms) {
    total += term.empty() ? 0.0 : input(inputs, term);
  }
  return total; // NaN if one is
}

double value(const FeatureInputs& inputs, const Feature& feature) {
  const double over = feature.scale * sum(inputs, feature.over);
  if (feature.under[0].empty()) {
    return over;
  }
  const double under = sum(inputs, feature.under);
  return under > 0.0 ? over / under : kUnknown;
}

/// The inputs with what follows from launch and device together. A driver's occupancy is that of
/// an endless grid; the simulator's has no more CTAs than an SM gets of this one.
FeatureInputs completed(const FeatureInputs& inputs) {
  FeatureInputs all = inputs;
  const double ctas = found(inputs.launch, "ctas");
  const double sms = found(inputs.launch, "sms");
  const double fit = found(inputs.launch, "ctas_per_sm");
  const double resident = std::fmin(fit, std::ceil(ctas / sms)); // what is unknown limits nothing
  if (resident > 0.0) {
    all.launch["ctas_per_sm"] = resident;
    all.launch["warps_per_sm"] = found(inputs.launch, "warps_per_cta") * resident;
  }
  const double waves = ctas / (resident * sms);
  if (std::isfinite(waves) && waves > 0.0) {
    all.launch["waves"] = waves;
    all.launch["tail_wave_share"] = waves - (std::ceil(waves) - 1.0);
  }
  return all;
}

/// Works for SimOutcome and MeasureOutcome, whose members have the same names.
template <class Outcome>
std::map<std::string, double> numbers(const kernel::Launch& launch, const Outcome& outcome) {
  const auto threads = static_cast<double>(launch.block.volume());
  const auto ctas = static_cast<double>(launch.grid.volume());
  return {{"grid_x", launch.grid.x},
          {"grid_y", launch.grid.y},
          {"grid_z", launch.grid.z},
          {"block_x", launch.block.x},
          {"block_y", launch.block.y},
          {"block_z", launch.block.z},
          {"ctas", ctas},
          {"threads_per_cta", threads},
          {"warps_per_cta", std::ceil(threads / kWarpThreads)},
          {"threads", threads * ctas},
          {"registers", outcome.registers},
          {"registers_per_cta", threads * outcome.registers},
          {"static_shared_bytes", outcome.static_shared_bytes},
          {"dynamic_shared_bytes", outcome.dynamic_shared_bytes},
          {"spill_bytes", outcome.spill_bytes}};
}

std::string terms_text(std::span<const std::string_view> terms) {
  std::string text;
  for (const std::string_view term : terms) {
    if (!term.empty()) {
      text += fmt::format("{}`{}`", text.empty() ? "" : " + ", term);
    }
  }
  return text;
}

void add_device(FeatureInputs& inputs, const config::GpuConfig& gpu) {
  inputs.launch.merge(device_numbers(gpu));
}

} // namespace

std::string features_document() {
  std::string text(kIntroduction);
  for (const Feature& f : feature_table()) {
    std::string inputs = terms_text(f.over);
    if (const std::string under = terms_text(f.under); !under.empty()) {
      inputs += " / (" + under + ")";
    }
    if (f.scale != 1.0) {
      inputs += fmt::format(" x {}", f.scale);
    }
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", f.name, f.unit, f.group, inputs,
                        f.definition);
  }
  return text;
}

std::vector<double> features(const FeatureInputs& inputs) {
  const FeatureInputs all = completed(inputs);
  std::vector<double> out;
  out.reserve(feature_table().size());
  for (const Feature& feature : feature_table()) {
    out.push_back(value(all, feature));
  }
  return out;
}

std::map<std::string, double> launch_numbers(const kernel::Launch& launch,
                                             const SimOutcome& outcome) {
  if (outcome.registers == 0) {
    return {};
  }
  auto all = numbers(launch, outcome);
  if (outcome.occupancy.ctas_per_sm != 0) { // 0: the CTA does not fit in an SM
    all["ctas_per_sm"] = outcome.occupancy.ctas_per_sm;
    all["warps_per_sm"] = outcome.occupancy.warps_per_sm;
  }
  return all;
}

std::map<std::string, double> launch_numbers(const kernel::Launch& launch,
                                             const MeasureOutcome& outcome) {
  if (outcome.registers == 0) {
    return {};
  }
  auto all = numbers(launch, outcome);
  if (outcome.ctas_per_sm != 0) {
    all["ctas_per_sm"] = outcome.ctas_per_sm;
    all["warps_per_sm"] = outcome.ctas_per_sm * all.at("warps_per_cta");
  }
  return all;
}

std::map<std::string, double> device_numbers(const config::GpuConfig& gpu) {
  return {{"sms", gpu.sms}, {"max_warps_per_sm", gpu.sm.max_warps}};
}

std::vector<double>
features_of(const SimOutcome& outcome, const kernel::Launch& launch, const config::GpuConfig& gpu) {
  FeatureInputs inputs{outcome.counters, outcome.stalls, launch_numbers(launch, outcome),
                       outcome.code_mix};
  if (outcome.time_ms > 0.0) {
    inputs.launch["time_ms"] = outcome.time_ms;
  }
  add_device(inputs, gpu);
  return features(inputs);
}

std::vector<double> features_of(const MeasureOutcome& outcome,
                                const std::map<std::string, double>& counters,
                                const kernel::Launch& launch,
                                const std::map<std::string, double>& code_mix,
                                const config::GpuConfig& gpu) {
  FeatureInputs inputs{counters, {}, launch_numbers(launch, outcome), code_mix};
  if (!outcome.samples_ms.empty()) {
    inputs.launch["time_ms"] =
        sample_statistics(outcome.samples_ms).median - outcome.empty_launch_ms;
  }
  add_device(inputs, gpu);
  return features(inputs);
}

} // namespace coulomb::eval
