// SPDX-License-Identifier: Apache-2.0
#include "search/store/search_header.hpp"

#include "base/error.hpp"
#include "search/objective/weighted_reward.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace coulomb::search {
namespace {

void compare_json(const std::string& path,
                  const nlohmann::json& a,
                  const nlohmann::json& b,
                  std::vector<std::string>& out) {
  if (a.is_object() && b.is_object()) {
    for (const auto& [key, value] : a.items()) {
      compare_json(path.empty() ? key : path + "." + key, value, b.value(key, nlohmann::json()),
                   out);
    }
    return;
  }
  if (a != b) {
    out.push_back(fmt::format("{}: recorded {}, now {}", path, a.dump(), b.dump()));
  }
}

std::vector<std::string> gpu_differences(const SearchHeader& recorded, const SearchHeader& wanted) {
  std::vector<std::string> out;
  const auto a = nlohmann::json::parse(recorded.gpu_json, nullptr, false);
  const auto b = nlohmann::json::parse(wanted.gpu_json, nullptr, false);
  if (!a.is_discarded() && !b.is_discarded()) {
    compare_json("gpu", a, b, out);
  }
  if (out.empty()) {
    out.push_back(fmt::format("gpu configuration: recorded hash {}, now {}", recorded.gpu_hash,
                              wanted.gpu_hash));
  }
  return out;
}

nlohmann::json weights_json(const RewardWeights& weights) {
  auto pairs = nlohmann::json::array();
  for (const auto& [name, weight] : weights) {
    pairs.push_back(nlohmann::json::array({name, weight}));
  }
  return pairs;
}

RewardWeights weights_from_json(const nlohmann::json& pairs) {
  RewardWeights weights;
  for (const auto& pair : pairs) {
    weights.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<double>());
  }
  return weights;
}

std::string island_text(const SearchHeader& header) {
  return header.island ? fmt::format("{} of {}", *header.island, header.islands) : "none";
}

/// The first change in which draws differ, if there are as many of them.
std::optional<std::string> draw_difference(const SearchHeader& recorded,
                                           const SearchHeader& wanted) {
  if (recorded.noise_draws.size() != wanted.noise_draws.size()) {
    return std::nullopt;
  }
  const auto change = [](const std::vector<std::string>& draw, std::size_t i) {
    return i < draw.size() ? draw[i] : "nothing";
  };
  for (std::size_t k = 0; k < recorded.noise_draws.size(); ++k) {
    const auto& a = recorded.noise_draws[k];
    const auto& b = wanted.noise_draws[k];
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      if (change(a, i) != change(b, i)) {
        return fmt::format("draw {} of the model noise: recorded {}, now {}", k + 1, change(a, i),
                           change(b, i));
      }
    }
  }
  return std::nullopt;
}

std::string reward_text(const SearchHeader& header) {
  return to_text(header.objectives.reward.start) + " to " + to_text(header.objectives.reward.end);
}

} // namespace

nlohmann::json to_json(const SearchHeader& h) {
  return {{"schema", h.schema},
          {"version", h.version},
          {"spec", h.spec},
          {"spec_path", h.spec_path},
          {"spec_hash", h.spec_hash},
          {"source_hash", h.source_hash},
          {"gpu", h.gpu},
          {"gpu_argument", h.gpu_argument},
          {"gpu_overrides", h.gpu_overrides},
          {"gpu_json", h.gpu_json},
          {"gpu_hash", h.gpu_hash},
          {"seed", h.seed},
          {"budget", h.budget},
          {"strategy", h.strategy},
          {"lookahead", h.lookahead},
          {"objectives", h.objectives.objectives},
          {"reward_weights", weights_json(h.objectives.reward.start)},
          {"reward_weights_end", weights_json(h.objectives.reward.end)},
          {"fence", h.fence ? nlohmann::json(*h.fence) : nlohmann::json()},
          {"islands", h.islands},
          {"topology", h.topology},
          {"island", h.island ? nlohmann::json(*h.island) : nlohmann::json()},
          {"migration_interval", h.migration_interval},
          {"gpu_genes", h.gpu_genes},
          {"silicon", h.silicon},
          {"ladder", h.ladder},
          {"noise", h.noise},
          {"noise_draws", h.noise_draws},
          {"fidelity",
           {{"rung", h.fidelity.rung},
            {"sms", h.fidelity.sms},
            {"max_waves", h.fidelity.max_waves},
            {"cache_state", h.fidelity.cache_state}}},
          {"space_size", h.space_size},
          {"parameters", h.parameters},
          {"command", h.command},
          {"started", h.started}};
}

