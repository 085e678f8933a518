// SPDX-License-Identifier: Apache-2.0
#include "cli/report_accuracy.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "calibration/accuracy/gap_calibration.hpp"
#include "cli/command_line.hpp"
#include "cli/json_output.hpp"
#include "search/store/evaluation_record.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <unistd.h>

namespace coulomb::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using calibration::Observation;
using Strings = std::vector<std::string>;

constexpr const char* kAbout =
    "usage: coulomb report --accuracy [OBSERVATIONS...] [-o FILE.md|FILE.html] [options]\n"
    "       coulomb report --accuracy [OBSERVATIONS...] --transfer FROM TO [options]\n\n"
    "How well the simulator meets recorded silicon: alone, calibrated and fitted, calibrated and\n"
    "held out (configurations, kernels, boards), each in a table of its own; and what one board\n"
    "says about another. OBSERVATIONS are files of configurations that silicon and simulator both\n"
    "timed (default: data/calibration/*.csv.gz).\n\n";

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("accuracy", "this report");
  add("observations", po::value<Strings>()->composing(), "files, if they are not given as words");
  add("output,o", po::value<std::string>(),
      "file to write: .md (tables) or .html (with scatters); default: Markdown on standard output");
  add("gap", po::value<std::string>(), "also judge this stored gap model");
  add("uncalibrated", "the simulator alone: fit no gap model");
  add("kernels", po::value<std::string>(),
      "which specifications are one kernel (default: configs/calibration/kernels.toml)");
  add("folds", po::value<std::int64_t>()->default_value(5), "of configurations, held out in turn");
  add("seed", po::value<std::int64_t>()->default_value(1), "of the folds and the bootstrap");
  add("bootstrap", po::value<std::int64_t>()->default_value(1000),
      "replicates for the intervals; 0: none");
  add("json", "print the figures as one JSON object");
  add("help,h", "print this help; --transfer FROM TO prints what one board says about another");
  return options;
}

struct BoardPair {
  std::string from;
  std::string to;
};

/// Takes `--transfer FROM TO` out of the words: an option of two values, which may stand before
/// the files.
std::optional<BoardPair> take_transfer(Strings& args) {
  const auto at = std::find(args.begin(), args.end(), "--transfer");
  if (at == args.end()) {
    return std::nullopt;
  }
  if (args.end() - at < 3 || (at + 1)->starts_with('-') || (at + 2)->starts_with('-')) {
    throw UserError("report: --transfer needs two boards, FROM and TO",
                    "coulomb report --accuracy --transfer rtx-3090 a100-pcie-40gb");
  }
  const BoardPair pair{*(at + 1), *(at + 2)};
  args.erase(at, at + 3);
  return pair;
}

std::size_t
integer(const po::variables_map& values, const char* name, std::int64_t least, std::int64_t most) {
  const auto n = values[name].as<std::int64_t>();
  if (n < least || n > most) {
    throw UserError(fmt::format("report: --{} is {}; allowed: {} to {}", name, n, least, most));
  }
  return static_cast<std::size_t>(n);
}

