// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/silicon_table.hpp"
#include "calibration/accuracy/kernel_identity.hpp"
#include "calibration/sampling.hpp"

#include <string>
#include <vector>

namespace coulomb::calibration {

/// Configurations that are recorded in several tables, for what compares them across boards.
/// Tables are aligned with their specs; of several rows of one configuration the first that counts
/// is taken.
struct CommonRows {
  /// A configuration, as the table that is sampled has it.
  struct Entry {
    std::size_t row = 0;  ///< index into the rows of that table
    std::string key;      ///< KernelIdentity::key(): the same in every table
    double mean_ms = 0.0; ///< geometric mean of its times in all the tables
  };
  std::vector<Entry> entries; ///< ascending by mean time, then by key
};

/// What `table` and every one of `others` recorded and may be compared. Excludes the other eligible
/// rows of `table`, and says why. Throws UserError: a table of another kernel, or nothing in
/// common.
[[nodiscard]] CommonRows keep_common_rows(results::SiliconTable& table,
                                          const std::vector<results::SiliconTable>& others,
                                          const KernelIdentity& identity);

/// Draws evenly from the deciles of the mean time, without replacement: those whose random numbers,
/// named by seed and key, are lowest. So it draws the same configurations whichever of the tables
/// is sampled, in any order of the others, and a smaller count draws a part of them. No failing
/// rows. The deciles' times are mean times. Throws UserError if the count is 0.
[[nodiscard]] Sample draw_common_sample(const results::SiliconTable& table,
                                        const CommonRows& common,
                                        const SampleRequest& request);

} // namespace coulomb::calibration
