// SPDX-License-Identifier: Apache-2.0
#include "cli/calibrate.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/calibrate_explain.hpp"
#include "cli/calibrate_fit.hpp"
#include "cli/calibrate_gap.hpp"
#include "cli/calibrate_noise.hpp"
#include "cli/calibrate_power.hpp"

#include <array>
#include <fmt/format.h>
#include <string_view>

namespace coulomb::cli {
namespace {

using Strings = std::vector<std::string>;

struct SubCommand {
  std::string_view name;
  std::string_view arguments;
  std::string_view summary;
  int (*run)(const Strings& args);
};

constexpr auto kSubCommands = std::to_array<SubCommand>({
    {"noise", "TABLE [--seed N] [--out FILE.toml]",
     "scatter of repeated launches, fitted and tested", run_calibrate_noise},
    {"gap", "OBSERVATIONS... --out MODEL.json", "learns what the simulator gets wrong",
     run_calibrate_gap},
    {"explain", "MODEL.json [--observations FILE --row N]", "what a gap model learnt, and why",
     run_calibrate_explain},
    {"fit", "--gpu G --silicon TABLE --parameter KEY ...", "fits numbers of a GPU file to silicon",
     run_calibrate_fit},
    {"power", "--gpu G [--out FILE]", "event energies from published powers of kernels",
     run_calibrate_power},
});

std::string help_text() {
  std::string text;
  for (const SubCommand& c : kSubCommands) {
    text += fmt::format("{} {:<42} {}\n", text.empty() ? "usage:" : "      ",
                        fmt::format("coulomb calibrate {} {}", c.name, c.arguments), c.summary);
  }
  return text + "\n\"coulomb calibrate noise --help\" lists the options of one.\n";
}

} // namespace

int run_calibrate(const Strings& args) {
  if (args.empty() || args[0] == "--help" || args[0] == "-h") {
    fmt::print("{}", help_text());
    return args.empty() ? 2 : 0;
  }
  Strings names;
  for (const SubCommand& c : kSubCommands) {
    if (args[0] == c.name) {
      return c.run({args.begin() + 1, args.end()});
    }
    names.emplace_back(c.name);
  }
  throw UserError(
      fmt::format("calibrate: no sub-command \"{}\"{}", args[0], did_you_mean(args[0], names)),
      fmt::format("there are: {}", fmt::join(names, ", ")));
}

} // namespace coulomb::cli
