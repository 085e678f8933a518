// SPDX-License-Identifier: Apache-2.0
#include "base/eval/profile.hpp"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coulomb::eval {
namespace {

/// The list `name` of `fields`, `width` numbers at a time.
template <std::size_t width, class Event>
void read_events(const JsonFields& fields,
                 const char* name,
                 std::vector<Event>& events,
                 auto make) {
  const nlohmann::json& list = fields.array(name);
  if (list.size() % width != 0) {
    fields.fail(name, fmt::format("a multiple of {} numbers", width));
  }
  events.reserve(list.size() / width);
  std::array<std::uint64_t, width> numbers{};
  std::size_t have = 0;
  for (const auto& item : list) {
    if (!item.is_number_unsigned()) {
      fields.fail(name, "a list of whole numbers of 0 or more");
    }
    numbers[have++] = item.get<std::uint64_t>();
    if (have == width) {
      events.push_back(make(numbers));
      have = 0;
    }
  }
}

std::uint32_t narrow(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}

} // namespace

std::uint64_t HotInstruction::warp_cycles() const {
  std::uint64_t sum = 0;
  for (const auto& [reason, cycles] : stalls) {
    sum += cycles;
  }
  return sum;
}

std::string HotInstruction::top_reason() const {
  std::string top;
  std::uint64_t most = 0;
  for (const auto& [reason, cycles] : stalls) {
    if (reason != "selected" && cycles > most) {
      most = cycles;
      top = reason;
    }
  }
  return top;
}

nlohmann::json profile_request_json(const ProfileRequest& request) {
  const VcdRequest& vcd = request.vcd;
  return {{"hot", request.hot},
          {"timeline_events", request.timeline_events},
          {"vcd",
           {{"path", vcd.path}, {"from", vcd.from}, {"to", vcd.to}, {"max_bytes", vcd.max_bytes}}}};
}

ProfileRequest profile_request_from_json(const JsonFields& fields) {
  const JsonFields vcd = fields.object("vcd");
  return {fields.flag("hot"),
          fields.u64("timeline_events"),
          {vcd.text("path"), vcd.u64("from"), vcd.u64("to"), vcd.u64("max_bytes")}};
}

nlohmann::json vcd_outcome_json(const VcdOutcome& vcd) {
  return {{"from", vcd.from},
          {"end", vcd.end},
          {"signals", vcd.signals},
          {"bytes", vcd.bytes},
          {"full", vcd.full}};
}

VcdOutcome vcd_outcome_from_json(const JsonFields& fields) {
  return {fields.u64("from"), fields.u64("end"), fields.u32("signals"), fields.u64("bytes"),
          fields.flag("full")};
}

nlohmann::json hot_instruction_json(const HotInstruction& hot) {
  return {{"pc", hot.pc},     {"sass", hot.sass},     {"file", hot.file},
          {"line", hot.line}, {"issued", hot.issued}, {"stalls", hot.stalls}};
}

HotInstruction hot_instruction_from_json(const JsonFields& fields) {
  HotInstruction hot;
  hot.pc = fields.u32("pc");
  hot.sass = fields.text("sass");
  hot.file = fields.text("file");
  hot.line = fields.u32("line");
  hot.issued = fields.u64("issued");
  for (const auto& [reason, cycles] : fields.numbers("stalls")) {
    hot.stalls[reason] = static_cast<std::uint64_t>(cycles);
  }
  return hot;
}

nlohmann::json timeline_json(const TimelineRecord& t) {
  std::vector<std::uint64_t> slices;
  slices.reserve(t.slices.size() * 4);
  for (const auto& s : t.slices) {
    slices.insert(slices.end(), {s.from, s.to, s.slot, s.reason});
  }
  std::vector<std::uint64_t> residencies;
  residencies.reserve(t.residencies.size() * 5);
  for (const auto& r : t.residencies) {
    residencies.insert(residencies.end(), {r.cta, r.from, r.to, r.slot, r.warp});
  }
  std::vector<std::uint64_t> samples;
  samples.reserve(t.samples.size() * 7);
  for (const auto& s : t.samples) {
    samples.insert(samples.end(),
                   {s.from, s.to, s.series, s.instructions, s.l1_bytes, s.l2_bytes, s.dram_bytes});
  }
  return {{"sms", t.sms},
          {"warps_per_sm", t.warps_per_sm},
          {"shortest_slice", t.shortest_slice},
          {"dropped_warps", t.dropped_warps},
          {"dropped_slices", t.dropped_slices},
          {"reasons", t.reasons},
          {"slices", std::move(slices)},
          {"residencies", std::move(residencies)},
          {"samples", std::move(samples)}};
}

TimelineRecord timeline_from_json(const JsonFields& fields) {
  TimelineRecord t;
  t.sms = fields.u32("sms");
  t.warps_per_sm = fields.u32("warps_per_sm");
  t.shortest_slice = fields.u64("shortest_slice");
  t.dropped_warps = fields.u64("dropped_warps");
  t.dropped_slices = fields.u64("dropped_slices");
  for (const auto& reason : fields.array("reasons")) {
    if (!reason.is_string()) {
      fields.fail("reasons", "an array of strings");
    }
    t.reasons.push_back(reason.get<std::string>());
  }
  read_events<4>(fields, "slices", t.slices, [](const auto& n) {
    return TimelineRecord::Slice{n[0], n[1], narrow(n[2]), narrow(n[3])};
  });
  read_events<5>(fields, "residencies", t.residencies, [](const auto& n) {
    return TimelineRecord::Residency{n[0], n[1], n[2], narrow(n[3]), narrow(n[4])};
  });
  read_events<7>(fields, "samples", t.samples, [](const auto& n) {
    return TimelineRecord::Sample{n[0], n[1], narrow(n[2]), n[3], n[4], n[5], n[6]};
  });
  return t;
}

} // namespace coulomb::eval
