// SPDX-License-Identifier: Apache-2.0
#include "search/whatif/study.hpp"

#include "base/config/toml_file.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "sim/power/islands.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/ranges.h>

namespace coulomb::search {
namespace {

using config::TomlKind;
using config::TomlProblem;
using config::TomlSetting;

constexpr std::string_view kGenes = "genes.";

/// Reads settings into a study and keeps what is wrong with them.
class Reader {
public:
  explicit Reader(std::vector<TomlProblem>& problems) : problems_(problems) {}

  void wrong(const TomlSetting& s, std::string why) {
    problems_.push_back({s.key, std::move(why), s.place});
  }
  void text(const TomlSetting& s, std::string& target) {
    if (s.kind != TomlKind::text || s.text.empty()) {
      return wrong(s, "expected a text in quotes; found " + s.text);
    }
    target = s.text;
  }
  std::optional<double> positive(const TomlSetting& s) {
    double value = 0.0;
    const char* end = s.text.data() + s.text.size();
    const bool read = std::from_chars(s.text.data(), end, value).ptr == end;
    if (s.kind != TomlKind::number || !read || !(value > 0.0)) {
      wrong(s, "expected a number above 0; found " + s.text);
      return std::nullopt;
    }
    return value;
  }
  /// At least 0 and below 1.
  double share(const TomlSetting& s) {
    double value = -1.0;
    const char* end = s.text.data() + s.text.size();
    const bool read = std::from_chars(s.text.data(), end, value).ptr == end;
    if (!read || value < 0.0 || value >= 1.0) {
      wrong(s, "expected a number from 0 to below 1; found " + s.text);
      return 0.0;
    }
    return value;
  }
  void numbers(const TomlSetting& s, std::vector<double>& target) {
    target.clear();
    for (const std::string& item : s.items) {
      double value = 0.0;
      const char* end = item.data() + item.size();
      if (std::from_chars(item.data(), end, value).ptr != end || value < 0.0) {
        return wrong(s, "expected a list of numbers, none below 0; found " + s.text);
      }
      target.push_back(value);
    }
  }
  void whole(const TomlSetting& s, std::uint64_t& target) {
    const char* end = s.text.data() + s.text.size();
    std::uint64_t value = 0;
    if (std::from_chars(s.text.data(), end, value).ptr != end || value == 0) {
      return wrong(s, "expected a whole number above 0; found " + s.text);
    }
    target = value;
  }
  void texts(const TomlSetting& s, std::vector<std::string>& target) {
    if (s.kind != TomlKind::list || s.items.empty()) {
      return wrong(s, "expected a list; found " + s.text);
    }
    target = s.items;
  }

private:
  std::vector<TomlProblem>& problems_;
};

bool read_limit(const TomlSetting& s, Reader& reader, StudyLimits& limits) {
  if (s.key == "limits.area_mm2") {
    limits.area_mm2 = reader.positive(s);
  } else if (s.key == "limits.power_w") {
    limits.power_w = reader.positive(s);
  } else if (s.key == "limits.temperature_c") {
    limits.temperature_c = reader.positive(s);
  } else {
    return false;
  }
  return true;
}

bool read_islands(const TomlSetting& s, Reader& reader, Study& study) {
  constexpr std::string_view kIslands = "islands.";
  if (!s.key.starts_with(kIslands)) {
    return false;
  }
  StudyIslands& islands = study.islands ? *study.islands : study.islands.emplace();
  const std::string key = s.key.substr(kIslands.size());
  if (key == "size") {
    reader.text(s, islands.size);
    const auto& sizes = power::kIslandSizes;
    if (std::find(sizes.begin(), sizes.end(), islands.size) == sizes.end()) {
      reader.wrong(s, fmt::format("one of: {}; found {}", fmt::join(sizes, ", "), s.text));
    }
  } else if (key == "sigma") {
    islands.sigma = reader.share(s);
  } else if (key == "conversion_loss") {
    islands.conversion_loss = reader.share(s);
  } else if (key == "boundary_cycles") {
    islands.boundary_cycles = reader.positive(s).value_or(0.0);
  } else if (key == "gate_idle_sms") {
    islands.gate_idle_sms = s.text == "true";
    if (s.kind != TomlKind::flag) {
      reader.wrong(s, "expected true or false; found " + s.text);
    }
  } else if (key == "spreads_mhz") {
    reader.numbers(s, islands.spreads_mhz);
  } else {
    return false;
  }
  return true;
}

void read_gene(const TomlSetting& s, Reader& reader, Study& study) {
  StudyGene gene{s.key.substr(kGenes.size()), {}};
  reader.texts(s, gene.values);
  if (gene.values.size() == 1) {
    reader.wrong(s, "one value: nothing to choose; give two or more, or move it to \"set\"");
  }
  study.genes.push_back(std::move(gene));
}

void read_setting(const TomlSetting& s, Reader& reader, Study& study) {
  static const std::vector<std::string> kKeys = {
      "gpu",   "set",    "budget",          "seed",           "objectives",
      "genes", "limits", "limits.area_mm2", "limits.power_w", "limits.temperature_c"};
  if (s.key == "gpu") {
    reader.text(s, study.gpu);
  } else if (s.key == "set") {
    reader.texts(s, study.set);
  } else if (s.key == "budget") {
    reader.whole(s, study.budget);
  } else if (s.key == "seed") {
    reader.whole(s, study.seed);
  } else if (s.key == "objectives") {
    reader.texts(s, study.objectives);
  } else if (s.key.starts_with(kGenes)) {
    read_gene(s, reader, study);
  } else if (!read_limit(s, reader, study.limits) && !read_islands(s, reader, study)) {
    reader.wrong(s, "unknown key" + did_you_mean(s.key, kKeys));
  }
}

void read_kernel(const config::TomlFile::Group& group,
                 Reader& reader,
                 std::vector<TomlProblem>& problems,
                 Study& study) {
  static const std::vector<std::string> kKeys = {"spec", "weight", "params"};
  StudyKernel kernel;
  for (const TomlSetting& s : group.settings) {
    if (s.key == "spec") {
      reader.text(s, kernel.spec);
    } else if (s.key == "weight") {
      kernel.weight = reader.positive(s).value_or(1.0);
    } else if (s.key == "params") {
      reader.texts(s, kernel.params);
    } else {
      reader.wrong(s, "unknown key" + did_you_mean(s.key, kKeys));
    }
  }
  if (kernel.spec.empty()) {
    problems.push_back({"kernel", "\"spec\" is missing: the kernel's name or file", group.place});
  }
  const std::string stem = std::filesystem::path(kernel.spec).stem().string();
  const auto same = std::count_if(study.kernels.begin(), study.kernels.end(),
                                  [&](const StudyKernel& k) { return k.spec == kernel.spec; });
  kernel.name = same == 0 ? stem : fmt::format("{}#{}", stem, same + 1);
  study.kernels.push_back(std::move(kernel));
}

} // namespace

Study read_study(const std::string& path) {
  const config::TomlFile file = config::read_toml_file(path);
  std::vector<TomlProblem> problems;
  Reader reader(problems);
  Study study;
  study.path = path;
  study.name = std::filesystem::path(path).stem().string();
  for (const TomlSetting& s : file.settings) {
    read_setting(s, reader, study);
  }
  for (const auto& group : file.groups) {
    if (group.name == "kernel") {
      read_kernel(group, reader, problems, study);
    } else {
      problems.push_back(
          {group.name, "unknown key; the only array of tables is [[kernel]]", group.place});
    }
  }
  const auto missing = [&](bool absent, const char* key, const char* what) {
    if (absent) {
      problems.push_back({key, what, {}});
    }
  };
  missing(study.gpu.empty(), "gpu", "missing: the GPU that designs begin from");
  missing(study.kernels.empty(), "kernel", "missing: at least one [[kernel]] with a spec");
  missing(study.genes.empty() && !study.islands, "genes",
          "missing: [genes] with KEY = [VALUE, VALUE, ...], or [islands]");
  if (!problems.empty()) {
    throw UserError(config::format_problems(path, problems),
                    "an example: configs/whatif/sm-configuration.toml");
  }
  double sum = 0.0;
  for (const StudyKernel& kernel : study.kernels) {
    sum += kernel.weight;
  }
  for (StudyKernel& kernel : study.kernels) {
    kernel.weight /= sum;
  }
  return study;
}

} // namespace coulomb::search
