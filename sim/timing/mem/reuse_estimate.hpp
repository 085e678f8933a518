// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace coulomb::timing::mem {

/// For a sampled simulation: how likely a sector that the sample has not touched is in L2 all the
/// same, because a CTA outside the sample brought it in.
///
/// A buffer of S sectors from which every CTA of the grid reads f distinct sectors is asked for
/// ctas * f times, but comes from DRAM only S times: of the first touches by a CTA, 1 - S / (ctas *
/// f) find the sector there. f is measured on probe CTAs. Whether a given sector is "there" is
/// decided by its hash, so that it does not depend on order. A buffer set that fits L2 and was left
/// there by the launch before (tuners relaunch without flushing) is there altogether. Assumption:
/// reuse between CTAs happens while L2 still holds the sector.
class ReuseEstimate {
public:
  struct Range {
    std::uint64_t first_line = 0;
    std::uint64_t last_line = 0; ///< inclusive
    double resident = 0.0;       ///< probability, 0 to 1
    double copied = 0.0; ///< same, of a copy in the SM's partition if the home is in the other
  };

  ReuseEstimate() = default;
  explicit ReuseEstimate(std::vector<Range> ranges) : ranges_(std::move(ranges)) {}

  [[nodiscard]] bool resident(std::uint64_t line, unsigned sector) const {
    return holds(line, sector, &Range::resident);
  }
  [[nodiscard]] bool copied(std::uint64_t line, unsigned sector) const {
    return holds(line, sector, &Range::copied);
  }
  [[nodiscard]] const std::vector<Range>& ranges() const { return ranges_; }

private:
  [[nodiscard]] bool holds(std::uint64_t line, unsigned sector, double Range::*probability) const {
    for (const Range& r : ranges_) {
      if (line >= r.first_line && line <= r.last_line) {
        const double p = r.*probability;
        if (p >= 1.0 || p <= 0.0) {
          return p >= 1.0;
        }
        std::uint64_t x = (line * 4 + sector) * 0x9e3779b97f4a7c15ULL;
        x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9ULL;
        return static_cast<double>((x ^ (x >> 32)) >> 11) * 0x1.0p-53 < p;
      }
    }
    return false;
  }

  std::vector<Range> ranges_;
};

} // namespace coulomb::timing::mem
