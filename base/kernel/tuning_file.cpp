// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/tuning_file.hpp"

#include "base/config/file_problems.hpp"
#include "base/error.hpp"
#include "base/kernel/conditional_parameters.hpp"
#include "base/kernel/launch_description.hpp"
#include "base/kernel/launch_entry.hpp"
#include "base/kernel/parameter_table.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace coulomb::kernel {
namespace {

using config::SourcePlace;
using config::TomlFile;
using config::TomlKind;
using config::TomlScalar;
using config::TomlSetting;

constexpr const char* kParameters = "parameters";
/// Stands for a number that each configuration has its own of.
const std::string kOne = "1";
const std::vector<std::string> kKeys = {
    "source", "entry",        "grid",         "block", "shared_bytes", "options",  "define",
    "oracle", "restrictions", "problem_size", "name",  "description",  kParameters};

[[noreturn]] void wrong(const std::string& text) {
  throw UserError(text);
}

std::optional<double> as_number(const std::string& text) {
  double value = 0.0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size()
             ? std::optional<double>(value)
             : std::nullopt;
}

/// Lays one tuning file out, collecting every mistake.
class TuningFileReader {
public:
  explicit TuningFileReader(const std::string& path)
      : file_(config::read_toml_file(path)),
        folder_(std::filesystem::absolute(path).parent_path()) {
    spec_.origin = path;
  }

  TunableSpec read() {
    // Parameters and constants first: whatever else there is may name them.
    std::vector<TomlParameter> parameters = read_parameters(file_, problems_.list());
    for (const TomlParameter& p : parameters) {
      spec_.parameters.push_back(p.parameter);
    }
    for (const TomlSetting& s : file_.settings) {
      if (s.key.starts_with(kDefinePrefix) || s.key == "problem_size") {
        problems_.guard(s.key, s.place, [&] { constant(s); });
      }
    }
    for (const TomlSetting& s : file_.settings) {
      problems_.guard(s.key, s.place, [&] { top_level(s); });
    }
    read_conditions(parameters);
    for (const TomlFile::Group& g : file_.groups) {
      problems_.guard(g.name, g.place, [&] { group(g); });
    }
    // Parameters of the kernel in their order, then the variables of the module.
    std::stable_partition(spec_.argument_templates.begin(), spec_.argument_templates.end(),
                          [](const auto& t) { return t.argument.passed; });
    require();
    problems_.throw_if_any(file_.path, "docs/spaces.md lists the keys of a tuning file");
    return std::move(spec_);
  }

private:
  /// Macros of numbers, and the problem size, can be used in expressions.
  void constant(const TomlSetting& s) {
    if (s.key == "problem_size") {
      const std::vector<std::string> items =
          s.kind == TomlKind::list ? s.items : std::vector<std::string>{expression_of(s)};
      for (const std::string& item : items) {
        spec_.problem_size.push_back(Expression::parse(item).evaluate_int({}));
      }
      return;
    }
    const std::string name = s.key.substr(kDefinePrefix.size());
    spec_.compiler_options.push_back(fmt::format("-D{}={}", name, define_value(s)));
    if (s.scalars.front() == TomlScalar::integer) {
      spec_.constants.emplace_back(name, Expression::parse(s.text).evaluate_int({}));
    } else if (s.scalars.front() == TomlScalar::real) {
      spec_.constants.emplace_back(name, as_number(s.text).value_or(0.0));
    }
  }

  void top_level(const TomlSetting& s) {
    if (s.key == "source") {
      spec_.source_path = (folder_ / text_of(s)).lexically_normal().string();
    } else if (s.key == "cubin") {
      wrong("a tunable kernel is compiled for each configuration: it needs a source");
    } else if (s.key == "entry") {
      spec_.kernel_name = text_of(s);
    } else if (s.key == "name") {
      spec_.name = text_of(s);
    } else if (s.key == "description") {
      spec_.description = text_of(s);
    } else if (s.key == "oracle") {
      spec_.oracle = text_of(s);
    } else if (s.key == "grid") {
      read_axes(s, spec_.sizes.global);
    } else if (s.key == "block") {
      read_axes(s, spec_.sizes.local);
    } else if (s.key == "shared_bytes") {
      spec_.sizes.shared_bytes = spec_expression(spec_, expression_of(s)).text();
    } else if (s.key == "options") {
      const auto& items = texts_of(s, "[\"-std=c++17\"]");
      spec_.compiler_options.insert(spec_.compiler_options.begin(), items.begin(), items.end());
    } else if (s.key == "restrictions") {
      read_restrictions(s);
    } else if (!is_known_elsewhere(s)) {
      wrong(unknown_key(s.key, kKeys));
    }
  }
  static bool is_known_elsewhere(const TomlSetting& s) {
    const bool empty_table = s.key == "define" || s.key == kParameters;
    return s.key.starts_with(kDefinePrefix) || s.key.starts_with(kParameterPrefix) ||
           s.key == "problem_size" || (empty_table && s.kind == TomlKind::table);
  }

