// SPDX-License-Identifier: Apache-2.0
#include "cli/search_commands.hpp"

#include "cli/command_line.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace coulomb::cli {

using search::EvaluationRecord;
using search::SearchRecords;

namespace {

/// The fidelity that a run needs to repeat the evaluations, as options.
std::vector<std::string> fidelity_options(const SearchRecords& records) {
  const auto& fidelity = records.header.fidelity;
  std::vector<std::string> options;
  if (fidelity.rung == "chip") {
    options = {"--chip"};
  } else if (fidelity.sms != 1) {
    options = {"--sms", fmt::to_string(fidelity.sms)};
  }
  if (fidelity.cache_state != eval::Fidelity{}.cache_state) {
    options.insert(options.end(), {"--cache-state", fidelity.cache_state});
  }
  return options;
}

std::string resumed(const std::string& command) {
  return command.find("--resume") == std::string::npos ? command + " --resume" : command;
}

} // namespace

std::string run_command(const SearchRecords& records, const EvaluationRecord& e) {
  std::vector<std::string> words = {records.header.spec_path, "--gpu", records.header.gpu_argument};
  for (const auto& change : records.header.gpu_overrides) {
    words.insert(words.end(), {"--set", change});
  }
  for (const auto& [name, value] : e.configuration.entries()) {
    const bool gene = std::any_of(
        records.header.gpu_genes.begin(), records.header.gpu_genes.end(),
        [&, &key = name](const std::string& text) { return text.starts_with(key + "="); });
    words.insert(words.end(), {gene ? "--set" : "--param", name + "=" + kernel::to_text(value)});
  }
  const auto fidelity = fidelity_options(records);
  words.insert(words.end(), fidelity.begin(), fidelity.end());
  return shell_line("run", words);
}

bool is_complete(const SearchRecords& records) {
  return search::ends_search(records.stopped_by);
}

std::string resume_command(const SearchRecords& records) {
  return is_complete(records) ? std::string() : resumed(records.header.command);
}

std::vector<std::string> resume_commands(const search::SearchView& view) {
  std::vector<std::string> commands;
  for (const search::IslandView& island : view.islands) {
    if (!island.running && !island.complete()) {
      commands.push_back(resumed(island.header.command));
    }
  }
  return commands;
}

} // namespace coulomb::cli
