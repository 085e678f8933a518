// SPDX-License-Identifier: Apache-2.0
#include "cli/calibrate_noise.hpp"

#include "base/error.hpp"
#include "base/results/silicon_samples.hpp"
#include "base/text.hpp"
#include "calibration/noise/noise_file.hpp"
#include "calibration/noise/noise_fit.hpp"
#include "cli/command_line.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <cstdint>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using calibration::NoiseAgreement;
using calibration::NoiseFigure;
using calibration::NoiseFile;
using Json = nlohmann::ordered_json;

po::options_description options_of() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("table", po::value<std::string>(), "table of recorded measurements with single launches");
  add("seed", po::value<std::int64_t>()->default_value(1),
      "decides which half is fitted, and the launches that are made up");
  add("test", po::value<std::string>(),
      "fit nothing: test these parameters (a board, or a .toml file) on the table");
  add("date", po::value<std::string>()->default_value(""), "date of the fit, to be written down");
  add("out", po::value<std::string>(), "write the fitted parameters to this TOML file");
  add("json", "print JSON");
  add("help,h", "print this help");
  return options;
}

/// Largest relative misfit of the figures that both sides have and that differ by more than two
/// steps of the timer.
struct Misfit {
  const NoiseFigure* figure = nullptr;
  double relative = 0.0;
};

Misfit largest_misfit(const NoiseAgreement& agreement, double quantum_ms) {
  constexpr double kUsPerMs = 1e3;
  Misfit worst;
  for (const NoiseFigure& f : agreement.figures) {
    // A correlation is no scale: its misfit is told by the table, not in per cent of it.
    if (f.unit.empty() || !f.recorded || !f.simulated || *f.recorded == 0.0 ||
        std::abs(*f.simulated - *f.recorded) < 2.5 * quantum_ms * kUsPerMs) {
      continue;
    }
    const double relative = (*f.simulated - *f.recorded) / std::abs(*f.recorded);
    if (worst.figure == nullptr || std::abs(relative) > std::abs(worst.relative)) {
      worst = {&f, relative};
    }
  }
  return worst;
}

Json json_of(const NoiseAgreement& a, double quantum_ms) {
  Json figures = Json::array();
  for (const NoiseFigure& f : a.figures) {
    const auto number = [](const std::optional<double>& v) { return v ? Json(*v) : Json(nullptr); };
    figures.push_back({{"name", f.name},
                       {"unit", f.unit},
                       {"recorded", number(f.recorded)},
                       {"simulated", number(f.simulated)}});
  }
  const Misfit worst = largest_misfit(a, quantum_ms);
  Json misfit = nullptr;
  if (worst.figure != nullptr) {
    misfit = {{"name", worst.figure->name}, {"relative", worst.relative}};
  }
  return {{"configurations", a.configurations},
          {"ks", a.ks},
          {"ks_range", a.ks_range},
          {"ks_fifths", a.ks_fifths},
          {"largest_misfit", std::move(misfit)},
          {"figures", std::move(figures)}};
}

Json json_of(const NoiseFile& file, const calibration::NoiseFit& fit, bool tested_only) {
  const double quantum = file.parameters.quantum_ms;
  Json parameters = Json::array();
  for (const calibration::NoiseField& f : calibration::noise_fields()) {
    parameters.push_back(
        {{"name", f.key}, {"value", file.parameters.*f.member}, {"unit", f.unit}, {"how", f.how}});
  }
  return {{"schema", 1},
          {"board", file.board},
          {"table", file.table},
          {"kernel", file.kernel},
          {"seed", file.seed},
          {"fitted_to_this_table", !tested_only},
          {"parameters", std::move(parameters)},
          {tested_only ? "first_half" : "fitted", json_of(fit.fitted, quantum)},
          {tested_only ? "second_half" : "held_out", json_of(fit.held_out, quantum)}};
}

void print_agreement(const char* name, const NoiseAgreement& a) {
  fmt::print("{:<12} n {:>5}   KS {:.4f}   by fifths of the time {:.3f}   of the ranges {:.3f}\n",
             name, a.configurations, a.ks, fmt::join(a.ks_fifths, " "), a.ks_range);
}

