// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/replay/replay_device.hpp"
#include "search/driver/search_driver.hpp"

#include <atomic>
#include <deque>
#include <memory>
#include <optional>

namespace coulomb::search {

/// The configurations of `space` that the table has an outcome of: they ran and count, or they
/// failed on silicon. Throws UserError if there are none.
[[nodiscard]] SearchSpace recorded_space(const SearchSpace& space,
                                         const results::SiliconTable& table);

/// Best time among the recorded configurations of `space`, ms; nothing if none ran.
[[nodiscard]] std::optional<double> recorded_optimum(const SearchSpace& space,
                                                     const hw::ReplayDevice& device);

/// Recorded measurements in the place of a simulator. `device` and `stop` must outlive what is
/// returned; outcomes come in the order of submission. A configuration that was never measured ends
/// the search with the device's UserError.
[[nodiscard]] Evaluations recorded_evaluations(const hw::ReplayDevice& device,
                                               const std::atomic<bool>& stop);

} // namespace coulomb::search
