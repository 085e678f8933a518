// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_gpu/cuda/limits.hpp"

#include <algorithm>

namespace coulomb::fake::cuda {
namespace {

using hw::abi::FunctionT;
using hw::abi::Result;

constexpr int kWarp = 32;
constexpr int kSubCores = 4;
constexpr int kRegistersPerSubCore = 16384;
constexpr int kRegisterUnit = 256;
constexpr int kMaxThreads = 1024;
constexpr std::uint32_t kMaxBlockZ = 64;
constexpr std::uint32_t kMaxGridX = 0x7fffffff;
constexpr std::uint32_t kMaxGridYZ = 65535;
constexpr std::uint64_t kSharedUnit = 128;
constexpr std::uint64_t kReservedShared = 1024;

const Board& board_of(const FunctionT& function) {
  return function.module->context->board;
}

/// Warps of that function whose registers an SM has.
int warps_by_registers(const FunctionT& function) {
  const int registers = std::max(1, static_cast<int>(function.image->registers));
  const int per_warp = (registers * kWarp + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit;
  return kRegistersPerSubCore / per_warp * kSubCores;
}

} // namespace

int ctas_per_sm(const FunctionT& function, std::uint64_t threads, std::uint64_t dynamic_shared) {
  const Board& board = board_of(function);
  const int warps = static_cast<int>((threads + kWarp - 1) / kWarp);
  const std::uint64_t shared =
      (function.image->static_shared_bytes + dynamic_shared + kReservedShared + kSharedUnit - 1) /
      kSharedUnit * kSharedUnit;
  if (warps == 0 || threads > static_cast<std::uint64_t>(max_threads(function))) {
    return 0;
  }
  return std::min({board.max_warps / warps, board.max_ctas, warps_by_registers(function) / warps,
                   static_cast<int>(static_cast<std::uint64_t>(board.shared_per_sm) / shared)});
}

int max_threads(const FunctionT& function) {
  const int bounds = static_cast<int>(function.image->max_threads);
  return std::min(
      {kMaxThreads, bounds == 0 ? kMaxThreads : bounds, warps_by_registers(function) * kWarp});
}

Result check_shape(const FunctionT& function,
                   const Dim3& grid,
                   const Dim3& block,
                   std::uint64_t dynamic_shared) {
  const bool in_range = grid.volume() != 0 && grid.x <= kMaxGridX && grid.y <= kMaxGridYZ &&
                        grid.z <= kMaxGridYZ && block.volume() != 0 && block.x <= kMaxThreads &&
                        block.y <= kMaxThreads && block.z <= kMaxBlockZ &&
                        block.volume() <= kMaxThreads;
  if (!in_range || dynamic_shared > static_cast<std::uint64_t>(function.max_dynamic_shared)) {
    return hw::abi::kInvalidValue;
  }
  return block.volume() > static_cast<std::uint64_t>(max_threads(function))
             ? hw::abi::kLaunchOutOfResources
             : hw::abi::kSuccess;
}

} // namespace coulomb::fake::cuda
