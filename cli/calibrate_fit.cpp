// SPDX-License-Identifier: Apache-2.0
#include "cli/calibrate_fit.hpp"

#include "base/config/field.hpp"
#include "base/config/quantity.hpp"
#include "base/error.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/text.hpp"
#include "calibration/alignment.hpp"
#include "calibration/fit/fit_report.hpp"
#include "calibration/fit/gpu_file_text.hpp"
#include "calibration/fit/table_simulator.hpp"
#include "calibration/sampling.hpp"
#include "calibration/validation.hpp"
#include "cli/command_line.hpp"
#include "cli/json_output.hpp"
#include "search/store/evaluation_record.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace coulomb::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using calibration::FitParameter;
using calibration::FitReport;
using calibration::FitTable;
using Strings = std::vector<std::string>;

constexpr const char* kUsage =
    "usage: coulomb calibrate fit --gpu GPU --silicon TABLE --parameter KEY[=LOW:HIGH] ... "
    "--out FILE.toml";

constexpr const char* kAbout =
    "Looks for values of GPU parameters with which simulated times meet recorded silicon, and\n"
    "writes a GPU file that extends GPU with them. Only keys of kind \"fit\" or \"assumption\", "
    "within\n"
    "their documented range; refused if the data do not identify them (docs/calibration.md).\n\n";

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("gpu", po::value<std::string>(), "GPU id or file");
  add("silicon", po::value<Strings>()->composing(), "table to fit to; may be repeated");
  add("held-out-silicon", po::value<Strings>()->composing(),
      "table of another kernel or board, for the figures before and after only");
  add("spec", po::value<std::string>(), "T1 file to use instead of the kernel of its name");
  add("parameter", po::value<Strings>()->composing(),
      "KEY, or KEY=LOW:HIGH for a part of its range; may be repeated");
  add("sample", po::value<std::int64_t>()->default_value(40), "configurations drawn per table");
  add("held-out", po::value<double>()->default_value(0.25),
      "share of the drawn configurations that the fit does not see");
  add("seed", po::value<std::int64_t>()->default_value(1),
      "decides which rows are drawn, and held out");
  add("max-simulations", po::value<std::int64_t>()->default_value(2000),
      "of one configuration each, all together");
  add("noise-floor", po::value<double>()->default_value(0.005, "0.005"),
      "least mean change of log(time) that the data can see");
  add("jobs", po::value<std::int64_t>(), "busy worker processes (default: cores)");
  add("sms", po::value<std::int64_t>()->default_value(1), "SMs simulated per configuration");
  add("sim-timeout", po::value<double>()->default_value(600.0), "seconds per simulation");
  add("compile-timeout", po::value<double>()->default_value(120.0), "seconds per compilation");
  add("predictions", po::value<std::string>(),
      "directory of earlier simulations: what is there is not simulated again");
  add("force", "go on although --gpu is not the board of a table");
  add("out", po::value<std::string>(), "GPU file to write");
  add("json", "print the report as one JSON object");
  add("help,h", "print this help");
  return options;
}

std::int64_t integer(const po::variables_map& values, const char* name, std::int64_t least) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const auto n = values[name].as<std::int64_t>();
  if (n < least || n > kMost) {
    throw UserError(
        fmt::format("calibrate fit: --{} is {}; allowed: {} to {}", name, n, least, kMost));
  }
  return n;
}

double positive(const po::variables_map& values, const char* name) {
  const double x = values[name].as<double>();
  if (!(x > 0.0)) {
    throw UserError(fmt::format("calibrate fit: --{} is {}; it must be above 0", name, x));
  }
  return x;
}

void require(const po::variables_map& values, const char* name) {
  if (values.count(name) == 0) {
    throw UserError(fmt::format("calibrate fit: --{} is missing", name), kUsage);
  }
}

/// A file of one's own stands for a board whose product it describes.
bool is_board(const config::ResolvedGpu& gpu, const std::string& board) {
  return gpu.config.id == board || gpu.config.product == config::load_gpu(board).config.product;
}

