// SPDX-License-Identifier: Apache-2.0
#include "cli/report.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/json_output.hpp"
#include "cli/report_accuracy.hpp"
#include "cli/search_commands.hpp"
#include "cli/stall_words.hpp"
#include "search/objective/ranking.hpp"
#include "search/report/search_page.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kAbout =
    "usage: coulomb report DIR [-o FILE]\n"
    "       coulomb report --accuracy [OBSERVATIONS...]   (see coulomb report --accuracy "
    "--help)\n\n"
    "Writes one HTML file about the search in DIR, finished or running: the best configuration,\n"
    "progress, which parameters matter, failures and their causes, the commands that repeat it.\n"
    "It opens in any browser and needs no network.\n\n";

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("dir", po::value<std::string>(), "directory of the search, if it is not given as a word");
  add("output,o", po::value<std::string>(),
      "file, replaced if it exists (default: DIR/report.html)");
  add("json", "print one JSON object: where the file is, and its size");
  add("help,h", "print this help");
  return options;
}

std::string help_text() {
  std::ostringstream out;
  out << kAbout << describe_options()
      << "\nExample\n  coulomb search saxpy --gpu a100-pcie-40gb --budget 60\n"
         "  coulomb report runs/saxpy-a100-pcie-40gb-s1 -o saxpy.html\n";
  return out.str();
}

std::string page_of(const std::string& dir) {
  const search::SearchView view = search::view_search(dir);
  const search::SearchRecords& records = view.records;
  const auto best = search::Ranking(records).best(1);
  search::SearchPageInput input;
  input.dir = dir;
  input.state = view.state;
  if (!best.empty()) {
    input.best_command = run_command(records, records.evaluations[best.front()]);
  }
  for (const std::string& command : resume_commands(view)) {
    input.resume_command += (input.resume_command.empty() ? "" : "\n") + command;
  }
  input.generated = search::utc_now();
  input.stall_words = stall_words;
  return search::search_page(records, input);
}

} // namespace

int run_report(const std::vector<std::string>& args) {
  if (std::find(args.begin(), args.end(), "--accuracy") != args.end()) {
    return run_report_accuracy(args);
  }
  const auto values = parse_options("report", args, describe_options(), {"dir"});
  if (values.count("help") > 0) {
    fmt::print("{}", help_text());
    return 0;
  }
  if (values.count("dir") == 0) {
    throw UserError("report: about which search? Name its directory",
                    "coulomb report runs/KERNEL-GPU-s1");
  }
  const auto dir = values["dir"].as<std::string>();
  const std::string path = values.count("output") > 0
                               ? values["output"].as<std::string>()
                               : (std::filesystem::path(dir) / "report.html").string();
  const std::string page = page_of(dir);
  write_file_atomically(path, page);
  if (values.count("json") > 0) {
    const nlohmann::ordered_json json = {
        {"schema", kJsonSchema}, {"out", path}, {"bytes", page.size()}};
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("saved {}   {} bytes\n", path, with_thousands(page.size()));
  }
  return 0;
}

} // namespace coulomb::cli
