// SPDX-License-Identifier: Apache-2.0
#include "cli/hw.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/hw_compare.hpp"
#include "cli/hw_doctor.hpp"
#include "cli/hw_measure.hpp"
#include "cli/hw_metrics.hpp"
#include "cli/hw_show.hpp"

#include <fmt/format.h>

namespace coulomb::cli {
namespace {

constexpr const char* kHelp =
    "usage: coulomb hw doctor                         what can be measured here, and what to mend\n"
    "       coulomb hw measure SPEC --device DEVICE   measures configurations of a kernel\n"
    "       coulomb hw show FILE                      the measurements of a file as a table\n"
    "       coulomb hw compare FILE                   simulated against measured, counter by "
    "counter\n\n"
    "DEVICE is the number of a CUDA device, or replay:TABLE: recorded measurements.\n"
    "\"coulomb hw doctor --help\" and \"coulomb hw measure --help\" list their options.\n";

} // namespace

int run_hw(const std::vector<std::string>& args) {
  if (args.empty() || args[0] == "--help" || args[0] == "-h") {
    fmt::print("{}", kHelp);
    return args.empty() ? 2 : 0;
  }
  const std::vector<std::string> rest(args.begin() + 1, args.end());
  if (args[0] == "doctor") {
    return run_hw_doctor(rest);
  }
  if (args[0] == "measure") {
    return run_hw_measure(rest);
  }
  if (args[0] == "compare") {
    return run_hw_compare(rest);
  }
  if (args[0] == "metrics") {
    return run_hw_metrics(rest);
  }
  if (args[0] == "show") {
    return run_hw_show(rest);
  }
  throw UserError(
      fmt::format("hw: no sub-command \"{}\"{}", args[0],
                  did_you_mean(args[0], {"doctor", "measure", "show", "compare", "metrics"})),
      "coulomb hw doctor, coulomb hw measure, coulomb hw show, coulomb hw compare, "
      "coulomb hw metrics");
}

} // namespace coulomb::cli
