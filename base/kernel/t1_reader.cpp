// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/kernel/t1_arguments.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace coulomb::kernel {
namespace {

constexpr std::array<const char*, 3> kAxes = {"X", "Y", "Z"};

/// Keys that are read, or have no bearing on a simulation; any other is ignored with a warning.
struct KnownKeys {
  const char* object; ///< empty: the document itself
  std::vector<std::string> keys;
};
const std::array<KnownKeys, 3> kKnown = {{
    {"",
     {"$schema", "General", "ConfigurationSpace", "KernelSpecification", "Coulomb", "Search",
      "Budget", "BenchmarkConfig", "verification"}},
    {"ConfigurationSpace", {"TuningParameters", "Conditions"}},
    {"KernelSpecification",
     {"Language",
      "CompilerOptions",
      "KernelName",
      "KernelFile",
      "GlobalSizeType",
      "LocalSize",
      "GlobalSize",
      "GridDivX",
      "GridDivY",
      "GridDivZ",
      "ProblemSize",
      "SharedMemory",
      "Arguments",
      "Device",
      "Profiling",
      "Stream",
      "Misc",
      "BenchmarkName",
      "BenchmarkPath",
      "SimulationInput",
      "ReferenceArguments",
      "SharedMemoryOriginal"}},
}};

/// Reads one T1 document into a spec.
class T1Reader {
public:
  T1Reader(const JsonView& root, const std::string& origin) : root_(root) { spec_.origin = origin; }

  TunableSpec read() {
    const JsonView kernel = root_.at("KernelSpecification");
    warn_of_unknown_keys();
    const std::optional<JsonView> extension = root_.find("Coulomb");
    if (extension) {
      extension->only({"Description", "Oracle", "Arguments"});
    }
    read_kernel(kernel);
    read_parameters(root_.at("ConfigurationSpace"));
    read_constants();
    read_problem_size(kernel);
    read_restrictions(root_.at("ConfigurationSpace"));
    if (!spec_.cannot_launch.empty()) {
      return std::move(spec_); // what such a launch is made of does not matter
    }
    read_sizes(kernel);
    if (const auto arguments = kernel.find("Arguments")) {
      for (const JsonView& a : arguments->elements()) {
        spec_.argument_templates.push_back(read_argument(spec_, a));
      }
    }
    if (extension) {
      read_extension(*extension);
    }
    return std::move(spec_);
  }

private:
  void warn_of_unknown_keys() {
    for (const KnownKeys& known : kKnown) {
      const JsonView object = *known.object == '\0' ? root_ : root_.at(known.object);
      for (const std::string& key : object.keys()) {
        if (std::find(known.keys.begin(), known.keys.end(), key) == known.keys.end()) {
          spec_.warnings.push_back(
              fmt::format("{}: {}{}unknown key \"{}\" is ignored{}", spec_.origin, known.object,
                          *known.object == '\0' ? "" : ": ", key, did_you_mean(key, known.keys)));
        }
      }
    }
  }

  /// The numbers of BenchmarkConfig, which some files' expressions use.
  void read_constants() {
    const auto config = root_.find("BenchmarkConfig");
    for (const std::string& key : config ? config->keys() : std::vector<std::string>{}) {
      if (const auto value = config->find(key); value && value->is_number()) {
        spec_.constants.emplace_back(key, scalar(*value));
      }
    }
  }

  void read_kernel(const JsonView& kernel) {
    if (const auto language = kernel.find("Language"); language && language->string() != "CUDA") {
      spec_.cannot_launch = fmt::format("{}: language \"{}\" cannot be compiled; allowed: CUDA",
                                        spec_.origin, language->string());
    }
    spec_.kernel_name = kernel.at("KernelName").string();
    const std::filesystem::path file = kernel.at("KernelFile").string();
    const auto folder = std::filesystem::absolute(spec_.origin).parent_path();
    spec_.source_path = (folder / file).lexically_normal().string();
    if (const auto options = kernel.find("CompilerOptions")) {
      for (const JsonView& option : options->elements()) {
        spec_.compiler_options.push_back(option.string());
      }
    }
    spec_.name = spec_.kernel_name;
    if (const auto general = root_.find("General")) {
      if (const auto name = general->find("BenchmarkName")) {
        spec_.name = name->string();
      }
    }
  }

