// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/compilation.hpp"
#include "hw/toolchain/nvrtc.hpp"
#include "hw/toolchain/source_closure.hpp"
#include "hw/toolchain/stored_cubins.hpp"
#include "hw/toolchain/toolchain_paths.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace coulomb::toolchain {

/// Where the outcomes of one Compiler came from.
struct CompilerCounters {
  std::uint64_t compiled = 0;    ///< NVRTC ran
  std::uint64_t cache_hits = 0;  ///< found in the kernel cache
  std::uint64_t stored_hits = 0; ///< found among the cubins that come with Coulomb
  std::uint64_t damaged = 0;     ///< cache entries that were refused and made again
};

/// Turns kernel sources into cubins: the stored cubins, the kernel cache on disk, NVRTC, in this
/// order. Stored cubins are used if this machine's NVRTC has the release that made them, or if it
/// has none: one search never mixes two compilers. Not thread safe; several processes may share one
/// cache.
class Compiler {
public:
  explicit Compiler(ToolchainPaths paths = ToolchainPaths::from_environment());

  /// The fate of one compilation: ok, compile_failed (message: the compiler's first error), or
  /// crashed when the compiler itself gave up. Throws UserError (unreadable source, architecture
  /// that is no sm_NN) and EnvironmentError (no NVRTC and not stored; cache directory that cannot
  /// be written).
  [[nodiscard]] eval::CompileOutcome compile(const eval::CompileRequest& request);

  /// Like `compile`, but errors come back in the outcome too, as status crashed with error_kind and
  /// error_hint.
  [[nodiscard]] eval::CompileOutcome compile_or_error(const eval::CompileRequest& request) noexcept;

  /// Loads NVRTC if that has not been done. Throws EnvironmentError.
  const Nvrtc& nvrtc();
  [[nodiscard]] const CompilerCounters& counters() const { return counters_; }

private:
  [[nodiscard]] eval::CompileOutcome compile_cached(const eval::CompileRequest& request,
                                                    const SourceClosure& sources,
                                                    const std::string& key);
  /// Runs NVRTC. `cubin` is where the machine code goes.
  [[nodiscard]] eval::CompileOutcome
  run_nvrtc(const eval::CompileRequest& request, const SourceClosure& sources, std::string& cubin);

  ToolchainPaths paths_;
  StoredCubins stored_;
  std::optional<Nvrtc> nvrtc_;
  CompilerCounters counters_;
};

/// The first line of a compiler log that tells an error ("saxpy.cu(3): error: ..."), else its first
/// line.
[[nodiscard]] std::string first_error(const std::string& log);

} // namespace coulomb::toolchain
