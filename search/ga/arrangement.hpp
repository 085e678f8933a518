// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/individual.hpp"

#include <vector>

namespace coulomb::search {

/// Puts a population in order, best first: who is chosen as a parent, and who drops out.
using Arrange = void (*)(std::vector<Individual>& population);

/// By fitness, equals by id.
void arrange_by_fitness(std::vector<Individual>& population);
/// NSGA-II's order (Deb et al., IEEE TEC 6(2), 2002): by front, on the same front the lonelier
/// first, then by id; failures last.
void arrange_by_front(std::vector<Individual>& population);

} // namespace coulomb::search