SearchHeader header_from_json(const nlohmann::json& json) {
  try {
    SearchHeader h;
    json.at("schema").get_to(h.schema);
    if (h.schema > kStoreSchema) {
      throw UserError(
          fmt::format("the search was recorded with schema {}, this release reads up to {}",
                      h.schema, kStoreSchema),
          "use the release that recorded it");
    }
    json.at("version").get_to(h.version);
    json.at("spec").get_to(h.spec);
    json.at("spec_path").get_to(h.spec_path);
    json.at("spec_hash").get_to(h.spec_hash);
    json.at("source_hash").get_to(h.source_hash);
    json.at("gpu").get_to(h.gpu);
    json.at("gpu_argument").get_to(h.gpu_argument);
    json.at("gpu_overrides").get_to(h.gpu_overrides);
    json.at("gpu_json").get_to(h.gpu_json);
    json.at("gpu_hash").get_to(h.gpu_hash);
    json.at("seed").get_to(h.seed);
    json.at("budget").get_to(h.budget);
    if (h.schema >= 2) {
      json.at("strategy").get_to(h.strategy);
      json.at("lookahead").get_to(h.lookahead);
    }
    if (h.schema >= 3) {
      json.at("objectives").get_to(h.objectives.objectives);
      h.objectives.reward.start = weights_from_json(json.at("reward_weights"));
      h.objectives.reward.end = weights_from_json(json.at("reward_weights_end"));
      if (!json.at("fence").is_null()) {
        h.fence = json.at("fence").get<std::uint64_t>();
      }
      json.at("islands").get_to(h.islands);
      json.at("topology").get_to(h.topology);
      json.at("gpu_genes").get_to(h.gpu_genes);
      json.at("silicon").get_to(h.silicon);
    }
    if (h.schema >= 4) {
      if (!json.at("island").is_null()) {
        h.island = json.at("island").get<std::uint64_t>();
      }
      json.at("migration_interval").get_to(h.migration_interval);
    }
    h.ladder = json.value("ladder", h.ladder); // not in older journals; nor the next two
    h.noise = json.value("noise", h.noise);
    h.noise_draws = json.value("noise_draws", h.noise_draws);
    const auto& fidelity = json.at("fidelity");
    fidelity.at("rung").get_to(h.fidelity.rung);
    fidelity.at("sms").get_to(h.fidelity.sms);
    fidelity.at("max_waves").get_to(h.fidelity.max_waves);
    h.fidelity.cache_state = fidelity.value("cache_state", "warm"); // nor this
    json.at("space_size").get_to(h.space_size);
    json.at("parameters").get_to(h.parameters);
    json.at("command").get_to(h.command);
    json.at("started").get_to(h.started);
    return h;
  } catch (const nlohmann::json::exception& e) {
    throw UserError(fmt::format("not the header of a search: {}", e.what()));
  }
}

SearchHeader common_part(SearchHeader header) {
  const SearchHeader none;
  header.schema = none.schema;
  header.spec_path = none.spec_path;
  header.gpu_argument = none.gpu_argument;
  header.gpu_overrides = none.gpu_overrides;
  header.noise = none.noise;
  header.seed = none.seed;
  header.budget = none.budget;
  header.strategy = none.strategy;
  header.lookahead = none.lookahead;
  header.fence = none.fence;
  header.islands = none.islands;
  header.topology = none.topology;
  header.island = none.island;
  header.migration_interval = none.migration_interval;
  header.command = none.command;
  header.started = none.started;
  return header;
}

std::vector<std::string> differences(const SearchHeader& recorded, const SearchHeader& wanted) {
  std::vector<std::string> out;
  const auto compare = [&](const char* what, const auto& a, const auto& b) {
    if (a != b) {
      out.push_back(fmt::format("{}: recorded {}, now {}", what, a, b));
    }
  };
  compare("coulomb version", recorded.version, wanted.version);
  compare("spec", recorded.spec, wanted.spec);
  compare("spec text hash", recorded.spec_hash, wanted.spec_hash);
  compare("kernel source hash", recorded.source_hash, wanted.source_hash);
  compare("gpu", recorded.gpu, wanted.gpu);
  if (recorded.gpu == wanted.gpu && recorded.gpu_hash != wanted.gpu_hash) {
    const auto gpu = gpu_differences(recorded, wanted);
    out.insert(out.end(), gpu.begin(), gpu.end());
  }
  compare("seed", recorded.seed, wanted.seed);
  compare("budget", recorded.budget, wanted.budget);
  compare("strategy", recorded.strategy, wanted.strategy);
  compare("lookahead", recorded.lookahead, wanted.lookahead);
  compare("objectives", fmt::format("{}", fmt::join(recorded.objectives.objectives, ", ")),
          fmt::format("{}", fmt::join(wanted.objectives.objectives, ", ")));
  compare("reward weights", reward_text(recorded), reward_text(wanted));
  compare("fence", recorded.fence.value_or(0), wanted.fence.value_or(0));
  compare("islands", recorded.islands, wanted.islands);
  compare("topology", recorded.topology, wanted.topology);
  compare("island", island_text(recorded), island_text(wanted));
  compare("migration interval", recorded.migration_interval, wanted.migration_interval);
  compare("GPU genes", fmt::format("{}", fmt::join(recorded.gpu_genes, "; ")),
          fmt::format("{}", fmt::join(wanted.gpu_genes, "; ")));
  compare("silicon", recorded.silicon, wanted.silicon);
  compare("way to silicon", recorded.ladder, wanted.ladder);
  compare("draws of the model noise", recorded.noise_draws.size(), wanted.noise_draws.size());
  if (const auto draw = draw_difference(recorded, wanted)) {
    out.push_back(*draw);
  }
  compare("fidelity rung", recorded.fidelity.rung, wanted.fidelity.rung);
  compare("simulated SMs", recorded.fidelity.sms, wanted.fidelity.sms);
  compare("waves", recorded.fidelity.max_waves, wanted.fidelity.max_waves);
  compare("cache state at launch", recorded.fidelity.cache_state, wanted.fidelity.cache_state);
  compare("valid configurations", recorded.space_size, wanted.space_size);
  return out;
}

} // namespace coulomb::search
