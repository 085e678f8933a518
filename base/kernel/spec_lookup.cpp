// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/spec_lookup.hpp"

#include "base/error.hpp"
#include "base/kernel/tuning_file.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <filesystem>

namespace coulomb::kernel {

namespace fs = std::filesystem;

std::vector<std::string> list_kernels(const std::string& directory) {
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    if (fs::is_regular_file(entry.path() / (name + ".json"))) {
      names.push_back(name);
    }
  }
  if (error) {
    throw UserError(fmt::format("cannot list kernels in {}: {}", directory, error.message()),
                    "set COULOMB_HOME to the folder that holds kernels/ and configs/");
  }
  std::sort(names.begin(), names.end());
  return names;
}

TunableSpec find_spec(const std::string& spec, const std::string& directory) {
  if (spec.ends_with(".json")) {
    return TunableSpec::load(spec);
  }
  if (spec.ends_with(".toml")) {
    if (!is_tuning_file(spec)) {
      throw UserError(fmt::format("{} has no [parameters]: it is one launch, not a space", spec),
                      "coulomb run runs it; docs/spaces.md has the format of a tuning space");
    }
    return read_tuning_file(spec);
  }
  const std::vector<std::string> names = list_kernels(directory);
  if (std::find(names.begin(), names.end(), spec) != names.end()) {
    return TunableSpec::load((fs::path(directory) / spec / (spec + ".json")).string());
  }
  throw UserError(fmt::format("unknown kernel \"{}\"{}; kernels: {}", spec,
                              did_you_mean(spec, names), fmt::join(names, ", ")),
                  "name one of these, or give the path of a T1 .json file or a tuning .toml");
}

TunableSpec find_spec(const std::string& spec) {
  return find_spec(spec, (fs::path(home_dir()) / "kernels").string());
}

} // namespace coulomb::kernel