void print_text(const NoiseFile& file, const calibration::NoiseFit& fit, bool tested_only) {
  fmt::print("measurement noise of {}, {} {} ({})\n\n", file.board,
             tested_only ? "tested on" : "fitted to", file.table, file.kernel);
  fmt::print("{:<18} {:>12} {:<4} {}\n", "parameter", "value", "unit", "how found");
  for (const calibration::NoiseField& f : calibration::noise_fields()) {
    fmt::print("{:<18} {:>12.6g} {:<4} {}\n", f.key, file.parameters.*f.member, f.unit, f.how);
  }
  fmt::print("\nKolmogorov-Smirnov distance, simulated to recorded residuals about the median of "
             "runs 2.., to the timer's step\n");
  print_agreement(tested_only ? "first half" : "fitted", fit.fitted);
  print_agreement(tested_only ? "second half" : "held out", fit.held_out);
  fmt::print("\n{:<28} {:>10} {:>10}   ({})\n", tested_only ? "second half" : "held out",
             "recorded", "simulated", "us unless a correlation or a share");
  for (const NoiseFigure& f : fit.held_out.figures) {
    const auto text = [](const std::optional<double>& v) {
      return v ? fmt::format("{:.3f}", *v) : std::string("-");
    };
    fmt::print("{:<28} {:>10} {:>10}\n", f.name, text(f.recorded), text(f.simulated));
  }
  if (const Misfit worst = largest_misfit(fit.held_out, file.parameters.quantum_ms);
      worst.figure != nullptr) {
    fmt::print("largest misfit: {}, {:+.0f} %\n", worst.figure->name, 100.0 * worst.relative);
  }
}

calibration::NoiseParameters given_parameters(const std::string& board_or_path) {
  const bool path = board_or_path.ends_with(".toml");
  return (path ? calibration::load_noise(board_or_path) : calibration::find_noise(board_or_path))
      .parameters;
}

NoiseFile file_of(const results::SiliconTable& table,
                  const calibration::NoiseFit& fit,
                  std::uint64_t seed,
                  const std::string& date) {
  return {table.metadata.gpu,
          fit.parameters,
          recorded_path(table.path),
          table.metadata.spec,
          table.metadata.provenance.measured,
          date,
          seed,
          fit.fitted.configurations,
          fit.held_out.configurations,
          fit.fitted.ks,
          fit.held_out.ks};
}

std::uint64_t seed_of(const po::variables_map& values) {
  const auto seed = values["seed"].as<std::int64_t>();
  if (seed < 0) {
    throw UserError(fmt::format("calibrate noise: --seed is {}; it must not be below 0", seed));
  }
  return static_cast<std::uint64_t>(seed);
}

void print_help(const po::options_description& options) {
  fmt::print("usage: coulomb calibrate noise TABLE [--seed N] [--out FILE.toml] [--json]\n\n"
             "Fits the noise of repeated launches to half of a table's configurations, tests it "
             "on the other half.\nTABLE is a path, or a name below data/silicon; it must come "
             "with its single launches.\n\n");
  for (const auto& option : options.options()) {
    fmt::print("  {:<20} {}\n", option->format_name(), option->description());
  }
}

} // namespace

int run_calibrate_noise(const std::vector<std::string>& args) {
  const po::options_description options = options_of();
  const po::variables_map values = parse_options("calibrate noise", args, options, {"table"});
  if (values.count("help") > 0) {
    print_help(options);
    return 0;
  }
  if (values.count("table") == 0) {
    throw UserError("calibrate noise: which table?",
                    "e.g. coulomb calibrate noise convolution/convolution_A100-PCIE-40GB");
  }
  const bool tested_only = values.count("test") > 0;
  if (tested_only && values.count("out") > 0) {
    throw UserError("calibrate noise: --test fits nothing, so there is nothing for --out");
  }
  const std::uint64_t seed = seed_of(values);
  const auto table = results::SiliconTable::load(
      results::find_silicon_table(values["table"].as<std::string>(), home_dir() + "/data/silicon"));
  const calibration::NoiseData data =
      calibration::noise_data(table, results::load_silicon_samples(table.metadata), seed);
  const calibration::NoiseFit fit =
      tested_only
          ? calibration::judge_noise(data, given_parameters(values["test"].as<std::string>()), seed)
          : calibration::fit_noise(data, seed);
  const NoiseFile file = file_of(table, fit, seed, values["date"].as<std::string>());
  if (values.count("out") > 0) {
    write_file_atomically(values["out"].as<std::string>(), calibration::noise_toml(file));
  }
  if (values.count("json") > 0) {
    fmt::print("{}\n", json_of(file, fit, tested_only).dump(2));
  } else {
    print_text(file, fit, tested_only);
  }
  return 0;
}

} // namespace coulomb::cli
