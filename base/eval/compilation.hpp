// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/status.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::eval {

/// One compilation. Sent to coulomb-compile-worker as one JSON frame.
struct CompileRequest {
  std::uint64_t id = 0;
  std::string source_path; ///< .cu file
  /// Entry point; unmangled if it is extern "C". Empty: the only kernel that the file has.
  std::string kernel_name;
  std::string architecture;         ///< "sm_80", "sm_86"
  std::vector<std::string> options; ///< NVRTC options and -D macros
  std::string cache_dir;            ///< content-addressed kernel cache, shared by processes
};

struct CompileOutcome {
  std::uint64_t id = 0;
  EvalStatus status =
      EvalStatus::crashed; ///< ok, compile_failed, compile_timeout (set by the pool), crashed
  std::string message;     ///< the compiler's own first error, or empty
  std::string log;         ///< the whole compiler log
  std::string cubin_path;  ///< in the cache; named by its content key
  std::string cubin_hash;  ///< of the machine code: equal hashes are the same candidate
  std::string entry_name;  ///< symbol of the kernel in the cubin; differs from kernel_name if that
                           ///< is mangled
  bool cache_hit = false;
  double compile_s = 0.0; ///< wall seconds; the original ones on a cache hit
  /// Not empty if nothing could be compiled at all, whatever the candidate: the kind of
  /// base/error.hpp
  /// ("environment": no NVRTC; "input": no such file; "internal"). `status` is then `crashed`.
  std::string error_kind;
  std::string error_hint; ///< the next step to take, if error_kind is not empty
};

/// The request for one configuration of a spec, in the one order of options that cache keys know:
/// the spec's compiler options, then a -D macro for each parameter. `cache_dir` stays empty: the
/// default one.
[[nodiscard]] CompileRequest compile_request(const kernel::TunableSpec& spec,
                                             const kernel::Configuration& configuration,
                                             const std::string& architecture);

/// Throws the error that `error_kind` names, if there is one (EnvironmentError, UserError,
/// InternalError).
void throw_if_error(const CompileOutcome& outcome);

[[nodiscard]] std::string to_json_text(const CompileRequest& request);
[[nodiscard]] CompileRequest compile_request_from_json(const std::string& text);
[[nodiscard]] std::string to_json_text(const CompileOutcome& outcome);
[[nodiscard]] CompileOutcome compile_outcome_from_json(const std::string& text);

} // namespace coulomb::eval
