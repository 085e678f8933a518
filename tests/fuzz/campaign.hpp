// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shrinker.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace coulomb::fuzz {

struct CampaignOptions {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;      ///< index of the first program
  std::uint64_t programs = 100; ///< how many
  unsigned jobs = 1;            ///< threads
  std::size_t shrink_limit = 5; ///< how many differences are shrunk; the others are listed only
  double seconds = 0;           ///< start no batch after this time; 0: no limit
  bool strict = false;          ///< an instruction that is not modelled counts as a difference
  std::vector<std::string> host_options;
};

/// A program on which both sides do not agree.
struct Difference {
  std::uint64_t index = 0;
  int architecture = 80;
  Outcome outcome; ///< of the program as generated
  bool shrunk = false;
  Shrunk smallest; ///< if shrunk
};

struct CampaignResult {
  std::uint64_t programs = 0;                       ///< run
  std::vector<Difference> differences;              ///< by index
  std::map<std::string, std::uint64_t> unsupported; ///< message -> programs
};

/// 80 or 86: 25 programs in turn for each.
[[nodiscard]] int architecture_of(std::uint64_t index);

/// Generates, runs and compares programs, and shrinks what differs. `progress` is called after each
/// batch with the number of programs done, by one thread at a time. Throws EnvironmentError if
/// there is no NVRTC.
[[nodiscard]] CampaignResult run_campaign(const CampaignOptions& options,
                                          const std::function<void(std::uint64_t)>& progress);

/// Lines for a person: seed and index, both outputs, the small program.
[[nodiscard]] std::string describe(const Difference& difference, std::uint64_t seed);

} // namespace coulomb::fuzz
