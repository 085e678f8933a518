// SPDX-License-Identifier: Apache-2.0
#include "cli/search_gap_model.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

using calibration::GapModel;
using calibration::Observation;

/// Of data/calibration, in the order of the files' names.
std::vector<Observation> shipped_observations() {
  std::vector<std::string> paths;
  std::error_code missing;
  for (const auto& entry :
       std::filesystem::directory_iterator(home_dir() + "/data/calibration", missing)) {
    if (entry.path().string().ends_with(".csv.gz")) {
      paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Observation> all;
  for (const std::string& path : paths) {
    auto more = calibration::load_observations(path);
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }
  return all;
}

} // namespace

std::optional<GapModel> search_gap_model(const LadderOptions& ladder,
                                         const std::string& board,
                                         const std::string& spec,
                                         std::size_t& own) {
  own = 0;
  if (ladder.without.contains("gap")) {
    return std::nullopt;
  }
  const auto is_own = [&](const Observation& o) { return o.board == board && o.spec == spec; };
  if (!ladder.gap.empty()) {
    const auto json = nlohmann::ordered_json::parse(read_file(ladder.gap), nullptr, false);
    GapModel model = GapModel::from_json(json, ladder.gap);
    own = static_cast<std::size_t>(
        std::count_if(model.observations().begin(), model.observations().end(), is_own));
    return model;
  }
  std::vector<Observation> all = shipped_observations();
  std::erase_if(all, is_own);
  fmt::print(stderr, "gap model  learning from {} observations, none of {} on {}\n", all.size(),
             spec, board);
  return GapModel::fit(std::move(all));
}

} // namespace coulomb::cli