struct Plan {
  config::ResolvedGpu gpu;
  std::string out;
  std::optional<kernel::TunableSpec> spec; ///< instead of the one of its name
  std::vector<FitParameter> parameters;
  std::vector<FitTable> tables;
  calibration::FitSettings settings;
};

/// A table, its spec, and the GPU at its clocks; a held-out table of another board has that one's.
FitTable load_table(const po::variables_map& values,
                    const std::string& name,
                    const Plan& plan,
                    bool held_out) {
  const config::ResolvedGpu& gpu = plan.gpu;
  auto table =
      results::SiliconTable::load(results::find_silicon_table(name, home_dir() + "/data/silicon"));
  const auto& meta = table.metadata;
  const bool force = values.count("force") > 0;
  if (!held_out && !is_board(gpu, meta.gpu) && !force) {
    throw UserError(fmt::format("--gpu {} is not the board of {}: that was measured on {}",
                                gpu.config.id, table.path, meta.gpu),
                    fmt::format("use --gpu {}, or --force", meta.gpu));
  }
  auto spec = plan.spec && plan.spec->name == meta.spec ? *plan.spec : kernel::find_spec(meta.spec);
  const bool other_board = held_out && !is_board(gpu, meta.gpu);
  auto board = other_board ? config::load_gpu(meta.gpu).config : gpu.config;
  calibration::check_present_values(plan.parameters, board, table.path);
  config::apply_overrides(board, calibration::clock_overrides(meta));
  table = calibration::align(std::move(table), spec);
  auto sample = calibration::draw_sample(
      table, {.count = static_cast<std::size_t>(integer(values, "sample", 1)),
              .seed = static_cast<std::uint64_t>(integer(values, "seed", 0)),
              .failing_share = 0.0});
  return {std::move(table), std::move(spec), std::move(board), std::move(sample.rows), held_out};
}

search::EvaluatorOptions evaluator_options(const po::variables_map& values) {
  search::EvaluatorOptions options;
  options.jobs = values.count("jobs") > 0 ? static_cast<std::uint32_t>(integer(values, "jobs", 1))
                                          : std::max(1u, std::thread::hardware_concurrency());
  options.sim_deadline_s = positive(values, "sim-timeout");
  options.compile_deadline_s = positive(values, "compile-timeout");
  options.fidelity.sms = static_cast<std::uint32_t>(integer(values, "sms", 1));
  options.check_output = false; // timing parameters do not change what a kernel computes
  if (values.count("predictions") > 0) {
    options.predictions = values["predictions"].as<std::string>();
  }
  return options;
}

/// Path of the file to write; not the file that it is made from.
std::string output_path(const po::variables_map& values, const config::ResolvedGpu& gpu) {
  auto path = values["out"].as<std::string>();
  std::error_code error;
  if (!path.ends_with(".toml") || fs::equivalent(path, gpu.path, error)) {
    throw UserError(
        fmt::format("calibrate fit: --out {}; allowed: a name that ends in .toml and is "
                    "not {}",
                    path, gpu.path));
  }
  return path;
}

/// A table twice would count twice, or be fitted and held out at once.
void add_table(const po::variables_map& values,
               const std::string& name,
               bool held_out,
               Plan& plan) {
  FitTable table = load_table(values, name, plan, held_out);
  for (const FitTable& t : plan.tables) {
    std::error_code error;
    if (t.table.path == table.table.path || fs::equivalent(t.table.path, table.table.path, error)) {
      throw UserError(fmt::format("calibrate fit: {} is named twice", table.table.path));
    }
  }
  plan.tables.push_back(std::move(table));
}

