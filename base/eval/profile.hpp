// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/json_fields.hpp"

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace coulomb::eval {

/// A waveform file (value change dump) of the simulated units.
struct VcdRequest {
  std::string path;            ///< ends in ".vcd"; empty = none
  std::uint64_t from = 0;      ///< SM cycle
  std::uint64_t to = 0;        ///< inclusive
  std::uint64_t max_bytes = 0; ///< tracing ends where the file has that size
  bool operator==(const VcdRequest&) const = default;
};

/// What a waveform file holds.
struct VcdOutcome {
  std::uint64_t from = 0;    ///< first SM cycle
  std::uint64_t end = 0;     ///< the cycle after the last; as `from`: none of them was simulated
  std::uint32_t signals = 0; ///< 0 = no waveform was asked for
  std::uint64_t bytes = 0;
  bool full = false; ///< the file had its size before its last cycle
  bool operator==(const VcdOutcome&) const = default;
};

/// What a timed simulation is to record besides its counters. Recording changes no cycle.
struct ProfileRequest {
  bool hot = false;                  ///< what each instruction waited for
  std::uint64_t timeline_events = 0; ///< room for the timeline's slices; 0 = no timeline
  VcdRequest vcd;
  bool operator==(const ProfileRequest&) const = default;
};

/// One instruction on which warps spent time, in the simulated CTAs.
struct HotInstruction {
  std::uint32_t pc = 0; ///< bytes from the kernel's begin
  std::string sass;
  std::string file; ///< source file as the compiler saw it; empty if it is unknown
  std::uint32_t line = 0;
  std::uint64_t issued = 0; ///< warp instructions
  /// Stall reason: warp-cycles, without zeros. "selected" are the cycles in which it issued.
  std::map<std::string, std::uint64_t> stalls;
  bool operator==(const HotInstruction&) const = default;

  /// Warp-cycles spent on it.
  [[nodiscard]] std::uint64_t warp_cycles() const;
  /// The reason with the most of them, "selected" excepted; empty if there is no other.
  [[nodiscard]] std::string top_reason() const;
};

/// What the warps of the simulated SMs did over time; times are SM cycles of the simulation.
struct TimelineRecord {
  struct Slice { ///< a warp slot spent [from, to) mostly for one reason
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::uint32_t slot = 0;   ///< SM * warps_per_sm + warp slot
    std::uint32_t reason = 0; ///< index in `reasons`
    bool operator==(const Slice&) const = default;
  };
  struct Residency { ///< a warp was there in [from, to)
    std::uint64_t cta = 0;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::uint32_t slot = 0;
    std::uint32_t warp = 0; ///< index in its CTA
    bool operator==(const Residency&) const = default;
  };
  struct Sample { ///< counts of [from, to) of an SM, or of the memory side (series == sms)
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::uint32_t series = 0;
    std::uint64_t instructions = 0;
    std::uint64_t l1_bytes = 0;
    std::uint64_t l2_bytes = 0;
    std::uint64_t dram_bytes = 0;
    bool operator==(const Sample&) const = default;
  };

  std::uint32_t sms = 0; ///< simulated ones; 0 = no timeline was recorded
  std::uint32_t warps_per_sm = 0;
  std::uint64_t shortest_slice = 0; ///< cycles; shorter ones were merged with their neighbours
  std::uint64_t dropped_warps = 0;  ///< of which nothing is recorded, for want of room
  std::uint64_t dropped_slices = 0; ///< of recorded warps, likewise
  std::vector<std::string> reasons; ///< stall reasons
  std::vector<Slice> slices;
  std::vector<Residency> residencies;
  std::vector<Sample> samples;
  bool operator==(const TimelineRecord&) const = default;
};

[[nodiscard]] nlohmann::json profile_request_json(const ProfileRequest& request);
[[nodiscard]] ProfileRequest profile_request_from_json(const JsonFields& fields);
[[nodiscard]] nlohmann::json vcd_outcome_json(const VcdOutcome& vcd);
[[nodiscard]] VcdOutcome vcd_outcome_from_json(const JsonFields& fields);
[[nodiscard]] nlohmann::json hot_instruction_json(const HotInstruction& hot);
[[nodiscard]] HotInstruction hot_instruction_from_json(const JsonFields& fields);
/// Events as flat lists of numbers: a timeline has hundreds of thousands of them.
[[nodiscard]] nlohmann::json timeline_json(const TimelineRecord& timeline);
/// Throws UserError for a list that does not hold whole events.
[[nodiscard]] TimelineRecord timeline_from_json(const JsonFields& fields);

} // namespace coulomb::eval
