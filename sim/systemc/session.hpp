// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/counters.hpp"
#include "sim/timing/gpu/block_dispatcher.hpp"
#include "sim/timing/gpu/footprint.hpp"
#include "sim/timing/mem/memory_share.hpp"
#include "sim/timing/sm/streaming_multiprocessor.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace coulomb::systemc {

/// Number of modules of each kind; fixed for the life of the process, because SystemC elaborates
/// once.
struct Structure {
  std::uint32_t sms = 1;
  std::uint32_t slices = 1;
  std::uint32_t channels = 1;
  bool operator==(const Structure&) const = default;

  static Structure of(const config::GpuConfig& gpu, std::uint32_t sms) {
    const timing::mem::MemoryShare share(gpu, sms);
    return {sms, share.slices, share.channels};
  }
};

/// A waveform file, and which cycles it is to show.
struct VcdOptions {
  std::string path; ///< ends in ".vcd"
  timing::Cycle from = 0;
  timing::Cycle to = 0;        ///< inclusive
  std::uint64_t max_bytes = 0; ///< tracing ends where the file has that size
};

/// What was traced.
struct VcdRecord {
  timing::Cycle first = 0;
  timing::Cycle end = 0; ///< the cycle after the last; as `first`: none of the range was simulated
  std::uint32_t signals = 0;
  std::uint64_t bytes = 0;
  bool full = false; ///< the file had its size before the range ended
};

struct SessionResult {
  /// `deadlock`: no warp can move; `no_progress`: those that can spin for ever.
  enum class End : std::uint8_t { completed, cycle_limit, deadlock, no_progress };
  End end = End::completed;
  timing::Cycle cycles = 0; ///< last CTA completed, or the cycle at which the simulation stopped
  timing::Cycle drain = 0;  ///< from then until the last store was in L2; a grid ends only then
  double dram_busy = 0.0;   ///< cycles that the data bus of a channel was taken, mean
  timing::SmCounters sm;    ///< summed over the simulated SMs
  timing::MemoryCounters memory;
  std::optional<VcdRecord> vcd;
  std::string stuck_warps; ///< unless it completed: one line per warp
};

/// The SystemC model of one GPU: elaborated once, prepared and run once per simulation.
/// Only one Session may exist in a process at a time.
class Session {
public:
  /// `quantum`: most cycles per activation of the SystemC kernel; 1 is the validation mode.
  explicit Session(const Structure& structure, std::uint32_t quantum = kQuantum);
  /// With a waveform (VcdTrace): such a session runs once. `gpu` must outlive the constructor only.
  Session(const config::GpuConfig& gpu, const Structure& structure, const VcdOptions& vcd);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const Structure& structure() const;
  /// It writes a waveform, and so cannot run again.
  [[nodiscard]] bool traced() const;

  static constexpr std::uint32_t kQuantum = 1024;

  /// Runs a kernel to its end, under a watchdog of its own. `config` must outlive the call and
  /// match the structure. Throws what the kernel's execution throws (functional::KernelFault).
  SessionResult run(const config::GpuConfig& config,
                    const timing::sm::SmProgram& program,
                    timing::gpu::BlockDispatcher& dispatcher,
                    const timing::gpu::CacheOutlook& outlook,
                    timing::Cycle cycle_limit);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace coulomb::systemc
