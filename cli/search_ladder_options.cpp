// SPDX-License-Identifier: Apache-2.0
#include "cli/search_ladder_options.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;

/// What an ablation can leave out.
constexpr std::array<const char*, 4> kParts = {"simulator", "gap", "noise", "ladder"};
constexpr std::array<const char*, 6> kOfLadder = {"silicon-batch", "gap-model", "gap-penalty",
                                                  "chip-rung",     "without",   "no-extreme-sizes"};

std::uint64_t
in_range(const po::variables_map& values, const char* name, std::int64_t least, std::int64_t most) {
  const auto n = values[name].as<std::int64_t>();
  if (n < least || n > most) {
    throw UserError(fmt::format("search: --{} is {}; allowed: {} to {}", name, n, least, most));
  }
  return static_cast<std::uint64_t>(n);
}

std::set<std::string> parts(const po::variables_map& values) {
  std::set<std::string> out;
  for (const std::string& part : strings(values, "without")) {
    if (std::find(kParts.begin(), kParts.end(), part) == kParts.end()) {
      throw UserError(
          fmt::format("search: --without {}; there are: {}", part, fmt::join(kParts, ", ")));
    }
    out.insert(part);
  }
  if (out.contains("simulator") && out.contains("gap")) {
    throw UserError("search: without simulator and gap model nothing is left to choose by");
  }
  return out;
}

} // namespace

std::string LadderOptions::text() const {
  if (silicon.empty()) {
    return {};
  }
  return fmt::format("{}, {} runs, {} a batch, gap model {}, penalty {}, {} on the chip{}", silicon,
                     budget, batch, gap.empty() ? "of data/calibration" : gap, penalty, chip,
                     without.empty() ? std::string()
                                     : fmt::format(", without {}", fmt::join(without, " and ")));
}

void add_ladder_options(po::options_description& options) {
  auto add = options.add_options();
  add("silicon-budget", po::value<std::int64_t>(),
      "with --silicon: runs on silicon of the candidates that the simulator found best");
  add("silicon-batch", po::value<std::int64_t>()->default_value(3),
      "runs after which the gap model learns from them and the search goes on");
  add("gap-model", po::value<std::string>(),
      "file of `coulomb calibrate gap` (default: learnt from data/calibration, without what it "
      "holds of this kernel on this board)");
  add("gap-penalty", po::value<double>()->default_value(0.5),
      "standard deviations by which an uncertain candidate counts for slower");
  add("chip-rung", po::value<std::int64_t>()->default_value(0),
      "candidates per batch that are simulated on every SM before silicon");
  add("no-extreme-sizes", "do not try the winner at other problem sizes");
  add("without", po::value<std::vector<std::string>>()->composing(),
      "simulator, gap, noise or ladder: leave it out, to see what it is worth");
}

LadderOptions read_ladder_options(const po::variables_map& values) {
  LadderOptions ladder;
  if (values.count("silicon-budget") == 0) {
    for (const char* name : kOfLadder) {
      if (values.count(name) > 0 && !values[name].defaulted()) {
        throw UserError(fmt::format("search: --{} belongs to --silicon-budget", name),
                        "--silicon replay:TABLE --silicon-budget 10");
      }
    }
    return ladder;
  }
  if (values.count("silicon") == 0) {
    throw UserError("search: --silicon-budget needs silicon",
                    "--silicon replay:TABLE or --silicon device:0");
  }
  if (values.count("blind") > 0) {
    throw UserError("search: --blind runs everything on silicon; --silicon-budget is of a search "
                    "that the simulator leads",
                    "leave one of them out");
  }
  ladder.silicon = values["silicon"].as<std::string>();
  ladder.budget = in_range(values, "silicon-budget", 1, 1'000'000);
  ladder.batch = in_range(values, "silicon-batch", 1, 1'000'000);
  ladder.chip = in_range(values, "chip-rung", 0, 1'000'000);
  ladder.penalty = values["gap-penalty"].as<double>();
  if (!(ladder.penalty >= 0.0 && ladder.penalty <= 10.0)) {
    throw UserError(fmt::format("search: --gap-penalty is {}; allowed: 0 to 10", ladder.penalty));
  }
  if (values.count("gap-model") > 0) {
    ladder.gap = values["gap-model"].as<std::string>();
  }
  ladder.extremes = values.count("no-extreme-sizes") == 0;
  ladder.without = parts(values);
  if (ladder.without.contains("ladder")) { // one batch of what looks best, nothing in between
    ladder.batch = ladder.budget;
    ladder.without.insert("noise");
    ladder.chip = 0;
  }
  return ladder;
}

} // namespace coulomb::cli
