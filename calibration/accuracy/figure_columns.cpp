// SPDX-License-Identifier: Apache-2.0
#include "calibration/accuracy/figure_columns.hpp"

#include "base/text.hpp"

#include <array>
#include <fmt/format.h>

namespace coulomb::calibration {
namespace {

constexpr const char* kUndefined = "-";

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f} %", 100.0 * *value) : kUndefined;
}

/// Regret and noise are often far below 1 %.
std::string fine_percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f} %", 100.0 * *value) : kUndefined;
}

std::string rank(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : kUndefined;
}

std::string percent(const Figure& f) {
  return f.value && f.interval ? fmt::format("{:.1f} % [{:.1f}, {:.1f}]", 100.0 * *f.value,
                                             100.0 * f.interval->low, 100.0 * f.interval->high)
                               : percent(f.value);
}

std::string signed_percent(const std::optional<double>& value) {
  return value ? fmt::format("{:+.1f} %", 100.0 * *value) : kUndefined;
}

std::string signed_percent(const Figure& f) {
  return f.value && f.interval ? fmt::format("{:+.1f} % [{:+.1f}, {:+.1f}]", 100.0 * *f.value,
                                             100.0 * f.interval->low, 100.0 * f.interval->high)
                               : signed_percent(f.value);
}

std::string rank(const Figure& f) {
  return f.value && f.interval
             ? fmt::format("{:.3f} [{:.3f}, {:.3f}]", *f.value, f.interval->low, f.interval->high)
             : rank(f.value);
}

std::string count(const std::optional<std::size_t>& value) {
  return value ? with_thousands(*value) : kUndefined;
}

constexpr std::array<FigureColumn<AccuracyRow>, 14> kAccuracy = {{
    {"board", false, [](const AccuracyRow& r) { return r.board; }},
    {"kernel", false, [](const AccuracyRow& r) { return r.spec; }},
    {"n", true, [](const AccuracyRow& r) { return with_thousands(r.figures.n); }},
    {"MAPE", true, [](const AccuracyRow& r) { return percent(r.figures.mape); }},
    {"median", true, [](const AccuracyRow& r) { return percent(r.figures.median); }},
    {"p90", true, [](const AccuracyRow& r) { return percent(r.figures.p90); }},
    {"bias", true, [](const AccuracyRow& r) { return signed_percent(r.figures.bias); }},
    {"Spearman", true, [](const AccuracyRow& r) { return rank(r.figures.spearman); }},
    {"Kendall", true, [](const AccuracyRow& r) { return rank(r.figures.kendall); }},
    {"Spearman, best 5 %", true,
     [](const AccuracyRow& r) { return rank(r.figures.spearman_best5pct); }},
    {"top-1 regret", true,
     [](const AccuracyRow& r) { return fine_percent(r.figures.top1_regret); }},
    {"top-5 regret", true,
     [](const AccuracyRow& r) { return fine_percent(r.figures.top5_regret); }},
    {"runs to 5 / 2 / 1 %", true,
     [](const AccuracyRow& r) {
       return fmt::format("{} / {} / {}", count(r.figures.runs_to_5pct),
                          count(r.figures.runs_to_2pct), count(r.figures.runs_to_1pct));
     }},
    {"noise", true, [](const AccuracyRow& r) { return fine_percent(r.figures.noise_floor); }},
}};

template <class Row>
std::string boards(const Row& r) {
  return fmt::format("{} / {}", r.transfer->from, r.transfer->to);
}

constexpr std::array<FigureColumn<RatioRow>, 9> kRatios = {{
    {"ratio", false, boards<RatioRow>},
    {"kernel", false, [](const RatioRow& r) { return r.transfer->kernel; }},
    {"n", true, [](const RatioRow& r) { return with_thousands(r.figures->n); }},
    {"measured ratio, median [p10, p90]", true,
     [](const RatioRow& r) {
       const Transfer& t = *r.transfer;
       return t.ratio_median ? fmt::format("{:.3f} [{:.3f}, {:.3f}]", *t.ratio_median, *t.ratio_p10,
                                           *t.ratio_p90)
                             : std::string(kUndefined);
     }},
    {"prediction", false, [](const RatioRow& r) { return std::string(r.prediction); }},
    {"median error", true, [](const RatioRow& r) { return percent(r.figures->median); }},
    {"p90", true, [](const RatioRow& r) { return percent(r.figures->p90); }},
    {"bias", true, [](const RatioRow& r) { return signed_percent(r.figures->bias); }},
    {"Spearman", true, [](const RatioRow& r) { return rank(r.figures->spearman); }},
}};

constexpr std::array<FigureColumn<TransferredRow>, 10> kTransferred = {{
    {"from", false, [](const TransferredRow& r) { return r.transfer->from; }},
    {"to", false, [](const TransferredRow& r) { return r.transfer->to; }},
    {"kernel", false, [](const TransferredRow& r) { return r.transfer->kernel; }},
    {"n", true, [](const TransferredRow& r) { return with_thousands(r.figures->n); }},
    {"prediction", false, [](const TransferredRow& r) { return std::string(r.prediction); }},
    {"MAPE", true, [](const TransferredRow& r) { return percent(r.figures->mape); }},
    {"median", true, [](const TransferredRow& r) { return percent(r.figures->median); }},
    {"bias", true, [](const TransferredRow& r) { return signed_percent(r.figures->bias); }},
    {"Spearman", true, [](const TransferredRow& r) { return rank(r.figures->spearman); }},
    {"Spearman, best 5 %", true,
     [](const TransferredRow& r) { return rank(r.figures->spearman_best5pct); }},
}};

} // namespace

std::span<const FigureColumn<AccuracyRow>> accuracy_columns() {
  return kAccuracy;
}

std::vector<RatioRow> ratio_rows(const std::vector<Transfer>& transfers) {
  std::vector<RatioRow> rows;
  for (const Transfer& t : transfers) {
    rows.push_back({&t, "one ratio for all (fitted)", &t.constant});
    rows.push_back({&t, "simulator", &t.simulator});
    if (t.both) {
      rows.push_back({&t, "calibrated on both boards, held out", &*t.both});
    }
    if (t.from_only) {
      rows.push_back({&t, "calibrated on the first board only, held out", &*t.from_only});
    }
  }
  return rows;
}

std::span<const FigureColumn<RatioRow>> ratio_columns() {
  return kRatios;
}

std::vector<TransferredRow> transferred_rows(const std::vector<Transfer>& transfers) {
  std::vector<TransferredRow> rows;
  for (const Transfer& t : transfers) {
    rows.push_back({&t, "simulator", &t.to_simulator});
    if (t.to_calibrated) {
      rows.push_back({&t, "calibrated, held out", &*t.to_calibrated});
    }
  }
  return rows;
}

std::span<const FigureColumn<TransferredRow>> transferred_columns() {
  return kTransferred;
}

} // namespace coulomb::calibration
