// SPDX-License-Identifier: Apache-2.0
#include "base/hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace coulomb {

std::uint64_t hash64(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::string hash128_hex(std::string_view bytes) {
  const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", h.high64, h.low64);
}

std::uint32_t checksum32(std::string_view bytes) {
  return static_cast<std::uint32_t>(hash64(bytes));
}

} // namespace coulomb
