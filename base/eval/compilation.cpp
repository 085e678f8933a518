// SPDX-License-Identifier: Apache-2.0
#include "base/eval/compilation.hpp"

#include "base/error.hpp"
#include "base/eval/json_fields.hpp"

#include <nlohmann/json.hpp>

namespace coulomb::eval {

std::string to_json_text(const CompileRequest& request) {
  return dump_line({{"id", request.id},
                    {"source_path", request.source_path},
                    {"kernel_name", request.kernel_name},
                    {"architecture", request.architecture},
                    {"options", request.options},
                    {"cache_dir", request.cache_dir}});
}

CompileRequest compile_request_from_json(const std::string& text) {
  const nlohmann::json object = parse_object(text, "compile request");
  const JsonFields fields(object, "compile request");
  CompileRequest request;
  request.id = fields.u64("id");
  request.source_path = fields.text("source_path");
  request.kernel_name = fields.text("kernel_name");
  request.architecture = fields.text("architecture");
  for (const auto& option : fields.array("options")) {
    if (!option.is_string()) {
      fields.fail("options", "an array of strings");
    }
    request.options.push_back(option.get<std::string>());
  }
  request.cache_dir = fields.text("cache_dir");
  return request;
}

std::string to_json_text(const CompileOutcome& outcome) {
  return dump_line({{"id", outcome.id},
                    {"status", to_string(outcome.status)},
                    {"message", outcome.message},
                    {"log", outcome.log},
                    {"cubin_path", outcome.cubin_path},
                    {"cubin_hash", outcome.cubin_hash},
                    {"entry_name", outcome.entry_name},
                    {"cache_hit", outcome.cache_hit},
                    {"compile_s", number_json(outcome.compile_s)},
                    {"error_kind", outcome.error_kind},
                    {"error_hint", outcome.error_hint}});
}

CompileOutcome compile_outcome_from_json(const std::string& text) {
  const nlohmann::json object = parse_object(text, "compile outcome");
  const JsonFields fields(object, "compile outcome");
  CompileOutcome outcome;
  outcome.id = fields.u64("id");
  outcome.status = status_from_string(fields.text("status"));
  outcome.message = fields.text("message");
  outcome.log = fields.text("log");
  outcome.cubin_path = fields.text("cubin_path");
  outcome.cubin_hash = fields.text("cubin_hash");
  outcome.entry_name = fields.text("entry_name");
  outcome.cache_hit = fields.flag("cache_hit");
  outcome.compile_s = fields.number("compile_s");
  outcome.error_kind = fields.text("error_kind");
  outcome.error_hint = fields.text("error_hint");
  return outcome;
}

CompileRequest compile_request(const kernel::TunableSpec& spec,
                               const kernel::Configuration& configuration,
                               const std::string& architecture) {
  CompileRequest request;
  request.source_path = spec.source_path;
  request.kernel_name = spec.kernel_name;
  request.architecture = architecture;
  request.options = spec.compiler_options;
  for (auto& macro : spec.macro_options(configuration)) {
    request.options.push_back(std::move(macro));
  }
  return request;
}

void throw_if_error(const CompileOutcome& outcome) {
  if (outcome.error_kind.empty()) {
    return;
  }
  if (outcome.error_kind == "environment") {
    throw EnvironmentError(outcome.message, outcome.error_hint);
  }
  if (outcome.error_kind == "input") {
    throw UserError(outcome.message, outcome.error_hint);
  }
  throw InternalError(outcome.message);
}

} // namespace coulomb::eval
