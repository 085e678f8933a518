// SPDX-License-Identifier: Apache-2.0
#include "cli/hw_measure.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/hw_measure_report.hpp"
#include "cli/json_output.hpp"
#include "cli/launch_options.hpp"
#include "hw/collectors/metric_set.hpp"
#include "hw/device/clock_guard.hpp"
#include "hw/device/gpu_device.hpp"
#include "hw/device/power_sensor.hpp"
#include "hw/replay/recorded_device.hpp"
#include "search/driver/interruption.hpp"
#include "search/space/search_space.hpp"
#include "search/store/evaluation_record.hpp"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <sstream>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using kernel::Configuration;
using results::MeasurementFile;

constexpr const char* kAbout =
    "usage: coulomb hw measure SPEC [--device N|replay:TABLE] [--param NAME=VALUE] [--sample N]\n\n"
    "Measures configurations of a kernel: a first launch, whose output is checked and whose time\n"
    "is kept apart; warm-up; launches, each between two events, until the 95 % interval of their\n"
    "median is narrow enough. Buffers are not restored between timed launches. Clocks are watched\n"
    "and never changed, unless --lock-clocks is given. What was measured is added to --out.\n\n";

po::options_description describe_options() {
  const eval::SamplingRule rule;
  po::options_description options("Options");
  auto add = options.add_options();
  add("spec", po::value<std::string>(), "kernel: a name, T1 .json, launch .toml, .cu or .cubin");
  add("device", po::value<std::string>()->default_value("0"),
      "number of a CUDA device, or replay:TABLE for recorded measurements");
  add("param", po::value<std::vector<std::string>>()->composing(),
      "NAME=VALUE of the configuration to measure; others have their defaults");
  add("sample", po::value<std::uint32_t>(), "measure so many random valid configurations instead");
  add("seed", po::value<std::uint64_t>()->default_value(1), "decides which");
  add("out", po::value<std::string>(),
      "measurement file (.json); rows are added to one that exists");
  add("warm-up", po::value<std::uint32_t>()->default_value(rule.warm_up),
      "launches after the first that are not counted");
  add("min-samples", po::value<std::uint32_t>()->default_value(rule.min_samples), "at least 3");
  add("max-samples", po::value<std::uint32_t>()->default_value(rule.max_samples), "launches");
  add("noise", po::value<double>()->default_value(rule.noise_target),
      "enough: half the 95 % interval of the median, relative to it");
  add("time-limit", po::value<double>()->default_value(rule.time_limit_s),
      "seconds of launches for one configuration");
  add("cache-state", po::value<std::string>()->default_value("warm"),
      "warm, or cold: L2 is overwritten before each launch");
  add("metrics", po::value<std::vector<std::string>>()->composing(),
      "counters to collect: CUPTI names, or a set of configs/collectors (basic, memory, ...)");
  add("power", po::value<double>()->default_value(0.0),
      "seconds of launches back to back during which power is measured (0: not)");
  add("deadline", po::value<double>()->default_value(0.0),
      "seconds after which a configuration counts as hung (0: from the other options)");
  add("lock-clocks", po::value<std::uint32_t>(),
      "MHz: hold the SM clock (root); it is released whatever happens to this command");
  add("no-check", "do not compare outputs with the kernel's oracle");
  add("plan", "say what would be measured, and measure nothing");
  add("json", "print one JSON object");
  add("help,h", "print this help");
  return options;
}

template <class T>
T checked(const po::variables_map& values, const char* name, T least, T most) {
  const T value = values[name].as<T>();
  if (!(value >= least && value <= most)) {
    throw UserError(
        fmt::format("hw measure: --{} is {}; allowed: {} to {}", name, value, least, most));
  }
  return value;
}

