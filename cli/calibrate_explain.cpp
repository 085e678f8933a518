// SPDX-License-Identifier: Apache-2.0
#include "cli/calibrate_explain.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/calibrate_gap_report.hpp"
#include "cli/command_line.hpp"
#include "cli/json_output.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using namespace calibration;

constexpr const char* kAbout =
    "usage: coulomb calibrate explain MODEL.json [--observations FILE --row N] [options]\n\n"
    "Without a row: what the gap model learnt. With one: what it predicts for that observation,\n"
    "and why. The observation need not be one that it learnt from.\n\n";
constexpr const char* kExamples =
    "\nExample\n"
    "  coulomb calibrate explain gap.json --observations rtx3090.csv --row 17\n";

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("model", po::value<std::string>(), "MODEL.json, if it is not given as a word");
  add("observations", po::value<std::string>(), "file of observations");
  add("row", po::value<std::int64_t>(), "row of the silicon table: the file's column \"row\"");
  add("board", po::value<std::string>(), "if the file has that row for several boards");
  add("spec", po::value<std::string>(), "if the file has that row for several specs");
  add("json", "print one JSON object");
  add("help,h", "print this help");
  return options;
}

GapModel read_model(const std::string& path) {
  const auto json = nlohmann::ordered_json::parse(read_file(path), nullptr, false);
  return GapModel::from_json(json, path);
}

bool wanted(const po::variables_map& values, const char* name, const std::string& value) {
  return values.count(name) == 0 || values[name].as<std::string>() == value;
}

Observation find_observation(const po::variables_map& values) {
  const std::string path = values["observations"].as<std::string>();
  const std::int64_t row = values["row"].as<std::int64_t>();
  std::vector<Observation> found;
  std::string where;
  for (const Observation& o : load_observations(path)) {
    if (static_cast<std::int64_t>(o.row) == row && wanted(values, "board", o.board) &&
        wanted(values, "spec", o.spec)) {
      found.push_back(o);
      where += fmt::format("{}{} on {}", where.empty() ? "" : ", ", o.spec, o.board);
    }
  }
  if (found.empty()) {
    throw UserError(fmt::format("calibrate explain: {} has no such row {}", path, row),
                    "its column \"row\" says which ones it has");
  }
  if (found.size() > 1) {
    throw UserError(
        fmt::format("calibrate explain: {} has row {} more than once: {}", path, row, where),
        "say which with --board and --spec");
  }
  return found.front();
}

} // namespace

int run_calibrate_explain(const std::vector<std::string>& args) {
  const auto values = parse_options("calibrate explain", args, describe_options(), {"model"});
  if (values.count("help") > 0) {
    std::ostringstream help;
    help << kAbout << describe_options() << kExamples;
    fmt::print("{}", help.str());
    return 0;
  }
  if (values.count("model") == 0) {
    throw UserError("calibrate explain: it takes a file MODEL.json",
                    "coulomb calibrate gap OBSERVATIONS --out MODEL.json writes one");
  }
  if (values.count("observations") != values.count("row")) {
    throw UserError("calibrate explain: --observations and --row go together");
  }
  const GapModel model = read_model(values["model"].as<std::string>());
  const bool json = values.count("json") > 0;
  if (values.count("row") == 0) {
    const GapSummary summary = summarize(model);
    fmt::print("{}", json ? json_text(gap_summary_json(model, summary)) + '\n'
                          : gap_summary_text(model, summary));
    return 0;
  }
  const Observation observed = find_observation(values);
  const GapExplanation explanation = explain(model, query_of(observed));
  fmt::print("{}", json ? json_text(gap_explanation_json(model, observed, explanation)) + '\n'
                        : gap_explanation_text(model, observed, explanation));
  return 0;
}

} // namespace coulomb::cli
