// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/calibrate.hpp"
#include "cli/compare.hpp"
#include "cli/config.hpp"
#include "cli/disasm.hpp"
#include "cli/gpus.hpp"
#include "cli/hw.hpp"
#include "cli/json_output.hpp"
#include "cli/kernels.hpp"
#include "cli/report.hpp"
#include "cli/run.hpp"
#include "cli/search.hpp"
#include "cli/validate.hpp"
#include "cli/whatif.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace coulomb;
using Strings = std::vector<std::string>;

struct Command {
  std::string_view group; ///< heading it stands under in the help; empty: as the one before
  std::string_view name;
  std::string_view summary;
  int (*run)(const Strings& args);
};

constexpr std::array<Command, 12> kCommands = {{
    {"Simulate", "run", "one configuration of one kernel on one GPU", cli::run_run},
    {"", "compare", "what differs between two saved runs, and why", cli::run_compare},
    {"", "disasm", "the machine code of a .cu, .cubin or .fatbin file", cli::run_disasm},
    {"Look up", "kernels", "the tunable kernels there are", cli::run_kernels},
    {"", "gpus", "the GPUs there are", cli::run_gpus},
    {"", "config", "every number of a GPU, and where it comes from", cli::run_config},
    {"Search", "search", "the best configuration of a kernel", cli::run_search},
    {"", "whatif", "the best designs of a GPU for a set of kernels, and why", cli::run_whatif},
    {"", "report", "an HTML page about a search", cli::run_report},
    {"Silicon", "validate", "the simulator against measurements", cli::run_validate},
    {"", "calibrate", "what the simulator gets wrong, learnt from measurements",
     cli::run_calibrate},
    {"", "hw", "what can be measured here (doctor), and measuring it (measure)", cli::run_hw},
}};

std::string help_text() {
  std::string text = "coulomb: cycle-level simulation of CUDA kernels on NVIDIA Ampere GPUs, and "
                     "search for better "
                     "ones; no GPU needed\n\n";
  for (const auto& command : kCommands) {
    text += fmt::format("{:<10} {:<10} {}\n", command.group, command.name, command.summary);
  }
  text += "\nTry:  coulomb run convolution --gpu a100-pcie-40gb\n"
          "      coulomb COMMAND --help\n"
          "Exit codes: 0 fine, 1 a gate failed, 2 input, 3 environment, 4 not modelled or a kernel "
          "that is not ok, 70 our bug, 130 interrupted\n";
  return text;
}

Strings command_names() {
  Strings names;
  for (const auto& command : kCommands) {
    names.emplace_back(command.name);
  }
  return names;
}

int dispatch(const Strings& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    if (words.size() > 1 && words[0] == "help") {
      return dispatch({words[1], "--help"});
    }
    fmt::print("{}", help_text());
    return words.empty() ? 2 : 0;
  }
  if (words[0] == "--version" || words[0] == "version") {
    fmt::print("coulomb {}\n", COULOMB_VERSION);
    return 0;
  }
  const auto* command = std::ranges::find(kCommands, words[0], &Command::name);
  if (command == kCommands.end()) {
    throw UserError(
        fmt::format("unknown command \"{}\"{}", words[0], did_you_mean(words[0], command_names())),
        "coulomb --help lists the commands");
  }
  return command->run(Strings(words.begin() + 1, words.end()));
}

int report(const Error& error, const Strings& words) {
  if (cli::wants_json(words)) {
    fmt::print("{}\n", cli::error_json(error));
    return error.exit_code();
  }
  fmt::print(stderr, "error: {}\n", error.what());
  if (!error.hint().empty()) {
    fmt::print(stderr, "  {}\n", error.hint());
  }
  return error.exit_code();
}

} // namespace

int main(int argc, char** argv) {
  const Strings words(argv + 1, argv + argc);
  try {
    return dispatch(words);
  } catch (const Error& e) {
    return report(e, words);
  } catch (const std::exception& e) {
    return report(InternalError(fmt::format("unexpected failure: {}", e.what())), words);
  } catch (...) {
    return report(InternalError("unexpected failure of unknown kind"), words);
  }
}
