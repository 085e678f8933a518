// SPDX-License-Identifier: Apache-2.0
#include "calibration/sampling.hpp"

#include "base/error.hpp"
#include "base/random.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace coulomb::calibration {
namespace {

using results::SiliconRow;
using results::SiliconTable;

bool is_countable_failure(const SiliconRow& row) {
  return row.failed() && row.exclusion.empty();
}

/// `count` of the `pool`, without replacement (partial Fisher-Yates shuffle).
std::vector<std::size_t>
draw(std::vector<std::size_t> pool, std::size_t count, RandomStream& random) {
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(pool[i], pool[i + random.below(pool.size() - i)]);
  }
  pool.resize(count);
  return pool;
}

std::vector<std::size_t> eligible_by_time(const SiliconTable& table) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].eligible()) {
      order.push_back(i);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return *table.rows[a].time_ms < *table.rows[b].time_ms;
  });
  return order;
}

/// Rows per decile: an equal share each, and what a small decile cannot give comes from the next
/// ones.
void set_quotas(std::array<Decile, 10>& deciles, std::size_t total) {
  std::size_t open = total;
  for (std::size_t d = 0; d < deciles.size(); ++d) {
    const std::size_t share = (d + 1) * total / deciles.size() - d * total / deciles.size();
    deciles[d].drawn = std::min(share, deciles[d].available);
    open -= deciles[d].drawn;
  }
  for (std::size_t d = 0; open > 0; d = (d + 1) % deciles.size()) {
    if (deciles[d].drawn < deciles[d].available) {
      ++deciles[d].drawn;
      --open;
    }
  }
}

Sample draw_eligible(const SiliconTable& table, const SampleRequest& request) {
  const auto order = eligible_by_time(table);
  if (order.empty()) {
    throw UserError(
        fmt::format("{}: none of its {} rows may be compared", table.path, table.rows.size()),
        fmt::format("its filter and status words are in {}", table.metadata.path));
  }
  std::vector<double> times;
  times.reserve(order.size());
  for (const std::size_t i : order) {
    times.push_back(*table.rows[i].time_ms);
  }
  Sample sample = sample_of_times(times, request);
  const auto at = [&](std::size_t d) {
    return order.begin() + static_cast<std::ptrdiff_t>(decile_begin(d, order.size()));
  };
  for (std::size_t d = 0; d < sample.deciles.size(); ++d) {
    RandomStream random(request.seed, "validate.eligible", d);
    const auto drawn = draw({at(d), at(d + 1)}, sample.deciles[d].drawn, random);
    sample.rows.insert(sample.rows.end(), drawn.begin(), drawn.end());
  }
  return sample;
}

void draw_failing(const SiliconTable& table, Sample& sample) {
  std::map<eval::EvalStatus, std::vector<std::size_t>> kinds;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (is_countable_failure(table.rows[i])) {
      kinds[table.rows[i].status].push_back(i);
    }
  }
  sample.failing = countable_failures(table);
  // A hair less, so that 0.1 of 200 is 20 and not 21.
  const double wanted =
      std::ceil(sample.request.failing_share * static_cast<double>(sample.drawn_eligible) - 1e-9);
  sample.drawn_failing = std::min(sample.failing, static_cast<std::size_t>(std::max(wanted, 0.0)));
  std::map<eval::EvalStatus, std::size_t> quota;
  std::size_t open = sample.drawn_failing;
  for (const auto& [status, rows] : kinds) {
    const std::size_t share =
        std::max<std::size_t>(1, rows.size() * sample.drawn_failing / sample.failing);
    quota[status] = std::min(open, std::min(share, rows.size()));
    open -= quota[status];
  }
  while (open > 0) {
    // What rounding left over goes to the kind with the most rows not drawn.
    const auto most =
        std::max_element(kinds.begin(), kinds.end(), [&](const auto& a, const auto& b) {
          return a.second.size() - quota[a.first] < b.second.size() - quota[b.first];
        });
    ++quota[most->first];
    --open;
  }
  for (const auto& [status, rows] : kinds) {
    RandomStream random(sample.request.seed, "validate.failing",
                        static_cast<std::uint64_t>(status));
    const auto drawn = draw(rows, quota[status], random);
    sample.rows.insert(sample.rows.end(), drawn.begin(), drawn.end());
    if (!drawn.empty()) {
      sample.drawn_failing_by_status[std::string(eval::to_string(status))] = drawn.size();
    }
  }
}

} // namespace

std::size_t decile_begin(std::size_t decile, std::size_t n) {
  return decile * n / std::tuple_size_v<decltype(Sample::deciles)>;
}

Sample sample_of_times(const std::vector<double>& ascending_ms, const SampleRequest& request) {
  if (request.count == 0) {
    throw UserError("a sample of 0 rows compares nothing", "ask for at least 1 row");
  }
  const std::size_t n = ascending_ms.size();
  Sample sample;
  sample.request = request;
  sample.eligible = n;
  sample.drawn_eligible = std::min(request.count, n);
  for (std::size_t d = 0; d < sample.deciles.size(); ++d) {
    Decile& decile = sample.deciles[d];
    decile.available = decile_begin(d + 1, n) - decile_begin(d, n);
    if (decile.available > 0) {
      decile.from_ms = ascending_ms[decile_begin(d, n)];
      decile.to_ms = ascending_ms[decile_begin(d + 1, n) - 1];
    }
  }
  set_quotas(sample.deciles, sample.drawn_eligible);
  return sample;
}

std::size_t countable_failures(const SiliconTable& table) {
  return static_cast<std::size_t>(
      std::count_if(table.rows.begin(), table.rows.end(), is_countable_failure));
}

Sample draw_sample(const SiliconTable& table, const SampleRequest& request) {
  Sample sample = draw_eligible(table, request);
  draw_failing(table, sample);
  std::sort(sample.rows.begin(), sample.rows.end());
  return sample;
}

} // namespace coulomb::calibration
