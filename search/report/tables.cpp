// SPDX-License-Identifier: Apache-2.0
#include "search/report/tables.hpp"

#include "base/results/html/text.hpp"
#include "base/text.hpp"
#include "search/space/value_order.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace coulomb::search {
namespace {

using html::Cell;
using html::format_number;
using html::number_cell;
using html::text_cell;

constexpr std::size_t kStallReasons = 3;

/// In the order of eval::EvalStatus.
constexpr std::array<std::string_view, eval::kEvalStatusCount> kMeanings = {
    "ran, and no check of its output failed",
    "breaks a restriction of the tuning space",
    "the compiler refused it",
    "the compiler took longer than it may",
    "no GPU of this kind can launch it",
    "needs what the simulator does not model",
    "its output or its time is wrong",
    "its threads wait for each other for ever",
    "took longer than it may",
    "faulted, or its simulation broke off",
};

Cell value_cell(const kernel::ParameterValue* value) {
  if (value == nullptr) {
    return text_cell("");
  }
  const auto number = as_number(*value);
  return number ? number_cell(*number, kernel::to_text(*value))
                : text_cell(kernel::to_text(*value));
}

/// "waiting for global memory 42 %, ...": what kept warps from issuing, most first.
std::string main_stalls(const EvaluationRecord& e, StallWords stall_words) {
  std::vector<std::pair<double, std::string>> stalls;
  for (const auto& [reason, share] : e.stalls) {
    if (reason != "selected" && share > 0.0) { // that is the issue itself
      stalls.emplace_back(share, reason);
    }
  }
  std::ranges::stable_sort(stalls, std::ranges::greater{}, &std::pair<double, std::string>::first);
  stalls.resize(std::min(stalls.size(), kStallReasons));
  std::string text;
  for (const auto& [share, reason] : stalls) {
    text +=
        fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", stall_words(reason), 100.0 * share);
  }
  return text;
}

/// Numbers go to the right, if there is nothing else in the column.
bool holds_numbers(const SearchRecords& records,
                   const std::vector<std::size_t>& positions,
                   const std::string& parameter) {
  return std::ranges::all_of(positions, [&](std::size_t i) {
    const auto* value = records.evaluations[i].configuration.find(parameter);
    return value != nullptr && as_number(*value).has_value();
  });
}

/// A row's values of the objectives that no other column has.
void add_objectives(std::vector<Cell>& row, const Ranking& ranking, std::size_t position) {
  const auto names = ranking.scorer().names();
  for (std::size_t m = 0; m < names.size(); ++m) {
    if (names[m] != "time") {
      const double value = ranking.scorer().own_value(ranking.fitnesses()[position], m);
      row.push_back(number_cell(value, format_number(value, 5)));
    }
  }
}

std::vector<Cell> best_row(const SearchRecords& records,
                           const Ranking& ranking,
                           TimeUnit unit,
                           std::size_t rank,
                           std::size_t position,
                           double least_ms,
                           StallWords stall_words) {
  const auto& e = records.evaluations[position];
  const double time = e.time_ms * unit.per_ms;
  const double slower = 100.0 * (e.time_ms / least_ms - 1.0);
  std::vector<Cell> row = {number_cell(static_cast<double>(rank), fmt::to_string(rank)),
                           number_cell(time, format_number(time, 5))};
  if (ranking.scorer().by_time()) {
    row.push_back(
        number_cell(slower, rank == 1 ? std::string("0") : fmt::format("+{:.1f}", slower)));
  }
  add_objectives(row, ranking, position);
  for (const auto& name : records.header.parameters) {
    row.push_back(value_cell(e.configuration.find(name)));
  }
  row.push_back(number_cell(e.cycles, format_number(e.cycles, 4)));
  row.push_back(e.ipc == 0.0 ? text_cell("") : number_cell(e.ipc, format_number(e.ipc, 3)));
  row.push_back(e.registers == 0 ? text_cell("")
                                 : number_cell(e.registers, fmt::to_string(e.registers)));
  row.push_back(text_cell(main_stalls(e, stall_words)));
  row.push_back(text_cell(e.origin));
  row.push_back(number_cell(static_cast<double>(e.id), fmt::to_string(e.id)));
  return row;
}

} // namespace