  void read_axes(const TomlSetting& s, std::string (&axes)[3]) {
    const std::vector<std::string> texts =
        s.kind == TomlKind::list ? s.items : split_axes(expression_of(s));
    if (texts.empty() || texts.size() > 3) {
      wrong(fmt::format("has {} extents; allowed: 1 to 3", texts.size()));
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      axes[i] = spec_expression(spec_, texts[i]).text();
    }
    (s.key == "grid" ? has_grid_ : has_block_) = true;
  }

  void read_restrictions(const TomlSetting& s) {
    for (const std::string& text : texts_of(s, "[\"block_x * block_y <= 1024\"]")) {
      problems_.guard(s.key, s.place, [&] {
        spec_.restrictions.push_back({text, spec_expression(spec_, text)});
      });
    }
  }

  void read_conditions(const std::vector<TomlParameter>& parameters) {
    std::vector<Condition> conditions;
    std::vector<SourcePlace> places;
    for (const TomlParameter& p : parameters) {
      if (!p.when.empty()) {
        conditions.push_back({p.parameter.name, p.when});
        places.push_back(p.when_place);
      }
    }
    add_conditions(spec_, conditions, [&](std::size_t i, const std::string& text) {
      problems_.add(fmt::format("{}{}.when", kParameterPrefix, conditions[i].parameter), text,
                    places[i]);
    });
  }

  void group(const TomlFile::Group& g) {
    if (const auto entry = read_launch_entry(g, problems_.list())) {
      add(*entry);
    }
  }

  void add(LaunchEntry e) {
    if (!e.expected_path.empty() || !e.output_path.empty()) {
      wrong("the outputs of a tunable kernel are compared with those of its default configuration, "
            "or with an oracle; write output = true");
    }
    TunableSpec::ArgumentTemplate made;
    made.count_expression = spec_expression(spec_, e.count.empty() ? kOne : e.count).text();
    if (!e.count.empty()) {
      e.count = kOne; // settled for each configuration
    }
    const bool constant = e.value.empty() || e.value == "true" || e.value == "false" ||
                          as_number(e.value).has_value();
    if (!constant) {
      made.value_expression = spec_expression(spec_, e.value).text();
      e.value = kOne;
    }
    made.argument = argument_of(e, spec_.argument_templates.size(), folder_.string());
    for (const auto& other : spec_.argument_templates) {
      if (other.argument.name == made.argument.name) {
        wrong(fmt::format("two arguments are called \"{}\"", made.argument.name));
      }
    }
    spec_.argument_templates.push_back(std::move(made));
  }

  void require() {
    problems_.require(!spec_.source_path.empty(), "source", "is missing: source = \"kernel.cu\"");
    problems_.require(has_grid_, "grid",
                      "is missing, e.g. grid = \"(8192 + block_x - 1) // block_x\"");
    problems_.require(has_block_, "block", "is missing, e.g. block = \"block_x\"");
    problems_.require(!spec_.parameters.empty() || !problems_.none(), kParameters,
                      "is missing: a table [parameters.NAME] for each");
    if (spec_.name.empty()) {
      const std::string stem = std::filesystem::path(spec_.source_path).stem().string();
      spec_.name = spec_.kernel_name.empty() ? stem : spec_.kernel_name;
    }
  }

  TomlFile file_;
  std::filesystem::path folder_;
  TunableSpec spec_;
  config::FileProblems problems_;
  bool has_grid_ = false;
  bool has_block_ = false;
};

} // namespace

bool is_tuning_file(const std::string& path) {
  const TomlFile file = config::read_toml_file(path);
  return std::any_of(file.settings.begin(), file.settings.end(), [](const TomlSetting& s) {
    return s.key == kParameters || s.key.starts_with(kParameterPrefix);
  });
}

TunableSpec read_tuning_file(const std::string& path) {
  return TuningFileReader(path).read();
}

} // namespace coulomb::kernel
