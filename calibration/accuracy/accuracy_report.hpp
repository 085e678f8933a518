// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/accuracy/transfer.hpp"

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// One board and kernel of a table.
struct AccuracyRow {
  std::string board;
  std::string spec;
  AccuracyFigures figures;
};

/// What the predicted times of a table are, and whether calibration had seen the configurations.
enum class AccuracySubject : std::uint8_t {
  simulator,              ///< as simulated, nothing calibrated
  fitted,                 ///< calibrated on the very observations
  held_out_configuration, ///< see HeldOut
  held_out_kernel,
  held_out_board,
  stored_fitted,   ///< by a stored model, observations that it was calibrated on
  stored_held_out, ///< by a stored model, observations that it never saw
};
struct SubjectText {
  std::string_view word;  ///< of the JSON
  std::string_view title; ///< of the section
  std::string_view seen;  ///< column "calibration": "fitted", "held out", "none"
  std::string_view about; ///< one sentence
};
[[nodiscard]] const SubjectText& text_of(AccuracySubject subject);

/// Fitted and held-out figures never share a table.
struct AccuracyTable {
  AccuracySubject subject = AccuracySubject::simulator;
  std::vector<AccuracyRow> rows;
};

/// Points of one scatter: times [ms] on silicon, simulated, and calibrated with the configuration
/// held out (empty if nothing is calibrated).
struct AccuracyScatter {
  std::string board;
  std::string spec;
  std::vector<double> silicon_ms;
  std::vector<double> simulated_ms;
  std::vector<double> calibrated_ms;
};

struct AccuracyReport {
  std::string date;                ///< ISO 8601, UTC
  std::string command;             ///< line that makes it again
  std::vector<std::string> inputs; ///< files of observations
  std::string stored_model;        ///< file of the stored model, or empty
  HeldOutSettings held_out;
  BootstrapSettings bootstrap;
  std::vector<AccuracyTable> tables;
  std::vector<Transfer> transfers;
  std::vector<AccuracyScatter> scatters;
};

/// A model that was calibrated before.
struct StoredCalibration {
  Calibrate predict;                           ///< ignores what is known
  std::function<bool(const Observation&)> saw; ///< it was calibrated on this observation
};

struct AccuracyRequest {
  HeldOutSettings held_out;
  BootstrapSettings bootstrap;
  Calibrate calibrate; ///< empty: the simulator alone
  const StoredCalibration* stored = nullptr;
  /// Told what is being calibrated; may be empty.
  std::function<void(const std::string& step)> progress;
};

/// Tables, transfers and scatters of all observations. `date`, `command`, `inputs` and
/// `stored_model` are left for the caller. Every pair of boards that observed a kernel in common is
/// a transfer in both directions.
[[nodiscard]] AccuracyReport accuracy_report(const std::vector<Observation>& observations,
                                             const KernelIdentity& identity,
                                             const AccuracyRequest& request);

/// The transfers from one board to another. Throws UserError if a board has no observations (did
/// you mean) or the two observed no kernel in common.
[[nodiscard]] std::vector<Transfer> board_transfers(const std::vector<Observation>& observations,
                                                    const std::string& from,
                                                    const std::string& to,
                                                    const KernelIdentity& identity,
                                                    const AccuracyRequest& request);

/// The report in the words of docs/accuracy.md: tables only, and with scatters.
[[nodiscard]] std::string to_markdown(const AccuracyReport& report);
[[nodiscard]] std::string to_html(const AccuracyReport& report);
/// Fractions; figures that are not defined are null.
[[nodiscard]] nlohmann::ordered_json to_json(const AccuracyReport& report);
[[nodiscard]] nlohmann::ordered_json to_json(const Transfer& transfer);
/// Tables of the transfers alone, as Markdown.
[[nodiscard]] std::string transfers_markdown(const std::vector<Transfer>& transfers);

} // namespace coulomb::calibration
