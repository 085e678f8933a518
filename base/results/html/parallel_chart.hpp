// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::html {

/// One upright axis.
struct ParallelAxis {
  struct Tick {
    double position = 0.0; ///< 0 at the bottom, 1 at the top
    std::string label;
  };
  std::string title;
  std::vector<Tick> ticks; ///< rising; where there is no room, some stay unlabelled
};

/// How much a line stands out.
enum class Weight : std::uint8_t { quiet, plain, strong };

/// One line from the first axis to the last.
struct ParallelLine {
  std::vector<double> positions; ///< one per axis, 0 to 1
  Weight weight = Weight::quiet;
  std::string label; ///< tooltip, or empty
};

/// Parallel coordinates: many-dimensional points as lines across upright axes. Lines of one weight
/// run beside each other where they share a value, so a bundle's width says how many they are.
struct ParallelChart {
  std::string description; ///< in one sentence
  std::vector<ParallelAxis> axes;
  std::vector<ParallelLine> lines;
  std::string quiet; ///< what the legend calls the lines of this weight
  std::string plain;
  std::string strong;
};

/// As wide as its axes need: beyond the window its frame scrolls.
[[nodiscard]] std::string to_html(const ParallelChart& chart);

} // namespace coulomb::html
