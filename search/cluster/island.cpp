// SPDX-License-Identifier: Apache-2.0
#include "search/cluster/island.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "search/store/search_store.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace coulomb::search {
namespace {

constexpr std::string_view kPrefix = "island-";

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = !text.empty() && error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

std::uint64_t slurm_number(const Variables& variables, const std::string& name) {
  const auto text = variables(name);
  const auto value = text ? whole_number(*text) : std::nullopt;
  if (!value) {
    throw UserError(fmt::format("search: --island auto needs {}, a number; found {}", name,
                                text ? "\"" + *text + "\"" : "none"),
                    "it is for tasks of a Slurm job array (sbatch --array=0-7); elsewhere name the "
                    "island: --island 0/8");
  }
  return *value;
}

Island slurm_island(const Variables& variables) {
  const std::uint64_t id = slurm_number(variables, "SLURM_ARRAY_TASK_ID");
  const std::uint64_t first = slurm_number(variables, "SLURM_ARRAY_TASK_MIN");
  const std::uint64_t last = slurm_number(variables, "SLURM_ARRAY_TASK_MAX");
  const std::uint64_t count = slurm_number(variables, "SLURM_ARRAY_TASK_COUNT");
  const std::uint64_t step = count > 1 ? (last - first) / (count - 1) : 1;
  const bool even = count > 0 && step > 0 && last == first + step * (count - 1) && id >= first &&
                    (id - first) % step == 0;
  if (!even || id > last) {
    throw UserError(fmt::format("search: --island auto: the {} tasks of the job array, {} to {}, "
                                "are not evenly spaced around task {}",
                                count, first, last, id),
                    "submit a range (sbatch --array=0-7), or name the island: --island 0/8");
  }
  return {(id - first) / step, count};
}

} // namespace

std::uint64_t Island::seed(std::uint64_t search_seed) const {
  return RandomStream(search_seed, "island", index).next();
}

std::uint64_t Island::share(std::uint64_t budget) const {
  return budget / count + (index < budget % count ? 1 : 0);
}

Island parse_island(const std::string& text, const Variables& variables) {
  Island island;
  if (text == "auto") {
    island = slurm_island(variables);
  } else {
    const auto slash = std::min(text.find('/'), text.size());
    const auto index = whole_number(std::string_view(text).substr(0, slash));
    const auto count =
        whole_number(std::string_view(text).substr(std::min(slash + 1, text.size())));
    if (!index || !count) {
      throw UserError(fmt::format("search: --island is \"{}\"", text),
                      "K/N, e.g. 0/8: the first of 8 islands; or auto in a Slurm job array");
    }
    island = {*index, *count};
  }
  if (island.count > kMostIslands || island.index >= island.count) {
    throw UserError(fmt::format("search: --island is {}/{}; allowed: 0 to N-1 of N, N from 1 to {}",
                                island.index, island.count, kMostIslands));
  }
  return island;
}

std::string island_dir(const std::string& shared, std::uint64_t index) {
  return (std::filesystem::path(shared) / fmt::format("{}{}", kPrefix, index)).string();
}

std::vector<std::uint64_t> islands_in(const std::string& shared) {
  std::vector<std::uint64_t> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(shared, none)) {
    const std::string name = entry.path().filename().string();
    const auto index = name.starts_with(kPrefix)
                           ? whole_number(std::string_view(name).substr(kPrefix.size()))
                           : std::nullopt;
    std::error_code ignored;
    if (index && std::filesystem::file_size(journal_path(entry.path().string()), ignored) > 0 &&
        !ignored) {
      found.push_back(*index);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

} // namespace coulomb::search
