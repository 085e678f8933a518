// SPDX-License-Identifier: Apache-2.0
#include "cli/validate.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/eval/features.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/results/silicon_table.hpp"
#include "base/text.hpp"
#include "calibration/alignment.hpp"
#include "calibration/common_rows.hpp"
#include "calibration/data/observations.hpp"
#include "calibration/gate.hpp"
#include "calibration/report.hpp"
#include "calibration/sampling.hpp"
#include "calibration/validation.hpp"
#include "cli/command_line.hpp"
#include "cli/validate_points.hpp"
#include "cli/validate_power.hpp"
#include "search/driver/interruption.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using calibration::Gate;
using calibration::Simulated;
using Strings = std::vector<std::string>;

constexpr const char* kUsage =
    "usage: coulomb validate --silicon TABLE [--also-in TABLE] [--spec SPEC] [--gpu GPU] "
    "[options]\n"
    "       coulomb validate --points FILE [--set KEY=VALUE] [--jobs N] [--out FILE] [--json]\n"
    "       coulomb validate --power[=FILE] [--set KEY=VALUE] [--out FILE] [--json]";

constexpr const char* kAbout =
    "Simulates rows drawn from a table of recorded silicon, at the clocks that the table states,\n"
    "and reports how far off the simulator is. TABLE is a path, or a name below data/silicon such\n"
    "as convolution/convolution_A100-PCIE-40GB. Ctrl-C leaves a report of the rows that finished\n"
    "(exit code 130).\n\n";

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("silicon", po::value<std::string>(), "table of recorded measurements");
  add("points", po::value<std::string>(),
      "table of published micro-benchmark figures: measures each with a probe kernel");
  add("power", po::value<std::string>()->implicit_value(home_dir() + "/data/power/points.csv"),
      "the power model against published powers; =FILE: a table of your own");
  add("spec", po::value<std::string>(), "tunable kernel (default: the table's)");
  add("gpu", po::value<std::string>(), "GPU id or file (default: the table's board)");
  add("sample", po::value<std::int64_t>()->default_value(200),
      "rows to draw from the eligible ones, a tenth from each time decile; failing rows come on "
      "top");
  add("seed", po::value<std::int64_t>()->default_value(1), "decides which rows are drawn");
  add("also-in", po::value<Strings>()->composing(),
      "TABLE: draw only what ran in this table, too (of another board, say); whichever of the "
      "tables is --silicon, the same configurations are drawn; no failing rows");
  add("jobs", po::value<std::int64_t>(), "busy worker processes (default: cores)");
  add("sms", po::value<std::int64_t>()->default_value(1), "SMs simulated per row");
  add("chip", "simulate every SM and the whole grid");
  add("set", po::value<Strings>()->composing(),
      "KEY=VALUE: change the GPU, after the table's clocks; with --points every GPU");
  add("sim-timeout", po::value<double>()->default_value(600.0), "seconds per simulation");
  add("compile-timeout", po::value<double>()->default_value(120.0), "seconds per compilation");
  add("fail-if", po::value<Strings>()->composing(), "exit 1 if it holds, e.g. \"mape > 0.2\"");
  add("force", "go on although GPU or spec are not the table's");
  add("predictions", po::value<std::string>(),
      "directory of earlier simulations: what is there is not simulated again");
  add("observations", po::value<std::string>(),
      "also write what calibration learns from to this CSV file: times and features of each row");
  add("out", po::value<std::string>(), "also write the JSON report to this file");
  add("json", "print the JSON report");
  add("help,h", "print this help");
  return options;
}

std::uint32_t integer(const po::variables_map& values, const char* name, std::int64_t least) {
  const auto n = values[name].as<std::int64_t>();
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (n < least || n > kMost) {
    throw UserError(fmt::format("validate: --{} is {}; allowed: {} to {}", name, n, least, kMost));
  }
  return static_cast<std::uint32_t>(n);
}

double seconds(const po::variables_map& values, const char* name) {
  const double s = values[name].as<double>();
  if (!(s > 0.0)) {
    throw UserError(fmt::format("validate: --{} is {}; it must be above 0 seconds", name, s));
  }
  return s;
}

std::string
text_or(const po::variables_map& values, const char* name, const std::string& otherwise) {
  return values.count(name) > 0 ? values[name].as<std::string>() : otherwise;
}

/// Refuses a comparison of things that do not belong together, unless forced.
void check_match(const results::SiliconTable& table,
                 const kernel::TunableSpec& spec,
                 const config::GpuConfig& gpu,
                 bool force) {
  const auto& meta = table.metadata;
  if (force) {
    return;
  }
  if (gpu.id != meta.gpu) {
    throw UserError(fmt::format("--gpu {} is not the board of {}: that was measured on {}", gpu.id,
                                table.path, meta.gpu),
                    fmt::format("use --gpu {}, or --force to compare all the same", meta.gpu));
  }
  if (spec.name != meta.spec) {
    throw UserError(fmt::format("--spec {} is not the kernel of {}: that was measured with {}",
                                spec.name, table.path, meta.spec),
                    fmt::format("use --spec {}, or --force to compare all the same", meta.spec));
  }
}

