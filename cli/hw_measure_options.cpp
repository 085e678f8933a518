// SPDX-License-Identifier: Apache-2.0
#include "cli/hw_measure_options.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "cli/command_line.hpp"
#include "hw/collectors/metric_set.hpp"
#include "search/space/search_space.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <sstream>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using kernel::Configuration;

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
  add("sample", po::value<std::int64_t>(), "measure so many random valid configurations instead");
  add("seed", po::value<std::uint64_t>()->default_value(1), "decides which");
  add("out", po::value<std::string>(),
      "measurement file (.json); rows are added to one that exists");
  add("warm-up", po::value<std::int64_t>()->default_value(rule.warm_up),
      "launches after the first that are not counted");
  add("min-samples", po::value<std::int64_t>()->default_value(rule.min_samples), "at least 3");
  add("max-samples", po::value<std::int64_t>()->default_value(rule.max_samples), "launches");
  add("noise", po::value<double>()->default_value(rule.noise_target),
      "enough: half the 95 % interval of the median, relative to it");
  add("time-limit", po::value<double>()->default_value(rule.time_limit_s),
      "seconds of launches for one configuration");
  add("cache-state", po::value<std::string>(),
      "warm (default), or cold: L2 is overwritten before each launch");
  add("metrics", po::value<std::vector<std::string>>()->composing(),
      "counters to collect: CUPTI names, or a set of configs/collectors (basic, memory, ...)");
  add("power", po::value<double>()->default_value(0.0),
      "seconds of launches back to back during which power is measured (0: not)");
  add("deadline", po::value<double>()->default_value(0.0),
      "seconds after which a configuration counts as hung (0: from the other options)");
  add("lock-clocks", po::value<std::int64_t>(),
      "MHz: hold the SM clock (root); it is released whatever happens to this command");
  add("no-check", "do not compare outputs with the kernel's oracle");
  add("plan", "say what would be measured, and measure nothing");
  add("json", "print one JSON object");
  add("help,h", "print this help");
  return options;
}

/// The value of an option that has one.
template <class T>
T checked(const po::variables_map& values, const char* name, T least, T most) {
  const T value = values[name].as<T>();
  if (!(value >= least && value <= most)) {
    throw UserError(
        fmt::format("hw measure: --{} is {}; allowed: {} to {}", name, value, least, most));
  }
  return value;
}

std::uint32_t
count_of(const po::variables_map& values, const char* name, std::int64_t least, std::int64_t most) {
  return static_cast<std::uint32_t>(checked<std::int64_t>(values, name, least, most));
}

hw::MeasureOptions measure_options(const po::variables_map& values) {
  constexpr std::int64_t kMostSamples = 100'000;
  constexpr double kDay = 86'400.0;
  hw::MeasureOptions options;
  auto& rule = options.sampling;
  rule.warm_up = count_of(values, "warm-up", 0, kMostSamples);
  rule.min_samples = count_of(values, "min-samples", 3, kMostSamples);
  rule.max_samples = count_of(values, "max-samples", rule.min_samples, kMostSamples);
  rule.noise_target = checked<double>(values, "noise", 0.0, 1.0);
  rule.time_limit_s = checked<double>(values, "time-limit", 0.0, kDay);
  options.power_s = checked<double>(values, "power", 0.0, kDay);
  options.deadline_s = checked<double>(values, "deadline", 0.0, kDay);
  if (values.count("cache-state") > 0) {
    options.cache_state = values["cache-state"].as<std::string>();
  }
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
  constexpr std::int64_t kMostConfigurations = 1'000'000;
  const search::SearchSpace space(spec);
  RandomStream random(values["seed"].as<std::uint64_t>(), "measured configurations");
  std::vector<Configuration> drawn;
  for (const auto& point :
       space.sample(count_of(values, "sample", 1, kMostConfigurations), random)) {
    drawn.push_back(space.configuration(point));
  }
  return drawn;
}

/// Recorded measurements are what they are: an option that would make them others is refused.
void check_replay(const po::variables_map& values) {
  for (const char* name : {"lock-clocks", "metrics", "cache-state"}) {
    if (values.count(name) > 0) {
      throw UserError(fmt::format("hw measure: --{} has no effect on recorded measurements", name),
                      "leave it out, or measure on a GPU: --device 0");
    }
  }
  if (!values["power"].defaulted()) {
    throw UserError("hw measure: --power has no effect on recorded measurements",
                    "leave it out, or measure on a GPU: --device 0");
  }
}

} // namespace

std::optional<MeasureCommand> read_measure_command(const std::vector<std::string>& args) {
  constexpr std::string_view kReplay = "replay:";
  constexpr std::int64_t kMostMhz = 10'000;
  po::options_description options = describe_options();
  options.add(describe_launch_options());
  const auto values = parse_options("hw measure", args, options, {"spec"});
  if (values.count("help") > 0) {
    std::ostringstream out;
    out << kAbout << options;
    fmt::print("{}", out.str());
    return std::nullopt;
  }
  if (values.count("spec") == 0) {
    throw UserError("hw measure: which kernel? Name it", "coulomb hw measure saxpy --device 0");
  }
  MeasureCommand command;
  command.kernel = choose_kernel(values["spec"].as<std::string>(), values);
  if (!command.kernel.outputs.empty()) {
    throw UserError("hw measure: outputs are compared, not written",
                    "leave --output out; coulomb run writes them");
  }
  command.options = measure_options(values);
  command.options.expected = command.kernel.expected;
  command.options.metrics = metrics(values);
  command.configurations = configurations(values, command.kernel.spec);
  command.device = values["device"].as<std::string>();
  if (command.device.starts_with(kReplay)) {
    check_replay(values);
    command.replayed = command.device.substr(kReplay.size());
  }
  if (values.count("lock-clocks") > 0) {
    command.lock_clock_mhz = count_of(values, "lock-clocks", 1, kMostMhz);
  }
  if (values.count("out") > 0) {
    command.out = values["out"].as<std::string>();
    if (std::filesystem::path(command.out).extension() != ".json") {
      throw UserError(fmt::format("hw measure: --out is \"{}\"; a measurement file is called "
                                  "SOMETHING.json, which is how validate knows it",
                                  command.out));
    }
  }
  command.plan = values.count("plan") > 0;
  command.json = values.count("json") > 0;
  return command;
}

} // namespace coulomb::cli
