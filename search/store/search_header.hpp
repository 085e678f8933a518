// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/simulation.hpp"
#include "search/objective/objective_settings.hpp"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// Version of the records that a search writes into its journal.
/// 1: generational searches only. 2: strategy, lookahead and each evaluation's origin. 3:
/// objectives, fence, islands, and the recorded table that answered instead of a simulator. 4: one
/// island of several processes, and migrations.
inline constexpr int kStoreSchema = 4;

/// What a search is about: everything that its results depend on.
struct SearchHeader {
  int schema = kStoreSchema;
  std::string version;                    ///< of coulomb
  std::string spec;                       ///< name of the tunable kernel
  std::string spec_path;                  ///< its T1 file, where it was when the search began
  std::string spec_hash;                  ///< of the T1 file's text
  std::string source_hash;                ///< of the kernel source's text
  std::string gpu;                        ///< product id
  std::string gpu_argument;               ///< as it was typed: an id or a path
  std::vector<std::string> gpu_overrides; ///< KEY=VALUE, already in `gpu_json`
  std::string gpu_json;                   ///< resolved configuration
  std::string gpu_hash;                   ///< of `gpu_json`
  std::uint64_t seed = 1;
  std::uint64_t budget = 200;                      ///< evaluations
  std::string strategy = "generational, schema 1"; ///< name in strategies()
  std::uint64_t lookahead = 1;                     ///< proposals out at a time
  ObjectiveSettings objectives;
  std::optional<std::uint64_t> fence;   ///< see StrategyStart
  std::uint64_t islands = 1;            ///< of a strategy that has islands, or processes
  std::string topology;                 ///< of the islands, if there are any
  std::optional<std::uint64_t> island;  ///< which of `islands` processes, from 0; nothing: alone
  std::uint64_t migration_interval = 0; ///< commitments between two migrations; 0: there are none
  std::vector<std::string>
      gpu_genes;       ///< KEY=V1,V2,...: keys of the GPU file that are searched, too
  std::string silicon; ///< table whose recorded measurements answered; empty: simulated
  std::string ladder;  ///< how silicon followed the simulator, in words; empty: it did not
  std::string noise;   ///< file of the model noise; empty: none
  /// KEY=VALUE changes of the GPU, by draw of the model noise: a candidate meets each of these GPUs
  /// as well. None: it meets the stated one only.
  std::vector<std::vector<std::string>> noise_draws;
  eval::Fidelity fidelity;
  std::uint64_t space_size = 0;        ///< valid configurations
  std::vector<std::string> parameters; ///< in the spec's order
  std::string command;                 ///< as it was typed
  std::string started;                 ///< UTC
  bool operator==(const SearchHeader&) const = default;
};

[[nodiscard]] nlohmann::json to_json(const SearchHeader& header);
/// Throws UserError naming the missing or malformed field, or a later schema.
[[nodiscard]] SearchHeader header_from_json(const nlohmann::json& json);

/// `header` without what islands of one search may differ in: seed, budget, how it searches,
/// its place among them, the way things were named, command and time.
[[nodiscard]] SearchHeader common_part(SearchHeader header);

/// What keeps `recorded` from being continued as `wanted`: one text per difference, such as
/// "seed: recorded 1, now 2". Paths, command and start time may differ; so may the way the GPU and
/// the model noise were named, as long as the configuration and the draws are the same.
[[nodiscard]] std::vector<std::string> differences(const SearchHeader& recorded,
                                                   const SearchHeader& wanted);

} // namespace coulomb::search
