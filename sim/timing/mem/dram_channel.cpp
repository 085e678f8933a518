// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/mem/dram_channel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace coulomb::timing::mem {
namespace {

bool sampled(const config::GpuConfig& config, const MemoryShare& share) {
  return share.channels < config.dram.channels;
}

/// Lines that share a row number. On the whole chip that is a row in each channel.
std::uint64_t lines_per_row(const config::GpuConfig& config, const MemoryShare& share) {
  const std::uint32_t lines = sampled(config, share)
                                  ? stretch_lines(config)
                                  : std::max(1U, config.dram.row_bytes / kLineBytes);
  return std::uint64_t{lines} * share.channels;
}

} // namespace

std::uint32_t stretch_lines(const config::GpuConfig& config) {
  constexpr std::uint32_t kActivationsPerRow = 4;
  return std::max(1U, config.dram.row_bytes / kLineBytes / kActivationsPerRow);
}

DramChannel::DramChannel(const config::GpuConfig& config,
                         const MemoryShare& share,
                         double neighbour_share,
                         MessageSink& to_slice)
    : to_slice_(to_slice), lines_per_row_(lines_per_row(config, share)),
      interleave_(sampled(config, share) ? lines_per_row_ : share.channels),
      found_open_(sampled(config, share) ? neighbour_share : 0.0),
      write_high_(config.dram.write_high), write_low_(config.dram.write_low),
      banks_(config.dram.banks), groups_(config.dram.bank_groups),
      reads_(config.dram.banks, config.dram.queue), writes_(config.dram.banks, config.dram.queue),
      others_(share.channel_load - 1.0, lines_per_row_) {
  const auto cycles = [&](double ns) {
    return static_cast<Cycle>(std::llround(ns * config.sm_clock_mhz / 1000.0));
  };
  const auto& d = config.dram;
  t_rcd_ = cycles(d.t_rcd_ns);
  t_rp_ = cycles(d.t_rp_ns);
  t_cl_ = cycles(d.t_cl_ns);
  t_ras_ = cycles(d.t_ras_ns);
  t_wtr_ = cycles(d.t_wtr_ns);
  t_rtw_ = cycles(d.t_rtw_ns);
  t_wr_ = cycles(d.t_wr_ns);
  t_rtp_ = cycles(d.t_rtp_ns);
  t_rfc_ = cycles(d.t_rfc_ns);
  refresh_interval_ = std::max<Cycle>(1, cycles(d.t_refi_ns) * config.dram.banks);
  for (std::size_t b = 0; b < banks_.size(); ++b) { // banks in turn
    banks_[b].next_refresh = refresh_interval_ * (b + 1) / banks_.size();
  }
  prospects_.resize(banks_.size());
  const double access_ns = d.t_rcd_ns + d.t_cl_ns;
  fixed_latency_ = cycles(std::max(0.0, d.latency_ns - access_ns));
  // GB/s are bytes per ns; a sector takes 32 / (GB/s) ns of the bus.
  const double burst = kSectorBytes / d.channel_gbps * config.sm_clock_mhz / 1000.0;
  sector_ticks_ = Server::ticks(burst);
  short_ticks_ = Server::ticks(burst * d.t_ccd_s_clocks / d.burst_clocks);
  long_ticks_ = Server::ticks(burst * d.t_ccd_l_clocks / d.burst_clocks);
}

DramQueue::Request DramChannel::place(const MemoryMessage& message) const {
  DramQueue::Request request;
  request.message = message;
  // The lines of a run of as many rows as there are groups go to the groups in turn; the first of a
  // run differs, so that streams a power of two apart do not meet in one group.
  const std::uint64_t groups = groups_.size();
  const std::uint64_t run = message.line / (lines_per_row_ * groups);
  const std::uint64_t first = (run * 0x9e3779b97f4a7c15ULL) >> 40U;
  const std::uint64_t group = (message.line / interleave_ + first) % groups;
  request.row = run * groups + group;
  const std::uint64_t mixed = request.row * 0x9e3779b97f4a7c15ULL;
  request.bank =
      static_cast<std::uint32_t>((mixed >> 40U) % (banks_.size() / groups) * groups + group);
  request.found_open = static_cast<double>((mixed >> 8U) & 0xFFFFFFU) * 0x1.0p-24 < found_open_;
  return request;
}

void DramChannel::refresh(Bank& bank, Cycle now) {
  if (now < bank.next_refresh) {
    return;
  }
  const Cycle began =
      bank.next_refresh + (now - bank.next_refresh) / refresh_interval_ * refresh_interval_;
  bank.next_refresh = began + refresh_interval_;
  bank.row = kClosed;
  bank.column_ready = std::max(bank.column_ready, began + t_rfc_);
  bank.precharge_ready = std::max(bank.precharge_ready, bank.column_ready);
}

DramQueue& DramChannel::queue_to_serve() {
  draining_ = writes_.size() >= write_high_ || (draining_ && writes_.size() > write_low_);
  return draining_ || reads_.empty() ? writes_ : reads_;
}