html::Table best_table(const SearchRecords& records,
                       const Ranking& ranking,
                       TimeUnit unit,
                       std::size_t count,
                       StallWords stall_words) {
  const auto positions = ranking.best(count);
  html::Table table{.columns = {{"rank", "", true}, {"time", std::string(unit.name), true}},
                    .rows = {},
                    .sortable = true};
  if (ranking.scorer().by_time()) {
    table.columns.push_back({"slower", "% than the best", true});
  }
  for (const auto& name : ranking.scorer().names()) {
    if (name != "time") {
      table.columns.push_back({html::shorten_middle(name, 40), "objective", true});
    }
  }
  for (const auto& name : records.header.parameters) {
    table.columns.push_back(
        {html::shorten_middle(name, 40), "", holds_numbers(records, positions, name)});
  }
  const std::vector<html::Column> rest = {
      {"cycles", "SM clocks", true},     {"IPC", "warp inst. per SM-cycle", true},
      {"registers", "per thread", true}, {"main stall reasons", "share of warp-cycles", false},
      {"origin", "proposed by", false},  {"candidate", "number", true}};
  table.columns.insert(table.columns.end(), rest.begin(), rest.end());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    table.rows.push_back(best_row(records, ranking, unit, i + 1, positions[i],
                                  records.evaluations[positions.front()].time_ms, stall_words));
  }
  return table;
}

html::Table status_table(const SearchRecords& records) {
  html::Table table{.columns = {{"status", "", false},
                                {"evaluations", "", true},
                                {"share", "%", true},
                                {"meaning", "", false},
                                {"first cause", "candidate: message", false},
                                {"last cause", "candidate: message", false}},
                    .rows = {},
                    .sortable = false};
  const auto cause = [](const EvaluationRecord& e) {
    return e.message.empty() ? text_cell("")
                             : html::long_text_cell(fmt::format("{}: {}", e.id, e.message));
  };
  for (int i = 0; i < eval::kEvalStatusCount; ++i) {
    std::vector<const EvaluationRecord*> of_status;
    for (const auto& e : records.evaluations) {
      if (e.status == static_cast<eval::EvalStatus>(i)) {
        of_status.push_back(&e);
      }
    }
    if (of_status.empty()) {
      continue;
    }
    const auto count = static_cast<double>(of_status.size());
    const double share = 100.0 * count / static_cast<double>(records.evaluations.size());
    table.rows.push_back({text_cell(eval::to_string(static_cast<eval::EvalStatus>(i))),
                          number_cell(count, with_thousands(of_status.size())),
                          number_cell(share, fmt::format("{:.1f}", share)),
                          text_cell(kMeanings[static_cast<std::size_t>(i)]),
                          cause(*of_status.front()),
                          of_status.size() > 1 ? cause(*of_status.back()) : text_cell("")});
  }
  return table;
}

html::Table origin_table(const SearchRecords& records, const Measure& measure) {
  html::Table table{
      .columns = {{"proposed by", "", false},
                  {"evaluations", "", true},
                  {"ran", "", true},
                  {"new bests", "", true},
                  {"best of them",
                   measure.unit.empty() ? html::shorten_middle(measure.name, 40) : measure.unit,
                   true}},
      .rows = {},
      .sortable = false};
  struct Origin {
    std::uint64_t count = 0;
    std::uint64_t ok = 0;
    std::uint64_t new_bests = 0;
    std::size_t best = 0; ///< position, if any ran
  };
  std::map<std::string, Origin> origins;
  std::optional<double> least;
  for (std::size_t i = 0; i < records.evaluations.size(); ++i) {
    const auto& e = records.evaluations[i];
    Origin& origin = origins[e.origin];
    ++origin.count;
    if (e.status != eval::EvalStatus::ok) {
      continue;
    }
    if (origin.ok == 0 || measure.costs[i] < measure.costs[origin.best]) {
      origin.best = i;
    }
    ++origin.ok;
    if (!least || measure.costs[i] < *least) {
      least = measure.costs[i];
      ++origin.new_bests;
    }
  }
  for (const auto& [name, origin] : origins) {
    const double best = origin.ok == 0 ? 0.0 : measure.values[origin.best];
    table.rows.push_back(
        {text_cell(name.empty() ? "not recorded" : name),
         number_cell(static_cast<double>(origin.count), with_thousands(origin.count)),
         number_cell(static_cast<double>(origin.ok), with_thousands(origin.ok)),
         number_cell(static_cast<double>(origin.new_bests), with_thousands(origin.new_bests)),
         origin.ok == 0 ? text_cell("") : number_cell(best, format_number(best, 5))});
  }
  return table;
}

} // namespace coulomb::search
