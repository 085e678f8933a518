// SPDX-License-Identifier: Apache-2.0
#include "cli/kernels.hpp"

#include "base/error.hpp"
#include "base/kernel/space_enumeration.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

constexpr const char* kUsage = "usage: coulomb kernels [list | show NAME] [--json]";

Json values_json(const kernel::TunableParameter& parameter) {
  Json values = Json::array();
  for (const auto& v : parameter.values) {
    values.push_back(Json(kernel::to_json(v)));
  }
  return values;
}

Json summary_json(const kernel::TunableSpec& spec) {
  Json parameters = Json::array();
  for (const auto& p : spec.parameters) {
    parameters.push_back(p.name);
  }
  return {{"name", spec.name},
          {"parameters", parameters},
          {"configurations", kernel::cartesian_size(spec)},
          {"valid_configurations", kernel::count_valid(spec)},
          {"oracle", spec.oracle.empty() ? Json() : Json(spec.oracle)},
          {"description", spec.description},
          {"spec", spec.origin}};
}

Json detail_json(const kernel::TunableSpec& spec) {
  Json json = summary_json(spec);
  Json parameters = Json::array();
  for (const auto& p : spec.parameters) {
    parameters.push_back({{"name", p.name},
                          {"type", p.type},
                          {"values", values_json(p)},
                          {"default", Json(kernel::to_json(p.default_value))}});
  }
  json["parameters"] = parameters;
  Json restrictions = Json::array();
  for (const auto& r : spec.restrictions) {
    restrictions.push_back(r.text);
  }
  json["restrictions"] = restrictions;
  json["kernel_name"] = spec.kernel_name;
  json["source"] = spec.source_path;
  json["problem_size"] = spec.problem_size;
  const kernel::Launch launch = spec.launch(spec.default_configuration());
  json["default_launch"] = {{"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
                            {"block", {launch.block.x, launch.block.y, launch.block.z}},
                            {"dynamic_shared_bytes", launch.dynamic_shared_bytes}};
  Json arguments = Json::array();
  for (const auto& a : launch.arguments) {
    arguments.push_back({{"name", a.name},
                         {"type", kernel::element_type_name(a.type)},
                         {"count", a.count},
                         {"vector", a.vector},
                         {"output", a.output}});
  }
  json["arguments"] = arguments;
  return json;
}

void print_list(const std::vector<kernel::TunableSpec>& specs) {
  fmt::print("{:<16} {:>10} {:>14} {:<12} {}\n", "name", "parameters", "configurations", "oracle",
             "description");
  for (const auto& spec : specs) {
    fmt::print("{:<16} {:>10} {:>14} {:<12} {}\n", spec.name, spec.parameters.size(),
               with_thousands(kernel::count_valid(spec)), spec.oracle.empty() ? "-" : spec.oracle,
               spec.description);
  }
  fmt::print("\nParameters of one: coulomb kernels show NAME\n");
}

void print_one(const kernel::TunableSpec& spec) {
  fmt::print("{}: {}\n", spec.name, spec.description);
  fmt::print("spec    {}\nsource  {} ({})\noracle  {}\n", spec.origin, spec.source_path,
             spec.kernel_name, spec.oracle.empty() ? "none" : spec.oracle);
  fmt::print("space   {} configurations, {} satisfy the restrictions\n\n",
             with_thousands(kernel::cartesian_size(spec)),
             with_thousands(kernel::count_valid(spec)));
  fmt::print("{:<16} {:<7} {:<8} {}\n", "parameter", "type", "default", "values");
  for (const auto& p : spec.parameters) {
    std::vector<std::string> values;
    std::transform(p.values.begin(), p.values.end(), std::back_inserter(values), kernel::to_text);
    fmt::print("{:<16} {:<7} {:<8} {}\n", p.name, p.type, kernel::to_text(p.default_value),
               fmt::join(values, " "));
  }
  if (!spec.restrictions.empty()) {
    fmt::print("\nrestrictions\n");
  }
  for (const auto& r : spec.restrictions) {
    fmt::print("  {}\n", r.text);
  }
  const kernel::Launch launch = spec.launch(spec.default_configuration());
  fmt::print("\nwith the defaults: grid {} x {} x {}, block {} x {} x {}\n", launch.grid.x,
             launch.grid.y, launch.grid.z, launch.block.x, launch.block.y, launch.block.z);
  for (const auto& a : launch.arguments) {
    const std::string extent =
        a.vector ? fmt::format("[{}]", with_thousands(a.count)) : std::string();
    fmt::print("  {} {}{}{}\n", kernel::element_type_name(a.type), a.name, extent,
               a.output ? "  (output)" : "");
  }
}

int list(bool json) {
  const std::string directory = home_dir() + "/kernels";
  std::vector<kernel::TunableSpec> specs;
  for (const std::string& name : kernel::list_kernels(directory)) {
    specs.push_back(kernel::find_spec(name, directory));
  }
  if (!json) {
    print_list(specs);
    return 0;
  }
  Json kernels = Json::array();
  for (const auto& spec : specs) {
    kernels.push_back(summary_json(spec));
  }
  fmt::print("{}\n", Json{{"kernels", kernels}}.dump(2));
  return 0;
}

} // namespace

int run_kernels(const std::vector<std::string>& args) {
  po::options_description options;
  options.add_options()("action", po::value<std::string>()->default_value("list"))(
      "name", po::value<std::string>())("json", "print JSON")("help,h", "print this help");
  const po::variables_map values = parse_options("kernels", args, options, {"action", "name"});
  if (values.count("help") > 0) {
    fmt::print(
        "{}\n\nThe tunable kernels there are; show prints one of them, or a T1 .json file.\n",
        kUsage);
    return 0;
  }
  const auto action = values["action"].as<std::string>();
  const bool json = values.count("json") > 0;
  if (action == "list" && values.count("name") == 0) {
    return list(json);
  }
  if (action == "list") {
    throw UserError("kernels list takes no name", kUsage);
  }
  if (action != "show") {
    throw UserError(fmt::format("kernels: unknown action \"{}\"{}; allowed: list, show NAME",
                                action, did_you_mean(action, {"list", "show"})),
                    kUsage);
  }
  if (values.count("name") == 0) {
    throw UserError("kernels show: which kernel? its name is missing", kUsage);
  }
  const kernel::TunableSpec spec = kernel::find_spec(values["name"].as<std::string>());
  if (json) {
    fmt::print("{}\n", detail_json(spec).dump(2));
  } else {
    print_one(spec);
  }
  return 0;
}

} // namespace coulomb::cli
