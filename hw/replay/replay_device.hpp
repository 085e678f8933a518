// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/silicon_table.hpp"

#include <string>
#include <unordered_map>

namespace coulomb::hw {

/// A device that answers from recorded measurements: what was measured, failures included, as it
/// was recorded.
class ReplayDevice {
public:
  /// Throws UserError if the table has two rows of one configuration.
  explicit ReplayDevice(results::SiliconTable table);

  /// The recorded row of a configuration; parameters that the table does not know are ignored.
  /// Throws UserError if there is none, naming the nearest recorded one, or if the row does not
  /// count (its metadata's filter), with the reason.
  [[nodiscard]] const results::SiliconRow&
  measure(const kernel::Configuration& configuration) const;

  [[nodiscard]] const results::SiliconTable& table() const { return table_; }

private:
  [[nodiscard]] std::string key(const kernel::Configuration& configuration) const;
  [[nodiscard]] const results::SiliconRow&
  nearest(const kernel::Configuration& configuration) const;

  results::SiliconTable table_;
  std::unordered_map<std::string, std::size_t> rows_; ///< parameters as text: position in the table
};

} // namespace coulomb::hw
