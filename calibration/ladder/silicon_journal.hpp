// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/configuration.hpp"
#include "base/results/journal.hpp"
#include "calibration/ladder/candidate.hpp"

#include <map>
#include <optional>
#include <string>

namespace coulomb::calibration {

/// Silicon runs of a search, on disk as soon as they are done: no run is made twice.
class SiliconJournal {
public:
  /// Opens or creates the file. Throws UserError if its runs are of another device or kernel.
  SiliconJournal(const std::string& path, const std::string& address, const std::string& spec);

  /// The run of a configuration, if it was made.
  [[nodiscard]] std::optional<SiliconRun> find(const kernel::Configuration& configuration) const;
  void keep(const kernel::Configuration& configuration, const SiliconRun& run);
  [[nodiscard]] std::size_t size() const { return runs_.size(); }

private:
  results::JournalWriter journal_;
  std::map<std::string, SiliconRun> runs_; ///< by Configuration::key()
};

} // namespace coulomb::calibration
