// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/systemc/clock_domain.hpp"
#include "sim/systemc/session.hpp"
#include "sim/timing/mem/dram_channel.hpp"
#include "sim/timing/mem/l2_slice.hpp"
#include "sim/timing/sm/streaming_multiprocessor.hpp"

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

namespace coulomb::systemc {

/// A value change dump of the whole model, written by SystemC's tracing. A process of its own
/// samples the units once a cycle, behind them; the clock domain runs a cycle per activation while
/// that is scheduled (as for any other process), so that the units are seen at the end of each
/// cycle. Sampling changes nothing. SystemC wants traced variables before the simulation begins and
/// keeps them: a process traces one simulation.
class VcdTrace final : public sc_core::sc_module {
public:
  SC_HAS_PROCESS(VcdTrace);
  struct Shape {
    std::uint32_t sms = 1;
    std::uint32_t sub_cores = 1; ///< of an SM
    std::uint32_t slices = 1;
    std::uint32_t channels = 1;
  };
  struct Units {
    std::vector<const timing::sm::StreamingMultiprocessor*> sms;
    std::vector<const timing::mem::L2Slice*> slices;
    std::vector<const timing::mem::DramChannel*> channels;
  };

  /// Creates the file; throws EnvironmentError where that cannot be.
  VcdTrace(sc_core::sc_module_name name,
           const VcdOptions& options,
           const Shape& shape,
           const ClockDomain& clock);
  ~VcdTrace() override;

  /// Samples `units` from cycle `from` on; cycle 0 is the current simulation time.
  void start(Units units, double period_ns);
  /// Closes the file, unless the range has ended before.
  VcdRecord finish();

private:
  struct SubCore {
    bool issue = false;
    unsigned warp_slot = 0;
    unsigned pc = 0;
    unsigned pipe = 0;
    unsigned stall = timing::sm::SmView::kNoWarp;
    unsigned warps = 0;
    unsigned ready_warps = 0;
    unsigned lsu_queue = 0;
  };
  struct Sm {
    unsigned warps = 0;
    unsigned outstanding_loads = 0;
    unsigned l1_miss_lines = 0;
    unsigned stores_under_way = 0;
    std::vector<SubCore> sub_cores;
  };
  struct Slice {
    unsigned queue = 0;
    unsigned hit_sectors = 0;
    unsigned miss_sectors = 0;
    unsigned miss_lines = 0;
    unsigned writes_under_way = 0;
    timing::MemoryCounters before;
  };
  struct Channel {
    unsigned read_queue = 0;
    unsigned write_queue = 0;
    unsigned bus = 0;
    unsigned row_opens = 0;
    unsigned row_hits = 0;
    timing::MemoryCounters before;
  };

  void trace(const unsigned& value, const std::string& name, int bits);
  void declare(const Sm& sm, const std::string& scope);
  void declare(const Slice& slice, const std::string& scope);
  void declare(const Channel& channel, const std::string& scope);
  void sample();
  void prime();
  void take_all();
  void take(Sm& shown, const timing::sm::StreamingMultiprocessor& sm);
  static void take(Slice& shown, const timing::mem::L2Slice& slice, timing::Cycle now);
  static void take(Channel& shown, const timing::mem::DramChannel& channel, timing::Cycle now);

  VcdOptions options_;
  const ClockDomain& clock_;
  sc_core::sc_trace_file* file_ = nullptr;
  sc_core::sc_event start_;
  sc_core::sc_time period_;
  Units units_;
  timing::sm::SmView view_;
  bool behind_ = false; ///< the units have run this cycle
  bool primed_ = false; ///< counts before the range are known
  timing::Cycle now_ = 0;
  VcdRecord record_;

  sc_dt::uint64 cycle_ = 0;
  std::vector<Sm> sms_;
  std::vector<Slice> slices_;
  std::vector<Channel> channels_;
};

} // namespace coulomb::systemc
