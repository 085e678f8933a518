// SPDX-License-Identifier: Apache-2.0
#include "cli/saved_run.hpp"

#include "base/error.hpp"
#include "base/eval/json_fields.hpp"
#include "base/text.hpp"
#include "cli/json_output.hpp"

#include <fmt/format.h>

namespace coulomb::cli {
namespace {

constexpr const char* kHint = "save one with: coulomb run SPEC --gpu GPU --json > FILE.json";

/// An object of the output; throws UserError if it is not there.
const nlohmann::json&
object_field(const nlohmann::json& object, const char* name, const eval::JsonFields& fields) {
  (void)fields.object(name); // throws if it is missing or no object
  return object.at(name);
}

} // namespace

SavedRun parse_saved_run(const std::string& text, const std::string& path) {
  const nlohmann::json object = eval::parse_object(text, path);
  const eval::JsonFields fields(object, path);
  if (object.contains("error")) {
    throw UserError(fmt::format("{}: it holds the error of a command that failed: {}", path,
                                object["error"].value("message", std::string("no message"))));
  }
  if (const auto schema = fields.u64("schema"); schema != kJsonSchema) {
    throw UserError(
        fmt::format("{}: schema is {}, this program reads {}", path, schema, kJsonSchema));
  }
  SavedRun run;
  run.path = path;
  run.kernel = fields.text("kernel");
  run.gpu = fields.text("gpu");
  run.status = fields.text("status");
  const nlohmann::json& fidelity = object_field(object, "fidelity", fields);
  if (const auto rung = fidelity.value("rung", nlohmann::json()); rung.is_string()) {
    run.rung = rung.get<std::string>();
  }
  if (object.contains("cycles") && object["cycles"].is_null()) {
    throw UserError(fmt::format("{}: the run has no time; its status is {}, its rung {}", path,
                                run.status, run.rung.empty() ? "none" : run.rung));
  }
  run.cycles = fields.number("cycles");
  run.time_ms = fields.number("time_ms");
  run.counters = fields.numbers("counters");
  run.stalls = fields.numbers("stalls");
  run.parameters = object_field(object, "params", fields);
  run.gpu_parameters = object_field(object, "gpu_parameters", fields);
  return run;
}

SavedRun read_saved_run(const std::string& path, const std::string& reader) {
  try {
    return parse_saved_run(read_file(path), path);
  } catch (const UserError& e) {
    throw UserError(fmt::format("{}: {}", reader, e.what()), e.hint().empty() ? kHint : e.hint());
  }
}

} // namespace coulomb::cli