hw::MeasureOptions measure_options(const po::variables_map& values) {
  constexpr std::uint32_t kMostSamples = 100'000;
  constexpr double kDay = 86'400.0;
  hw::MeasureOptions options;
  options.sampling.warm_up = checked<std::uint32_t>(values, "warm-up", 0, kMostSamples);
  options.sampling.min_samples = checked<std::uint32_t>(values, "min-samples", 3, kMostSamples);
  options.sampling.max_samples =
      checked<std::uint32_t>(values, "max-samples", options.sampling.min_samples, kMostSamples);
  options.sampling.noise_target = checked<double>(values, "noise", 0.0, 1.0);
  options.sampling.time_limit_s = checked<double>(values, "time-limit", 0.0, kDay);
  options.power_s = checked<double>(values, "power", 0.0, kDay);
  options.deadline_s = checked<double>(values, "deadline", 0.0, kDay);
  options.cache_state = values["cache-state"].as<std::string>();
  if (options.cache_state != "warm" && options.cache_state != "cold") {
    throw UserError(fmt::format("hw measure: --cache-state is \"{}\"; allowed: warm, cold",
                                options.cache_state));
  }
  options.check_output = values.count("no-check") == 0;
  return options;
}

/// The metrics that --metrics names, sets resolved.
std::vector<std::string> metrics(const po::variables_map& values) {
  std::vector<std::string> names;
  for (const std::string& word : strings(values, "metrics")) {
    if (word.find("__") != std::string::npos) { // every CUPTI name has it, no set has
      names.push_back(word);
      continue;
    }
    // The collector leaves out, and names, what this chip does not have.
    for (const auto& collected : hw::find_metric_set(word).metrics) {
      names.push_back(collected.metric);
    }
  }
  return names;
}

std::vector<Configuration> configurations(const po::variables_map& values,
                                          const kernel::TunableSpec& spec) {
  if (values.count("sample") == 0) {
    return {spec.configuration(strings(values, "param"))};
  }
  if (values.count("param") > 0) {
    throw UserError("hw measure: --param names one configuration, --sample draws many: give one of "
                    "them");
  }
  const search::SearchSpace space(spec);
  RandomStream random(values["seed"].as<std::uint64_t>(), "measured configurations");
  std::vector<Configuration> drawn;
  for (const auto& point : space.sample(values["sample"].as<std::uint32_t>(), random)) {
    drawn.push_back(space.configuration(point));
  }
  return drawn;
}

/// The device that --device means.
struct Chosen {
  std::unique_ptr<hw::MeasuringDevice> device;
  hw::GpuDevice* gpu = nullptr; ///< the same, if it is a real one
};

Chosen
choose_device(const std::string& text, hw::MeasureOptions options, const std::atomic<bool>& stop) {
  constexpr std::string_view kReplay = "replay:";
  if (text.starts_with(kReplay)) {
    const std::string table =
        results::find_silicon_table(text.substr(kReplay.size()), home_dir() + "/data/silicon");
    return {std::make_unique<hw::RecordedDevice>(results::SiliconTable::load(table)), nullptr};
  }
  std::uint32_t ordinal = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), ordinal);
  if (ec != std::errc{} || end != text.data() + text.size()) {
    throw UserError(fmt::format("hw measure: --device is \"{}\"; it must be a device's number, or "
                                "replay:TABLE",
                                text),
                    "\"coulomb hw doctor\" lists the devices");
  }
  auto gpu = std::make_unique<hw::GpuDevice>(ordinal, options, executable_dir(), &stop);
  if (options.power_s > 0.0) {
    gpu->set_power_window(
        hw::power_window_ms(home_dir() + "/data/power/power_sensor.csv", gpu->board()));
  }
  hw::GpuDevice* const real = gpu.get();
  return {std::move(gpu), real};
}

