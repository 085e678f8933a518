// SPDX-License-Identifier: Apache-2.0
#include "calibration/points/program_cubin.hpp"

#include "base/error.hpp"
#include "base/eval/compilation.hpp"
#include "base/text.hpp"
#include "search/engine/worker_pool.hpp"

#include <future>

namespace coulomb::calibration::points {
namespace {

/// The compile worker's answer; the compiler lives in no other process.
search::JobResult ask_compiler(const eval::CompileRequest& request, double deadline_s) {
  search::WorkerPoolOptions options;
  options.executables = {executable_dir() + "/coulomb-sim-worker",
                         executable_dir() + "/coulomb-compile-worker"};
  std::promise<search::JobResult> promise;
  auto answer = promise.get_future();
  search::WorkerPool pool(options);
  pool.submit({search::WorkerKind::compile, 0, eval::to_json_text(request), deadline_s},
              [&](search::JobResult result) { promise.set_value(std::move(result)); });
  return answer.get();
}

} // namespace

std::string use_program(kernel::LaunchDescription& launch,
                        const SassProgram& program,
                        std::uint32_t architecture,
                        const std::string& path,
                        double compile_deadline_s) {
  const eval::CompileRequest request =
      eval::compile_request(kernel::make_spec(launch), {}, fmt::format("sm_{}", architecture));
  const search::JobResult result = ask_compiler(request, compile_deadline_s);
  if (result.end != search::JobEnd::answered) {
    return fmt::format("compiling {} did not end: {}", launch.source, result.detail);
  }
  const eval::CompileOutcome outcome = eval::compile_outcome_from_json(result.answer);
  eval::throw_if_error(outcome);
  if (outcome.status != eval::EvalStatus::ok) {
    return fmt::format("{}: {}", launch.source, outcome.message);
  }
  write_file_atomically(path, place_program(read_file(outcome.cubin_path), program));
  launch.entry = outcome.entry_name;
  launch.cubin = path;
  launch.source.clear();
  return {};
}

} // namespace coulomb::calibration::points
