// SPDX-License-Identifier: Apache-2.0
#include "sim/systemc/session.hpp"

#include "base/error.hpp"
#include "sim/systemc/clock_domain.hpp"
#include "sim/systemc/crossbar_module.hpp"
#include "sim/systemc/dram_module.hpp"
#include "sim/systemc/slice_module.hpp"
#include "sim/systemc/sm_module.hpp"
#include "sim/timing/counter_table.hpp"

#include <algorithm>
#include <vector>

namespace coulomb::systemc {
namespace {

std::string numbered(const char* name, std::uint32_t i) {
  return fmt::format("{}_{}", name, i);
}

} // namespace

/// The module hierarchy. Clock ids: SMs, then each channel behind its slices. An SM is an island of
/// the clock domain, a channel with its slices another.
struct Session::Impl {
  Structure structure;
  ClockDomain clock;
  CrossbarModule crossbar;
  std::vector<std::unique_ptr<SmModule>> sms;
  std::vector<std::unique_ptr<SliceModule>> slices;
  std::vector<std::unique_ptr<DramModule>> channels;

  Impl(const Structure& s, std::uint32_t quantum)
      : structure(s), clock("clock", quantum), crossbar("crossbar", s.sms, s.slices) {
    std::uint32_t id = 0;
    for (std::uint32_t i = 0; i < s.sms; ++i) {
      sms.push_back(std::make_unique<SmModule>(numbered("sm", i).c_str(), id++, i, clock));
      clock.begin_island();
      clock.components.bind(sms[i]->clock_export);
      sms[i]->socket.bind(crossbar.from_sms[i]);
    }
    for (std::uint32_t c = 0; c < s.channels; ++c) {
      // Slices spread over the channels as evenly as they can be.
      const std::uint32_t first = (c * s.slices + s.channels - 1) / s.channels;
      const std::uint32_t end = ((c + 1) * s.slices + s.channels - 1) / s.channels;
      clock.begin_island();
      for (std::uint32_t i = first; i < end; ++i) {
        slices.push_back(
            std::make_unique<SliceModule>(numbered("l2_slice", i).c_str(), id++, i, clock));
        clock.components.bind(slices[i]->clock_export);
        crossbar.to_slices[i].bind(slices[i]->from_crossbar);
      }
      channels.push_back(
          std::make_unique<DramModule>(numbered("dram", c).c_str(), id++, end - first, clock));
      clock.components.bind(channels[c]->clock_export);
      for (std::uint32_t i = first; i < end; ++i) {
        slices[i]->to_dram.bind(channels[c]->from_slices[i - first]);
      }
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME); // elaborate
  }
};

Session::Session(const Structure& structure, std::uint32_t quantum) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  impl_ = std::make_unique<Impl>(structure, quantum);
}

Session::~Session() = default;

const Structure& Session::structure() const {
  return impl_->structure;
}

SessionResult Session::run(const config::GpuConfig& config,
                           const timing::sm::SmProgram& program,
                           timing::gpu::BlockDispatcher& dispatcher,
                           const timing::gpu::CacheOutlook& outlook,
                           timing::Cycle cycle_limit) {
  COULOMB_CHECK(Structure::of(config, impl_->structure.sms) == impl_->structure,
                "the configuration does not fit the elaborated model");
  const timing::mem::MemoryShare share(config, impl_->structure.sms);
  impl_->crossbar.prepare(config, share);
  for (auto& sm : impl_->sms) {
    sm->prepare(config, program, dispatcher);
  }
  for (auto& slice : impl_->slices) {
    slice->prepare(config, {share, outlook.writes_reach_dram}, outlook.reuse);
  }
  for (auto& channel : impl_->channels) {
    channel->prepare(config, share);
  }
  if (program.timeline != nullptr) {
    std::vector<const timing::MemoryCounters*> watched;
    for (const auto& slice : impl_->slices) {
      watched.push_back(&slice->unit().counters());
    }
    program.timeline->watch(std::move(watched));
  }
  impl_->clock.set_period(1000.0 / config.sm_clock_mhz);
  impl_->clock.restart(cycle_limit, impl_->crossbar.network().lookahead());
  sc_core::sc_start();
  if (impl_->clock.error()) {
    std::rethrow_exception(impl_->clock.error());
  }
  if (program.timeline != nullptr) {
    for (const auto& sm : impl_->sms) { // what came after the last sample
      program.timeline->sample(sm->unit().id(), sm->unit().counters(), impl_->clock.now());
    }
    program.timeline->close();
  }
  SessionResult result;
  timing::Cycle last_store = 0;
  for (const auto& sm : impl_->sms) {
    result.sm += sm->unit().counters();
    last_store = std::max(last_store, sm->unit().last_store());
  }
  for (const auto& slice : impl_->slices) {
    result.memory += slice->unit().counters();
  }
  for (const auto& channel : impl_->channels) {
    result.memory += channel->unit().counters();
    result.dram_busy += channel->unit().busy_cycles() / static_cast<double>(impl_->channels.size());
  }
  result.cycles = dispatcher.last_completion();
  result.drain = std::max(result.cycles, last_store) - result.cycles;
  if (impl_->clock.hit_cycle_limit()) {
    result.end = SessionResult::End::cycle_limit;
    result.cycles = impl_->clock.now();
  } else if (!dispatcher.done()) {
    result.end = SessionResult::End::deadlock;
    result.cycles = impl_->clock.now();
  }
  if (result.end != SessionResult::End::completed) {
    for (const auto& sm : impl_->sms) {
      result.stuck_warps += sm->unit().describe_warps();
    }
  }
  return result;
}

} // namespace coulomb::systemc
