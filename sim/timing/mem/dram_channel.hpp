// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/counters.hpp"
#include "sim/timing/mem/dram_queue.hpp"
#include "sim/timing/mem/memory_share.hpp"
#include "sim/timing/mem/other_traffic.hpp"
#include "sim/timing/message_queue.hpp"
#include "sim/timing/ports.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::timing::mem {

/// Lines that a row serves while it is open, when SMs work on neighbouring data at about the same
/// time: a quarter of the row (measured with --chip: saxpy and multiplication, A100 and RTX 3090;
/// ADR 0004). In a sample of the SMs, in which one channel stands for many, a row has as many.
[[nodiscard]] std::uint32_t stretch_lines(const config::GpuConfig& config);

/// One DRAM channel: banks with one open row each, in groups, a read queue scheduled first-ready
/// first-come (of the requests whose row is open the oldest; meanwhile other banks open rows for
/// the oldest request that wants them), writes collected and drained in batches, bus turnaround,
/// refresh bank by bank. Device timings are nanoseconds of the configuration, turned into SM
/// cycles: the memory clock does not follow the SM clock. Reads are answered with data, writes with
/// a word that they are done. Column commands to one bank group are t_ccd_l apart, to different
/// ones t_ccd_s (HBM: JEDEC JESD235; GDDR6: JESD250). A channel's lines go to the bank groups in
/// turn, as controllers do it (published simulators take the group from low address bits; NVIDIA's
/// mapping is unpublished), and the scheduler fills one group's gaps from the others. With a sample
/// of the SMs it carries the traffic of the others, too.
class DramChannel final : public MessageSink {
public:
  /// `neighbour_share`: see gpu::Footprint; used for a sample of the SMs only.
  DramChannel(const config::GpuConfig& config,
              const MemoryShare& share,
              double neighbour_share,
              MessageSink& to_slice);

  void deliver(const MemoryMessage& message) override {
    inbox_.push(message);
    others_.follow(message, [this](const MemoryMessage& other) { inbox_.push(other); });
  }
  Cycle tick(Cycle now);
  [[nodiscard]] bool idle() const { return inbox_.empty() && reads_.empty() && writes_.empty(); }
  [[nodiscard]] const MemoryCounters& counters() const { return counters_; }
  /// Requests that wait for their column access.
  [[nodiscard]] std::size_t queued_reads() const { return reads_.size(); }
  [[nodiscard]] std::size_t queued_writes() const { return writes_.size(); }
  /// What the data bus is given to: nobody (every access that was begun has had its data), reads,
  /// writes.
  enum class Bus : std::uint8_t { free, reads, writes };
  [[nodiscard]] Bus bus(Cycle now) const {
    return data_end_ <= now ? Bus::free : bus_writes_ ? Bus::writes : Bus::reads;
  }
  /// Cycles that the data bus was taken, turnarounds included.
  [[nodiscard]] double busy_cycles() const {
    return static_cast<double>(busy_ticks_) / Server::kScale;
  }

private:
  struct Bank {
    std::uint64_t row = kClosed;
    Cycle column_ready = 0;    ///< next read or write command to the open row
    Cycle precharge_ready = 0; ///< end of tRAS, of tRTP after a read, of tWR after written data
    Cycle next_refresh = 0;
  };
  /// What the scheduler knows of a bank's requests in served_. It holds until they change.
  struct Prospect {
    Cycle column = kNever; ///< when the hit can have its column access, but for the bus
    Cycle row = kNever;    ///< when a row can be opened; when the row just opened is ready
    Cycle look = 0;        ///< when to look again
    std::uint64_t order = 0;
    std::int32_t hit = DramQueue::kNone; ///< the oldest request whose row is open
  };
  static constexpr std::uint64_t kClosed = ~std::uint64_t{0};

  /// Cycles that the bus idles before data of the other direction.
  [[nodiscard]] Cycle turnaround(bool to_writes) const {
    return to_writes ? t_rtw_ : t_wtr_ + t_cl_; // a read command waits for the written data
  }
  [[nodiscard]] DramQueue::Request place(const MemoryMessage& message) const;
  DramQueue& queue_to_serve();
  /// Takes in what has arrived; returns whether the scheduler sees any of it in served_.
  bool take_in(Cycle now);
  /// Opens rows and finds the request whose column access may start now; sets next_ and
  /// quiet_until_.
  std::int32_t choose(DramQueue& queue, Cycle now);
  void look_at(std::uint32_t bank, DramQueue& queue, Cycle now);
  void access(const DramQueue::Request& request, Cycle now);
  void refresh(Bank& bank, Cycle now);

  MessageSink& to_slice_;
  std::uint64_t lines_per_row_; ///< of all channels: they share a row number
  /// Neighbouring lines, of all channels, that are in one bank group: one a channel on the whole
  /// chip, a row of them in a sample, whose rows are short.
  std::uint64_t interleave_;
  double found_open_; ///< probability that an SM outside the sample opened a row just before
  Cycle t_rcd_, t_rp_, t_cl_, t_ras_, t_wtr_, t_rtw_, t_wr_, t_rtp_, t_rfc_;
  Cycle refresh_interval_; ///< per bank
  Cycle fixed_latency_;    ///< controller and wires: latency_ns less activation and column access
  std::uint64_t sector_ticks_; ///< of the bus, for the data
  std::uint64_t short_ticks_;  ///< of the bus, until the next column access
  std::uint64_t long_ticks_;   ///< of the bank group, until the next column access
  std::size_t write_high_, write_low_;
  std::vector<Bank> banks_; ///< number b is in group b % groups
  std::vector<Server> groups_;
  DramQueue reads_;
  DramQueue writes_;
  MessageQueue inbox_;
  OtherTraffic others_;
  Server bus_;
  Cycle data_end_ = 0; ///< of all accesses begun; the bus is free before it if gaps are left on it
  std::uint64_t busy_ticks_ = 0;
  std::vector<Prospect> prospects_;   ///< per bank
  const DramQueue* served_ = nullptr; ///< where choose() looked last
  Cycle next_refresh_ = kNever;       ///< the first of a bank with requests there
  Cycle next_ = kNever;               ///< when one of them can be served, or a row opened for one
  Cycle quiet_until_ = 0; ///< until then, unless they change, choose() finds the same: nothing
  bool bus_writes_ = false;
  bool draining_ = false;
  MemoryCounters counters_;
};

} // namespace coulomb::timing::mem
