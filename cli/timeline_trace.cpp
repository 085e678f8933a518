// SPDX-License-Identifier: Apache-2.0
#include "cli/timeline_trace.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace coulomb::cli {
namespace {

using eval::TimelineRecord;

/// Bytes of the text per slice, samples and names included: from traces of the kernels here.
constexpr std::size_t kBytesPerEvent = 100;
/// Kept free for what follows the events.
constexpr std::size_t kTailBytes = 1024;

/// An event by its place in the record; sorting these is cheaper than sorting texts.
struct Event {
  enum class Kind : std::uint8_t { residency, slice, sample };
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  Kind kind = Kind::slice;
  std::size_t index = 0;
};

/// In order of time; a stay comes before the slices it encloses.
std::vector<Event> events_in_order(const TimelineRecord& t) {
  std::vector<Event> events;
  events.reserve(t.residencies.size() + t.slices.size() + t.samples.size());
  const auto add = [&](const auto& list, Event::Kind kind) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      events.push_back({list[i].from, list[i].to, kind, i});
    }
  };
  add(t.residencies, Event::Kind::residency);
  add(t.slices, Event::Kind::slice);
  add(t.samples, Event::Kind::sample);
  std::ranges::stable_sort(events, [](const Event& a, const Event& b) { return a.from < b.from; });
  return events;
}

/// Writes the events of one record.
class TraceWriter {
public:
  TraceWriter(const TimelineRecord& t, std::uint32_t sub_cores) : t_(t), sub_cores_(sub_cores) {}

  /// Names of processes and of the tracks that have events.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    std::vector<bool> used(std::size_t{t_.sms} * t_.warps_per_sm);
    for (const auto& r : t_.residencies) {
      used[r.slot] = true;
    }
    for (const auto& s : t_.slices) {
      used[s.slot] = true;
    }
    for (std::uint32_t sm = 0; sm < t_.sms; ++sm) {
      out.push_back(process_name(sm, fmt::format("SM {}", sm)));
    }
    out.push_back(process_name(t_.sms, "L2 and DRAM"));
    for (std::uint32_t i = 0; i < used.size(); ++i) {
      if (used[i]) {
        const std::uint32_t slot = i % t_.warps_per_sm;
        out.push_back(fmt::format(R"~({{"ph":"M","pid":{},"tid":{},"name":"thread_name",)~"
                                  R"~("args":{{"name":"warp slot {} (sub-core {})"}}}})~",
                                  i / t_.warps_per_sm + 1, slot + 1, slot, slot % sub_cores_));
      }
    }
    return out;
  }

  [[nodiscard]] std::string text(const Event& e) const {
    switch (e.kind) {
    case Event::Kind::residency: {
      const auto& r = t_.residencies[e.index];
      return slice(r.slot, e, fmt::format("CTA {} warp {}", r.cta, r.warp), "residency");
    }
    case Event::Kind::slice: {
      const auto& s = t_.slices[e.index];
      return slice(s.slot, e, t_.reasons[s.reason], "stall");
    }
    case Event::Kind::sample:
      break;
    }
    return sample(t_.samples[e.index]);
  }

private:
  static std::string process_name(std::uint32_t process, const std::string& name) {
    return fmt::format(
        R"({{"ph":"M","pid":{},"tid":0,"name":"process_name","args":{{"name":"{}"}}}})",
        process + 1, name);
  }

  [[nodiscard]] std::string
  slice(std::uint32_t slot, const Event& e, const std::string& name, const char* category) const {
    return fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":"{}","cat":"{}"}})",
                       slot / t_.warps_per_sm + 1, slot % t_.warps_per_sm + 1, e.from,
                       e.to - e.from, name, category);
  }

  [[nodiscard]] static std::string counter(const TimelineRecord::Sample& s,
                                           const char* name,
                                           const char* unit,
                                           std::uint64_t count) {
    const double rate =
        s.to > s.from ? static_cast<double>(count) / static_cast<double>(s.to - s.from) : 0.0;
    return fmt::format(
        R"({{"ph":"C","pid":{},"tid":0,"ts":{},"name":"{}","args":{{"{}":{:.3f}}}}})", s.series + 1,
        s.from, name, unit, rate);
  }

  [[nodiscard]] std::string sample(const TimelineRecord::Sample& s) const {
    if (s.series < t_.sms) {
      return counter(s, "issued IPC", "inst/cycle", s.instructions) + ",\n" +
             counter(s, "L1 throughput", "B/cycle", s.l1_bytes);
    }
    return counter(s, "L2 throughput", "B/cycle", s.l2_bytes) + ",\n" +
           counter(s, "DRAM throughput", "B/cycle", s.dram_bytes);
  }

  const TimelineRecord& t_;
  std::uint32_t sub_cores_;
};

std::string note_text(const TimelineRecord& t, std::uint64_t left_out, std::uint64_t cut_at) {
  std::string note = fmt::format("slices shorter than {} cycles are merged with their neighbours",
                                 t.shortest_slice);
  if (t.dropped_warps + t.dropped_slices > 0) {
    note += fmt::format("; there was no room for {} warps, all launched later, and {} slices",
                        with_thousands(t.dropped_warps), with_thousands(t.dropped_slices));
  }
  if (left_out > 0) {
    note += fmt::format("; cut at cycle {}: {} later events did not fit into the file",
                        with_thousands(cut_at), with_thousands(left_out));
  }
  return note;
}

} // namespace

std::uint64_t timeline_events(std::size_t limit) {
  return std::max<std::uint64_t>(1, limit / kBytesPerEvent);
}

TimelineTrace timeline_trace(const TimelineRecord& timeline,
                             const std::string& title,
                             std::uint32_t sub_cores,
                             std::size_t limit) {
  const TraceWriter writer(timeline, std::max(1U, sub_cores));
  TimelineTrace trace;
  trace.text = "{\"traceEvents\":[\n";
  const auto append = [&](const std::string& event, std::uint64_t count) {
    if (trace.text.size() + event.size() + kTailBytes > limit) {
      return false;
    }
    trace.text += trace.events == 0 ? "" : ",\n";
    trace.text += event;
    trace.events += count;
    return true;
  };
  for (const std::string& name : writer.names()) {
    append(name, 1);
  }
  std::uint64_t cut_at = 0;
  const std::vector<Event> events = events_in_order(timeline);
  for (std::size_t i = 0; i < events.size(); ++i) {
    // A sample is one event on each of two counter tracks.
    if (!append(writer.text(events[i]), events[i].kind == Event::Kind::sample ? 2 : 1)) {
      trace.left_out = events.size() - i;
      cut_at = events[i].from;
      break;
    }
  }
  trace.note = note_text(timeline, trace.left_out, cut_at);
  const nlohmann::ordered_json about = {
      {"title", title}, {"time", "1 us of the trace is 1 SM cycle"}, {"note", trace.note}};
  trace.text += "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":" + about.dump() + "}\n";
  return trace;
}

} // namespace coulomb::cli
