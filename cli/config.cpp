// SPDX-License-Identifier: Apache-2.0
#include "cli/config.hpp"

#include "base/config/config_json.hpp"
#include "base/config/field.hpp"
#include "base/config/gpu_catalogue.hpp"
#include "base/config/quantity.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;
using config::Field;
using config::ResolvedGpu;

constexpr const char* kUsage =
    "usage: coulomb config list                              every key, its unit, range and "
    "meaning\n"
    "       coulomb config show GPU [--set KEY=VALUE ...]    every value of a GPU, and its source\n"
    "       coulomb config explain KEY [--gpu GPU]           one key: meaning, values, sources\n"
    "       coulomb config diff GPU GPU                      where two configurations differ\n"
    "       coulomb config check FILE                        all mistakes of a file of your own\n"
    "each with --json; a GPU is an id of `coulomb gpus` or the path of a .toml file\n";

struct Options {
  std::vector<std::string> words; ///< command and its operands
  std::vector<std::string> overrides;
  std::string gpu;
  bool json = false;
  bool help = false;
};

Options parse(const std::vector<std::string>& args) {
  Options result;
  po::options_description options;
  options.add_options()("word", po::value(&result.words))("set", po::value(&result.overrides))(
      "gpu", po::value(&result.gpu))("json", po::bool_switch(&result.json))(
      "help,h", po::bool_switch(&result.help));
  po::positional_options_description positional;
  positional.add("word", -1);
  try {
    po::variables_map values;
    po::store(po::command_line_parser(args).options(options).positional(positional).run(), values);
    po::notify(values);
  } catch (const po::error& e) {
    throw UserError(fmt::format("config: {}", e.what()), "coulomb config --help");
  }
  return result;
}

void require_operands(const Options& options, std::size_t count, const char* form) {
  if (options.words.size() != count + 1) {
    throw UserError(fmt::format("config {}: {} operand{} given", options.words.front(),
                                options.words.size() - 1, options.words.size() == 2 ? "" : "s"),
                    fmt::format("usage: coulomb config {}", form));
  }
}

Json spec_json(const Field& f) {
  Json j = {{"key", f.key}, {"unit", config::unit_name(f.spec.unit)}, {"meaning", f.spec.doc}};
  if (f.spec.unit != config::Unit::text && f.spec.unit != config::Unit::flag) {
    j["min"] = f.spec.min;
    j["max"] = f.spec.max;
  }
  if (!f.spec.choices.empty()) {
    j["choices"] = f.spec.choices;
  }
  return j;
}

Json value_json(const Field& f) {
  return std::visit([](const auto* member) { return Json(*member); }, f.member);
}

Json provenance_json(const ResolvedGpu& gpu, const std::string& key) {
  const auto found = gpu.provenance.find(key);
  if (found == gpu.provenance.end()) {
    return nullptr;
  }
  const config::Provenance& p = found->second;
  return {{"kind", p.kind},
          {"source", p.source},
          {"confidence", p.confidence},
          {"date", p.date},
          {"note", p.note}};
}

int list_keys(const Options& options) {
  require_operands(options, 0, "list");
  config::GpuConfig defaults;
  Json list = Json::array();
  for (const Field& f : config::fields(defaults)) {
    if (options.json) {
      list.push_back(spec_json(f));
    } else {
      fmt::print("{:<38} {:<8} {:<26} {}\n", f.key, config::unit_name(f.spec.unit),
                 config::format_range(f.spec), f.spec.doc);
    }
  }
  if (options.json) {
    fmt::print("{}\n", Json{{"keys", list}}.dump(2));
  }
  return 0;
}

int show_gpu(const Options& options) {
  require_operands(options, 1, "show GPU [--set KEY=VALUE ...]");
  ResolvedGpu gpu = config::load_gpu(options.words[1], options.overrides);
  if (options.json) {
    Json provenance = Json::object();
    for (const auto& entry : gpu.provenance) {
      provenance[entry.first] = provenance_json(gpu, entry.first);
    }
    const Json j = {{"id", gpu.config.id},
                    {"file", gpu.path},
                    {"extends", gpu.extends},
                    {"changed", gpu.changed},
                    {"config", Json::parse(config::to_json_text(gpu.config))},
                    {"provenance", provenance}};
    fmt::print("{}\n", j.dump(2));
    return 0;
  }
  for (const Field& f : config::fields(gpu.config)) {
    const auto p = gpu.provenance.find(f.key);
    fmt::print("{:<38} {:<38} {}\n", f.key, config::format_value(f),
               p == gpu.provenance.end() ? ""
                                         : fmt::format("{}: {}", p->second.kind, p->second.source));
  }
  return 0;
}

