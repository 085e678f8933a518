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
    : to_slice_(to_slice), window_(config.dram.queue), lines_per_row_(lines_per_row(config, share)),
      found_open_(sampled(config, share) ? neighbour_share : 0.0),
      write_high_(config.dram.write_high), write_low_(config.dram.write_low),
      banks_(config.dram.banks), others_(share.channel_load - 1.0, lines_per_row_) {
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
  t_rfc_ = cycles(d.t_rfc_ns);
  refresh_interval_ = std::max<Cycle>(1, cycles(d.t_refi_ns) * config.dram.banks);
  for (std::size_t b = 0; b < banks_.size(); ++b) { // banks in turn
    banks_[b].next_refresh = refresh_interval_ * (b + 1) / banks_.size();
  }
  const double access_ns = d.t_rcd_ns + d.t_cl_ns;
  fixed_latency_ = cycles(std::max(0.0, d.latency_ns - access_ns));
  // GB/s are bytes per ns; a sector takes 32 / (GB/s) ns of the bus.
  sector_ticks_ = Server::ticks(kSectorBytes / d.channel_gbps * config.sm_clock_mhz / 1000.0);
  reads_.reserve(1024);
  writes_.reserve(1024);
}

DramChannel::Request DramChannel::place(const MemoryMessage& message) const {
  const std::uint64_t row = message.line / lines_per_row_;
  const std::uint64_t mixed = row * 0x9e3779b97f4a7c15ULL;
  const bool open = static_cast<double>((mixed >> 8U) & 0xFFFFFFU) * 0x1.0p-24 < found_open_;
  return {message, row, static_cast<std::uint32_t>((mixed >> 40U) % banks_.size()), false, open};
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

std::vector<DramChannel::Request>& DramChannel::queue_to_serve() {
  draining_ = writes_.size() >= write_high_ || (draining_ && writes_.size() > write_low_);
  return draining_ || reads_.empty() ? writes_ : reads_;
}

void DramChannel::open_rows(std::vector<Request>& queue,
                            std::size_t window,
                            Cycle now,
                            Cycle& next) {
  for (std::size_t i = 0; i < window; ++i) {
    Bank& bank = banks_[queue[i].bank];
    if (bank.wanted == pass_ || queue[i].found_open) {
      continue; // a request for its open row, or an older one for another row
    }
    bank.wanted = pass_;
    if (bank.precharge_ready > now) {
      next = std::min(next, bank.precharge_ready);
      continue;
    }
    counters_.dram_row_misses += OtherTraffic::made(queue[i].message) ? 0 : 1;
    const Cycle activate = now + (bank.row == kClosed ? 0 : t_rp_);
    bank.row = queue[i].row;
    queue[i].opened = true;
    bank.column_ready = std::max(bank.column_ready, activate + t_rcd_);
    bank.precharge_ready = activate + t_ras_;
    next = std::min(next, bank.column_ready);
  }
}

std::size_t DramChannel::choose(std::vector<Request>& queue, Cycle now, Cycle& next) {
  const std::size_t window = std::min<std::size_t>(queue.size(), window_);
  // A column command is worth issuing when its data follow those before them on the bus.
  const bool write = &queue == &writes_;
  const Cycle bus_free = bus_.free_at() + (bus_writes_ != write ? turnaround(write) : 0);
  const Cycle earliest = bus_free > t_cl_ ? bus_free - t_cl_ : 0;
  std::size_t chosen = kNone;
  ++pass_;
  for (std::size_t i = 0; i < window; ++i) {
    Bank& bank = banks_[queue[i].bank];
    refresh(bank, now);
    if (!queue[i].found_open) {
      if (bank.row != queue[i].row) {
        continue;
      }
      bank.wanted = pass_;
    }
    const Cycle at = std::max(bank.column_ready, earliest);
    if (at <= now && chosen == kNone) {
      chosen = i;
    }
    next = std::min(next, at);
  }
  open_rows(queue, window, now, next);
  return chosen;
}

void DramChannel::access(std::vector<Request>& queue, std::size_t index, Cycle now) {
  MemoryMessage m = queue[index].message;
  const bool opened = queue[index].opened;
  Bank& bank = banks_[queue[index].bank];
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(index));
  const bool write = m.kind != MessageKind::load;
  if (bus_writes_ != write) {
    const std::uint64_t idle = turnaround(write) * Server::kScale;
    bus_.serve(0, idle); // from the end of the data before it
    busy_ticks_ += idle;
    bus_writes_ = write;
  }
  const std::uint64_t ticks =
      sector_ticks_ * static_cast<unsigned>(std::popcount(static_cast<unsigned>(m.sectors)));
  busy_ticks_ += ticks;
  const Cycle done = bus_.serve(now + t_cl_, ticks);
  bank.column_ready = now + 1;
  bank.precharge_ready = std::max(bank.precharge_ready, write ? done + t_wr_ : now + 1);
  if (OtherTraffic::made(m)) {
    return;
  }
  counters_.dram_row_hits += opened ? 0 : 1;
  m.ready = write ? done : done + fixed_latency_;
  to_slice_.deliver(m);
}

Cycle DramChannel::tick(Cycle now) {
  while (inbox_.next() <= now) {
    const Request request = place(inbox_.pop());
    (request.message.kind == MessageKind::load ? reads_ : writes_).push_back(request);
  }
  while (!(reads_.empty() && writes_.empty())) {
    Cycle next = kNever;
    auto& queue = queue_to_serve();
    const std::size_t chosen = choose(queue, now, next);
    if (chosen == kNone) {
      return std::min(inbox_.next(), std::max(next, now + 1));
    }
    access(queue, chosen, now);
  }
  return inbox_.next();
}

} // namespace coulomb::timing::mem
