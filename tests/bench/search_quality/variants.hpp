// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/bench/search_quality/quality.hpp"

#include <string>
#include <vector>

namespace coulomb::bench {

/// A strategy under test.
struct Variant {
  std::string name;
  MakeStrategy make;
};

/// Every strategy of the catalogue that spends a budget, with this lookahead.
[[nodiscard]] std::vector<Variant> catalogue_variants(std::uint64_t lookahead);
/// The default strategy, and the same with one component off or otherwise: what each is worth.
[[nodiscard]] std::vector<Variant> ablation_variants(std::uint64_t lookahead);

} // namespace coulomb::bench
