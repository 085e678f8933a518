// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/cubin.hpp"
#include "sim/isa/elf_reader.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace coulomb::isa {

/// What the attribute streams `.nv.info` (module) and `.nv.info.<kernel>` say about one kernel.
struct KernelAttributes {
  std::uint32_t registers = 0;
  std::uint32_t frame_bytes = 0; ///< of the kernel itself
  std::uint32_t stack_bytes = 0; ///< with its callees
  std::uint32_t max_threads = 0;
  std::optional<std::uint32_t> barriers;
  std::optional<std::uint32_t> parameter_base;
  std::optional<std::uint32_t> parameter_bytes;
  std::vector<KernelParameter> parameters;
  std::map<std::uint32_t, std::vector<std::uint32_t>> indirect_targets;
};

/// Reads both streams for the kernel whose symbol has that index. Throws UserError for a damaged
/// stream.
[[nodiscard]] KernelAttributes read_kernel_attributes(const ElfReader& elf,
                                                      std::uint32_t symbol_index);

} // namespace coulomb::isa