  static ParameterValue scalar(const JsonView& view) {
    const nlohmann::json& j = view.json();
    if (j.is_boolean()) {
      return j.get<bool>();
    }
    if (j.is_number_integer()) {
      return j.get<std::int64_t>();
    }
    if (j.is_number_float()) {
      return j.get<double>();
    }
    if (j.is_string()) {
      return j.get<std::string>();
    }
    view.fail("expected a number, a bool or a string");
  }
  /// Makes a value fit T1's type word: floats for "float", bools for "bool" written as 0 and 1.
  static ParameterValue typed(ParameterValue v, const std::string& type, const JsonView& where) {
    const auto* i = std::get_if<std::int64_t>(&v);
    if ((type == "float" || type == "double") && i != nullptr) {
      return static_cast<double>(*i);
    }
    if (type == "bool" && i != nullptr && (*i == 0 || *i == 1)) {
      return *i == 1;
    }
    const bool integral = type == "int" || type == "uint";
    if ((integral && i == nullptr) || (type == "uint" && *i < 0) ||
        (type == "bool" && !std::holds_alternative<bool>(v)) ||
        ((type == "float" || type == "double") && !std::holds_alternative<double>(v)) ||
        (type == "string" && !std::holds_alternative<std::string>(v))) {
      where.fail(fmt::format("{} is not of type {}", to_text(v), type));
    }
    return v;
  }
  static std::vector<ParameterValue> values(const JsonView& view) {
    std::vector<ParameterValue> found;
    if (view.is_array()) {
      for (const JsonView& element : view.elements()) {
        found.push_back(scalar(element));
      }
      return found;
    }
    ExpressionValue list;
    try {
      list = Expression::parse(view.string()).evaluate({});
    } catch (const UserError& e) {
      view.fail(e.what());
    }
    if (!list.is_list) {
      view.fail(fmt::format("expected a list, \"{}\" is one value", view.string()));
    }
    for (const ExpressionValue& element : list.list) {
      if (element.is_list) {
        view.fail("expected a list of values, found a list of lists");
      }
      found.push_back(element.scalar);
    }
    return found;
  }
  void read_parameters(const JsonView& space) {
    for (const JsonView& p : space.at("TuningParameters").elements()) {
      TunableParameter parameter;
      parameter.name = p.at("Name").string();
      parameter.type = p.at("Type").string();
      const std::vector<std::string> types = {"int", "uint", "float", "double", "bool", "string"};
      if (std::find(types.begin(), types.end(), parameter.type) == types.end()) {
        p.at("Type").fail(fmt::format("unknown type \"{}\"{}; allowed: {}", parameter.type,
                                      did_you_mean(parameter.type, types), fmt::join(types, ", ")));
      }
      if (spec_.find(parameter.name) != nullptr) {
        p.at("Name").fail(fmt::format("parameter \"{}\" is declared twice", parameter.name));
      }
      const JsonView list = p.at("Values");
      for (ParameterValue& v : values(list)) {
        parameter.values.push_back(typed(std::move(v), parameter.type, list));
      }
      if (parameter.values.empty()) {
        list.fail(fmt::format("parameter \"{}\" has no values", parameter.name));
      }
      if (parameter.type == "string") {
        parameter.kind = ParameterKind::categorical;
      }
      parameter.default_value = parameter.values.front();
      if (const auto given = p.find("Default")) {
        read_default(*given, parameter);
      }
      spec_.parameters.push_back(std::move(parameter));
    }
  }
  void read_default(const JsonView& given, TunableParameter& parameter) {
    JsonView one = given;
    if (given.is_array()) {
      const auto list = given.elements();
      if (list.size() != 1) {
        given.fail(fmt::format("expected one default, found {}", list.size()));
      }
      one = list.front();
    }
    parameter.default_value = typed(scalar(one), parameter.type, given);
    const auto& v = parameter.values;
    const bool listed = std::find(v.begin(), v.end(), parameter.default_value) != v.end();
    if (!listed && v.size() == 1) { // published files have such: there is no other choice
      spec_.warnings.push_back(fmt::format(
          "{}: default {} of \"{}\" is not its only value, {}, which is used instead", spec_.origin,
          to_text(parameter.default_value), parameter.name, to_text(v.front())));
      parameter.default_value = v.front();
    } else if (!listed) {
      std::vector<std::string> texts;
      std::transform(v.begin(), v.end(), std::back_inserter(texts), to_text);
      given.fail(fmt::format("default {} of \"{}\" is not one of its values: {}",
                             to_text(parameter.default_value), parameter.name,
                             fmt::join(texts, ", ")));
    }
  }

