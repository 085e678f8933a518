// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/lru_tags.hpp"
#include "sim/timing/types.hpp"

#include <bit>
#include <cstdint>

namespace coulomb::timing::sm {

/// Address translation as one SM sees it: a small first level, and an outer one whose entries cover
/// neighbouring pages; beyond that a walk of the page table. An A100 has a first level per TPC, a
/// second per GPC and a third for all; what SMs share of them is not modelled. It delays the
/// requests that need it and holds up no others. Public measurements show two things only: eight
/// cycles beyond 32 MB on a GA106, and no cost of random access below 64 GB on an A100;
/// docs/memory.md has the sources.
class Tlb {
public:
  /// `warm`: an earlier launch left its translations in the outer level.
  Tlb(const config::TlbConfig& config, bool warm)
      : config_(config), warm_(warm),
        page_shift_(static_cast<unsigned>(std::countr_zero(config.page_size / kLineBytes))),
        pages_(config.entries, config.entries), outer_(config.outer_entries, kOuterWays) {}

  /// Cycles by which a request for this line is later than one whose translation is at hand.
  Cycle translate(std::uint64_t line) {
    const std::uint64_t page = line >> page_shift_;
    if (page == last_page_) {
      return 0;
    }
    last_page_ = page;
    LruTags::Way victim;
    if (pages_.find(page) != nullptr) {
      return 0;
    }
    pages_.allocate(page, victim);
    const std::uint64_t entry = page / config_.outer_pages;
    if (outer_.find(entry) != nullptr) {
      return config_.miss_latency;
    }
    outer_.allocate(entry, victim);
    ++walks_;
    return config_.miss_latency +
           (warm_ && walks_ <= config_.outer_entries ? 0 : config_.walk_latency);
  }

private:
  static constexpr std::uint32_t kOuterWays = 8; ///< the associativity of published simulators

  config::TlbConfig config_;
  bool warm_;
  unsigned page_shift_; ///< from lines to pages
  LruTags pages_;
  LruTags outer_;
  std::uint64_t last_page_ = ~std::uint64_t{0};
  std::uint64_t walks_ = 0;
};

} // namespace coulomb::timing::sm
