// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/status.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::eval {

/// One compilation. Sent to coulomb-compile-worker as one JSON frame.
struct CompileRequest {
  std::uint64_t id = 0;
  std::string source_path;           ///< .cu file
  std::string kernel_name;           ///< entry point; kept unmangled if it is extern "C"
  std::string architecture;          ///< "sm_80", "sm_86"
  std::vector<std::string> options;  ///< NVRTC options and -D macros
  std::string cache_dir;             ///< content-addressed kernel cache, shared by processes
};

struct CompileOutcome {
  std::uint64_t id = 0;
  EvalStatus status = EvalStatus::crashed; ///< ok, compile_failed, compile_timeout (set by the pool), crashed
  std::string message;    ///< the compiler's own first error, or empty
  std::string log;        ///< the whole compiler log
  std::string cubin_path; ///< in the cache; named by its content key
  std::string cubin_hash; ///< of the machine code: equal hashes are the same candidate
  bool cache_hit = false;
  double compile_s = 0.0; ///< wall seconds; the original ones on a cache hit
};

[[nodiscard]] std::string to_json_text(const CompileRequest& request);
[[nodiscard]] CompileRequest compile_request_from_json(const std::string& text);
[[nodiscard]] std::string to_json_text(const CompileOutcome& outcome);
[[nodiscard]] CompileOutcome compile_outcome_from_json(const std::string& text);

} // namespace coulomb::eval
