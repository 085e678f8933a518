// SPDX-License-Identifier: Apache-2.0
#include "calibration/common_rows.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <map>
#include <tuple>
#include <utility>

namespace coulomb::calibration {
namespace {

using results::SiliconTable;
using Entry = CommonRows::Entry;

void check_kernel(const SiliconTable& table,
                  const SiliconTable& other,
                  const KernelIdentity& identity) {
  const std::string kernel = identity.kernel_of(table.metadata.spec);
  const std::string its = identity.kernel_of(other.metadata.spec);
  if (its != kernel) {
    throw UserError(
        fmt::format("{} holds kernel {}, {} holds {}: they have no configuration in common",
                    recorded_path(other.path), its, recorded_path(table.path), kernel),
        "configs/calibration/kernels.toml says which specifications are one kernel");
  }
}

/// Rows that may be compared, by the key of their configuration: index.
std::map<std::string, std::size_t> rows_by_key(const SiliconTable& table,
                                               const KernelIdentity& identity) {
  std::map<std::string, std::size_t> rows;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].eligible()) {
      rows.emplace(identity.key(table.metadata.spec, table.rows[i].parameters), i);
    }
  }
  return rows;
}

/// Independent of the order of `times`, to the last bit.
double geometric_mean(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  double sum = 0.0;
  for (const double t : times) {
    sum += std::log(t);
  }
  return std::exp(sum / static_cast<double>(times.size()));
}

std::string names_of(const std::vector<SiliconTable>& tables) {
  std::vector<std::string> names;
  for (const auto& table : tables) {
    names.push_back(recorded_path(table.path));
  }
  return fmt::format("{}", fmt::join(names, " and "));
}

} // namespace

CommonRows keep_common_rows(SiliconTable& table,
                            const std::vector<SiliconTable>& others,
                            const KernelIdentity& identity) {
  std::vector<std::map<std::string, std::size_t>> theirs;
  for (const SiliconTable& other : others) {
    check_kernel(table, other, identity);
    theirs.push_back(rows_by_key(other, identity));
  }
  CommonRows common;
  std::vector<bool> kept(table.rows.size(), false);
  for (const auto& [key, row] : rows_by_key(table, identity)) {
    std::vector<double> times{*table.rows[row].time_ms};
    for (std::size_t t = 0; t < others.size(); ++t) {
      if (const auto found = theirs[t].find(key); found != theirs[t].end()) {
        times.push_back(*others[t].rows[found->second].time_ms);
      }
    }
    if (times.size() == others.size() + 1) {
      common.entries.push_back({row, key, geometric_mean(std::move(times))});
      kept[row] = true;
    }
  }
  if (common.entries.empty()) {
    throw UserError(fmt::format("{} and {} have no configuration in common that may be compared",
                                recorded_path(table.path), names_of(others)),
                    "configurations are the same if all parameters are, those included that "
                    "configs/calibration/kernels.toml says a specification fixes");
  }
  std::sort(common.entries.begin(), common.entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.mean_ms, a.key) < std::tie(b.mean_ms, b.key);
  });
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].eligible() && !kept[i]) {
      table.rows[i].exclusion = "not recorded in " + names_of(others);
    }
  }
  return common;
}

Sample draw_common_sample(const SiliconTable& table,
                          const CommonRows& common,
                          const SampleRequest& request) {
  std::vector<double> times;
  for (const Entry& entry : common.entries) {
    times.push_back(entry.mean_ms);
  }
  Sample sample = sample_of_times(times, request);
  for (std::size_t d = 0; d < sample.deciles.size(); ++d) {
    std::vector<std::pair<std::uint64_t, std::size_t>> lots; // random number, row
    for (std::size_t i = decile_begin(d, times.size()); i < decile_begin(d + 1, times.size());
         ++i) {
      RandomStream random(request.seed, "validate.common " + common.entries[i].key);
      lots.emplace_back(random.next(), common.entries[i].row);
    }
    std::sort(lots.begin(), lots.end());
    for (std::size_t i = 0; i < sample.deciles[d].drawn; ++i) {
      sample.rows.push_back(lots[i].second);
    }
  }
  std::sort(sample.rows.begin(), sample.rows.end());
  sample.failing = countable_failures(table);
  return sample;
}

} // namespace coulomb::calibration
