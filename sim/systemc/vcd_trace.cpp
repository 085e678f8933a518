// SPDX-License-Identifier: Apache-2.0
#include "sim/systemc/vcd_trace.hpp"

#include "base/error.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <system_error>
#include <utility>

namespace coulomb::systemc {
namespace {

/// Samples between two looks at the size of the file.
constexpr timing::Cycle kSizeInterval = 256;
constexpr const char* kSuffix = ".vcd"; // SystemC adds it itself

/// "0 selected, 1 wait, ...": what the numbers of a signal stand for.
template <class Names>
std::string legend(const Names& names) {
  std::vector<std::string> entries;
  for (const auto name : names) {
    entries.push_back(fmt::format("{} {}", entries.size(), name));
  }
  return fmt::format("{}", fmt::join(entries, ", "));
}

/// Creates the file, so that a path that cannot be written is an error of ours and not of SystemC.
void check_writable(const std::string& path) {
  errno = 0;
  const std::ofstream file(path);
  if (!file) {
    throw EnvironmentError(fmt::format("cannot write {}: {}", path, std::strerror(errno)),
                           "give --vcd the path of a file to write, such as --vcd run.vcd");
  }
}

} // namespace

VcdTrace::VcdTrace(sc_core::sc_module_name name,
                   const VcdOptions& options,
                   const Shape& shape,
                   const ClockDomain& clock)
    : sc_core::sc_module(name), options_(options), clock_(clock), sms_(shape.sms),
      slices_(shape.slices), channels_(shape.channels) {
  SC_METHOD(sample);
  sensitive << start_;
  dont_initialize();
  COULOMB_CHECK(options.path.ends_with(kSuffix), "the path of a waveform is {}", options.path);
  check_writable(options.path);
  const std::string stem = options.path.substr(0, options.path.size() - std::strlen(kSuffix));
  file_ = sc_core::sc_create_vcd_trace_file(stem.c_str());
  file_->set_time_unit(1, sc_core::SC_PS);
  sc_core::sc_trace(file_, cycle_, "clock.cycle", 40);
  record_.signals = 1;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    sms_[i].sub_cores.resize(shape.sub_cores);
    declare(sms_[i], fmt::format("sm_{}.", i));
  }
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    declare(slices_[i], fmt::format("l2_slice_{}.", i));
  }
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    declare(channels_[i], fmt::format("dram_{}.", i));
  }
}

VcdTrace::~VcdTrace() {
  if (file_ != nullptr) {
    sc_core::sc_close_vcd_trace_file(file_);
  }
}

void VcdTrace::trace(const unsigned& value, const std::string& name, int bits) {
  sc_core::sc_trace(file_, value, name, bits);
  ++record_.signals;
}

void VcdTrace::declare(const Sm& sm, const std::string& scope) {
  trace(sm.warps, scope + "active_warps", 8);
  trace(sm.outstanding_loads, scope + "outstanding_loads", 12);
  trace(sm.l1_miss_lines, scope + "l1_miss_lines", 12);
  trace(sm.stores_under_way, scope + "stores_under_way", 16);
  for (std::size_t s = 0; s < sm.sub_cores.size(); ++s) {
    const SubCore& core = sm.sub_cores[s];
    const std::string at = fmt::format("{}sub_core_{}.", scope, s);
    sc_core::sc_trace(file_, core.issue, at + "issue");
    ++record_.signals;
    trace(core.warp_slot, at + "warp_slot", 8);
    trace(core.pc, at + "pc", 24);
    trace(core.pipe, at + "pipe", 4);
    trace(core.stall, at + "stall", 4);
    trace(core.warps, at + "active_warps", 8);
    trace(core.ready_warps, at + "ready_warps", 8);
    trace(core.lsu_queue, at + "lsu_queue", 4);
  }
}

void VcdTrace::declare(const Slice& slice, const std::string& scope) {
  trace(slice.queue, scope + "queue", 16);
  trace(slice.hit_sectors, scope + "hit_sectors", 8);
  trace(slice.miss_sectors, scope + "miss_sectors", 8);
  trace(slice.miss_lines, scope + "miss_lines", 16);
  trace(slice.writes_under_way, scope + "writes_under_way", 16);
}

void VcdTrace::declare(const Channel& channel, const std::string& scope) {
  trace(channel.read_queue, scope + "read_queue", 16);
  trace(channel.write_queue, scope + "write_queue", 16);
  trace(channel.bus, scope + "bus", 2);
  trace(channel.row_opens, scope + "row_opens", 8);
  trace(channel.row_hits, scope + "row_hits", 8);
}

