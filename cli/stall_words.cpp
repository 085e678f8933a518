// SPDX-License-Identifier: Apache-2.0
#include "cli/stall_words.hpp"

#include <algorithm>
#include <array>

namespace coulomb::cli {
namespace {

struct StallWords {
  std::string_view reason;
  std::string_view words;
};
constexpr std::array<StallWords, 14> kStallWords = {{
    {"selected", "issued"},
    {"wait", "fixed-latency dependency"},
    {"long_scoreboard", "waiting for global memory"},
    {"short_scoreboard", "waiting for shared memory"},
    {"barrier", "waiting at a barrier"},
    {"math_pipe_throttle", "execution pipe busy"},
    {"lg_throttle", "load/store queue full"},
    {"mio_throttle", "shared-memory queue full"},
    {"dispatch_stall", "register file busy"},
    {"imc_miss", "constant cache miss"},
    {"no_instruction", "instruction cache miss"},
    {"branch_resolving", "resolving a branch"},
    {"sleeping", "sleeping"},
    {"not_selected", "ready, another warp issued"},
}};

} // namespace

std::string stall_words(std::string_view reason) {
  const auto* found = std::ranges::find(kStallWords, reason, &StallWords::reason);
  return std::string(found != kStallWords.end() ? found->words : reason);
}

} // namespace coulomb::cli
