// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/accuracy/accuracy_report.hpp"

#include <span>
#include <string>
#include <string_view>

namespace coulomb::calibration {

/// One column of the tables of figures, for every format that shows them.
template <class Row>
struct FigureColumn {
  std::string_view title;
  bool number = true;              ///< set to the right
  std::string (*text)(const Row&); ///< "-" for a figure that is not defined
};

/// Of a table of accuracy, behind its column "calibration".
[[nodiscard]] std::span<const FigureColumn<AccuracyRow>> accuracy_columns();

/// One prediction of a ratio between boards.
struct RatioRow {
  const Transfer* transfer = nullptr;
  std::string_view prediction; ///< "simulator", "calibrated on both boards, held out", ...
  const RatioFigures* figures = nullptr;
};
[[nodiscard]] std::vector<RatioRow> ratio_rows(const std::vector<Transfer>& transfers);
[[nodiscard]] std::span<const FigureColumn<RatioRow>> ratio_columns();

/// One prediction of the times on the other board.
struct TransferredRow {
  const Transfer* transfer = nullptr;
  std::string_view prediction;
  const AccuracyFigures* figures = nullptr;
};
[[nodiscard]] std::vector<TransferredRow> transferred_rows(const std::vector<Transfer>& transfers);
[[nodiscard]] std::span<const FigureColumn<TransferredRow>> transferred_columns();

/// How the tables are to be read; one paragraph each.
inline constexpr std::string_view kFiguresExplained =
    "Errors are (predicted - silicon) / silicon; MAPE is the mean of their magnitudes, bias the "
    "mean "
    "with sign. Brackets hold the 95 % bootstrap interval over configurations. Best 5 %: Spearman "
    "among the fastest twentieth on silicon, at least five. Regret: what is lost by measuring only "
    "the first, or the first five, in the order of prediction. Runs: configurations to measure in "
    "that order until one is within 5, 2 and 1 % of the best one here. Noise: median relative "
    "standard deviation of the silicon times. All figures are over the configurations observed, "
    "not "
    "over the whole tuning space.";
inline constexpr std::string_view kRatioExplained =
    "For configurations that both boards observed: the predicted ratio of their times against the "
    "measured one. \"One ratio for all\" gives every configuration the median measured ratio: what "
    "a "
    "prediction has to beat.";
inline constexpr std::string_view kTransferredExplained =
    "Times on the second board, all its configurations of the kernel, calibrated on the first "
    "board "
    "alone with the configuration held out.";

} // namespace coulomb::calibration
