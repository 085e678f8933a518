// SPDX-License-Identifier: Apache-2.0
#include "cli/hw.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/hw_compare.hpp"
#include "cli/hw_doctor.hpp"
#include "cli/hw_features.hpp"
#include "cli/hw_measure.hpp"
#include "cli/hw_metrics.hpp"
#include "cli/hw_show.hpp"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
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

constexpr std::array<SubCommand, 6> kSubCommands = {{
    {"doctor", "", "what can be measured here, and what to mend", run_hw_doctor},
    {"measure", "SPEC --device DEVICE", "measures configurations of a kernel", run_hw_measure},
    {"show", "FILE", "the measurements of a file as a table", run_hw_show},
    {"compare", "FILE", "simulated against measured, counter by counter", run_hw_compare},
    {"features", "FILE", "the features of measured configurations, as CSV", run_hw_features},
    {"metrics", "--set SET --chip GA100", "which counters a chip has; no GPU needed",
     run_hw_metrics},
}};

std::string help_text() {
  std::string text;
  for (const SubCommand& c : kSubCommands) {
    text += fmt::format("{} {:<42} {}\n", text.empty() ? "usage:" : "      ",
                        fmt::format("coulomb hw {} {}", c.name, c.arguments), c.summary);
  }
  return text + "\nDEVICE is the number of a CUDA device, or replay:TABLE: recorded measurements.\n"
                "\"coulomb hw measure --help\" lists the options of one.\n";
}

} // namespace

int run_hw(const Strings& args) {
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
  throw UserError(fmt::format("hw: no sub-command \"{}\"{}", args[0], did_you_mean(args[0], names)),
                  fmt::format("there are: {}", fmt::join(names, ", ")));
}

} // namespace coulomb::cli