  void read_problem_size(const JsonView& kernel) {
    const auto size = kernel.find("ProblemSize");
    if (!size) {
      return;
    }
    const auto one = [](const JsonView& v) {
      try {
        return Expression::parse(v.expression()).evaluate_int({});
      } catch (const UserError& e) {
        v.fail(e.what());
      }
    };
    if (!size->is_array()) {
      spec_.problem_size = {one(*size)};
      return;
    }
    for (const JsonView& v : size->elements()) {
      spec_.problem_size.push_back(one(v));
    }
  }

  std::string checked_text(const JsonView& where) const {
    return checked_expression(spec_, where, where.expression()).text();
  }

  void read_sizes(const JsonView& kernel) {
    auto& sizes = spec_.sizes;
    if (const auto type = kernel.find("GlobalSizeType")) {
      sizes.global_size_type = type->string();
      if (sizes.global_size_type != "CUDA" && sizes.global_size_type != "OpenCL") {
        type->fail(fmt::format("\"{}\" is unknown; allowed: CUDA, OpenCL", type->string()));
      }
    }
    read_axes(kernel.find("LocalSize"), sizes.local);
    if (!kernel.find("LocalSize")) {
      // Kernel Tuner's convention for a file that does not say.
      for (std::size_t i = 0; i < 3; ++i) {
        const std::string name = fmt::format("block_size_{}", "xyz"[i]);
        sizes.local[i] = spec_.find(name) != nullptr ? name : "1";
      }
    }
    read_axes(kernel.find("GlobalSize"), sizes.global);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto divisors = kernel.find(fmt::format("GridDiv{}", kAxes[i]));
      if (!divisors) {
        continue;
      }
      sizes.grid_div[i].emplace();
      if (!divisors->is_array()) {
        sizes.grid_div[i]->push_back(checked_text(*divisors));
        continue;
      }
      for (const JsonView& d : divisors->elements()) {
        sizes.grid_div[i]->push_back(checked_text(d));
      }
    }
    complete_divisors(kernel);
    if (const auto shared = kernel.find("SharedMemory")) {
      sizes.shared_bytes = checked_text(*shared);
    }
  }
  /// As Kernel Tuner does: once one axis has divisors, an axis of ProblemSize that has none, and
  /// whose GlobalSize is not stated either, is divided by 1.
  void complete_divisors(const JsonView& kernel) {
    const auto global = kernel.find("GlobalSize");
    auto& divisors = spec_.sizes.grid_div;
    const bool any = divisors[0] || divisors[1] || divisors[2];
    for (std::size_t i = 0; any && i < 3; ++i) {
      const bool stated = divisors[i] || (global && global->find(kAxes[i]));
      if (!stated && i < spec_.problem_size.size()) {
        divisors[i].emplace();
      }
    }
  }
  void read_axes(const std::optional<JsonView>& object, std::string (&texts)[3]) const {
    for (std::size_t i = 0; object && i < 3; ++i) {
      if (const auto axis = object->find(kAxes[i])) {
        texts[i] = checked_text(*axis);
      }
    }
  }

  void read_restrictions(const JsonView& space) {
    const auto conditions = space.find("Conditions");
    if (!conditions) {
      return;
    }
    for (const JsonView& c : conditions->elements()) {
      const JsonView text = c.is_string() ? c : c.at("Expression");
      spec_.restrictions.push_back({text.string(), checked_expression(spec_, text, text.string())});
    }
  }

  void read_extension(const JsonView& extension) {
    if (const auto text = extension.find("Description")) {
      spec_.description = text->string();
    }
    if (const auto oracle = extension.find("Oracle")) {
      spec_.oracle = oracle->string();
    }
    const auto overrides = extension.find("Arguments");
    if (!overrides) {
      return;
    }
    override_arguments(spec_, *overrides);
  }

  const JsonView& root_;
  TunableSpec spec_;
};

} // namespace

TunableSpec TunableSpec::parse(const std::string& text, const std::string& origin) {
  const nlohmann::json document = parse_json(text, origin);
  const JsonView root(document, origin);
  return T1Reader(root, origin).read();
}

TunableSpec TunableSpec::load(const std::string& path) {
  return parse(read_file(path), path);
}

} // namespace coulomb::kernel