Strings observation_files(const po::variables_map& values) {
  Strings files = strings(values, "observations");
  if (!files.empty()) {
    return files;
  }
  const fs::path dir = fs::path(home_dir()) / "data" / "calibration";
  std::error_code error;
  for (fs::directory_iterator it(dir, error), end; !error && it != end; it.increment(error)) {
    if (it->path().string().ends_with(".csv.gz")) {
      files.push_back(it->path().string());
    }
  }
  if (files.empty()) {
    throw UserError(fmt::format("report: there are no observations in {}", dir.string()),
                    "name files: coulomb report --accuracy FILE.csv ...");
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Observation> load(const Strings& files) {
  std::vector<Observation> all;
  for (const auto& file : files) {
    auto some = calibration::load_observations(file);
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  if (all.empty()) {
    throw UserError(fmt::format("report: {} hold no observation", fmt::join(files, ", ")));
  }
  return all;
}

calibration::StoredCalibration load_stored(const std::string& path) {
  const auto json = nlohmann::ordered_json::parse(read_file(path), nullptr, false);
  if (json.is_discarded()) {
    throw UserError(fmt::format("{}: this is not JSON", path),
                    "a gap model is written by coulomb calibrate gap");
  }
  return calibration::stored_calibration(calibration::GapModel::from_json(json, path));
}

enum class Format : std::uint8_t { markdown, html };

Format format_of(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  if (extension != ".md" && extension != ".html") {
    throw UserError(fmt::format("report: -o {}: the name ends in \"{}\"; allowed: .md and .html",
                                path, extension));
  }
  return extension == ".md" ? Format::markdown : Format::html;
}

void write(const std::string& path, const std::string& text, bool quiet) {
  write_file_atomically(path, text);
  if (!quiet) {
    fmt::print("saved {}   {} bytes\n", path, with_thousands(text.size()));
  }
}

calibration::AccuracyRequest request_of(const po::variables_map& values) {
  calibration::AccuracyRequest request;
  const auto seed = static_cast<std::uint64_t>(integer(values, "seed", 0, 2'000'000'000));
  request.held_out = {.folds = integer(values, "folds", 2, 1000), .seed = seed};
  request.bootstrap = {.replicates = integer(values, "bootstrap", 0, 100'000), .seed = seed};
  if (values.count("uncalibrated") == 0) {
    request.calibrate = calibration::gap_calibration();
  }
  if (::isatty(STDERR_FILENO) == 1) {
    request.progress = [](const std::string& step) {
      fmt::print(stderr, "report   calibrating: {}\n", step);
    };
  }
  return request;
}

int print_transfer(const std::vector<calibration::Transfer>& transfers,
                   const po::variables_map& values) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& t : transfers) {
    json.push_back(calibration::to_json(t));
  }
  const std::string text = calibration::transfers_markdown(transfers);
  if (values.count("output") > 0) {
    write(values["output"].as<std::string>(), text, values.count("json") > 0);
  }
  if (values.count("json") > 0) {
    fmt::print("{}\n",
               nlohmann::ordered_json{{"schema", kJsonSchema}, {"transfers", json}}.dump(2));
  } else if (values.count("output") == 0) {
    fmt::print("{}", text);
  }
  return 0;
}

void print_report(const po::variables_map& values,
                  const Strings& args,
                  const Strings& files,
                  const std::vector<Observation>& observations,
                  const calibration::KernelIdentity& identity,
                  calibration::AccuracyRequest request) {
  std::optional<calibration::StoredCalibration> stored;
  if (values.count("gap") > 0) {
    stored = load_stored(values["gap"].as<std::string>());
    request.stored = &*stored;
  }
  auto report = calibration::accuracy_report(observations, identity, request);
  report.date = search::utc_now();
  report.command = shell_line("report", args);
  for (const auto& file : files) {
    report.inputs.push_back(recorded_path(file));
  }
  report.stored_model = stored ? recorded_path(values["gap"].as<std::string>()) : std::string();
  const bool json = values.count("json") > 0;
  if (values.count("output") > 0) {
    const auto path = values["output"].as<std::string>();
    write(path,
          format_of(path) == Format::html ? calibration::to_html(report)
                                          : calibration::to_markdown(report),
          json);
  }
  if (json) {
    fmt::print("{}\n", calibration::to_json(report).dump(2));
  } else if (values.count("output") == 0) {
    fmt::print("{}", calibration::to_markdown(report));
  }
}

} // namespace

int run_report_accuracy(const std::vector<std::string>& args) {
  Strings words = args;
  const auto pair = take_transfer(words);
  const auto values = parse_options("report", words, describe_options(), {"observations..."});
  if (values.count("help") > 0) {
    std::ostringstream options;
    options << describe_options();
    fmt::print("{}{}", kAbout, options.str());
    return 0;
  }
  // A wrong name is refused before minutes of calibration.
  if (values.count("output") > 0 && format_of(values["output"].as<std::string>()) == Format::html &&
      pair) {
    throw UserError("report: --transfer writes Markdown or JSON", "-o FILE.md");
  }
  const Strings files = observation_files(values);
  const auto observations = load(files);
  const auto identity = calibration::KernelIdentity::load(
      values.count("kernels") > 0 ? values["kernels"].as<std::string>()
                                  : calibration::default_kernel_identity_path());
  const auto request = request_of(values);
  if (pair) {
    return print_transfer(
        calibration::board_transfers(observations, pair->from, pair->to, identity, request),
        values);
  }
  print_report(values, args, files, observations, identity, request);
  return 0;
}

} // namespace coulomb::cli
