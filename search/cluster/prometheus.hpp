// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/cluster/heartbeat.hpp"
#include "search/store/search_header.hpp"

#include <string>

namespace coulomb::search {

/// The figures of a heartbeat in Prometheus' text format (version 0.0.4), as node_exporter's
/// textfile collector reads it: HELP and TYPE of each metric, labels spec, gpu and island (empty
/// for a search that is alone).
[[nodiscard]] std::string prometheus_text(const SearchHeader& header, const Heartbeat& heartbeat);

} // namespace coulomb::search
