// SPDX-License-Identifier: Apache-2.0
#include "cli/search_inspect.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/search_report.hpp"
#include "search/cluster/island.hpp"
#include "search/cluster/search_view.hpp"
#include "search/store/export.hpp"
#include "search/store/search_merge.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using Strings = std::vector<std::string>;

struct Format {
  std::string_view name;
  std::string (*text)(const search::SearchRecords&);
};

constexpr std::array<Format, 4> kTextFormats = {{{"csv", search::export_csv},
                                                 {"json", search::export_json},
                                                 {"t4", search::export_t4},
                                                 {"features", search::export_features}}};

void add_common(po::options_description& options) {
  options.add_options()("dir", po::value<std::string>(),
                        "directory of the search")("json", "print one JSON object");
}

po::variables_map parse(const Strings& args, const po::options_description& options) {
  const std::string command = "search " + args.front();
  auto values = parse_options(command, {args.begin() + 1, args.end()}, options, {"dir"});
  if (values.count("dir") == 0) {
    throw UserError(fmt::format("{}: of which search? Name its directory", command),
                    fmt::format("coulomb {} runs/KERNEL-GPU-s1", command));
  }
  return values;
}

int status(const Strings& args) {
  po::options_description options;
  add_common(options);
  const auto values = parse(args, options);
  const auto dir = values["dir"].as<std::string>();
  const auto view = search::view_search(dir);
  const SearchReportInput input{.dir = dir, .view = &view};
  fmt::print("{}", values.count("json") > 0 ? search_json(view.records, input)
                                            : search_text(view.records, input));
  return 0;
}

int best(const Strings& args) {
  po::options_description options;
  add_common(options);
  options.add_options()("top", po::value<std::int64_t>()->default_value(1), "how many");
  const auto values = parse(args, options);
  const auto top = values["top"].as<std::int64_t>();
  if (top < 1) {
    throw UserError(fmt::format("search best: --top is {}; it must be at least 1", top));
  }
  const auto records = search::view_search(values["dir"].as<std::string>()).records;
  const auto count = static_cast<std::size_t>(top);
  fmt::print("{}",
             values.count("json") > 0 ? best_json(records, count) : best_text(records, count));
  return 0;
}

int export_search(const Strings& args) {
  po::options_description options;
  add_common(options);
  options.add_options()("format", po::value<std::string>()->default_value("csv"),
                        "csv, json, t4, features or h5")(
      "output,o", po::value<std::string>(), "file (default: standard output; h5: DIR/search.h5)");
  const auto values = parse(args, options);
  const auto dir = values["dir"].as<std::string>();
  const auto name = values["format"].as<std::string>();
  const bool to_file = values.count("output") > 0;
  if (name == "h5") {
    const std::string path = to_file ? values["output"].as<std::string>()
                                     : (std::filesystem::path(dir) / "search.h5").string();
    results::write_hdf5(path, search::export_hdf5(search::view_search(dir).records));
    fmt::print("saved {}\n", path);
    return 0;
  }
  const auto format = std::find_if(kTextFormats.begin(), kTextFormats.end(),
                                   [&](const Format& f) { return f.name == name; });
  if (format == kTextFormats.end()) {
    throw UserError(fmt::format("search export: unknown format {}{}", name,
                                did_you_mean(name, {"csv", "json", "t4", "features", "h5"})),
                    "one of: csv, json, t4, features, h5");
  }
  const std::string text = format->text(search::view_search(dir).records);
  if (to_file) {
    write_file_atomically(values["output"].as<std::string>(), text);
    fmt::print("saved {}\n", values["output"].as<std::string>());
  } else {
    fmt::print("{}", text);
  }
  return 0;
}

/// A directory that islands share stands for them.
Strings searches_of(const Strings& dirs) {
  Strings all;
  for (const std::string& dir : dirs) {
    const auto islands = search::islands_in(dir);
    for (const std::uint64_t island : islands) {
      all.push_back(search::island_dir(dir, island));
    }
    if (islands.empty()) {
      all.push_back(dir);
    }
  }
  return all;
}

int merge(const Strings& args) {
  po::options_description options;
  auto add = options.add_options();
  add("dir", po::value<Strings>()->composing(), "directories of searches, or of islands");
  add("out", po::value<std::string>(), "directory of the merged search");
  add("json", "print one JSON object");
  const auto values =
      parse_options("search merge", {args.begin() + 1, args.end()}, options, {"dir..."});
  if (values.count("out") == 0) {
    throw UserError("search merge: where to? --out is missing",
                    "coulomb search merge DIR DIR... --out DIR");
  }
  const auto out = values["out"].as<std::string>();
  search::MergeCounts counts;
  search::SearchRecords merged =
      search::merge_searches(searches_of(strings(values, "dir")), counts);
  merged.header.command = shell_line("search", args);
  merged.header.started = search::utc_now();
  auto store = search::SearchStore::create(out, merged.header);
  store.begin_session(0, merged.header.command);
  for (const auto& evaluation : merged.evaluations) {
    store.add(evaluation);
  }
  store.end_session("merge");
  results::write_hdf5((std::filesystem::path(out) / "search.h5").string(),
                      search::export_hdf5(store.records()));
  if (counts.repeated > 0) {
    fmt::print(stderr,
               "{} evaluations were of configurations that an earlier directory has, too{}\n",
               counts.repeated,
               counts.contradicting == 0
                   ? ""
                   : fmt::format("; {} of them have another outcome: the first was kept",
                                 counts.contradicting));
  }
  fmt::print("{}", values.count("json") > 0 ? search_json(store.records(), {.dir = out})
                                            : search_text(store.records(), {.dir = out}));
  return 0;
}

struct Inspection {
  std::string_view name;
  int (*run)(const Strings&);
};

constexpr std::array<Inspection, 4> kInspections = {
    {{"status", status}, {"best", best}, {"export", export_search}, {"merge", merge}}};

} // namespace

bool is_inspection(const std::string& word) {
  return std::any_of(kInspections.begin(), kInspections.end(),
                     [&](const Inspection& i) { return i.name == word; });
}

int run_inspection(const Strings& args) {
  const auto at = std::find_if(kInspections.begin(), kInspections.end(),
                               [&](const Inspection& i) { return i.name == args.front(); });
  COULOMB_CHECK(at != kInspections.end(), "no inspection {}", args.front());
  return at->run(args);
}

} // namespace coulomb::cli
