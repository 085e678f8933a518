// SPDX-License-Identifier: Apache-2.0
#include "search/engine/launch_rules.hpp"

#include "base/text.hpp"

#include <array>
#include <fmt/format.h>

namespace coulomb::search {
namespace {

constexpr std::uint64_t kMaxParameterBytes = 4096;
/// The largest memory of an Ampere board (A100 80GB). Not a per-board check: the model has no
/// capacity.
constexpr std::uint64_t kMaxBufferBytes = std::uint64_t{80} << 30;

struct DimensionLimit {
  const char* what;
  const char* axis;
  std::uint64_t limit;
};
constexpr std::array<DimensionLimit, 3> kBlockLimits = {
    {{"block", "x", 1024}, {"block", "y", 1024}, {"block", "z", 64}}};
constexpr std::array<DimensionLimit, 3> kGridLimits = {
    {{"grid", "x", 2147483647}, {"grid", "y", 65535}, {"grid", "z", 65535}}};

std::optional<std::string> dimension_violation(const Dim3& extent,
                                               const std::array<DimensionLimit, 3>& limits) {
  const std::array<std::uint32_t, 3> values = {extent.x, extent.y, extent.z};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0 || values[i] > limits[i].limit) {
      return fmt::format("{} dimension {} is {}; 1 to {} are allowed", limits[i].what,
                         limits[i].axis, with_thousands(values[i]),
                         with_thousands(limits[i].limit));
    }
  }
  return std::nullopt;
}

std::optional<std::string> argument_violation(const std::vector<kernel::Argument>& arguments) {
  std::uint64_t parameter_bytes = 0;
  std::uint64_t buffer_bytes = 0;
  for (const auto& a : arguments) {
    const std::uint64_t element = kernel::element_bytes(a.type);
    if (a.vector && (a.count == 0 || a.count > kMaxBufferBytes / element)) {
      return fmt::format("argument {} has {} elements of {} bytes; 1 to {} are allowed", a.name,
                         with_thousands(a.count), element,
                         with_thousands(kMaxBufferBytes / element));
    }
    if (a.vector) {
      buffer_bytes += a.count * element;
    }
    if (a.passed) {
      const std::uint64_t size = a.vector ? 8 : kernel::argument_bytes(a);
      const std::uint64_t alignment = a.vector ? 8 : element;
      parameter_bytes = (parameter_bytes + alignment - 1) / alignment * alignment + size;
    }
  }
  if (parameter_bytes > kMaxParameterBytes) {
    return fmt::format("the kernel's parameters take {} bytes; at most {} are allowed",
                       with_thousands(parameter_bytes), with_thousands(kMaxParameterBytes));
  }
  if (buffer_bytes > kMaxBufferBytes) {
    return fmt::format("the arguments take {} bytes of memory; at most {} are allowed",
                       with_thousands(buffer_bytes), with_thousands(kMaxBufferBytes));
  }
  return std::nullopt;
}

} // namespace

std::optional<std::string> launch_violation(const kernel::Launch& launch,
                                            const config::GpuConfig& gpu) {
  if (auto violation = dimension_violation(launch.block, kBlockLimits)) {
    return violation;
  }
  if (launch.block.volume() > gpu.sm.max_threads_per_cta) {
    return fmt::format("block {} x {} x {} has {} threads; at most {} are allowed", launch.block.x,
                       launch.block.y, launch.block.z, with_thousands(launch.block.volume()),
                       with_thousands(gpu.sm.max_threads_per_cta));
  }
  if (auto violation = dimension_violation(launch.grid, kGridLimits)) {
    return violation;
  }
  if (launch.dynamic_shared_bytes > gpu.sm.shared.max_per_cta) {
    return fmt::format("{} bytes of dynamic shared memory; at most {} are allowed on {}",
                       with_thousands(launch.dynamic_shared_bytes),
                       with_thousands(gpu.sm.shared.max_per_cta), gpu.id);
  }
  return argument_violation(launch.arguments);
}

} // namespace coulomb::search
