// SPDX-License-Identifier: Apache-2.0
#include "cli/axis_report.hpp"

#include "base/eval/character.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/run_power.hpp"
#include "cli/stall_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace coulomb::cli {
namespace {

using Strings = std::vector<std::string>;

/// One column; numbers are flush right.
struct Column {
  std::string name;
  bool right = true;
  Strings cells = {};
};

bool is_ok(const AxisRun& run) {
  return run.result.status == eval::EvalStatus::ok;
}

bool is_timed(const AxisRun& run) {
  return is_ok(run) && run.result.sim.cycles > 0.0;
}

/// The stall reason with the most warp-cycles, and its share; issuing is none.
std::string top_stall(const eval::SimOutcome& sim) {
  std::string reason;
  double most = 0.0;
  for (const auto& [name, share] : sim.stalls) {
    if (name != "selected" && share > most) {
      reason = name;
      most = share;
    }
  }
  return reason.empty() ? "-" : fmt::format("{} {:.1f} %", stall_words(reason), 100.0 * most);
}

template <class Cell>
Column
column(const std::string& name, bool right, const std::vector<AxisRun>& runs, const Cell& cell) {
  Column made{name, right};
  for (const AxisRun& run : runs) {
    made.cells.push_back(cell(run));
  }
  return made;
}

/// A column that runs without a time have a dash in.
template <class Cell>
Column timed_column(const std::string& name,
                    bool right,
                    const std::vector<AxisRun>& runs,
                    const Cell& cell) {
  return column(name, right, runs,
                [&](const AxisRun& run) { return is_timed(run) ? cell(run) : std::string("-"); });
}

std::vector<Column> timing_columns(const std::vector<AxisRun>& runs) {
  const AxisRun& first = runs.front();
  return {
      timed_column("time", true, runs,
                   [](const AxisRun& run) {
                     return fmt::format("{:.2f} us", 1000.0 * run.result.sim.time_ms);
                   }),
      timed_column("cycles", true, runs,
                   [](const AxisRun& run) {
                     return with_thousands(
                         static_cast<std::uint64_t>(std::llround(run.result.sim.cycles)));
                   }),
      timed_column("speed-up", true, runs,
                   [&](const AxisRun& run) {
                     return is_timed(first) ? fmt::format("{:.3f}", first.result.sim.time_ms /
                                                                        run.result.sim.time_ms)
                                            : std::string("-");
                   }),
      timed_column("power", true, runs,
                   [](const AxisRun& run) {
                     return fmt::format(
                         "{:.0f} W",
                         run_power(run.result.sim, run.options.gpu.config)->at_clock.total_w);
                   }),
      timed_column("energy", true, runs,
                   [](const AxisRun& run) {
                     const auto power = run_power(run.result.sim, run.options.gpu.config);
                     return fmt::format("{:.4g} mJ", 1000.0 * power->at_clock.energy_j);
                   }),
      timed_column("limiter", false, runs,
                   [](const AxisRun& run) {
                     return eval::character_of(run.result.sim, run.options.gpu.config).limiter;
                   }),
      timed_column("top stall", false, runs,
                   [](const AxisRun& run) { return top_stall(run.result.sim); }),
  };
}

std::string table_text(const std::vector<Column>& columns, std::size_t rows) {
  std::string text;
  for (std::size_t r = 0; r <= rows; ++r) {
    std::string line = " ";
    for (const Column& c : columns) {
      std::size_t width = c.name.size();
      for (const std::string& cell : c.cells) {
        width = std::max(width, cell.size());
      }
      const std::string& cell = r == 0 ? c.name : c.cells[r - 1];
      line += c.right ? fmt::format(" {:>{}} ", cell, width) : fmt::format(" {:<{}} ", cell, width);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

/// Parameters of the kernel that all runs share.
std::string fixed_parameters(const std::vector<Axis>& axes, const AxisRun& run) {
  std::string text;
  for (const auto& [name, value] : run.options.configuration.entries()) {
    if (std::ranges::none_of(axes, [&](const Axis& a) { return a.of_kernel && a.key == name; })) {
      text += fmt::format("{}{}={}", text.empty() ? "   " : " ", name, kernel::to_text(value));
    }
  }
  return text;
}

} // namespace

std::string axis_report_text(const std::vector<Axis>& axes, const std::vector<AxisRun>& runs) {
  const AxisRun& first = runs.front();
  std::string text =
      fmt::format("kernel     {}{}\ngpu        {}\n\n", first.options.kernel.spec.name,
                  fixed_parameters(axes, first), first.options.gpu.config.id);
  std::vector<Column> columns;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    columns.push_back(
        column(axes[a].key, true, runs, [a](const AxisRun& run) { return run.values[a]; }));
  }
  if (first.options.evaluator.fidelity.rung == "functional") {
    columns.push_back(column("warp instructions", true, runs, [](const AxisRun& run) {
      return with_thousands(run.result.sim.warp_insts);
    }));
    columns.push_back(column("findings", true, runs, [](const AxisRun& run) {
      return with_thousands(run.result.sim.findings.size());
    }));
  } else {
    std::ranges::move(timing_columns(runs), std::back_inserter(columns));
  }
  if (!std::ranges::all_of(runs, is_ok)) {
    columns.push_back(column("status", false, runs, [](const AxisRun& run) {
      return std::string(eval::to_string(run.result.status));
    }));
  }
  text += table_text(columns, runs.size()) + '\n';
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!is_ok(runs[i])) {
      text += fmt::format("line {:<6} {}\n", i + 1, runs[i].result.message);
    }
  }
  const auto fastest = std::ranges::min_element(runs, [](const AxisRun& a, const AxisRun& b) {
    return is_timed(a) && (!is_timed(b) || a.result.sim.time_ms < b.result.sim.time_ms);
  });
  if (is_timed(*fastest)) {
    text += fmt::format("fastest    {}\n", shell_line("run", fastest->args));
  }
  return text;
}

} // namespace coulomb::cli
