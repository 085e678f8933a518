// SPDX-License-Identifier: Apache-2.0
#include "cli/calibrate_gap.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/calibrate_gap_report.hpp"
#include "cli/command_line.hpp"
#include "cli/json_output.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using namespace calibration;
using Observations = std::vector<Observation>;

constexpr const char* kAbout =
    "usage: coulomb calibrate gap OBSERVATIONS... --out MODEL.json [options]\n\n"
    "Learns log(silicon/simulated) as a function of the simulation's features, with its\n"
    "uncertainty, and reports how well models that did not see a configuration, a kernel or a\n"
    "board predict it.\n\n";
constexpr const char* kExamples =
    "\nExample\n"
    "  coulomb calibrate gap a100.csv rtx3090.csv --exclude spec=sgemm --out gap.json\n"
    "  coulomb calibrate explain gap.json\n";

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("observations", po::value<std::vector<std::string>>(), "files, if not given as words");
  add("out", po::value<std::string>(), "where the model is written");
  add("folds", po::value<std::int64_t>()->default_value(5), "of held-out configurations, 2 to 100");
  add("seed", po::value<std::int64_t>()->default_value(1), "decides the folds");
  add("exclude", po::value<std::vector<std::string>>(),
      "board=B, spec=S or board=B,spec=S: not learnt from but predicted; may be repeated");
  add("model-hash", po::value<std::string>()->default_value(""),
      "of the simulator that was calibrated, recorded in the model");
  add("json", "print one JSON object");
  add("help,h", "print this help");
  return options;
}

/// Observations of a board, a spec or both.
struct Filter {
  std::string board; ///< empty: any
  std::string spec;

  [[nodiscard]] bool takes(const Observation& o) const {
    return (board.empty() || board == o.board) && (spec.empty() || spec == o.spec);
  }
};

Filter read_filter(const std::string& text) {
  Filter filter;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    if (word.starts_with("board=") && word.size() > 6) {
      filter.board = word.substr(6);
    } else if (word.starts_with("spec=") && word.size() > 5) {
      filter.spec = word.substr(5);
    } else {
      throw UserError(fmt::format("calibrate gap: --exclude has \"{}\"", word),
                      "allowed are board=B, spec=S and board=B,spec=S");
    }
  }
  if (filter.board.empty() && filter.spec.empty()) {
    throw UserError("calibrate gap: --exclude is empty",
                    "allowed are board=B, spec=S and board=B,spec=S");
  }
  return filter;
}

std::int64_t
integer(const po::variables_map& values, const char* name, std::int64_t least, std::int64_t most) {
  const auto value = values[name].as<std::int64_t>();
  if (value < least || value > most) {
    throw UserError(
        fmt::format("calibrate gap: --{} is {}; allowed: {} to {}", name, value, least, most));
  }
  return value;
}

/// Moves what a filter takes to `excluded`. Throws UserError if one takes nothing.
Observations split_off(Observations& all, const std::vector<std::string>& filters) {
  Observations excluded;
  for (const std::string& text : filters) {
    const Filter filter = read_filter(text);
    const auto rest = std::stable_partition(all.begin(), all.end(),
                                            [&](const auto& o) { return !filter.takes(o); });
    if (rest == all.end()) {
      throw UserError(fmt::format("calibrate gap: --exclude {} excludes nothing", text));
    }
    std::move(rest, all.end(), std::back_inserter(excluded));
    all.erase(rest, all.end());
  }
  return excluded;
}

} // namespace

int run_calibrate_gap(const std::vector<std::string>& args) {
  const auto values = parse_options("calibrate gap", args, describe_options(), {"observations..."});
  if (values.count("help") > 0) {
    std::ostringstream help;
    help << kAbout << describe_options() << kExamples;
    fmt::print("{}", help.str());
    return 0;
  }
  if (values.count("observations") == 0 || values.count("out") == 0) {
    throw UserError("calibrate gap: it takes files of observations and --out MODEL.json");
  }
  Observations observations;
  for (const std::string& path : strings(values, "observations")) {
    Observations more = load_observations(path);
    std::move(more.begin(), more.end(), std::back_inserter(observations));
  }
  const Observations excluded = split_off(observations, strings(values, "exclude"));
  if (observations.empty()) {
    throw UserError("calibrate gap: there are no observations to learn from");
  }
  GapReport report;
  report.out = values["out"].as<std::string>();
  report.observations = observations.size();
  report.split = {.folds = static_cast<std::size_t>(integer(values, "folds", 2, 100)),
                  .seed = static_cast<std::uint64_t>(integer(values, "seed", 0, INT64_MAX))};
  const GapSettings settings{.model_hash = values["model-hash"].as<std::string>()};
  const GapModel model = GapModel::fit(observations, settings);
  write_file_atomically(report.out, model.to_json().dump(1) + '\n');
  report.excluded = predicted_rows(model, excluded);
  report.held_out = cross_validate(
      observations, KernelIdentity::load(default_kernel_identity_path()), report.split, settings);
  fmt::print("{}", values.count("json") > 0 ? json_text(gap_report_json(report)) + '\n'
                                            : gap_report_text(report));
  return 0;
}

} // namespace coulomb::cli
