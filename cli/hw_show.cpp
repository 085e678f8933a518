// SPDX-License-Identifier: Apache-2.0
#include "cli/hw_show.hpp"

#include "base/error.hpp"
#include "base/results/measurement_file.hpp"
#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <sstream>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kAbout =
    "usage: coulomb hw show FILE\n\n"
    "The measurements of a file of \"coulomb hw measure\" as a table.\n\n";

std::string row_text(const std::string& kernel, const results::MeasuredRow& row) {
  const eval::MeasureOutcome& o = row.outcome;
  if (o.status != eval::EvalStatus::ok) {
    return fmt::format("{:<16} {:>12}  {}   {}\n", kernel, eval::to_string(o.status), o.message,
                       row.parameters.key());
  }
  const auto times = eval::sample_statistics(o.samples_ms);
  return fmt::format("{:<16} {:>12.6g}  {:<26} {:>7.2f} {:>8} {:>7} {:>6.0f}  {:<9} {}\n", kernel,
                     times.median, fmt::format("[{:.6g}, {:.6g}]", times.q1, times.q3),
                     100.0 * times.noise, o.samples_ms.size(), o.passes, o.state.sm_clock_mhz,
                     !o.output_check.checked ? "unchecked"
                     : o.output_check.passed ? "right"
                                             : "WRONG",
                     row.parameters.key());
}

} // namespace

int run_hw_show(const std::vector<std::string>& args) {
  po::options_description options("Options");
  auto add = options.add_options();
  add("file", po::value<std::string>(), "measurement file (.json)");
  add("help,h", "print this help");
  const auto values = parse_options("hw show", args, options, {"file"});
  if (values.count("help") > 0) {
    std::ostringstream out;
    out << kAbout << options;
    fmt::print("{}", out.str());
    return 0;
  }
  if (values.count("file") == 0) {
    throw UserError("hw show: which file?", "coulomb hw measure KERNEL --out FILE.json writes one");
  }
  const auto file = results::MeasurementFile::load(values["file"].as<std::string>());
  fmt::print("{}   {}   {}   caches {}   {}\n", file.board, file.address, file.date,
             file.cache_state,
             file.locked_sm_clock_mhz > 0.0
                 ? fmt::format("SM clock locked at {:.0f} MHz", file.locked_sm_clock_mhz)
                 : "clocks watched");
  fmt::print("{:<16} {:>12}  {:<26} {:>7} {:>8} {:>7} {:>6}  {:<9} {}\n", "kernel", "median ms",
             "[q1, q3]", "noise %", "samples", "passes", "MHz", "output", "parameters");
  for (const auto& measured : file.kernels) {
    for (const auto& row : measured.rows) {
      fmt::print("{}", row_text(measured.spec, row));
    }
  }
  return 0;
}

} // namespace coulomb::cli
