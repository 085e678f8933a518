// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/toolchain/toolchain_paths.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coulomb::toolchain {

/// One call of the compiler.
struct NvrtcJob {
  std::string source;               ///< text of the .cu file
  std::string name;                 ///< file name shown in messages and line information
  std::vector<std::string> options; ///< as NVRTC takes them, architecture included
  std::string name_expression; ///< C++ name whose lowered name is wanted ("k<float>"), or empty
};

enum class NvrtcVerdict {
  ok,
  rejected,       ///< the source or an option is wrong: the log says why
  broken_toolkit, ///< NVRTC cannot work here, e.g. its builtins library is missing
  internal_error, ///< out of memory, or the compiler failed on valid input
};

struct NvrtcResult {
  NvrtcVerdict verdict = NvrtcVerdict::internal_error;
  std::string error;        ///< NVRTC's word for the result code, e.g. NVRTC_ERROR_COMPILATION
  std::string log;          ///< warnings too, when it compiled
  std::string cubin;        ///< ELF image
  std::string lowered_name; ///< of name_expression
};

/// NVIDIA's run-time compiler, loaded with dlopen so that Coulomb starts where there is no CUDA.
/// Any release from 11.8 to 13.x; no GPU or driver is needed. Not thread safe: one per thread.
class Nvrtc {
public:
  /// Throws EnvironmentError that lists where NVRTC was looked for and says how to get it.
  explicit Nvrtc(const ToolchainPaths& paths);
  Nvrtc(Nvrtc&&) noexcept;
  Nvrtc& operator=(Nvrtc&&) noexcept;
  ~Nvrtc();

  [[nodiscard]] const std::string& version() const; ///< "13.0"
  [[nodiscard]] const std::string& path() const;    ///< of the library that was loaded
  /// Directory of the toolkit's headers (cuda_fp16.h ...), or empty if only the library is
  /// installed.
  [[nodiscard]] const std::string& include_dir() const;
  /// -I options for them, libcu++ (<cuda/barrier>, which cooperative_groups.h needs) included: CUDA
  /// 13 keeps it in a folder of its own.
  [[nodiscard]] std::vector<std::string> include_options() const;
  [[nodiscard]] NvrtcResult compile(const NvrtcJob& job) const;

private:
  struct Library;
  std::unique_ptr<Library> library_;
};

} // namespace coulomb::toolchain
