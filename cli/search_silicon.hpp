// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/ladder/silicon_journal.hpp"
#include "cli/search_plan.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace coulomb::cli {

/// The device that a search's candidates are measured on, and the runs so far.
class SearchSilicon {
public:
  /// `dir`: of the search, where the runs are kept. `plan` and `stop` must outlive it. Throws
  /// EnvironmentError without a usable GPU; UserError if runs are there and this is no --resume.
  SearchSilicon(const SearchOptions& options,
                const SearchPlan& plan,
                const std::string& dir,
                const std::atomic<bool>& stop);

  /// Measures, unless an earlier session has. Nothing if it was interrupted.
  [[nodiscard]] std::optional<calibration::SiliconRun>
  measure(const calibration::LadderCandidate& candidate);
  [[nodiscard]] std::string address() const { return device_->address(); }
  /// The same device, for another problem size; null if it only knows what was recorded.
  [[nodiscard]] hw::MeasuringDevice* gpu() { return opened_.get(); }

private:
  const SearchPlan& plan_;
  const std::atomic<bool>& stop_;
  std::unique_ptr<hw::MeasuringDevice> opened_; ///< a GPU
  hw::MeasuringDevice* device_;
  calibration::SiliconJournal journal_;
};

/// Median of the samples and its standard error, or why there are none.
[[nodiscard]] calibration::SiliconRun silicon_run(const eval::MeasureOutcome& outcome);

} // namespace coulomb::cli
