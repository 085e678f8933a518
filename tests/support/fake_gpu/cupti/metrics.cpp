// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_gpu/cupti/metrics.hpp"

#include "base/hash.hpp"
#include "tests/support/fake_gpu/board.hpp"
#include "tests/support/fake_gpu/cupti/library.hpp"
#include "tests/support/fake_gpu/options.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <map>

namespace coulomb::fake::cupti {
namespace {

constexpr int kCounter = CUPTI_METRIC_TYPE_COUNTER;
constexpr int kRatio = CUPTI_METRIC_TYPE_RATIO;
constexpr int kThroughput = CUPTI_METRIC_TYPE_THROUGHPUT;

std::string base_name(const std::string& name) {
  return name.substr(0, name.find('.'));
}

bool ends_with_rollup(const std::string& name) {
  const std::string rollup = name.substr(std::min(name.find('.'), name.size()));
  for (const int kind : {kCounter, kRatio, kThroughput}) {
    const auto& known = rollups(kind);
    if (std::find(known.begin(), known.end(), rollup) != known.end()) {
      return true;
    }
  }
  return false;
}

/// A number that depends on nothing but the name: the test double's answer where nothing is known.
double made_up(const std::string& name) {
  constexpr double kSteps = 1000.0;
  const double fraction =
      static_cast<double>(hash64(name) % static_cast<std::uint64_t>(kSteps)) / kSteps;
  const bool share = name.find(".pct") != std::string::npos;
  const bool ratio = name.ends_with(".ratio") || name.find(".per_") != std::string::npos;
  return share ? 100 * fraction : ratio ? fraction : 1000 + 1e6 * fraction;
}

} // namespace

const std::vector<const char*>& chips() {
  static const std::vector<const char*> names{"GA100", "GA102", "GH100"};
  return names;
}

const std::vector<BaseMetric>& base_metrics() {
  static const std::vector<BaseMetric> metrics{
      {"gpu__time_duration", kCounter, "nanosecond", "gpu", "time of the range"},
      {"sm__cycles_elapsed", kCounter, "gpc_cycle", "sm", "# of cycles elapsed on SM"},
      {"sm__inst_executed", kCounter, "instruction", "sm", "# of warp instructions executed"},
      {"smsp__inst_executed", kCounter, "instruction", "smsp", "# of warp instructions executed"},
      {"sm__warps_active", kCounter, "warp", "sm", "cumulative # of warps in flight"},
      {"dram__bytes_read", kCounter, "byte", "dram", "# of bytes read from DRAM"},
      {"dram__bytes_write", kCounter, "byte", "dram", "# of bytes written to DRAM"},
      {"lts__t_sectors", kCounter, "sector", "lts", "# of LTS sectors"},
      {"lts__t_sector_hit_rate", kRatio, "percent", "lts", "proportion of L2 lookups that hit"},
      {"l1tex__t_sector_hit_rate", kRatio, "percent", "l1tex", "proportion of L1 lookups that hit"},
      {"sm__throughput", kThroughput, "percent", "sm", "SM throughput"},
      {"dram__throughput", kThroughput, "percent", "dram", "DRAM throughput"},
  };
  return metrics;
}

const std::vector<const char*>& rollups(int kind) {
  static const std::vector<const char*> counter{".avg",
                                                ".avg.per_cycle_active",
                                                ".avg.per_cycle_elapsed",
                                                ".avg.per_second",
                                                ".avg.pct_of_peak_sustained_active",
                                                ".avg.pct_of_peak_sustained_elapsed",
                                                ".max",
                                                ".min",
                                                ".sum",
                                                ".sum.per_cycle_elapsed",
                                                ".sum.per_second",
                                                ".sum.pct_of_peak_sustained_elapsed"};
  static const std::vector<const char*> ratio{".max_rate", ".pct", ".ratio"};
  static const std::vector<const char*> throughput{".avg.pct_of_peak_sustained_active",
                                                   ".avg.pct_of_peak_sustained_elapsed"};
  return kind == kCounter ? counter : kind == kRatio ? ratio : throughput;
}

bool is_metric(const std::string& name, bool whole) {
  const std::string base = base_name(name);
  const std::vector<std::string> unknown = split(option("FAKE_CUPTI_UNKNOWN"), ',');
  const auto listed = [&](const std::string& one) {
    return std::find(unknown.begin(), unknown.end(), one) != unknown.end();
  };
  const bool spelled = base.find("__") != std::string::npos && base.find("__") != 0;
  const bool complete = name == base ? !whole : ends_with_rollup(name);
  return spelled && complete && !listed(name) && !listed(base);
}

const BaseMetric& base_of(const std::string& name) {
  static const BaseMetric other{"", kCounter, "unit", "gpu", "a metric of the test double"};
  const std::string base = base_name(name);
  for (const BaseMetric& metric : base_metrics()) {
    if (base == metric.name) {
      return metric;
    }
  }
  return other;
}

double value_of(const std::string& name, const Work& work) {
  for (const std::string& entry : split(option("FAKE_CUPTI_VALUES"), ',')) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) {
      refuse_option("FAKE_CUPTI_VALUES", "\"" + entry + "\" is not METRIC=NUMBER");
    }
    if (entry.substr(0, equals) == name) {
      return number_of(entry.substr(equals + 1), "FAKE_CUPTI_VALUES");
    }
  }
  const double cycles = work.ns * chosen_board().clock_mhz * 1e-3;
  const std::map<std::string, double> measured{
      {"gpu__time_duration.sum", work.ns},
      {"sm__cycles_elapsed.max", cycles},
      {"sm__cycles_elapsed.avg", cycles},
      {"sm__inst_executed.sum", work.warp_instructions},
      {"smsp__inst_executed.sum", work.warp_instructions},
  };
  const auto found = measured.find(name);
  return work.known && found != measured.end() ? found->second : made_up(name);
}

std::size_t passes() {
  return static_cast<std::size_t>(option_number("FAKE_CUPTI_PASSES", 3));
}

Work work_so_far() {
  Work work;
  void* driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (driver == nullptr) {
    return work;
  }
  using Totals = void(double*, double*, double*);
  if (auto* totals = reinterpret_cast<Totals*>(::dlsym(driver, "cuFakeTotals"))) {
    totals(&work.launches, &work.warp_instructions, &work.ns);
    work.known = true;
  }
  ::dlclose(driver);
  return work;
}

} // namespace coulomb::fake::cupti
