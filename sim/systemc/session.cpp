// SPDX-License-Identifier: Apache-2.0
#include "sim/systemc/session.hpp"

#include "base/error.hpp"
#include "sim/systemc/clock_domain.hpp"
#include "sim/systemc/crossbar_module.hpp"
#include "sim/systemc/dram_module.hpp"
#include "sim/systemc/slice_module.hpp"
#include "sim/systemc/sm_module.hpp"
#include "sim/systemc/vcd_trace.hpp"
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
  std::unique_ptr<VcdTrace> vcd; ///< null: no waveform
  std::optional<VcdRecord> traced;

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
  }
  static void elaborate() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }

  /// Starts every module afresh.
  void prepare(const config::GpuConfig& config,
               const timing::sm::SmProgram& program,
               timing::gpu::BlockDispatcher& dispatcher,
               const timing::gpu::CacheOutlook& outlook);
  /// Runs until nothing is scheduled any more; false: the watchdog found that warps spin for ever.
  bool simulate();
  [[nodiscard]] VcdTrace::Units units() const;
  [[nodiscard]] SessionResult::End end(bool progress, bool done) const;
  /// Counters of all modules, and what the waveform holds.
  [[nodiscard]] SessionResult counts() const;
  /// A line for each resident warp, as far as they are worth reading.
  [[nodiscard]] std::string describe_warps(bool spins) const;
};

Session::Session(const Structure& structure, std::uint32_t quantum) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  impl_ = std::make_unique<Impl>(structure, quantum);
  Impl::elaborate();
}

Session::Session(const config::GpuConfig& gpu, const Structure& structure, const VcdOptions& vcd) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  impl_ = std::make_unique<Impl>(structure, kQuantum);
  const VcdTrace::Shape shape{structure.sms, gpu.sm.warp_schedulers, structure.slices,
                              structure.channels};
  impl_->vcd = std::make_unique<VcdTrace>("vcd", vcd, shape, impl_->clock);
  Impl::elaborate();
}

Session::~Session() = default;

const Structure& Session::structure() const {
  return impl_->structure;
}

void Session::Impl::prepare(const config::GpuConfig& config,
                            const timing::sm::SmProgram& program,
                            timing::gpu::BlockDispatcher& dispatcher,
                            const timing::gpu::CacheOutlook& outlook) {
  const timing::mem::MemoryShare share(config, structure.sms);
  crossbar.prepare(config, share);
  for (auto& sm : sms) {
    sm->prepare(config, program, dispatcher);
  }
  for (auto& slice : slices) {
    slice->prepare(config, {share, outlook.writes_reach_dram}, outlook.reuse);
  }
  for (auto& channel : channels) {
    channel->prepare(config, share, outlook.neighbour_share);
  }
  if (program.timeline != nullptr) {
    std::vector<const timing::MemoryCounters*> watched;
    for (const auto& slice : slices) {
      watched.push_back(&slice->unit().counters());
    }
    program.timeline->watch(std::move(watched));
  }
  if (program.watchdog != nullptr) {
    std::vector<const timing::sm::StreamingMultiprocessor*> watched;
    for (const auto& sm : sms) {
      watched.push_back(&sm->unit());
    }
    program.watchdog->watch(std::move(watched));
  }
}

bool Session::Impl::simulate() {
  COULOMB_CHECK(!traced, "the waveform is written: this session cannot run again");
  sc_core::sc_start();
  if (vcd) {
    traced = vcd->finish();
  }
  if (clock.error()) {
    try {
      std::rethrow_exception(clock.error());
    } catch (const timing::sm::NoProgress&) {
      return false;
    }
  }
  return true;
}

VcdTrace::Units Session::Impl::units() const {
  VcdTrace::Units units;
  for (const auto& sm : sms) {
    units.sms.push_back(&sm->unit());
  }
  for (const auto& slice : slices) {
    units.slices.push_back(&slice->unit());
  }
  for (const auto& channel : channels) {
    units.channels.push_back(&channel->unit());
  }
  return units;
}

SessionResult::End Session::Impl::end(bool progress, bool done) const {
  if (!progress) {
    return SessionResult::End::no_progress;
  }
  if (clock.hit_cycle_limit()) {
    return SessionResult::End::cycle_limit;
  }
  return done ? SessionResult::End::completed : SessionResult::End::deadlock;
}

SessionResult Session::Impl::counts() const {
  SessionResult result;
  for (const auto& sm : sms) {
    result.sm += sm->unit().counters();
  }
  for (const auto& slice : slices) {
    result.memory += slice->unit().counters();
  }
  for (const auto& channel : channels) {
    result.memory += channel->unit().counters();
    result.dram_busy += channel->unit().busy_cycles() / static_cast<double>(channels.size());
  }
  result.vcd = traced;
  return result;
}

std::string Session::Impl::describe_warps(bool spins) const {
  constexpr std::uint32_t kListedSms = 4;
  std::string text;
  std::uint32_t stuck = 0;
  for (const auto& sm : sms) {
    const std::string lines = sm->unit().describe_warps(spins);
    stuck += lines.empty() ? 0 : 1;
    text += stuck <= kListedSms ? lines : "";
  }
  return stuck <= kListedSms ? text : fmt::format("{}\n{} more SMs", text, stuck - kListedSms);
}

bool Session::traced() const {
  return impl_->vcd != nullptr;
}

SessionResult Session::run(const config::GpuConfig& config,
                           const timing::sm::SmProgram& given,
                           timing::gpu::BlockDispatcher& dispatcher,
                           const timing::gpu::CacheOutlook& outlook,
                           timing::Cycle cycle_limit) {
  COULOMB_CHECK(Structure::of(config, impl_->structure.sms) == impl_->structure,
                "the configuration does not fit the elaborated model");
  timing::sm::Watchdog watchdog(*given.kernel, *given.memory, config.sm.max_warps);
  timing::sm::SmProgram program = given;
  program.watchdog = &watchdog;
  program.viewed = traced();
  impl_->prepare(config, program, dispatcher, outlook);
  impl_->clock.set_period(1000.0 / config.sm_clock_mhz);
  impl_->clock.restart(cycle_limit, impl_->crossbar.network().lookahead());
  if (impl_->vcd) {
    impl_->vcd->start(impl_->units(), 1000.0 / config.sm_clock_mhz);
  }
  const bool progress = impl_->simulate();
  if (program.timeline != nullptr) {
    for (const auto& sm : impl_->sms) { // what came after the last sample
      program.timeline->sample(sm->unit().id(), sm->unit().counters(), impl_->clock.now());
    }
    program.timeline->close();
  }
  SessionResult result = impl_->counts();
  timing::Cycle last_store = 0;
  for (const auto& sm : impl_->sms) {
    last_store = std::max(last_store, sm->unit().last_store());
  }
  result.cycles = dispatcher.last_completion();
  result.drain = std::max(result.cycles, last_store) - result.cycles;
  result.end = impl_->end(progress, dispatcher.done());
  if (result.end != SessionResult::End::completed) {
    result.cycles = impl_->clock.now();
    result.stuck_warps = impl_->describe_warps(!progress);
  }
  return result;
}

} // namespace coulomb::systemc
