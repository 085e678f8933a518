// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/noise_file.hpp"

#include "base/config/file_problems.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "calibration/noise/toml_values.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/ranges.h>
#include <functional>
#include <variant>

namespace coulomb::calibration {
namespace {

namespace fs = std::filesystem;
using config::TomlSetting;
using Strings = std::vector<std::string>;

/// A key outside [parameters].
struct Entry {
  const char* key;
  std::variant<std::string NoiseFile::*, std::uint64_t NoiseFile::*, double NoiseFile::*> member;
  bool needed = true;
};

const std::array<Entry, 10>& entries() {
  static const std::array<Entry, 10> kEntries{
      {{"board", &NoiseFile::board},
       {"fit.table", &NoiseFile::table},
       {"fit.kernel", &NoiseFile::kernel},
       {"fit.measured", &NoiseFile::measured},
       {"fit.fitted", &NoiseFile::fitted, false},
       {"fit.seed", &NoiseFile::seed},
       {"fit.configurations_fitted", &NoiseFile::configurations_fitted},
       {"fit.configurations_held_out", &NoiseFile::configurations_held_out},
       {"fit.ks_fitted", &NoiseFile::ks_fitted},
       {"fit.ks_held_out", &NoiseFile::ks_held_out}}};
  return kEntries;
}

std::string parameter_key(const NoiseField& field) {
  return fmt::format("parameters.{}", field.key);
}

void read_entry(const TomlSetting& s, const Entry& entry, NoiseFile& file) {
  constexpr double kLargestWhole = 9007199254740992.0; // 2^53
  if (const auto* text = std::get_if<std::string NoiseFile::*>(&entry.member)) {
    file.*(*text) = toml_text(s);
  } else if (const auto* whole = std::get_if<std::uint64_t NoiseFile::*>(&entry.member)) {
    if (s.scalars != std::vector{config::TomlScalar::integer}) {
      throw UserError(fmt::format("must be a whole number; found {}", s.text));
    }
    file.*(*whole) = static_cast<std::uint64_t>(toml_number(s, 0.0, kLargestWhole));
  } else {
    file.*std::get<double NoiseFile::*>(entry.member) = toml_number(s, 0.0, 1.0);
  }
}

void read_setting(const TomlSetting& s, NoiseFile& file) {
  Strings known{"schema"};
  if (s.key == "schema") {
    return check_toml_schema(s);
  }
  for (const Entry& e : entries()) {
    known.emplace_back(e.key);
    if (s.key == e.key) {
      return read_entry(s, e, file);
    }
  }
  for (const NoiseField& f : noise_fields()) {
    known.push_back(parameter_key(f));
    if (s.key == known.back()) {
      file.parameters.*f.member = toml_number(s, f.min, f.max);
      return;
    }
  }
  refuse_toml_key(s.key, known);
}

} // namespace

std::string noise_toml(const NoiseFile& file) {
  std::string text = fmt::format("# Measurement noise of one board: docs/calibration.md. Written "
                                 "by `coulomb calibrate noise`.\n"
                                 "schema = 1\nboard = \"{}\"\n\n[parameters]\n",
                                 file.board);
  for (const NoiseField& f : noise_fields()) {
    const std::string setting = fmt::format("{} = {}", f.key, file.parameters.*f.member);
    text += fmt::format("{:<42} # {}{}\n", setting,
                        f.unit.empty() ? "" : fmt::format("{}; ", f.unit), f.how);
  }
  text += fmt::format("\n[fit]\ntable = \"{}\"\nkernel = \"{}\"\nmeasured = \"{}\"\n", file.table,
                      file.kernel, file.measured);
  if (!file.fitted.empty()) {
    text += fmt::format("fitted = \"{}\"\n", file.fitted);
  }
  return text + fmt::format("seed = {}{}\nconfigurations_fitted = {}\n"
                            "configurations_held_out = {}\nks_fitted = {:.4f}\n"
                            "ks_held_out = {:.4f}\n",
                            file.seed,
                            "                                   # of the split and of "
                            "the made-up launches",
                            file.configurations_fitted, file.configurations_held_out,
                            file.ks_fitted, file.ks_held_out);
}

NoiseFile load_noise(const std::string& path) {
  const config::TomlFile toml = config::read_toml_file(path);
  NoiseFile file;
  config::FileProblems problems;
  Strings seen;
  for (const TomlSetting& s : toml.settings) {
    seen.push_back(s.key);
    problems.guard(s.key, s.place, [&] { read_setting(s, file); });
  }
  for (const config::TomlFile::Group& g : toml.groups) {
    problems.guard(g.name, g.place, [&] {
      refuse_toml_key(g.name, {"schema", "board", "parameters", "fit"});
    });
  }
  const auto require = [&](const std::string& key) {
    problems.require(std::find(seen.begin(), seen.end(), key) != seen.end(), key.c_str(),
                     "missing");
  };
  require("schema");
  for (const Entry& e : entries()) {
    if (e.needed) {
      require(e.key);
    }
  }
  for (const NoiseField& f : noise_fields()) {
    require(parameter_key(f));
  }
  problems.throw_if_any(path, "coulomb calibrate noise TABLE --out FILE.toml writes such a file");
  return file;
}

std::string noise_dir() {
  return home_dir() + "/data/noise";
}

NoiseFile find_noise(const std::string& board, const std::string& dir) {
  Strings boards;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(dir, error)) {
    if (entry.path().extension() == ".toml") {
      boards.push_back(entry.path().stem().string());
    }
  }
  std::sort(boards.begin(), boards.end());
  if (std::find(boards.begin(), boards.end(), board) == boards.end()) {
    throw UserError(fmt::format("no measurement noise of \"{}\" in {}{}; there is: {}", board, dir,
                                did_you_mean(board, boards), fmt::join(boards, ", ")),
                    "fit it to a table with single launches: coulomb calibrate noise TABLE");
  }
  return load_noise(fmt::format("{}/{}.toml", dir, board));
}

} // namespace coulomb::calibration
