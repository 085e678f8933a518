// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/executor.hpp"
#include "sim/functional/micro_op.hpp"
#include "sim/functional/row_pool.hpp"

#include <string>
#include <vector>

namespace coulomb::functional {

/// Bases of the generic-address windows, 16 MiB each, far above global memory. Their low 24 bits
/// must be zero, because compiled code masks a generic shared address with 0xffffff.
inline constexpr std::uint64_t kSharedWindow = 0x00007e0000000000ULL;
inline constexpr std::uint64_t kLocalWindow = 0x00007e0001000000ULL;
inline constexpr unsigned kWindowShift = 24;
/// Where the module's `__device__` variables are mapped.
inline constexpr std::uint64_t kModuleGlobals = 0x0000000600000000ULL;

/// Where cooperative_groups::this_grid() keeps its barrier; its address is in the environment
/// registers 1 (high word) and 2 (low word). Source: cooperative_groups.h and its compiled code.
inline constexpr std::uint64_t kGridWorkspace = 0x0000000400000000ULL;
inline constexpr std::uint64_t kGridWorkspaceBytes = 64;

/// threadIdx of the lanes of one warp.
struct ThreadIds {
  std::uint32_t x[kLanes];
  std::uint32_t y[kLanes];
  std::uint32_t z[kLanes];
};

struct ExecutableKernel::Impl {
  isa::KernelImage image;
  Dim3 grid;
  Dim3 block;
  std::uint32_t shared_bytes = 0;
  std::uint32_t local_bytes = 0; ///< per thread, rounded up to 16
  std::uint32_t warps = 0;
  ConstantBanks banks;
  std::vector<isa::ModuleSymbol> constant_symbols;
  std::vector<std::uint8_t> globals; ///< image of the `__device__` variables, relocated
  bool grid_workspace = false;       ///< the kernel asks for its address
  RowPool pool;
  std::vector<MicroOp> ops;       ///< index = pc / 16
  std::vector<ThreadIds> threads; ///< per warp of a CTA

  [[nodiscard]] std::uint32_t code_bytes() const {
    return static_cast<std::uint32_t>(ops.size()) * isa::kInstructionBytes;
  }
};

} // namespace coulomb::functional
