// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comparer.hpp"
#include "hw/toolchain/nvrtc.hpp"
#include "node.hpp"
#include "sim/isa/cubin.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coulomb::fuzz {

enum class Verdict {
  agree,
  differ,      ///< outputs differ
  fault,       ///< the executor threw a KernelFault (illegal address, deadlock, ...)
  unsupported, ///< the executor says that it does not model an instruction
};

/// What running one program on both sides gave.
struct Outcome {
  Verdict verdict = Verdict::agree;
  std::vector<std::string> details; ///< differing words, or the executor's message
};

struct RunnerOptions {
  std::uint64_t seed = 1;
  std::vector<std::string> host_options; ///< more options for g++, e.g. -DFUZZ_PLANT
  /// Where sources and libraries of a batch are written; must exist.
  std::string directory;
};

/// Compiles programs for the simulator (NVRTC) and for this machine (g++), runs both, and compares.
/// Not thread safe: one per thread, each with a directory of its own.
class Runner {
public:
  /// Throws EnvironmentError if there is no NVRTC.
  explicit Runner(RunnerOptions options);

  /// One outcome per program. All are compiled together. `architecture` is 80 or 86. Throws
  /// InternalError, with the compiler's log, if a program does not compile.
  [[nodiscard]] std::vector<Outcome> run(std::span<const Program> programs, int architecture);

private:
  [[nodiscard]] Outcome run_one(const Program& program,
                                const std::string& name,
                                const isa::Cubin& cubin,
                                void* library) const;

  RunnerOptions options_;
  toolchain::Nvrtc nvrtc_;
  std::uint64_t batches_ = 0;
};

} // namespace coulomb::fuzz
