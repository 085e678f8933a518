// SPDX-License-Identifier: Apache-2.0
#include "hw/replay/replay_device.hpp"

#include "base/error.hpp"

namespace coulomb::hw {
namespace {

/// Parameters of `a` that `b` gives another value.
std::size_t differences(const kernel::Configuration& a, const kernel::Configuration& b) {
  std::size_t count = 0;
  for (const auto& [name, value] : a.entries()) {
    const auto* other = b.find(name);
    count += other != nullptr && kernel::to_text(*other) == kernel::to_text(value) ? 0U : 1U;
  }
  return count;
}

} // namespace

ReplayDevice::ReplayDevice(results::SiliconTable table) : table_(std::move(table)) {
  for (std::size_t i = 0; i < table_.rows.size(); ++i) {
    const auto [at, inserted] = rows_.emplace(key(table_.rows[i].parameters), i);
    if (!inserted) {
      throw UserError(fmt::format("{}: rows {} and {} are both of {}", table_.path, at->second, i,
                                  table_.rows[i].parameters.key()),
                      "keep one row per configuration");
    }
  }
}

std::string ReplayDevice::key(const kernel::Configuration& configuration) const {
  std::string text;
  if (table_.rows.empty()) {
    return text;
  }
  for (const auto& [name, ignored] : table_.rows.front().parameters.entries()) {
    const auto* value = configuration.find(name);
    if (value == nullptr) {
      throw UserError(fmt::format("{}: it records {}, which the configuration {} does not have",
                                  table_.path, name, configuration.key()),
                      fmt::format("the table is of the kernel {}", table_.metadata.spec));
    }
    text += kernel::to_text(*value) + ' ';
  }
  return text;
}

const results::SiliconRow& ReplayDevice::nearest(const kernel::Configuration& configuration) const {
  const results::SiliconRow* best = &table_.rows.front();
  for (const auto& row : table_.rows) {
    if (differences(row.parameters, configuration) < differences(best->parameters, configuration)) {
      best = &row;
    }
  }
  return *best;
}

const results::SiliconRow& ReplayDevice::measure(const kernel::Configuration& configuration) const {
  const auto found = rows_.find(key(configuration));
  if (found == rows_.end()) {
    throw UserError(fmt::format("{}: {} was never measured", table_.path, configuration.key()),
                    table_.rows.empty()
                        ? "the table has no rows"
                        : "nearest recorded: " + nearest(configuration).parameters.key());
  }
  const results::SiliconRow& row = table_.rows[found->second];
  if (!row.exclusion.empty()) {
    throw UserError(fmt::format("{}: the measurement of {} does not count: {}", table_.path,
                                configuration.key(), row.exclusion),
                    fmt::format("see {}", table_.metadata.path));
  }
  return row;
}

} // namespace coulomb::hw
