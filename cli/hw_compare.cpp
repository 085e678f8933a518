// SPDX-License-Identifier: Apache-2.0
#include "cli/hw_compare.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/results/measurement_file.hpp"
#include "calibration/counter_comparison.hpp"
#include "calibration/validation.hpp"
#include "cli/command_line.hpp"
#include "cli/json_output.hpp"
#include "hw/ncu/ncu_export.hpp"
#include "search/engine/evaluator.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

constexpr const char* kAbout =
    "usage: coulomb hw compare FILE.json [--gpu GPU]\n"
    "       coulomb hw compare EXPORT.csv --spec KERNEL --gpu GPU [--param NAME=VALUE]\n\n"
    "Simulates every measured configuration of FILE that has counters, at the clocks that were\n"
    "measured, and compares counter by counter, in the order in which one causes the next: work,\n"
    "L1, L2, DRAM, time. The first that diverges is where to look. EXPORT is what Nsight Compute\n"
    "printed with --csv (any page; raw is best), of one configuration.\n\n";

/// What silicon counted of one configuration.
struct Counted {
  kernel::Configuration configuration;
  std::map<std::string, double> metrics; ///< CUPTI's names
  double time_ms = 0.0;                  ///< of the kernel alone; 0: not known
};

/// Configurations of one kernel that were counted on one board.
struct CountedKernel {
  kernel::TunableSpec spec;
  config::GpuConfig gpu;
  std::string cache_state; ///< at launch
  std::vector<Counted> rows;
};

std::vector<CountedKernel> from_measurements(const results::MeasurementFile& file,
                                             const po::variables_map& values) {
  std::vector<CountedKernel> kernels;
  for (const auto& measured : file.kernels) {
    CountedKernel kernel{kernel::find_spec(measured.spec), {}, file.cache_state, {}};
    for (const results::MeasuredRow& row : measured.rows) {
      if (!row.outcome.counters.empty()) {
        kernel.rows.push_back(
            {row.parameters, row.outcome.counters,
             eval::sample_statistics(row.outcome.samples_ms).median - row.outcome.empty_launch_ms});
      }
    }
    if (!kernel.rows.empty()) {
      kernel.gpu =
          config::load_gpu(values.count("gpu") > 0 ? values["gpu"].as<std::string>() : file.gpu,
                           calibration::clock_overrides(file.table(measured.spec).metadata))
              .config;
      kernels.push_back(std::move(kernel));
    }
  }
  if (kernels.empty()) {
    throw UserError(fmt::format("{} has no counters", file.path),
                    "measure with --metrics basic, memory or full; \"coulomb hw doctor\" says "
                    "whether this machine can");
  }
  return kernels;
}

/// The launches of the export that are of this kernel, with this grid and block.
Counted counted_in(const std::string& path,
                   const kernel::TunableSpec& spec,
                   const kernel::Configuration& configuration) {
  constexpr double kMsPerNs = 1e-6;
  const kernel::Launch launch = spec.launch(configuration);
  std::vector<std::string> seen;
  for (const hw::NcuKernel& k : hw::read_ncu_export(path)) {
    const std::string name = k.name.substr(0, k.name.find('('));
    const bool size = (k.grid[0] == 0 || Dim3{k.grid[0], k.grid[1], k.grid[2]} == launch.grid) &&
                      (k.block[0] == 0 || Dim3{k.block[0], k.block[1], k.block[2]} == launch.block);
    if (name == spec.kernel_name && size) {
      const auto time = k.metrics.find("gpu__time_duration.sum");
      return {configuration, k.metrics, time == k.metrics.end() ? 0.0 : kMsPerNs * time->second};
    }
    seen.push_back(fmt::format("{} ({} x {} x {}, {} x {} x {})", name, k.grid[0], k.grid[1],
                               k.grid[2], k.block[0], k.block[1], k.block[2]));
  }
  throw UserError(fmt::format("{} has no launch of {} with grid {} x {} x {} and block {} x {} x "
                              "{}; it has: {}",
                              path, spec.kernel_name, launch.grid.x, launch.grid.y, launch.grid.z,
                              launch.block.x, launch.block.y, launch.block.z,
                              fmt::join(seen, ", ")),
                  "name the configuration that was profiled with --param");
}

std::vector<CountedKernel> from_ncu(const std::string& path, const po::variables_map& values) {
  for (const char* needed : {"spec", "gpu"}) {
    if (values.count(needed) == 0) {
      throw UserError(fmt::format("hw compare: an export of Nsight Compute does not tell the {}; "
                                  "--{} is missing",
                                  needed == std::string("spec") ? "kernel's spec" : "GPU file",
                                  needed));
    }
  }
  CountedKernel kernel{kernel::find_spec(values["spec"].as<std::string>()),
                       config::load_gpu(values["gpu"].as<std::string>()).config,
                       values["cache-state"].as<std::string>(),
                       {}};
  const auto configuration = kernel.spec.configuration(strings(values, "param"));
  kernel.rows.push_back(counted_in(path, kernel.spec, configuration));
  return {std::move(kernel)};
}