/// A new file, or the one that exists if its rows were measured alike.
MeasurementFile open_file(const std::string& path,
                          const Chosen& chosen,
                          const hw::MeasureOptions& options,
                          double locked_mhz) {
  MeasurementFile fresh;
  fresh.path = path;
  fresh.version = COULOMB_VERSION;
  fresh.date = search::utc_now();
  fresh.address = chosen.device->address();
  fresh.board = chosen.device->board();
  fresh.gpu = chosen.gpu != nullptr ? hw::gpu_id_of(fresh.board) : fresh.board;
  fresh.sampling = options.sampling;
  fresh.cache_state = options.cache_state;
  fresh.locked_sm_clock_mhz = locked_mhz;
  if (chosen.gpu != nullptr) {
    fresh.device = hw::device_info_json(chosen.gpu->info());
  }
  if (path.empty() || !std::filesystem::exists(path)) {
    return fresh;
  }
  MeasurementFile old = MeasurementFile::load(path);
  if (old.board != fresh.board || old.device != fresh.device ||
      old.cache_state != fresh.cache_state ||
      old.locked_sm_clock_mhz != fresh.locked_sm_clock_mhz) {
    throw UserError(fmt::format("{} holds measurements of another board, driver, clock or cache "
                                "state ({}, {})",
                                path, old.board, old.date),
                    "name another file with --out");
  }
  return old;
}

results::MeasuredKernel& kernel_of(MeasurementFile& file, const kernel::TunableSpec& spec) {
  for (auto& measured : file.kernels) {
    if (measured.spec == spec.name && measured.problem_size == spec.problem_size) {
      return measured;
    }
  }
  file.kernels.push_back({spec.name, spec.problem_size, {}});
  return file.kernels.back();
}

} // namespace

int run_hw_measure(const std::vector<std::string>& args) {
  po::options_description options = describe_options();
  options.add(describe_launch_options());
  const auto values = parse_options("hw measure", args, options, {"spec"});
  if (values.count("help") > 0) {
    std::ostringstream out;
    out << kAbout << options;
    fmt::print("{}", out.str());
    return 0;
  }
  if (values.count("spec") == 0) {
    throw UserError("hw measure: which kernel? Name it", "coulomb hw measure saxpy --device 0");
  }
  const ChosenKernel kernel = choose_kernel(values["spec"].as<std::string>(), values);
  hw::MeasureOptions measuring = measure_options(values);
  measuring.expected = kernel.expected;
  measuring.metrics = metrics(values);
  const auto wanted = configurations(values, kernel.spec);
  search::Interruption interruption("stopping; what was measured is kept");
  const Chosen chosen =
      choose_device(values["device"].as<std::string>(), measuring, interruption.stop());
  const bool json = values.count("json") > 0;
  if (values.count("plan") > 0) {
    fmt::print("{}", plan_text(*chosen.device, kernel.spec, wanted, measuring));
    return 0;
  }
  const std::uint32_t locked =
      values.count("lock-clocks") > 0 ? values["lock-clocks"].as<std::uint32_t>() : 0;
  std::optional<hw::ClockLock> lock;
  if (locked > 0 && chosen.gpu != nullptr) {
    lock.emplace(executable_dir() + "/coulomb-device-worker", chosen.gpu->info().pci_bus_id,
                 locked);
  }
  const std::string path = values.count("out") > 0 ? values["out"].as<std::string>() : "";
  MeasurementFile file = open_file(path, chosen, measuring, locked);
  MeasureReport report(*chosen.device, kernel.spec, json);
  for (const Configuration& configuration : wanted) {
    if (interruption.stop().load()) {
      break;
    }
    const results::MeasuredRow row{configuration,
                                   chosen.device->measure(kernel.spec, configuration)};
    report.add(row);
    kernel_of(file, kernel.spec).rows.push_back(row);
    if (!path.empty()) {
      file.save();
    }
  }
  report.finish(path);
  if (interruption.stop().load()) {
    return interruption.exit_code();
  }
  return wanted.size() == 1 && !report.all_ok() ? UnsupportedError("").exit_code() : 0;
}

} // namespace coulomb::cli
