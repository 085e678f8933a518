// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/mem/dram_channel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace coulomb::timing::mem {
namespace {

// Write batches: start draining at the high mark, stop at the low one. Source: assumption, as in
// most controllers.
constexpr std::size_t kWriteHigh = 48;
constexpr std::size_t kWriteLow = 16;

} // namespace

DramChannel::DramChannel(const config::GpuConfig& config,
                         const MemoryShare& share,
                         MessageSink& to_slice)
    : to_slice_(to_slice), window_(config.dram.queue),
      lines_per_row_(std::uint64_t{std::max(1U, config.dram.row_bytes / kLineBytes)} *
                     config.dram.channels),
      banks_(config.dram.banks) {
  const auto cycles = [&](double ns) {
    return static_cast<Cycle>(std::llround(ns * config.sm_clock_mhz / 1000.0));
  };
  const auto& d = config.dram;
  t_rcd_ = cycles(d.t_rcd_ns);
  t_rp_ = cycles(d.t_rp_ns);
  t_cl_ = cycles(d.t_cl_ns);
  t_ras_ = cycles(d.t_ras_ns);
  t_turnaround_ = cycles(d.t_turnaround_ns);
  t_rfc_ = cycles(d.t_rfc_ns);
  refresh_interval_ = std::max<Cycle>(1, cycles(d.t_refi_ns) * config.dram.banks);
  const double access_ns = d.t_rcd_ns + d.t_cl_ns;
  fixed_latency_ = cycles(std::max(0.0, d.latency_ns - access_ns));
  // GB/s are bytes per ns; a sector takes 32 / (GB/s) ns of the bus.
  sector_ticks_ = Server::ticks(share.channel_slowdown * kSectorBytes / d.channel_gbps *
                                config.sm_clock_mhz / 1000.0);
  reads_.reserve(1024);
  writes_.reserve(1024);
}

DramChannel::Place DramChannel::place(std::uint64_t line) const {
  const std::uint64_t row = line / lines_per_row_;
  const std::uint64_t mixed = (row * 0x9e3779b97f4a7c15ULL) >> 40;
  return {static_cast<std::uint32_t>(mixed % banks_.size()), row};
}

void DramChannel::refresh(Bank& bank, std::uint32_t number, Cycle now) {
  const std::uint64_t phase = refresh_interval_ * (number + 1) / banks_.size();
  const std::uint64_t due = now < phase ? 0 : (now - phase) / refresh_interval_ + 1;
  if (due > bank.refreshed) {
    bank.refreshed = due;
    bank.row = ~std::uint64_t{0};
    const Cycle began = phase + (due - 1) * refresh_interval_;
    bank.column_ready = std::max(bank.column_ready, began + t_rfc_);
    bank.precharge_ready = std::max(bank.precharge_ready, bank.column_ready);
  }
}

std::size_t DramChannel::choose(const std::vector<MemoryMessage>& queue) const {
  const std::size_t window = std::min<std::size_t>(queue.size(), window_);
  std::size_t best = 0;
  Cycle best_ready = kNever;
  for (std::size_t i = 0; i < window; ++i) {
    const Place p = place(queue[i].line);
    const Bank& bank = banks_[p.bank];
    if (bank.row == p.row) {
      return i;
    }
    if (bank.precharge_ready < best_ready) { // else the oldest whose bank can be opened first
      best_ready = bank.precharge_ready;
      best = i;
    }
  }
  return best;
}

void DramChannel::serve(std::vector<MemoryMessage>& queue, std::size_t index, Cycle now) {
  const MemoryMessage m = queue[index];
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(index));
  const Place p = place(m.line);
  Bank& bank = banks_[p.bank];
  refresh(bank, p.bank, now);
  const bool write = m.kind != MessageKind::load;
  Cycle column = std::max(now, bank.column_ready);
  if (bank.row != p.row) {
    ++counters_.dram_row_misses;
    const Cycle precharge = std::max(now, bank.precharge_ready);
    const Cycle activate = precharge + (bank.row == ~std::uint64_t{0} ? 0 : t_rp_);
    column = std::max(bank.column_ready, activate + t_rcd_);
    bank.precharge_ready = activate + t_ras_;
    bank.row = p.row;
  } else {
    ++counters_.dram_row_hits;
  }
  if (bus_writes_ != write) {
    bus_.serve(now, t_turnaround_ * Server::kScale);
    bus_writes_ = write;
  }
  const auto sectors = static_cast<unsigned>(std::popcount(static_cast<unsigned>(m.sectors)));
  const Cycle done = bus_.serve(column + t_cl_, sector_ticks_ * sectors);
  bank.column_ready = column + 1;
  bank.precharge_ready = std::max(bank.precharge_ready, column + 1);
  if (!write) {
    MemoryMessage answer = m;
    answer.ready = done + fixed_latency_;
    to_slice_.deliver(answer);
  }
}

Cycle DramChannel::tick(Cycle now) {
  while (inbox_.next() <= now) {
    const MemoryMessage m = inbox_.pop();
    (m.kind == MessageKind::load ? reads_ : writes_).push_back(m);
  }
  // Commands run ahead of the data bus by one row activation, so that banks open in parallel.
  const Cycle ahead = t_rp_ + t_rcd_ + t_cl_ + 1;
  while (bus_.free_at() <= now + ahead && !(reads_.empty() && writes_.empty())) {
    draining_ = writes_.size() >= kWriteHigh || (draining_ && writes_.size() > kWriteLow);
    auto& queue = draining_ || reads_.empty() ? writes_ : reads_;
    serve(queue, choose(queue), now);
  }
  if (reads_.empty() && writes_.empty()) {
    return inbox_.next();
  }
  return std::min(std::max(inbox_.next(), now + 1), std::max(now + 1, bus_.free_at() - ahead));
}

} // namespace coulomb::timing::mem
