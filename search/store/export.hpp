// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/hdf5_writer.hpp"
#include "search/store/search_store.hpp"

#include <string>
#include <vector>

namespace coulomb::search {

/// One line per evaluation: id, origin, status, time_ms, cycles, every parameter, compile_s,
/// sim_s, cubin_hash, message. A value that a failed evaluation does not have is empty.
[[nodiscard]] std::string export_csv(const SearchRecords& records);
/// One object: the header, and every evaluation with its counters.
[[nodiscard]] std::string export_json(const SearchRecords& records);
/// The auto-tuning community's results format (T4, schema version 1.0.0).
[[nodiscard]] std::string export_t4(const SearchRecords& records);
/// One line per evaluation: id, status, time_ms, and every other feature of eval::feature_table().
/// What is not known is empty.
[[nodiscard]] std::string export_features(const SearchRecords& records);
/// The numbers of export_features() from time_ms on, [evaluations][features]; NaN: not known.
[[nodiscard]] std::vector<double> feature_values(const SearchRecords& records);
/// For results::write_hdf5: /meta, and /evaluations with one column per value and tables of
/// counters, stall reasons and features.
[[nodiscard]] results::Hdf5Snapshot export_hdf5(const SearchRecords& records);

} // namespace coulomb::search