/// A number of the GPU was tuned until it met this very table.
bool is_fitted(const config::ResolvedGpu& gpu, const results::SiliconTable& table) {
  const std::string name =
      std::filesystem::path(results::metadata_path(table.path)).stem().string();
  return std::any_of(gpu.provenance.begin(), gpu.provenance.end(), [&](const auto& entry) {
    const config::Provenance& p = entry.second;
    return p.kind == "fit" &&
           (p.source.find(name) != std::string::npos || p.note.find(name) != std::string::npos);
  });
}

Simulated simulated(const search::Evaluation& e, const config::GpuConfig& gpu) {
  Simulated s;
  s.status = e.status;
  s.message = e.message;
  s.time_ms = e.sim.time_ms;
  s.character = eval::character_of(e.sim, gpu);
  s.features = eval::features_of(e.sim, e.launch, gpu);
  s.compile_s = e.compile_s;
  s.simulation_s = e.sim_s;
  s.warp_insts = e.same_as ? 0 : e.sim.warp_insts;
  return s;
}

calibration::SimulateAll simulate_with(search::Evaluator& evaluator, const config::GpuConfig& gpu) {
  return [&evaluator, &gpu](const auto& configurations, const auto& done) {
    std::vector<search::Candidate> candidates;
    candidates.reserve(configurations.size());
    for (const auto& c : configurations) {
      candidates.push_back({candidates.size(), c});
    }
    evaluator.evaluate(candidates,
                       [&](const search::Evaluation& e) { done(e.id, simulated(e, gpu)); });
  };
}

/// One line on stderr: rewritten on a terminal, else a new one every 30 s.
class ProgressLine {
public:
  void operator()(std::size_t done, std::size_t all) {
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ && done < all && now - last_ < std::chrono::seconds(30)) {
      return;
    }
    last_ = now;
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    const double left = elapsed / static_cast<double>(done) * static_cast<double>(all - done);
    fmt::print(stderr, "{}validate   {} of {} rows   {:.0f} s, about {:.0f} s left{}",
               terminal_ ? "\r\033[K" : "", done, all, elapsed, left,
               terminal_ && done < all ? "" : "\n");
    std::fflush(stderr);
  }

private:
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_ = start_;
};

search::EvaluatorOptions evaluator_options(const po::variables_map& values,
                                           const config::GpuConfig& gpu) {
  search::EvaluatorOptions options;
  options.jobs = values.count("jobs") > 0 ? integer(values, "jobs", 1)
                                          : std::max(1u, std::thread::hardware_concurrency());
  options.sim_deadline_s = seconds(values, "sim-timeout");
  options.compile_deadline_s = seconds(values, "compile-timeout");
  options.predictions = text_or(values, "predictions", "");
  options.keep_finished = true; // a partial report is of all that finished
  options.fidelity.sms = integer(values, "sms", 1);
  if (values.count("chip") > 0) {
    options.fidelity = {.rung = "chip", .sms = gpu.sms, .max_waves = 0};
  }
  if (options.fidelity.sms > gpu.sms) {
    throw UserError(
        fmt::format("validate: --sms is {}; {} has {} SMs", options.fidelity.sms, gpu.id, gpu.sms));
  }
  return options;
}

std::string fidelity_text(const eval::Fidelity& fidelity) {
  return fmt::format("{}, {} SM{}", fidelity.rung, fidelity.sms, fidelity.sms == 1 ? "" : "s");
}

/// Everything that a validation needs, checked against each other.
struct Plan {
  results::SiliconTable table;
  kernel::TunableSpec spec;
  config::ResolvedGpu gpu;
  calibration::Sample sample;
  search::EvaluatorOptions evaluation;
};

results::SiliconTable load_table(const std::string& name) {
  return results::SiliconTable::load(
      results::find_silicon_table(name, home_dir() + "/data/silicon"));
}

/// Rows of `table` to simulate; with --also-in it excludes those that the other tables lack.
calibration::Sample draw(const po::variables_map& values, results::SiliconTable& table) {
  const calibration::SampleRequest request{.count = integer(values, "sample", 1),
                                           .seed = integer(values, "seed", 0)};
  std::vector<results::SiliconTable> others;
  for (const auto& name : strings(values, "also-in")) {
    auto other = load_table(name);
    const auto spec = kernel::find_spec(other.metadata.spec);
    others.push_back(calibration::align(std::move(other), spec));
  }
  if (others.empty()) {
    return calibration::draw_sample(table, request);
  }
  const auto identity =
      calibration::KernelIdentity::load(calibration::default_kernel_identity_path());
  const auto common = calibration::keep_common_rows(table, others, identity);
  return calibration::draw_common_sample(table, common, request);
}

