// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::html {

/// What one thing does, from the least to the most.
struct Span {
  std::string name;
  double low = 0.0;  ///< at most 0: what helps
  double high = 0.0; ///< at least 0: what harms
  std::string low_note = {};
  std::string high_note = {};
};

/// Bars to both sides of nought, one below the other: a tornado chart. Values are relative changes,
/// shown in per cent.
struct DivergingChart {
  std::string description; ///< in one sentence
  std::string title;       ///< of the axis
  std::vector<Span> spans;
};

[[nodiscard]] std::string to_html(const DivergingChart& chart);

} // namespace coulomb::html
