// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/dim3.hpp"
#include "sim/functional/monitor.hpp"
#include "tests/kernels/problem.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace coulomb::kernels_test {

/// Empty, or why nothing can be compiled here.
[[nodiscard]] std::string missing_compiler();
/// Compiles a file of tests/kernels for "sm_80" or "sm_86" into a cache in the build folder;
/// returns the cubin's path. Throws std::runtime_error with the compiler's message.
[[nodiscard]] std::string compiled(const std::string& file, const std::string& architecture);
/// Release of the compiler here ("13.0"); empty if there is none.
[[nodiscard]] std::string compiler_release();
/// The release with which docs/opcodes.md was made.
inline constexpr const char* kProofRelease = "13.0";

/// One launch.
struct Launch {
  std::string cubin_path;
  std::string entry;
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
};

/// Makes what looks on while the kernel runs.
using MakeMonitor = std::function<std::unique_ptr<functional::Monitor>(
    const functional::ExecutableKernel&, const functional::GlobalMemory&)>;

/// Executes every CTA and compares every buffer; returns what is wrong, or an empty text. Throws
/// what the executor throws.
[[nodiscard]] std::string
run_and_compare(const Launch& launch, const Problem& problem, const MakeMonitor& make_monitor = {});

} // namespace coulomb::kernels_test
