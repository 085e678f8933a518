// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/counters.hpp"
#include "sim/timing/types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace coulomb::timing::sm {

/// What the warps of a simulation did over time. All memory is taken by the constructor: recording
/// allocates nothing. When the room runs out, neighbouring slices are merged and the shortest slice
/// becomes twice as long, so that the whole run is covered at the resolution that fits; if that
/// would pass the coarsest resolution, later warps are left out.
class Timeline {
public:
  struct Options {
    std::size_t events = 200'000;     ///< room for stall slices and stays of warps together
    std::size_t samples = 2048;       ///< room for samples of each SM
    std::uint32_t shortest = 16;      ///< cycles: shorter slices are merged with their neighbours
    std::uint32_t coarsest = 4096;    ///< cycles: bound of that length while room is made
    std::uint32_t sample_cycles = 64; ///< between samples, at first
  };

  /// A warp slot spent [from, to) mostly for one reason. Slices of a slot are in order, and do not
  /// overlap.
  struct Slice {
    Cycle from = 0;
    Cycle to = 0;
    std::uint32_t slot = 0; ///< SM * warp slots per SM + slot of the SM
    StallReason reason = StallReason::selected;
    std::uint32_t weight = 0; ///< cycles of `reason` in it
  };
  /// A warp was resident in [from, to).
  struct Residency {
    std::uint64_t cta = 0; ///< linear id
    Cycle from = 0;
    Cycle to = 0;
    std::uint32_t slot = 0;
    std::uint32_t warp = 0; ///< index in its CTA
  };
  /// What an SM, or the memory side, did in [from, to).
  struct Sample {
    Cycle from = 0;
    Cycle to = 0;
    std::uint64_t instructions = 0; ///< warp instructions issued
    std::uint64_t l1_sectors = 0;   ///< global and local, loads and stores
    std::uint64_t l2_sectors = 0;   ///< memory side only
    std::uint64_t dram_sectors = 0; ///< memory side only
  };

  Timeline(const Options& options, std::uint32_t sms, std::uint32_t warps_per_sm);

  /// Counters of the L2 slices, sampled together with SM 0; they must outlive the recording.
  void watch(std::vector<const MemoryCounters*> slices) { slices_watched_ = std::move(slices); }

  void launched(std::uint32_t sm, std::uint32_t slot, std::uint64_t cta, std::uint32_t warp, Cycle);
  /// [from, to) of a warp slot went to `reason`; calls for a slot are in order of time.
  void stalled(std::uint32_t sm, std::uint32_t slot, StallReason reason, Cycle from, Cycle to);
  void finished(std::uint32_t sm, std::uint32_t slot, Cycle now);
  /// Samples the counters of an SM; returns the cycle at which to call again.
  Cycle sample(std::uint32_t sm, const SmCounters& counters, Cycle now);
  /// Ends what is open, after the run.
  void close();

  [[nodiscard]] const std::vector<Slice>& slices() const { return slices_; }
  [[nodiscard]] const std::vector<Residency>& residencies() const { return residencies_; }
  /// `series`: an SM, or the number of SMs for the memory side.
  [[nodiscard]] const std::vector<Sample>& samples(std::uint32_t series) const {
    return series_[series].samples;
  }
  [[nodiscard]] std::uint32_t sms() const { return static_cast<std::uint32_t>(series_.size()) - 1; }
  [[nodiscard]] std::uint32_t warps_per_sm() const { return warps_per_sm_; }
  /// Slices shorter than this many cycles were merged with their neighbours.
  [[nodiscard]] Cycle shortest() const { return shortest_; }
  /// Warps of which nothing is recorded, and slices of recorded warps, that found no room.
  [[nodiscard]] std::uint64_t dropped_warps() const { return dropped_warps_; }
  [[nodiscard]] std::uint64_t dropped_slices() const { return dropped_slices_; }

private:
  struct Slot {
    Slice open;            ///< to == from: none
    Residency resident;    ///< of the warp that is there
    std::ptrdiff_t last;   ///< index of its newest kept slice while merging; -1 = none
    bool recorded = false; ///< a warp is there, and it is recorded
  };
  struct Series {
    std::vector<Sample> samples;
    Cycle interval = 0;
    Sample begin; ///< counts at the begin of the open sample
  };

  [[nodiscard]] bool absorb(Slice& into, const Slice& next) const;
  void keep(const Slice& slice);
  [[nodiscard]] bool has_room();
  void merge_neighbours();
  static void add(Series& series, const Sample& total, Cycle now, std::size_t room);

  Options options_;
  std::uint32_t warps_per_sm_;
  Cycle shortest_;
  std::vector<Slot> slots_;
  std::vector<Slice> slices_;
  std::vector<Residency> residencies_;
  std::vector<Series> series_; ///< one per SM, then the memory side's
  std::vector<const MemoryCounters*> slices_watched_;
  std::size_t admitted_ = 0; ///< warps recorded: their stays have room
  std::uint64_t dropped_warps_ = 0;
  std::uint64_t dropped_slices_ = 0;
};

} // namespace coulomb::timing::sm