Json comparison_json(const calibration::CounterComparison& comparison) {
  Json counters = Json::array();
  for (const auto& c : comparison.counters) {
    counters.push_back({{"stage", to_string(c.stage)},
                        {"counter", c.counter},
                        {"simulated", c.simulated},
                        {"silicon", c.measured},
                        {"diverges", c.diverges}});
  }
  const auto first = comparison.first_divergence();
  return {{"counters", counters},
          {"first_divergence", first ? Json(comparison.counters[*first].counter) : Json(nullptr)}};
}

/// Simulates and compares; prints text, or adds to `json`.
void compare_kernel(const CountedKernel& kernel, bool print, Json& json) {
  std::vector<search::Candidate> candidates;
  for (const Counted& row : kernel.rows) {
    candidates.push_back({candidates.size(), row.configuration});
  }
  search::EvaluatorOptions options;
  options.jobs = std::max(1U, std::thread::hardware_concurrency());
  options.fidelity.cache_state = kernel.cache_state;
  search::Evaluator evaluator(kernel.spec, kernel.gpu, options);
  evaluator.evaluate(candidates, [&](const search::Evaluation& e) {
    const Counted& row = kernel.rows[e.id];
    const auto comparison = calibration::compare_counters(
        hw::chip_family_of(kernel.gpu.architecture), e.sim.counters, row.metrics);
    Json entry = {{"spec", kernel.spec.name},
                  {"gpu", kernel.gpu.id},
                  {"parameters", e.configuration.json()},
                  {"status", eval::to_string(e.status)},
                  {"message", e.message},
                  {"time_ms", {{"simulated", e.sim.time_ms}, {"silicon", row.time_ms}}}};
    entry.update(comparison_json(comparison));
    json.push_back(std::move(entry));
    if (!print) {
      return;
    }
    fmt::print("{} on {}   {}\n", kernel.spec.name, kernel.gpu.id, e.configuration.key());
    if (e.status != eval::EvalStatus::ok) {
      fmt::print("  {}: {}\n", eval::to_string(e.status), e.message);
      return;
    }
    fmt::print("{}", calibration::to_text(comparison));
    if (row.time_ms > 0.0) {
      fmt::print("  {:<5} {:<58} {:>14.6g} {:>14.6g} {:>7.2f}\n", "time",
                 "time_ms, launch excepted", e.sim.time_ms, row.time_ms,
                 e.sim.time_ms / row.time_ms);
    }
  });
}

} // namespace

int run_hw_compare(const std::vector<std::string>& args) {
  po::options_description options("Options");
  auto add = options.add_options();
  add("file", po::value<std::string>(),
      "measurement file (.json), or ncu's export (.csv, .csv.gz)");
  add("gpu", po::value<std::string>(), "GPU id or file (default: the measured board's)");
  add("spec", po::value<std::string>(), "of an export: the kernel that was profiled");
  add("param", po::value<std::vector<std::string>>()->composing(),
      "of an export: NAME=VALUE of the configuration that was profiled");
  add("cache-state", po::value<std::string>()->default_value("cold"),
      "of an export: cold (ncu empties caches before each pass), warm, host-copy");
  add("json", "print one JSON object");
  add("help,h", "print this help");
  const auto values = parse_options("hw compare", args, options, {"file"});
  if (values.count("help") > 0) {
    std::ostringstream out;
    out << kAbout << options;
    fmt::print("{}", out.str());
    return 0;
  }
  if (values.count("file") == 0) {
    throw UserError("hw compare: which file?",
                    "coulomb hw measure KERNEL --metrics memory --out FILE.json writes one");
  }
  const auto path = values["file"].as<std::string>();
  static_cast<void>(eval::parse_cache_state(values["cache-state"].as<std::string>(),
                                            "hw compare: --cache-state"));
  const bool measured = path.ends_with(".json");
  const auto kernels = measured ? from_measurements(results::MeasurementFile::load(path), values)
                                : from_ncu(path, values);
  const bool as_json = values.count("json") > 0;
  Json rows = Json::array();
  for (const CountedKernel& kernel : kernels) {
    compare_kernel(kernel, !as_json, rows);
  }
  if (as_json) {
    fmt::print("{}\n", json_text({{"schema", kJsonSchema}, {"file", path}, {"rows", rows}}));
  }
  return 0;
}

} // namespace coulomb::cli
