// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/cupti/metric_catalogue.hpp"

#include <memory>
#include <string>

namespace coulomb::hw {

/// CUPTI's catalogue, or null and why: where there is no CUPTI, tests against its lists are skipped
/// with that text.
inline std::unique_ptr<MetricCatalogue> catalogue_here(std::string& why) {
  try {
    return std::make_unique<MetricCatalogue>();
  } catch (const CounterProblem& e) {
    why = std::string("no CUPTI to check against: ") + e.what();
    return nullptr;
  }
}

} // namespace coulomb::hw

/// Declares `catalogue`, or skips the test.
#define COULOMB_NEEDS_CUPTI(catalogue)                                                             \
  std::string why_no_cupti;                                                                        \
  const std::unique_ptr<::coulomb::hw::MetricCatalogue> catalogue##_owner =                        \
      ::coulomb::hw::catalogue_here(why_no_cupti);                                                 \
  if (!catalogue##_owner) {                                                                        \
    GTEST_SKIP() << why_no_cupti;                                                                  \
  }                                                                                                \
  const ::coulomb::hw::MetricCatalogue& catalogue = *catalogue##_owner
