// SPDX-License-Identifier: Apache-2.0
#include "base/results/measurement_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>

namespace coulomb::results {
namespace {

using eval::JsonFields;
using kernel::ParameterValue;

/// Clocks that differ by less are one state of the board: NVIDIA's governors step by 15 MHz, about
/// 1 % of a boost clock.
constexpr double kSameClock = 0.02;

ParameterValue parameter_value(const nlohmann::json& value, const JsonFields& row) {
  if (value.is_boolean()) {
    return value.get<bool>();
  }
  if (value.is_number_integer()) {
    return value.get<std::int64_t>();
  }
  if (value.is_number()) {
    return value.get<double>();
  }
  if (value.is_string()) {
    return value.get<std::string>();
  }
  row.fail("parameters", "an object of numbers, texts and booleans");
}

nlohmann::json row_json(const MeasuredRow& row) {
  // A list keeps the spec's order of parameters.
  nlohmann::json names = nlohmann::json::array();
  for (const auto& [name, value] : row.parameters.entries()) {
    names.push_back(name);
  }
  return {{"parameters", row.parameters.json()},
          {"order", names},
          {"outcome", eval::measure_outcome_json(row.outcome)}};
}

MeasuredRow row_from_json(const JsonFields& fields, const nlohmann::json& object) {
  MeasuredRow row;
  std::vector<kernel::Configuration::Entry> entries;
  static_cast<void>(fields.object("parameters")); // throws unless it is there
  const nlohmann::json& values = object.at("parameters");
  for (const auto& name : fields.array("order")) {
    if (!name.is_string() || !values.contains(name.get<std::string>())) {
      fields.fail("order", "an array of the parameters' names");
    }
    entries.emplace_back(name.get<std::string>(),
                         parameter_value(values.at(name.get<std::string>()), fields));
  }
  row.parameters = kernel::Configuration(std::move(entries));
  row.outcome = eval::measure_outcome_from_json(fields.object("outcome"));
  return row;
}

nlohmann::json kernel_json(const MeasuredKernel& measured) {
  nlohmann::json rows = nlohmann::json::array();
  for (const MeasuredRow& row : measured.rows) {
    rows.push_back(row_json(row));
  }
  return {{"spec", measured.spec}, {"problem_size", measured.problem_size}, {"rows", rows}};
}

MeasuredKernel kernel_from_json(const JsonFields& fields) {
  MeasuredKernel measured;
  measured.spec = fields.text("spec");
  for (const auto& extent : fields.array("problem_size")) {
    if (!extent.is_number_integer()) {
      fields.fail("problem_size", "an array of whole numbers");
    }
    measured.problem_size.push_back(extent.get<std::int64_t>());
  }
  for (const auto& object : fields.array("rows")) {
    measured.rows.push_back(row_from_json(
        JsonFields(object, fmt::format("row {} of {}", measured.rows.size(), measured.spec)),
        object));
  }
  return measured;
}

double median_of(const MeasuredKernel& measured, double (*value)(const eval::MeasureOutcome&)) {
  std::vector<double> values;
  for (const MeasuredRow& row : measured.rows) {
    if (row.outcome.status == eval::EvalStatus::ok) {
      values.push_back(value(row.outcome));
    }
  }
  return eval::sample_statistics(std::move(values)).median;
}

SiliconMetadata metadata_of(const MeasurementFile& file, const MeasuredKernel& measured) {
  SiliconMetadata meta;
  meta.path = file.path;
  meta.gpu = file.gpu;
  meta.sm_clock_mhz =
      median_of(measured, [](const auto& outcome) { return outcome.state.sm_clock_mhz; });
  meta.memory_clock_mhz =
      median_of(measured, [](const auto& outcome) { return outcome.state.memory_clock_mhz; });
  meta.clock_note = file.locked_sm_clock_mhz > 0.0
                        ? fmt::format("SM clock locked at {:.0f} MHz", file.locked_sm_clock_mhz)
                        : "clocks as the board's governor set them; median of the readings";
  meta.spec = measured.spec;
  meta.problem_size = measured.problem_size;
  if (!measured.rows.empty()) {
    for (const auto& [name, value] : measured.rows.front().parameters.entries()) {
      meta.parameters.push_back(name);
    }
  }
  meta.time_column = "median of samples_ms";
  meta.launch_overhead_ms =
      median_of(measured, [](const auto& outcome) { return outcome.empty_launch_ms; });
  meta.launch_overhead_note = "median of launches of a kernel that does nothing, timed alike";
  meta.statistic = "median of launches, each between two events";
  meta.cache_state = file.cache_state;
  meta.status_column = "status";
  meta.provenance.repository = file.board;
  meta.provenance.file = file.path;
  meta.provenance.measured = file.date;
  return meta;
}

SiliconRow table_row(const MeasuredRow& measured, std::size_t index, const SiliconMetadata& meta) {
  SiliconRow row;
  row.row = index;
  row.parameters = measured.parameters;
  row.status = measured.outcome.status;
  if (row.status != eval::EvalStatus::ok) {
    return row;
  }
  const double time =
      eval::sample_statistics(measured.outcome.samples_ms).median - meta.launch_overhead_ms;
  row.time_ms = time;
  if (!(time > 0.0)) {
    row.exclusion = "no longer than a launch of nothing";
  } else if (std::abs(measured.outcome.state.sm_clock_mhz - meta.sm_clock_mhz) >
             kSameClock * meta.sm_clock_mhz) {
    row.exclusion = "SM clock not the others'";
  } else if (!measured.outcome.state.throttle_reasons.empty()) {
    row.exclusion = "the board throttled";
  }
  return row;
}

} // namespace

MeasurementFile MeasurementFile::load(const std::string& path) {
  const nlohmann::json object = eval::parse_object(read_file(path), path);
  const JsonFields fields(object, path);
  if (fields.u32("measurement_schema") > kMeasurementSchema) {
    throw UserError(fmt::format("{} was written by a later version of Coulomb (schema {}; this one "
                                "reads up to {})",
                                path, fields.u32("measurement_schema"), kMeasurementSchema),
                    "update Coulomb, or measure again");
  }
  MeasurementFile file;
  file.path = path;
  file.version = fields.text("version");
  file.date = fields.text("date");
  file.address = fields.text("address");
  file.board = fields.text("board");
  file.gpu = fields.text("gpu");
  file.cache_state = fields.text("cache_state");
  file.locked_sm_clock_mhz = fields.number("locked_sm_clock_mhz");
  file.sampling = eval::sampling_from_json(fields.object("sampling"));
  file.device = object.value("device", nlohmann::json::object());
  for (const auto& kernel : fields.array("kernels")) {
    file.kernels.push_back(kernel_from_json(JsonFields(kernel, fmt::format("{}: a kernel", path))));
  }
  return file;
}

void MeasurementFile::save() const {
  nlohmann::json list = nlohmann::json::array();
  for (const MeasuredKernel& measured : kernels) {
    list.push_back(kernel_json(measured));
  }
  const nlohmann::json object = {{"measurement_schema", kMeasurementSchema},
                                 {"version", version},
                                 {"date", date},
                                 {"address", address},
                                 {"board", board},
                                 {"gpu", gpu},
                                 {"device", device},
                                 {"sampling", eval::sampling_json(sampling)},
                                 {"cache_state", cache_state},
                                 {"locked_sm_clock_mhz", locked_sm_clock_mhz},
                                 {"kernels", list}};
  write_file_atomically(path, object.dump(1) + "\n");
}

SiliconTable MeasurementFile::table(const std::string& spec) const {
  std::vector<std::string> specs;
  for (const MeasuredKernel& measured : kernels) {
    specs.push_back(measured.spec);
  }
  const auto found = std::find(specs.begin(), specs.end(), spec);
  if (spec.empty() ? specs.size() != 1 : found == specs.end()) {
    throw UserError(spec.empty() ? fmt::format("{} holds {} kernels: {}", path, specs.size(),
                                               fmt::join(specs, ", "))
                                 : fmt::format("{} has no kernel \"{}\"{}; it has: {}", path, spec,
                                               did_you_mean(spec, specs), fmt::join(specs, ", ")),
                    fmt::format("name one: {}#KERNEL", path));
  }
  const MeasuredKernel& measured =
      kernels[spec.empty() ? 0 : static_cast<std::size_t>(found - specs.begin())];
  SiliconTable table;
  table.path = path;
  table.metadata = metadata_of(*this, measured);
  for (std::size_t i = 0; i < measured.rows.size(); ++i) {
    table.rows.push_back(table_row(measured.rows[i], i, table.metadata));
  }
  return table;
}

} // namespace coulomb::results