Plan make_plan(const po::variables_map& values) {
  for (const char* name : {"gpu", "silicon", "parameter", "out"}) {
    require(values, name);
  }
  Plan plan;
  plan.gpu = config::load_gpu(values["gpu"].as<std::string>());
  plan.out = output_path(values, plan.gpu);
  if (values.count("spec") > 0) {
    plan.spec = kernel::find_spec(values["spec"].as<std::string>());
  }
  for (const auto& request : strings(values, "parameter")) {
    plan.parameters.push_back(calibration::fit_parameter(plan.gpu, request));
  }
  for (const auto& name : strings(values, "silicon")) {
    add_table(values, name, false, plan);
  }
  for (const auto& name : strings(values, "held-out-silicon")) {
    add_table(values, name, true, plan);
  }
  if (plan.spec && std::none_of(plan.tables.begin(), plan.tables.end(), [&](const FitTable& t) {
        return t.table.metadata.spec == plan.spec->name;
      })) {
    throw UserError(fmt::format("--spec {} is the kernel of no table: {} was measured with {}",
                                plan.spec->name, plan.tables.front().table.path,
                                plan.tables.front().table.metadata.spec));
  }
  plan.settings.held_out_share = values["held-out"].as<double>();
  plan.settings.seed = static_cast<std::uint64_t>(integer(values, "seed", 0));
  plan.settings.max_simulations = static_cast<std::size_t>(integer(values, "max-simulations", 1));
  plan.settings.noise_floor = positive(values, "noise-floor");
  return plan;
}

/// Text of the new GPU file.
std::string new_file(const Plan& plan, const FitReport& report, const std::string& command) {
  Strings tables;
  for (const FitTable& t : plan.tables) {
    if (!t.held_out) {
      tables.push_back(fs::path(t.table.metadata.path).stem().string());
    }
  }
  config::ResolvedGpu gpu = plan.gpu;
  const std::string date = search::utc_now().substr(0, 10);
  const auto provenance = calibration::provenance_of(report, tables, date);
  for (const auto& p : report.parameters) {
    if (p.value == p.parameter.start) {
      continue; // its source still holds
    }
    const auto wrong =
        config::assign(config::field(gpu.config, p.parameter.key), fmt::to_string(p.value));
    COULOMB_CHECK(!wrong, "{}: {}", p.parameter.key, *wrong);
    gpu.provenance[p.parameter.key] = provenance;
  }
  return calibration::gpu_file_text(
      gpu, calibration::preset_for(plan.gpu),
      fmt::format("{}, parameters fitted to recorded silicon on {}.\n{}\n{}",
                  plan.gpu.config.product, date, command, calibration::to_text(report)));
}

void print(const FitReport& report, const std::string& written, bool json) {
  if (json) {
    nlohmann::ordered_json object = {{"schema", kJsonSchema}};
    object.update(calibration::to_json(report));
    object["out"] =
        written.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(written);
    fmt::print("{}\n", object.dump(2));
    return;
  }
  fmt::print("{}\n{}\n", calibration::to_text(report),
             written.empty() ? "nothing better than the present values was found; no file written"
                             : "saved " + written);
}

} // namespace

int run_calibrate_fit(const Strings& args) {
  const auto options = describe_options();
  const auto values = parse_options("calibrate fit", args, options);
  if (values.count("help") > 0) {
    std::ostringstream text;
    text << options;
    fmt::print("{}\n\n{}{}", kUsage, kAbout, text.str());
    return 0;
  }
  const Plan plan = make_plan(values);
  search::Interruption interruption("stopping; nothing is written");
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  std::size_t calls = 0;
  calibration::TableSimulator simulator(
      plan.tables, plan.parameters, evaluator_options(values), interruption,
      [&](std::size_t done, std::size_t all) {
        if (terminal) {
          fmt::print(stderr, "\r\033[Kcalibrate fit   trial {}: {} of {} configurations", calls,
                     done, all);
        }
      });
  FitReport report;
  try {
    report = calibration::fit_parameters(
        plan.parameters, simulator.cases(),
        [&](const auto& at, const auto& cases) {
          ++calls;
          return simulator.simulate(at, cases);
        },
        plan.settings);
  } catch (const calibration::FitInterrupted&) {
    return search::kInterruptedExit;
  }
  if (terminal) {
    fmt::print(stderr, "\r\033[K");
  }
  if (report.changed()) {
    write_file_atomically(plan.out, new_file(plan, report, shell_line("calibrate fit", args)));
  }
  print(report, report.changed() ? plan.out : std::string(), values.count("json") > 0);
  return 0;
}

} // namespace coulomb::cli
