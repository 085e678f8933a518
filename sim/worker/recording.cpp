// SPDX-License-Identifier: Apache-2.0
#include "sim/worker/recording.hpp"

#include "sim/isa/line_table.hpp"

#include <algorithm>

namespace coulomb::worker {
namespace {

std::string reason_name(std::size_t reason) {
  return std::string(timing::kStallReasonNames[reason]);
}

eval::HotInstruction hot_instruction(const isa::KernelImage& image,
                                     std::size_t index,
                                     const timing::sm::InstructionCounts& counts) {
  eval::HotInstruction hot;
  hot.pc = static_cast<std::uint32_t>(index * isa::kInstructionBytes);
  hot.sass = isa::disassemble(image.code[index]);
  if (const auto frames = isa::source_stack(image, hot.pc); !frames.empty()) {
    hot.file = frames.front().file;
    hot.line = frames.front().line;
  }
  hot.issued = counts.issued;
  for (std::size_t r = 0; r < counts.stall_cycles.size(); ++r) {
    if (counts.stall_cycles[r] > 0) {
      hot.stalls[reason_name(r)] = counts.stall_cycles[r];
    }
  }
  return hot;
}

} // namespace

Recording::Recording(const eval::ProfileRequest& request,
                     const isa::KernelImage& image,
                     const config::GpuConfig& gpu,
                     std::uint32_t sms)
    : image_(image), profile_(request.hot ? image.code.size() : 0) {
  if (request.timeline_events > 0) {
    timing::sm::Timeline::Options options;
    options.events = request.timeline_events;
    // A chip's SMs share the room that one SM has alone.
    options.samples = std::max<std::size_t>(64, options.samples / sms);
    timeline_.emplace(options, sms, gpu.sm.max_warps);
  }
}

void Recording::attach(timing::sm::SmProgram& program) {
  program.profile = profile_.empty() ? nullptr : &profile_;
  program.timeline = timeline_ ? &*timeline_ : nullptr;
}

void Recording::report(eval::SimOutcome& outcome) const {
  report_instructions(outcome);
  if (timeline_) {
    report_timeline(outcome);
  }
}

void Recording::report_instructions(eval::SimOutcome& outcome) const {
  for (std::size_t i = 0; i < profile_.size(); ++i) {
    if (profile_[i].issued > 0) {
      outcome.hot.push_back(hot_instruction(image_, i, profile_[i]));
    }
  }
}

void Recording::report_timeline(eval::SimOutcome& outcome) const {
  eval::TimelineRecord& out = outcome.timeline;
  out.sms = timeline_->sms();
  out.warps_per_sm = timeline_->warps_per_sm();
  out.shortest_slice = timeline_->shortest();
  out.dropped_warps = timeline_->dropped_warps();
  out.dropped_slices = timeline_->dropped_slices();
  for (std::size_t r = 0; r < timing::kStallReasonNames.size(); ++r) {
    out.reasons.push_back(reason_name(r));
  }
  for (const auto& s : timeline_->slices()) {
    out.slices.push_back({s.from, s.to, s.slot, static_cast<std::uint32_t>(s.reason)});
  }
  for (const auto& r : timeline_->residencies()) {
    out.residencies.push_back({r.cta, r.from, r.to, r.slot, r.warp});
  }
  for (std::uint32_t series = 0; series <= out.sms; ++series) {
    for (const auto& s : timeline_->samples(series)) {
      out.samples.push_back(
          {s.from, s.to, series, s.instructions, s.l1_sectors * timing::kSectorBytes,
           s.l2_sectors * timing::kSectorBytes, s.dram_sectors * timing::kSectorBytes});
    }
  }
}

} // namespace coulomb::worker
