// SPDX-License-Identifier: Apache-2.0
#include "calibration/ladder/silicon_journal.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coulomb::calibration {
namespace {

using Json = nlohmann::json;

/// The first record says what was measured.
void check_head(const Json& head, const std::string& path, const Json& wanted) {
  for (const char* field : {"device", "spec"}) {
    const std::string found = head.value(field, std::string("nothing"));
    if (found != wanted[field]) {
      throw UserError(fmt::format("{}: its runs have {} \"{}\", not \"{}\"", path, field, found,
                                  wanted[field].get<std::string>()),
                      "choose another --out, or the same --silicon as before");
    }
  }
}

} // namespace

SiliconJournal::SiliconJournal(const std::string& path,
                               const std::string& address,
                               const std::string& spec)
    : journal_(path, {.records = 1}) {
  const Json wanted = {{"device", address}, {"spec", spec}};
  const auto& records = journal_.recovered().records;
  if (records.empty()) {
    journal_.append(wanted.dump());
    return;
  }
  check_head(Json::parse(records.front(), nullptr, false), path, wanted);
  for (std::size_t i = 1; i < records.size(); ++i) {
    const Json json = Json::parse(records[i], nullptr, false);
    if (!json.is_object() || !json.contains("configuration")) {
      throw UserError(fmt::format("{}: record {} is no silicon run", path, i));
    }
    SiliconRun run;
    run.problem = json.value("problem", std::string());
    run.ms = json.value("ms", 0.0);
    run.noise = json.value("noise", 0.0);
    runs_.emplace(json["configuration"].get<std::string>(), run);
  }
}

std::optional<SiliconRun> SiliconJournal::find(const kernel::Configuration& configuration) const {
  const auto at = runs_.find(configuration.key());
  return at == runs_.end() ? std::nullopt : std::optional(at->second);
}

void SiliconJournal::keep(const kernel::Configuration& configuration, const SiliconRun& run) {
  const Json json = {{"configuration", configuration.key()},
                     {"problem", run.problem},
                     {"ms", run.ms},
                     {"noise", run.noise}};
  // Messages come from kernels and drivers: whatever bytes they hold must not end the search.
  journal_.append(json.dump(-1, ' ', false, Json::error_handler_t::replace));
  runs_.emplace(configuration.key(), run);
}

} // namespace coulomb::calibration
