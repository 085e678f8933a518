// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.hpp"
#include "fuzz_types.hpp"
#include "node.hpp"

namespace coulomb::fuzz {

/// Program `index` of `seed`: the same pair always gives the same program, whatever else is
/// generated. Its text has no undefined behaviour, ends after a bounded number of steps, and its
/// result depends on no order of threads.
[[nodiscard]] Program generate(std::uint64_t seed, std::uint64_t index);

/// What program `index` reads: random bit patterns and edge values (zeroes, infinities, NaN,
/// subnormals, limits).
[[nodiscard]] FzInput generate_input(std::uint64_t seed, std::uint64_t index);
/// The constants and the accumulators' first values of program `index`.
[[nodiscard]] FzConstants generate_constants(std::uint64_t seed, std::uint64_t index);
[[nodiscard]] FzAccumulators generate_accumulators(std::uint64_t seed, std::uint64_t index);

/// An integer that is often an edge value (0, 1, limits, powers of two) or small.
[[nodiscard]] std::uint64_t edge_integer(RandomStream& random, unsigned bits);
/// Bits of a float that is often an edge value or near 1; NaN has one pattern only.
[[nodiscard]] std::uint32_t edge_float(RandomStream& random);
[[nodiscard]] std::uint64_t edge_double(RandomStream& random);

} // namespace coulomb::fuzz
