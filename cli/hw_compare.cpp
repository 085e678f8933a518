// SPDX-License-Identifier: Apache-2.0
#include "cli/hw_compare.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/results/measurement_file.hpp"
#include "calibration/counter_comparison.hpp"
#include "cli/command_line.hpp"
#include "search/engine/evaluator.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>
#include <thread>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kAbout =
    "usage: coulomb hw compare FILE [--gpu GPU]\n\n"
    "Simulates every measured configuration of FILE that has counters, at the clocks that were\n"
    "measured, and compares counter by counter, in the order in which one causes the next: work,\n"
    "L1, L2, DRAM, time. The first that diverges is where to look.\n\n";

config::GpuConfig gpu_of(const results::MeasurementFile& file,
                         const results::SiliconTable& table,
                         const po::variables_map& values) {
  std::vector<std::string> clocks;
  if (table.metadata.sm_clock_mhz > 0.0) {
    clocks.push_back(fmt::format("sm_clock_mhz={} MHz", table.metadata.sm_clock_mhz));
  }
  const std::string id = values.count("gpu") > 0 ? values["gpu"].as<std::string>() : file.gpu;
  return config::load_gpu(id, clocks).config;
}

/// Compares the rows of one kernel that have counters; returns their number.
std::size_t compare_kernel(const results::MeasurementFile& file,
                           const results::MeasuredKernel& measured,
                           const po::variables_map& values) {
  std::vector<search::Candidate> candidates;
  for (std::size_t i = 0; i < measured.rows.size(); ++i) {
    if (!measured.rows[i].outcome.counters.empty()) {
      candidates.push_back({i, measured.rows[i].parameters});
    }
  }
  if (candidates.empty()) {
    return 0;
  }
  const config::GpuConfig gpu = gpu_of(file, file.table(measured.spec), values);
  search::EvaluatorOptions options;
  options.jobs = std::max(1U, std::thread::hardware_concurrency());
  options.fidelity.cache_state = file.cache_state;
  search::Evaluator evaluator(kernel::find_spec(measured.spec), gpu, options);
  const auto family = gpu.architecture == 80 ? hw::ChipFamily::ga100 : hw::ChipFamily::ga10x;
  evaluator.evaluate(candidates, [&](const search::Evaluation& e) {
    const eval::MeasureOutcome& silicon = measured.rows[e.id].outcome;
    fmt::print("{} on {}   {}\n", measured.spec, gpu.id, e.configuration.key());
    if (e.status != eval::EvalStatus::ok) {
      fmt::print("  {}: {}\n", eval::to_string(e.status), e.message);
      return;
    }
    const double median = eval::sample_statistics(silicon.samples_ms).median;
    fmt::print("{}",
               to_text(calibration::compare_counters(family, e.sim.counters, silicon.counters)));
    fmt::print("  {:<5} {:<58} {:>14.6g} {:>14.6g} {:>7.2f}\n", "time", "time_ms, launch excepted",
               e.sim.time_ms, median - silicon.empty_launch_ms,
               e.sim.time_ms / (median - silicon.empty_launch_ms));
  });
  return candidates.size();
}

} // namespace

int run_hw_compare(const std::vector<std::string>& args) {
  po::options_description options("Options");
  auto add = options.add_options();
  add("file", po::value<std::string>(), "measurement file (.json)");
  add("gpu", po::value<std::string>(), "GPU id or file (default: the measured board's)");
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
  const auto file = results::MeasurementFile::load(values["file"].as<std::string>());
  std::size_t compared = 0;
  for (const auto& measured : file.kernels) {
    compared += compare_kernel(file, measured, values);
  }
  if (compared == 0) {
    throw UserError(fmt::format("{} has no counters", file.path),
                    "measure with --metrics basic, memory or full; \"coulomb hw doctor\" says "
                    "whether this machine can");
  }
  return 0;
}

} // namespace coulomb::cli