void print_explanation(ResolvedGpu& gpu, const std::string& key) {
  fmt::print("\n{:<16} {}\n", gpu.config.id, config::format_value(config::field(gpu.config, key)));
  const auto found = gpu.provenance.find(key);
  if (found == gpu.provenance.end()) {
    return;
  }
  const config::Provenance& p = found->second;
  fmt::print("  source         {}: {}{}\n", p.kind, p.source,
             p.date.empty() ? "" : fmt::format(" ({})", p.date));
  if (!p.confidence.empty()) {
    fmt::print("  confidence     {}\n", p.confidence);
  }
  if (!p.note.empty()) {
    fmt::print("  note           {}\n", p.note);
  }
}

int explain_key(const Options& options) {
  require_operands(options, 1, "explain KEY [--gpu GPU]");
  const std::string& key = options.words[1];
  config::GpuConfig defaults;
  const Field f = config::field(defaults, key);
  const auto ids = options.gpu.empty() ? config::list_gpus() : std::vector{options.gpu};
  Json values = Json::array();
  if (!options.json) {
    fmt::print("{:<38} range {}\n  {}\n", key, config::format_range(f.spec), f.spec.doc);
  }
  for (const std::string& id : ids) {
    ResolvedGpu gpu = config::load_gpu(id, options.overrides);
    if (options.json) {
      values.push_back({{"gpu", gpu.config.id},
                        {"value", value_json(config::field(gpu.config, key))},
                        {"provenance", provenance_json(gpu, key)}});
    } else {
      print_explanation(gpu, key);
    }
  }
  if (options.json) {
    Json j = spec_json(f);
    j["values"] = values;
    fmt::print("{}\n", j.dump(2));
  }
  return 0;
}

int diff_gpus(const Options& options) {
  require_operands(options, 2, "diff GPU GPU");
  const ResolvedGpu before = config::load_gpu(options.words[1]);
  const ResolvedGpu after = config::load_gpu(options.words[2], options.overrides);
  const auto differences = config::diff(before.config, after.config);
  if (options.json) {
    Json list = Json::array();
    for (const config::Difference& d : differences) {
      list.push_back({{"key", d.key}, {"old", d.old_value}, {"new", d.new_value}});
    }
    fmt::print(
        "{}\n",
        Json{{"old", before.config.id}, {"new", after.config.id}, {"differences", list}}.dump(2));
    return 0;
  }
  fmt::print("{:<38} {:<38} {}\n", "key", before.config.id, after.config.id);
  for (const config::Difference& d : differences) {
    fmt::print("{:<38} {:<38} {}\n", d.key, d.old_value, d.new_value);
  }
  fmt::print("{} of {} keys differ\n", differences.size(), config::keys().size() - 1);
  return 0;
}

int check_file(const Options& options) {
  require_operands(options, 1, "check FILE");
  const ResolvedGpu gpu = config::load_gpu(options.words[1]);
  Json counts = Json::object();
  std::vector<std::string> parts;
  for (const auto& [kind, n] : config::provenance_counts(gpu)) {
    counts[kind] = n;
    parts.push_back(fmt::format("{} {}", n, kind));
  }
  if (options.json) {
    fmt::print("{}\n", Json{{"file", gpu.path}, {"ok", true}, {"parameters", counts}}.dump(2));
  } else {
    fmt::print("{}: ok; parameters: {}\n", gpu.path, fmt::join(parts, ", "));
  }
  return 0;
}

} // namespace

int run_config(const std::vector<std::string>& args) {
  const Options options = parse(args);
  if (options.help) {
    fmt::print("{}", kUsage);
    return 0;
  }
  if (options.words.empty()) {
    throw UserError("config: no command given; one of: list, show, explain, diff, check",
                    "coulomb config --help");
  }
  const std::string& command = options.words.front();
  if (command == "list") {
    return list_keys(options);
  }
  if (command == "show") {
    return show_gpu(options);
  }
  if (command == "explain") {
    return explain_key(options);
  }
  if (command == "diff") {
    return diff_gpus(options);
  }
  if (command == "check") {
    return check_file(options);
  }
  throw UserError(
      fmt::format("config: unknown command \"{}\"{}; one of: list, show, explain, diff, check",
                  command, did_you_mean(command, {"list", "show", "explain", "diff", "check"})),
      "coulomb config --help");
}

} // namespace coulomb::cli
