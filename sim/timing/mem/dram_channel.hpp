// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/counters.hpp"
#include "sim/timing/mem/memory_share.hpp"
#include "sim/timing/message_queue.hpp"
#include "sim/timing/ports.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::timing::mem {

/// One DRAM channel: banks with one open row each, a read queue scheduled first-ready first-come
/// (row hits first, then the oldest), writes collected and drained in batches, bus turnaround,
/// refresh bank by bank. Device timings are nanoseconds of the configuration, turned into SM
/// cycles: the memory clock does not follow the SM clock.
class DramChannel final : public MessageSink {
public:
  DramChannel(const config::GpuConfig& config, const MemoryShare& share, MessageSink& to_slice);

  void deliver(const MemoryMessage& message) override { inbox_.push(message); }
  Cycle tick(Cycle now);
  [[nodiscard]] bool idle() const { return inbox_.empty() && reads_.empty() && writes_.empty(); }
  [[nodiscard]] const MemoryCounters& counters() const { return counters_; }

private:
  struct Bank {
    std::uint64_t row = ~std::uint64_t{0};
    Cycle column_ready = 0;    ///< next read or write command to the open row
    Cycle precharge_ready = 0; ///< end of tRAS
    std::uint64_t refreshed = 0;
  };
  struct Place {
    std::uint32_t bank;
    std::uint64_t row;
  };

  [[nodiscard]] Place place(std::uint64_t line) const;
  [[nodiscard]] std::size_t choose(const std::vector<MemoryMessage>& queue) const;
  void serve(std::vector<MemoryMessage>& queue, std::size_t index, Cycle now);
  void refresh(Bank& bank, std::uint32_t number, Cycle now);

  MessageSink& to_slice_;
  std::uint32_t window_;
  std::uint64_t
      lines_per_row_; ///< lines of the chip that share a row number: a row in each channel
  Cycle t_rcd_, t_rp_, t_cl_, t_ras_, t_turnaround_, t_rfc_;
  Cycle refresh_interval_; ///< per bank
  Cycle fixed_latency_;    ///< controller and wires: latency_ns less activation and column access
  std::uint64_t sector_ticks_;
  std::vector<Bank> banks_;
  std::vector<MemoryMessage> reads_;
  std::vector<MemoryMessage> writes_;
  MessageQueue inbox_;
  Server bus_;
  bool bus_writes_ = false;
  bool draining_ = false;
  MemoryCounters counters_;
};

} // namespace coulomb::timing::mem
