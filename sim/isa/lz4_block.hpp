// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace coulomb::isa {

/// Expands one block of the LZ4 block format (no frame) to exactly `size` bytes; nothing if the
/// block is damaged or does not expand to that many. Memory: `size` bytes.
[[nodiscard]] std::optional<std::vector<std::uint8_t>>
expand_lz4_block(std::span<const std::uint8_t> block, std::uint64_t size);

} // namespace coulomb::isa
