// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace coulomb {

/// 64-bit XXH3 of the bytes. Stable across machines and releases.
[[nodiscard]] std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);
/// 128-bit XXH3 as 32 hexadecimal digits: the name of a content-addressed object.
[[nodiscard]] std::string hash128_hex(std::string_view bytes);
/// 32-bit checksum for journal records: low half of hash64.
[[nodiscard]] std::uint32_t checksum32(std::string_view bytes);

} // namespace coulomb