void DramChannel::look_at(std::uint32_t number, DramQueue& queue, Cycle now) {
  Prospect& prospect = prospects_[number];
  const bool waited_for = queue.waits_for(number);
  Bank& bank = banks_[number];
  if (waited_for) {
    refresh(bank, now);
    next_refresh_ = std::min(next_refresh_, bank.next_refresh);
  }
  const auto [hit, miss] = queue.candidates(number, bank.row);
  prospect = {kNever, kNever, kNever, 0, hit};
  if (hit >= 0) {
    prospect.column = bank.column_ready;
    prospect.order = queue[hit].order;
  }
  if (miss < 0) {
    return;
  }
  if (bank.precharge_ready > now) {
    prospect.row = prospect.look = bank.precharge_ready;
    return;
  }
  DramQueue::Request& request = queue[miss];
  counters_.dram_row_misses += OtherTraffic::made(request.message) ? 0 : 1;
  const Cycle activate = now + (bank.row == kClosed ? 0 : t_rp_);
  bank.row = request.row;
  request.opened = true;
  bank.column_ready = std::max(bank.column_ready, activate + t_rcd_);
  bank.precharge_ready = activate + t_ras_;
  prospect.row = bank.column_ready;
  prospect.look = 0; // the request has become a hit
}

std::int32_t DramChannel::choose(DramQueue& queue, Cycle now) {
  const bool anew = served_ != &queue || now >= next_refresh_;
  if (anew) {
    served_ = &queue;
    next_refresh_ = kNever;
  }
  const auto groups = static_cast<std::uint32_t>(groups_.size());
  Cycle column = kNever;
  Cycle row = kNever;
  for (std::uint32_t g = 0; g < groups; ++g) {
    Cycle in_group = kNever;
    for (std::uint32_t b = g; b < banks_.size(); b += groups) {
      if (anew || prospects_[b].look <= now || queue.changed(b)) {
        look_at(b, queue, now);
      }
      in_group = std::min(in_group, prospects_[b].column);
      row = std::min(row, prospects_[b].row);
    }
    column = std::min(column, std::max(in_group, groups_[g].free_at()));
  }
  // A column command is worth issuing when its data follow those before them on the bus.
  const bool write = &queue == &writes_;
  const Cycle bus_free = bus_writes_ == write ? bus_.free_at() : data_end_ + turnaround(write);
  column = std::max(column, bus_free > t_cl_ ? bus_free - t_cl_ : 0);
  next_ = std::min(row, column);
  quiet_until_ = std::min(next_, next_refresh_);
  if (column > now) {
    return DramQueue::kNone;
  }
  const Prospect* oldest = nullptr;
  for (std::uint32_t g = 0; g < groups; ++g) {
    for (std::uint32_t b = g; groups_[g].free_at() <= now && b < banks_.size(); b += groups) {
      const Prospect& p = prospects_[b];
      oldest = p.column <= now && (oldest == nullptr || p.order < oldest->order) ? &p : oldest;
    }
  }
  return oldest->hit;
}

void DramChannel::access(const DramQueue::Request& request, Cycle now) {
  MemoryMessage m = request.message;
  Bank& bank = banks_[request.bank];
  const bool write = m.kind != MessageKind::load;
  if (bus_writes_ != write) {
    const std::uint64_t idle = turnaround(write) * Server::kScale;
    bus_.serve(data_end_, idle); // a gap between data is not for the other direction
    busy_ticks_ += idle;
    bus_writes_ = write;
  }
  // A request's sectors are columns of one row. The gaps between them are left on the bus, which
  // another group's data may fill.
  const auto sectors = static_cast<unsigned>(std::popcount(static_cast<unsigned>(m.sectors)));
  busy_ticks_ += sector_ticks_ * sectors;
  groups_[request.bank % groups_.size()].serve(now, long_ticks_ * sectors);
  const std::uint64_t last = long_ticks_ * (sectors - 1); // its column command
  const Cycle on_bus = bus_.serve(now + t_cl_, short_ticks_ * sectors);
  const Cycle done =
      std::max(on_bus, now + t_cl_ + (last + sector_ticks_ + Server::kScale - 1) / Server::kScale);
  data_end_ = std::max(data_end_, done);
  bank.column_ready = now + 1;
  bank.precharge_ready =
      std::max(bank.precharge_ready, write ? done + t_wr_ : now + last / Server::kScale + t_rtp_);
  if (OtherTraffic::made(m)) {
    return;
  }
  counters_.dram_row_hits += request.opened ? 0 : 1;
  m.ready = write ? done : done + fixed_latency_;
  to_slice_.deliver(m);
}

bool DramChannel::take_in(Cycle now) {
  bool seen = false;
  while (inbox_.next() <= now) {
    const DramQueue::Request request = place(inbox_.pop());
    DramQueue& queue = request.message.kind == MessageKind::load ? reads_ : writes_;
    seen |= queue.push(request) && &queue == served_;
  }
  return seen;
}

Cycle DramChannel::tick(Cycle now) {
  bool look = take_in(now) || now >= quiet_until_;
  while (!(reads_.empty() && writes_.empty())) {
    DramQueue& queue = queue_to_serve();
    look |= &queue != served_;
    const std::int32_t chosen = look ? choose(queue, now) : DramQueue::kNone;
    if (chosen < 0) {
      return std::min(inbox_.next(), std::max(next_, now + 1));
    }
    access(queue.take(chosen), now);
    look = true;
  }
  served_ = nullptr;
  return inbox_.next();
}

} // namespace coulomb::timing::mem
