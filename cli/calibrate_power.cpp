// SPDX-License-Identifier: Apache-2.0
#include "cli/calibrate_power.hpp"

#include "base/config/field.hpp"
#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "calibration/fit/gpu_file_text.hpp"
#include "calibration/power/power_fit.hpp"
#include "cli/command_line.hpp"
#include "cli/kernel_runs.hpp"

#include <boost/program_options.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <sstream>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
namespace check = calibration::power;

constexpr const char* kUsage =
    "usage: coulomb calibrate power --gpu GPU [--points FILE] [--out FILE]";

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("gpu", po::value<std::string>(),
      "whose energies are fitted, with the points of every board of its architecture");
  add("points", po::value<std::string>()->default_value(home_dir() + "/data/power/points.csv"),
      "table of measured powers");
  add("out", po::value<std::string>(), "GPU file to write");
  add("help,h", "print this help");
  return options;
}

bool is_power_of_a_kernel(const check::PowerPoint& point) {
  return (point.group == "kernel" || point.group == "burn") && point.unit == "W" &&
         point.confidence != "low";
}

/// Those of role "check" are held out.
std::vector<check::FitPoint> fit_points(const std::string& table, std::uint32_t architecture) {
  std::vector<check::FitPoint> points;
  KernelRuns runs({});
  for (const check::PowerPoint& point : check::read_power_points(table)) {
    if (!is_power_of_a_kernel(point)) {
      continue;
    }
    const auto gpu = config::load_gpu(point.gpu).config;
    if (gpu.architecture != architecture) {
      continue;
    }
    const auto answer = runs(point.gpu, point.spec, point.sm_clock_mhz);
    if (!answer.kernel) {
      fmt::print(stderr, "warning: {} is left out: {}\n", point.id, answer.problem);
      continue;
    }
    points.push_back({point, gpu, *answer.kernel, !point.fitted});
  }
  return points;
}

std::string report(const check::PowerFit& fit) {
  std::string text = " group          factor   watts of it on the fitted points\n";
  for (const check::FittedGroup& g : fit.groups) {
    text += fmt::format(" {:<14} {:>6.3f}   {:.0f} to {:.0f}\n", g.name, g.factor, g.least_w,
                        g.greatest_w);
  }
  text +=
      fmt::format("\n mean error   before    after\n fitted     {:>6.1f} % {:>6.1f} %   {} points\n"
                  " held out   {:>6.1f} % {:>6.1f} %   {} points\n",
                  100.0 * fit.fitted_before, 100.0 * fit.fitted_after, fit.fitted,
                  100.0 * fit.held_out_before, 100.0 * fit.held_out_after, fit.held_out);
  return text;
}

/// `gpu` with the fitted energies and where they come from.
config::ResolvedGpu with_fit(config::ResolvedGpu gpu, const check::PowerFit& fit) {
  const config::GpuConfig before = gpu.config;
  gpu.config.power.energy = check::scaled(before.power.energy, fit);
  for (const config::Difference& d : config::diff(before, gpu.config)) {
    const auto old = gpu.provenance.find(d.key);
    gpu.provenance[d.key] = {
        "fit",
        fmt::format("data/power/points.csv: {} powers of kernels, {} held out ({:.1f} % off); "
                    "before: {}",
                    fit.fitted, fit.held_out, 100.0 * fit.held_out_after,
                    old == gpu.provenance.end() ? "" : old->second.source),
        "low",
        {},
        {}};
  }
  return gpu;
}

} // namespace

int run_calibrate_power(const std::vector<std::string>& args) {
  const auto values = parse_options("calibrate power", args, describe_options());
  if (values.count("help") > 0) {
    std::ostringstream out;
    out << kUsage << "\n\n" << describe_options();
    fmt::print("{}", out.str());
    return 0;
  }
  if (values.count("gpu") == 0) {
    throw UserError("calibrate power: --gpu is missing", kUsage);
  }
  const auto gpu = config::load_gpu(values["gpu"].as<std::string>());
  const auto fit =
      check::fit_energies(fit_points(values["points"].as<std::string>(), gpu.config.architecture));
  fmt::print("{}", report(fit));
  if (values.count("out") > 0) {
    const auto file = values["out"].as<std::string>();
    write_file_atomically(
        file, calibration::gpu_file_text(with_fit(gpu, fit), calibration::preset_for(gpu),
                                         "Made by: " + shell_line("calibrate power", args)));
    fmt::print("\nwritten    {}\n", file);
  }
  return 0;
}

} // namespace coulomb::cli
