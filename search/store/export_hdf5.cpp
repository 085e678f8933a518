// SPDX-License-Identifier: Apache-2.0
#include "base/results/feature_matrix.hpp"
#include "search/space/value_order.hpp"
#include "search/store/export.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

namespace coulomb::search {
namespace {

using results::Hdf5Column;
using results::Hdf5Matrix;
using results::Hdf5Scalar;
using Evaluations = std::vector<EvaluationRecord>;

template <typename T, typename F>
std::vector<T> collect(const Evaluations& evaluations, F value) {
  std::vector<T> values;
  values.reserve(evaluations.size());
  for (const auto& e : evaluations) {
    values.push_back(static_cast<T>(value(e)));
  }
  return values;
}

/// A number of an ok evaluation; a failed one has none.
double if_ok(const EvaluationRecord& e, double value) {
  return e.status == eval::EvalStatus::ok ? value : std::numeric_limits<double>::quiet_NaN();
}

std::vector<Hdf5Scalar> meta_of(const SearchRecords& records) {
  const SearchHeader& h = records.header;
  const auto text = [](const char* name, const char* description, const std::string& value) {
    return Hdf5Scalar{name, "text", description, value};
  };
  const auto count = [](const char* name, const char* unit, const char* description, auto value) {
    return Hdf5Scalar{name, unit, description, static_cast<std::int64_t>(value)};
  };
  return {
      count("schema", "1", "version of this file's layout", h.schema),
      text("version", "of coulomb", h.version),
      text("spec", "name of the tunable kernel", h.spec),
      text("spec_hash", "XXH3-128 of the T1 file", h.spec_hash),
      text("source_hash", "XXH3-128 of the kernel's source", h.source_hash),
      text("gpu", "product id", h.gpu),
      text("gpu_json", "resolved GPU configuration, JSON", h.gpu_json),
      count("seed", "1", "of the random streams", h.seed),
      count("budget", "evaluations", "evaluations asked for", h.budget),
      text("rung", "fidelity of the simulations", h.fidelity.rung),
      count("sms", "SMs", "simulated per kernel", h.fidelity.sms),
      text("cache_state", "of L2 and TLBs at launch", h.fidelity.cache_state),
      count("space_size", "configurations", "that satisfy the restrictions", h.space_size),
      text("command", "command line", h.command),
      text("started", "UTC", h.started),
      text("stopped_by", "budget, exhausted, signal; empty: not finished", records.stopped_by),
  };
}

Hdf5Column parameter_column(const SearchRecords& records, std::size_t index) {
  const auto& name = records.header.parameters[index];
  const auto value = [&](const EvaluationRecord& e) -> const kernel::ParameterValue& {
    return e.configuration.entries().at(index).second;
  };
  // Values that differ are written so that they differ: 1 and true, or 1 and 1.0, in one column
  // make it a column of texts.
  std::set<kernel::ParameterValue> different;
  for (const auto& e : records.evaluations) {
    different.insert(value(e));
  }
  const auto all_are = [&](auto... type) {
    return std::all_of(different.begin(), different.end(), [&](const auto& v) {
      return (std::holds_alternative<decltype(type)>(v) || ...);
    });
  };
  const bool integers = all_are(std::int64_t{}) || all_are(bool{});
  std::set<double> as_doubles;
  for (const auto& v : different) {
    as_doubles.insert(as_number(v).value_or(0.0));
  }
  const bool numbers = all_are(std::int64_t{}, double{}) && as_doubles.size() == different.size();
  // A parameter may be called like a column of ours, and HDF5 splits names at slashes.
  Hdf5Column column{"param." + name, "1", "tunable parameter " + name, {}};
  if (integers) {
    column.values = collect<std::int64_t>(records.evaluations, [&](const auto& e) {
      const auto* b = std::get_if<bool>(&value(e));
      return b != nullptr ? static_cast<std::int64_t>(*b) : std::get<std::int64_t>(value(e));
    });
  } else if (numbers) {
    column.values = collect<double>(records.evaluations, [&](const auto& e) {
      const auto* i = std::get_if<std::int64_t>(&value(e));
      return i != nullptr ? static_cast<double>(*i) : std::get<double>(value(e));
    });
  } else {
    column.unit = "text";
    const auto text = all_are(std::string{}) ? kernel::to_text : kernel::key_text;
    column.values =
        collect<std::string>(records.evaluations, [&](const auto& e) { return text(value(e)); });
  }
  return column;
}

Hdf5Matrix table_of(const Evaluations& evaluations,
                    Hdf5Matrix table,
                    std::map<std::string, double> EvaluationRecord::*member) {
  std::set<std::string> names;
  for (const auto& e : evaluations) {
    for (const auto& [name, value] : e.*member) {
      names.insert(name);
    }
  }
  table.columns.assign(names.begin(), names.end());
  for (const auto& e : evaluations) {
    for (const auto& name : table.columns) {
      const auto at = (e.*member).find(name);
      table.values.push_back(at == (e.*member).end() ? std::numeric_limits<double>::quiet_NaN()
                                                     : at->second);
    }
  }
  return table;
}

} // namespace

results::Hdf5Snapshot export_hdf5(const SearchRecords& records) {
  const Evaluations& all = records.evaluations;
  results::Hdf5Snapshot snapshot;
  snapshot.meta = meta_of(records);
  auto& columns = snapshot.columns;
  columns.push_back({"id", "1", "number of the candidate",
                     collect<std::int64_t>(all, [](const auto& e) { return e.id; })});
  columns.push_back({"origin", "text", "what proposed it",
                     collect<std::string>(all, [](const auto& e) { return e.origin; })});
  columns.push_back(
      {"status", "text", "ok, or why there is no time",
       collect<std::string>(all, [](const auto& e) { return eval::to_string(e.status); })});
  columns.push_back({"time_ms", "ms", "simulated time of the kernel alone, NaN if it failed",
                     collect<double>(all, [](const auto& e) { return if_ok(e, e.time_ms); })});
  columns.push_back({"cycles", "SM cycles", "same, in SM clocks",
                     collect<double>(all, [](const auto& e) { return if_ok(e, e.cycles); })});
  for (std::size_t i = 0; i < records.header.parameters.size(); ++i) {
    columns.push_back(parameter_column(records, i));
  }
  columns.push_back({"compile_s", "s", "seconds that this search's workers compiled it",
                     collect<double>(all, [](const auto& e) { return e.compile_s; })});
  columns.push_back({"wall_s", "s", "seconds that this search's workers compiled and simulated it",
                     collect<double>(all, [](const auto& e) { return e.compile_s + e.sim_s; })});
  columns.push_back({"cubin_hash", "text", "of the machine code, empty if it was not compiled",
                     collect<std::string>(all, [](const auto& e) { return e.cubin_hash; })});
  columns.push_back({"message", "text", "why it failed",
                     collect<std::string>(all, [](const auto& e) { return e.message; })});
  snapshot.matrices.push_back(
      table_of(all,
               {"counters",
                "see names",
                "NVIDIA metrics over the whole grid, NaN where there is none",
                {},
                {}},
               &EvaluationRecord::counters));
  snapshot.matrices.push_back(table_of(
      all, {"stalls", "1", "share of warp-cycles by stall reason, NaN where there is none", {}, {}},
      &EvaluationRecord::stalls));
  snapshot.matrices.push_back(results::feature_matrix(feature_values(records)));
  return snapshot;
}

} // namespace coulomb::search
