// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace coulomb {

/// A random stream named by (seed, purpose, index): the same name gives the same numbers whatever
/// else draws, on whatever worker. splitmix64 for seeding, xoshiro256** for the stream (both public
/// domain algorithms).
class RandomStream {
public:
  RandomStream(std::uint64_t seed, std::string_view purpose, std::uint64_t index = 0);
  std::uint64_t next();
  /// Uniform in [0, n), unbiased; n > 0.
  std::uint64_t below(std::uint64_t n);
  /// Uniform in [0, 1), 53 bits.
  double uniform();
  /// Standard normal (polar method).
  double normal();
  bool chance(double probability) { return uniform() < probability; }

private:
  std::uint64_t state_[4];
  double spare_ = 0.0;
  bool has_spare_ = false;
};

} // namespace coulomb
