// SPDX-License-Identifier: Apache-2.0
#include "base/config/field.hpp"
#include "base/config/file_problems.hpp"
#include "base/config/quantity.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "calibration/noise/model_noise.hpp"
#include "calibration/noise/toml_values.hpp"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <variant>

namespace coulomb::calibration {
namespace {

using config::TomlFile;
using config::TomlSetting;
using Strings = std::vector<std::string>;

constexpr std::array<const char*, 3> kKinds{"uniform_factor", "log_uniform_factor", "choice"};
constexpr double kWidest = 10.0; ///< a factor beyond this is another machine, not a doubt about one

std::size_t one_of(const TomlSetting& s, const Strings& words) {
  const std::string word = toml_text(s);
  const auto it = std::find(words.begin(), words.end(), word);
  if (it == words.end()) {
    throw UserError(fmt::format("one of: {}{}", fmt::join(words, ", "), did_you_mean(word, words)));
  }
  return static_cast<std::size_t>(it - words.begin());
}

void read_range(const TomlSetting& s, Perturbation& p) {
  const std::vector<double> range = toml_numbers(s);
  if (range.size() != 2 || !(range[0] >= 1.0 / kWidest && range[0] < range[1]) ||
      range[1] > kWidest) {
    throw UserError(fmt::format("must be [LOW, HIGH], factors from {} to {}, LOW below HIGH; "
                                "found {}",
                                1.0 / kWidest, kWidest, s.text));
  }
  p.low = range[0];
  p.high = range[1];
}

void read_setting(const TomlSetting& s, Perturbation& p) {
  if (s.key == "name") {
    p.name = toml_text(s);
  } else if (s.key == "keys") {
    p.keys = toml_texts(s);
  } else if (s.key == "distribution") {
    p.kind = static_cast<PerturbationKind>(one_of(s, {kKinds.begin(), kKinds.end()}));
  } else if (s.key == "range") {
    read_range(s, p);
  } else if (s.key == "values") {
    p.values = toml_texts(s);
  } else if (s.key == "basis") {
    p.basis = s.text;
    static_cast<void>(one_of(s, {"spread", "assumption"}));
  } else if (s.key == "source") {
    p.source = toml_text(s);
  } else {
    refuse_toml_key(s.key, {"name", "keys", "distribution", "range", "values", "basis", "source"});
  }
}

/// Refuses a perturbation that no GPU could take.
void check_keys(const Perturbation& p) {
  config::GpuConfig any;
  for (const std::string& key : p.keys) {
    const config::Field field = config::field(any, key);
    if (key == "id") {
      throw UserError("id is the name of a GPU and cannot be perturbed");
    }
    const bool number = std::holds_alternative<std::uint32_t*>(field.member) ||
                        std::holds_alternative<double*>(field.member);
    if (p.kind != PerturbationKind::choice && !number) {
      throw UserError(fmt::format("{} is not a single number and takes no factor; use "
                                  "distribution = \"choice\"",
                                  key));
    }
    for (const std::string& value : p.values) {
      if (const auto wrong = config::assign(field, value)) {
        throw UserError(fmt::format("{} = \"{}\": {}", key, value, *wrong));
      }
    }
  }
}

class NoiseReader {
public:
  explicit NoiseReader(const std::string& path) : file_(config::read_toml_file(path)) {}

  std::vector<Perturbation> read() {
    bool schema = false;
    for (const TomlSetting& s : file_.settings) {
      schema = schema || s.key == "schema";
      problems_.guard(s.key, s.place, [&] {
        if (s.key == "schema") {
          check_toml_schema(s);
        } else if (s.key != "description") {
          refuse_toml_key(s.key, {"schema", "description", "perturbation"});
        }
      });
    }
    for (const TomlFile::Group& g : file_.groups) {
      problems_.guard(g.name, g.place, [&] { group(g); });
    }
    problems_.require(schema, "schema", "missing: it must be 1");
    problems_.require(!file_.groups.empty(), "perturbation", "there is no [[perturbation]]");
    problems_.throw_if_any(file_.path,
                           "configs/noise/default.toml shows what belongs in this file");
    return std::move(perturbations_);
  }

private:
  void group(const TomlFile::Group& g) {
    if (g.name != "perturbation") {
      refuse_toml_key(g.name, {"perturbation"});
    }
    Perturbation p;
    const std::size_t before = problems_.list().size();
    for (const TomlSetting& s : g.settings) {
      problems_.guard(s.key, s.place, [&] { read_setting(s, p); });
    }
    if (problems_.list().size() > before) {
      return; // what follows from it would only repeat it
    }
    const bool choice = p.kind == PerturbationKind::choice;
    for (const char* key :
         {"name", "keys", "distribution", choice ? "values" : "range", "basis", "source"}) {
      if (!has(g, key)) {
        throw UserError(fmt::format("{} is missing", key));
      }
    }
    if (has(g, choice ? "range" : "values")) {
      throw UserError(choice ? "a choice has values, not a range"
                             : "a factor has a range, not "
                               "values");
    }
    check_keys(p);
    for (const Perturbation& other : perturbations_) {
      check_apart(p, other);
    }
    perturbations_.push_back(std::move(p));
  }

  static bool has(const TomlFile::Group& g, const std::string& key) {
    return std::any_of(g.settings.begin(), g.settings.end(),
                       [&](const TomlSetting& s) { return s.key == key; });
  }

  static void check_apart(const Perturbation& p, const Perturbation& other) {
    if (p.name == other.name) {
      throw UserError(fmt::format("there are two of the name {}", p.name));
    }
    for (const std::string& key : p.keys) {
      if (std::find(other.keys.begin(), other.keys.end(), key) != other.keys.end()) {
        throw UserError(fmt::format("{} is perturbed by {} already", key, other.name));
      }
    }
  }

  TomlFile file_;
  config::FileProblems problems_;
  std::vector<Perturbation> perturbations_;
};

} // namespace

ModelNoise ModelNoise::load(const std::string& path) {
  ModelNoise noise;
  noise.path_ = path;
  noise.perturbations_ = NoiseReader(path).read();
  return noise;
}

} // namespace coulomb::calibration
