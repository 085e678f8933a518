// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::search {

/// Islands and the ways that migrants take between them.
using Topology = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// "ring" (each island to the next), "star" (the first to all others and back), "complete" (each to
/// every other), "none".
[[nodiscard]] std::vector<std::string> topology_names();
/// Throws UserError for another name (did you mean).
[[nodiscard]] std::shared_ptr<const Topology> make_topology(const std::string& name,
                                                            std::size_t islands);

} // namespace coulomb::search
