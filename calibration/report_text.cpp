// SPDX-License-Identifier: Apache-2.0
#include "calibration/report.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/ranges.h>
#include <iterator>

namespace coulomb::calibration {
namespace {

using Out = std::back_insert_iterator<std::string>;

/// "12.3 %", or "not defined" for a figure that needs more rows.
std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f} %", 100.0 * *value) : "not defined";
}

std::string signed_percent(const std::optional<double>& value) {
  return value ? fmt::format("{:+.1f} %", 100.0 * *value) : "not defined";
}

std::string figure(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "not defined";
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

void heading(Out out, const ValidationReport& report) {
  const auto& s = report.sample;
  const auto& subject = report.subject;
  fmt::format_to(out, "validate   {} on {} against {}\n", subject.spec, subject.gpu,
                 file_name(report.table));
  fmt::format_to(out, "           n = {}, {}\n", with_thousands(report.n),
                 subject.fitted ? "fitted: numbers of this GPU were fitted to this table"
                                : "held out: nothing was fitted to this table");
  if (report.interrupted) {
    fmt::format_to(out, "PARTIAL    interrupted: {} of {} drawn rows finished\n",
                   with_thousands(report.rows.size()), with_thousands(report.drawn));
  }
  fmt::format_to(out, "clock      SM {} MHz, memory {} MHz   {}   seed {}\n", subject.sm_clock_mhz,
                 subject.memory_clock_mhz, subject.fidelity, s.request.seed);
  fmt::format_to(out, "drawn      {} of {} eligible rows, evenly from ten time deciles",
                 with_thousands(s.drawn_eligible), with_thousands(s.eligible));
  fmt::format_to(out, "; {} of {} failing rows\n", with_thousands(s.drawn_failing),
                 with_thousands(s.failing));
  for (const auto& [reason, count] : report.excluded) {
    fmt::format_to(out, "excluded   {} rows: {}\n", with_thousands(count), reason);
  }
}

void figures(Out out, const ValidationReport& r) {
  fmt::format_to(out, "\n  time error     mean {}   median {}   90 % of the rows within {}\n",
                 percent(r.errors.mape), percent(r.errors.median_ape), percent(r.errors.p90_ape));
  fmt::format_to(out, "  spread         bias {}   80 % of the rows between {} and {}\n",
                 signed_percent(r.errors.bias), signed_percent(r.errors.p10_error),
                 signed_percent(r.errors.p90_error));
  fmt::format_to(out, "  scale-free     mean {}   median {}   after dividing out the factor {}\n",
                 percent(r.scale.mape), percent(r.scale.median_ape), figure(r.scale.factor));
  fmt::format_to(out, "  ranks          Spearman {}   Kendall {}   Spearman of the best 5 % {}\n",
                 figure(r.spearman), figure(r.kendall), figure(r.spearman_best5pct));
  fmt::format_to(out, "  regret         {} measuring the simulator's best one, {} its best five\n",
                 percent(r.top1_regret), percent(r.top5_regret));
  fmt::format_to(out, "  failing rows   {} refused here too, {} timed here, {} not judged\n",
                 r.invalid.both, r.invalid.silicon_only, r.invalid.undecided);
  fmt::format_to(out,
                 "  misses         {} rows that silicon ran and the simulator could not time\n",
                 r.invalid.sim_only);
}

void worst_rows(Out out, const ValidationReport& report, std::size_t worst) {
  std::vector<const ComparedRow*> timed;
  for (const auto& row : report.rows) {
    if (row.error()) {
      timed.push_back(&row);
    }
  }
  std::stable_sort(timed.begin(), timed.end(), [](const ComparedRow* a, const ComparedRow* b) {
    return std::abs(*a->error()) > std::abs(*b->error());
  });
  timed.resize(std::min(timed.size(), worst));
  if (timed.empty()) {
    return;
  }
  fmt::format_to(out, "\nworst rows\n{:>6}  {:>11}  {:>12}  {:>9}  {}\n", "row", "silicon ms",
                 "simulated ms", "error", "parameters");
  for (const auto* row : timed) {
    fmt::format_to(out, "{:>6}  {:>11.4f}  {:>12.4f}  {:>9}  {}\n", row->row, *row->silicon_ms,
                   *row->sim_ms, signed_percent(row->error()), row->parameters.key());
  }
}

/// Rows on which simulator and silicon disagree about validity.
void disagreements(Out out, const ValidationReport& report) {
  bool first = true;
  for (const auto& row : report.rows) {
    const bool miss = row.silicon_ms && !row.sim_ms;
    const bool false_time = !row.silicon_ms && row.sim_ms;
    if (!miss && !false_time) {
      continue;
    }
    if (first) {
      fmt::format_to(out, "\ndisagreements on validity\n{:>6}  {:<15}  {:<15}  {}\n", "row",
                     "silicon", "simulator", "parameters");
      first = false;
    }
    fmt::format_to(out, "{:>6}  {:<15}  {:<15}  {}\n", row.row, eval::to_string(row.silicon_status),
                   eval::to_string(row.status), row.parameters.key());
    if (!row.message.empty()) {
      fmt::format_to(out, "        {}\n", row.message.substr(0, row.message.find('\n')));
    }
  }
}

void verdicts(Out out, const ValidationReport& report, const std::vector<Gate>& gates) {
  for (const auto& gate : gates) {
    const auto value = metric_value(gate, report);
    fmt::format_to(
        out, "gate       {}: {} is {}\n", fails(gate, report) ? "FAILED" : "passed", gate.metric,
        value ? fmt::format("{:.4g}, fails if {} {:.4g}", *value, gate.comparison, gate.bound)
              : "not defined by these rows, which fails");
  }
}

} // namespace

std::string
to_text(const ValidationReport& report, const std::vector<Gate>& gates, std::size_t worst) {
  std::string text;
  const Out out = std::back_inserter(text);
  heading(out, report);
  figures(out, report);
  worst_rows(out, report, worst);
  disagreements(out, report);
  const auto& cost = report.cost;
  const auto speed = cost.warp_insts_per_s();
  fmt::format_to(out, "\ncost       {:.1f} s wall; {:.1f} s compiling, {:.1f} s simulating{}\n",
                 cost.wall_s, cost.compile_s, cost.simulation_s,
                 speed ? fmt::format(", {:.2f} M warp instructions/s", *speed / 1e6) : "");
  verdicts(out, report, gates);
  fmt::format_to(out, "reproduce  {}\n", report.subject.command);
  return text;
}

} // namespace coulomb::calibration