Plan make_plan(const po::variables_map& values) {
  auto table = load_table(values["silicon"].as<std::string>());
  auto spec = kernel::find_spec(text_or(values, "spec", table.metadata.spec));
  Strings overrides = calibration::clock_overrides(table.metadata);
  for (auto& o : strings(values, "set")) {
    overrides.push_back(std::move(o));
  }
  auto gpu = config::load_gpu(text_or(values, "gpu", table.metadata.gpu), overrides);
  check_match(table, spec, gpu.config, values.count("force") > 0);
  table = calibration::align(std::move(table), spec);
  auto sample = draw(values, table);
  auto evaluation = evaluator_options(values, gpu.config);
  evaluation.fidelity.cache_state = table.metadata.cache_state;
  return {std::move(table), std::move(spec), std::move(gpu), std::move(sample),
          std::move(evaluation)};
}

calibration::ValidationReport
simulate(const Plan& plan, const std::string& command, search::Interruption& interruption) {
  const config::GpuConfig& gpu = plan.gpu.config;
  const calibration::ValidationSubject subject{.spec = plan.spec.name,
                                               .gpu = gpu.id,
                                               .architecture = gpu.architecture,
                                               .sm_clock_mhz = gpu.sm_clock_mhz,
                                               .memory_clock_mhz = gpu.memory_clock_mhz,
                                               .fitted = is_fitted(plan.gpu, plan.table),
                                               .fidelity = fidelity_text(plan.evaluation.fidelity),
                                               .command = command};
  search::Evaluator evaluator(plan.spec, gpu, plan.evaluation);
  const search::Interruption::Guard guard(interruption, evaluator);
  return calibration::run_validation(plan.table, plan.sample, subject,
                                     simulate_with(evaluator, gpu), ProgressLine(),
                                     &interruption.stop());
}

void print_help(const po::options_description& options) {
  std::ostringstream text;
  text << options;
  fmt::print("{}\n\n{}{}", kUsage, kAbout, text.str());
}

int run_points(const po::variables_map& values, const std::string& command) {
  if (values.count("silicon") > 0) {
    throw UserError("validate: --points and --silicon are two questions; ask one", kUsage);
  }
  return validate_points({.table = values["points"].as<std::string>(),
                          .jobs = values.count("jobs") > 0
                                      ? integer(values, "jobs", 1)
                                      : std::max(1u, std::thread::hardware_concurrency()),
                          .json = values.count("json") > 0,
                          .out = text_or(values, "out", ""),
                          .overrides = strings(values, "set"),
                          .command = command});
}

int run_power_points(const po::variables_map& values) {
  if (values.count("silicon") > 0 || values.count("points") > 0) {
    throw UserError("validate: --power, --points and --silicon are three questions; ask one",
                    kUsage);
  }
  return validate_power({.table = values["power"].as<std::string>(),
                         .overrides = strings(values, "set"),
                         .out = text_or(values, "out", ""),
                         .json = values.count("json") > 0});
}

} // namespace

int run_validate(const std::vector<std::string>& args) {
  const po::options_description options = describe_options();
  const po::variables_map values = parse_options("validate", args, options);
  if (values.count("help") > 0) {
    print_help(options);
    return 0;
  }
  if (values.count("power") > 0) {
    return run_power_points(values);
  }
  if (values.count("points") > 0) {
    return run_points(values, shell_line("validate", args));
  }
  if (values.count("silicon") == 0) {
    throw UserError("validate: --silicon is missing", kUsage);
  }
  std::vector<Gate> gates;
  for (const auto& text : strings(values, "fail-if")) {
    gates.push_back(calibration::parse_gate(text));
  }
  const Plan plan = make_plan(values);
  search::Interruption interruption("stopping; what is finished will be reported");
  const auto report = simulate(plan, shell_line("validate", args), interruption);
  const std::string json = calibration::to_json_text(report, gates) + "\n";
  if (values.count("out") > 0) {
    write_file_atomically(values["out"].as<std::string>(), json);
  }
  if (values.count("observations") > 0) {
    write_file_atomically(values["observations"].as<std::string>(),
                          calibration::to_csv(calibration::observations_of(report, plan.table)));
  }
  fmt::print("{}", values.count("json") > 0 ? json : calibration::to_text(report, gates));
  if (report.interrupted) {
    return search::kInterruptedExit;
  }
  const bool failed = std::any_of(gates.begin(), gates.end(),
                                  [&](const Gate& g) { return calibration::fails(g, report); });
  return failed ? 1 : 0;
}

} // namespace coulomb::cli