void VcdTrace::start(Units units, double period_ns) {
  units_ = std::move(units);
  period_ = sc_core::sc_time(period_ns, sc_core::SC_NS);
  primed_ = options_.from == 0;
  now_ = options_.from - (primed_ ? 0 : 1); // counts begin with the range
  record_.first = record_.end = options_.from;
  file_->write_comment("pipe: " + legend(timing::kPipeNames));
  file_->write_comment(fmt::format("stall: {}, {} no warp", legend(timing::kStallReasonNames),
                                   timing::sm::SmView::kNoWarp));
  file_->write_comment("bus: 0 free, 1 reads, 2 writes");
  start_.notify(period_ * static_cast<double>(now_));
}

void VcdTrace::sample() {
  if (now_ > options_.to || record_.full) {
    (void)finish(); // so that nothing is shown as unchanged from here on
    return;
  }
  if (!behind_) { // the clock domain may not have run this cycle yet: go behind it
    behind_ = true;
    next_trigger(sc_core::SC_ZERO_TIME);
    return;
  }
  behind_ = false;
  if (!clock_.running() && clock_.now() < now_) {
    return; // the kernel has ended
  }
  if (primed_) {
    take_all();
    record_.end = now_ + 1;
  } else {
    prime();
  }
  ++now_;
  std::error_code unknown; // a size that cannot be had counts as none
  if ((now_ - options_.from) % kSizeInterval == 0 &&
      std::filesystem::file_size(options_.path, unknown) + 1 > options_.max_bytes) {
    record_.full = !unknown;
  }
  next_trigger(period_);
}

void VcdTrace::prime() {
  primed_ = true;
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    slices_[i].before = units_.slices[i]->counters();
  }
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    channels_[i].before = units_.channels[i]->counters();
  }
}

void VcdTrace::take_all() {
  cycle_ = now_;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    take(sms_[i], *units_.sms[i]);
  }
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    take(slices_[i], *units_.slices[i], now_);
  }
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    take(channels_[i], *units_.channels[i], now_);
  }
}

void VcdTrace::take(Sm& shown, const timing::sm::StreamingMultiprocessor& sm) {
  sm.view(now_, view_);
  shown.warps = view_.warps;
  shown.outstanding_loads = view_.outstanding_loads;
  shown.l1_miss_lines = view_.l1_miss_lines;
  shown.stores_under_way = view_.stores_under_way;
  for (std::size_t s = 0; s < shown.sub_cores.size(); ++s) {
    const timing::sm::SubCoreView& core = view_.sub_cores[s];
    shown.sub_cores[s] = {
        core.issued, core.warp_slot, core.pc,          static_cast<unsigned>(core.pipe),
        core.stall,  core.warps,     core.ready_warps, core.lsu_queue};
  }
}

void VcdTrace::take(Slice& shown, const timing::mem::L2Slice& slice, timing::Cycle now) {
  const timing::MemoryCounters& c = slice.counters();
  shown.queue = static_cast<unsigned>(slice.queued(now));
  shown.hit_sectors = static_cast<unsigned>(c.l2_sector_hits - shown.before.l2_sector_hits);
  shown.miss_sectors = static_cast<unsigned>(c.l2_sector_misses - shown.before.l2_sector_misses);
  shown.miss_lines = slice.miss_lines();
  shown.writes_under_way = slice.writes_under_way();
  shown.before = c;
}

void VcdTrace::take(Channel& shown, const timing::mem::DramChannel& channel, timing::Cycle now) {
  const timing::MemoryCounters& c = channel.counters();
  shown.read_queue = static_cast<unsigned>(channel.queued_reads());
  shown.write_queue = static_cast<unsigned>(channel.queued_writes());
  shown.bus = static_cast<unsigned>(channel.bus(now));
  shown.row_opens = static_cast<unsigned>(c.dram_row_misses - shown.before.dram_row_misses);
  shown.row_hits = static_cast<unsigned>(c.dram_row_hits - shown.before.dram_row_hits);
  shown.before = c;
}

VcdRecord VcdTrace::finish() {
  if (file_ != nullptr) {
    sc_core::sc_close_vcd_trace_file(std::exchange(file_, nullptr));
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(options_.path, unknown);
    record_.bytes = unknown ? 0 : bytes;
  }
  return record_;
}

} // namespace coulomb::systemc
