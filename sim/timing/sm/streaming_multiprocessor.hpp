// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/functional/executor.hpp"
#include "sim/timing/counters.hpp"
#include "sim/timing/instruction_timing.hpp"
#include "sim/timing/ports.hpp"
#include "sim/timing/sm/execution_pipes.hpp"
#include "sim/timing/sm/instruction_caches.hpp"
#include "sim/timing/sm/instruction_profile.hpp"
#include "sim/timing/sm/load_store_unit.hpp"
#include "sim/timing/sm/register_compression.hpp"
#include "sim/timing/sm/register_file.hpp"
#include "sim/timing/sm/release.hpp"
#include "sim/timing/sm/response_port.hpp"
#include "sim/timing/sm/sm_view.hpp"
#include "sim/timing/sm/tensor_interlock.hpp"
#include "sim/timing/sm/timeline.hpp"
#include "sim/timing/sm/warp_scheduler.hpp"
#include "sim/timing/sm/warp_slot.hpp"
#include "sim/timing/sm/watchdog.hpp"
#include "sim/timing/timing_wheel.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coulomb::timing::sm {

/// Where an SM gets its CTAs.
class CtaSource {
public:
  virtual ~CtaSource() = default;
  struct Launch {
    bool available = false;
    std::uint64_t linear_id = 0;
    Cycle start = 0; ///< cycle at which its warps may issue
  };
  /// The next CTA for that SM, taken; `available` is false when the grid has no more for it.
  virtual Launch next(std::uint32_t sm, Cycle now) = 0;
  /// A CTA is done; `instructions`: warp instructions that the SM has issued so far.
  virtual void finished(std::uint32_t sm, std::uint64_t instructions, Cycle now) = 0;
};

/// What an SM runs: shared by all SMs of a simulation.
struct SmProgram {
  const functional::ExecutableKernel* kernel = nullptr;
  const std::vector<InstructionTiming>* timing = nullptr;
  functional::GlobalMemory* memory = nullptr;
  std::uint32_t ctas_per_sm = 1;
  std::uint32_t l1_bytes = 0;
  bool warm_translations = true; ///< TLBs hold what an earlier launch used
  // Who watches the run; null if nobody does. They change no cycle.
  InstructionProfile* profile = nullptr; ///< as long as `timing`
  Timeline* timeline = nullptr;
  Watchdog* watchdog = nullptr;
  bool viewed = false; ///< view() will be called
};

/// A streaming multiprocessor: sub-cores that issue, their register files and pipes, instruction
/// caches and the load/store unit. Executes every instruction (functional::Executor) in the cycle
/// in which it issues.
class StreamingMultiprocessor final : public MessageSink {
public:
  StreamingMultiprocessor(const config::GpuConfig& config,
                          std::uint32_t id,
                          const SmProgram& program,
                          CtaSource& source,
                          MessageSink& to_crossbar);
  ~StreamingMultiprocessor() override;
  StreamingMultiprocessor(const StreamingMultiprocessor&) = delete;
  StreamingMultiprocessor& operator=(const StreamingMultiprocessor&) = delete;

  /// Runs cycle `now`; returns the next cycle at which something can happen, kNever when idle.
  Cycle tick(Cycle now);
  /// A response from the crossbar; tick() handles it at its `ready` cycle.
  void deliver(const MemoryMessage& message) override { port_.push(message); }

  [[nodiscard]] const SmCounters& counters() const { return counters_; }
  [[nodiscard]] std::uint32_t id() const { return id_; }
  [[nodiscard]] bool idle() const { return resident_warps_ == 0 && lsu_.idle() && port_.empty(); }
  [[nodiscard]] Cycle last_issue() const { return last_issue_; }
  [[nodiscard]] Cycle last_store() const { return lsu_.last_store(); }
  /// What it shows at the end of cycle `now`; only if the program says that it is viewed.
  void view(Cycle now, SmView& view) const;
  /// One line per resident warp: pc, instruction, what it waits for. For deadlock reports; `spins`:
  /// the watchdog threw NoProgress.
  [[nodiscard]] std::string describe_warps(bool spins) const;
  /// Resident warps that are not at a CTA barrier.
  [[nodiscard]] std::uint32_t runnable_warps() const;
  /// Whether the watchdog sees every instruction.
  [[nodiscard]] bool watched() const { return watched_; }

private:
  static constexpr std::uint32_t kMaxWarpsPerSubCore = 32;

  struct SubCore {
    explicit SubCore(const config::GpuConfig& config)
        : registers(config.sm.register_file), pipes(config.sm.pipes), scheduler(config.sm) {}
    std::array<Cycle, kMaxWarpsPerSubCore> ready_at{}; ///< kNever: empty or blocked
    RegisterFile registers;
    ExecutionPipes pipes;
    TensorInterlock tensor;
    WarpScheduler scheduler;
    std::uint32_t last = 0; ///< index of the warp that issued last
    Cycle held_until = 0;   ///< issues nothing: a constant operand missed
    /// Issues nothing: the last instruction waits in Control for another one's register reads.
    Cycle control_until = 0;
    Cycle next = 0; ///< next cycle worth a look
    /// Until then all warps that are ready wait for room in the load/store queue, and a look at
    /// them finds nothing else as long as there is none.
    Cycle full_until = 0;
  };
  /// What a look at a warp finds. `queue_full` is the same at the next look, `later` may change
  /// with time alone; a `blocked` warp is woken.
  enum class Verdict : std::uint8_t { issues, blocked, queue_full, later };
  /// The last instruction that a sub-core issued, kept only if the SM is viewed.
  struct Issue {
    Cycle at = kNever;
    std::uint32_t slot = 0;
    std::uint32_t pc = 0;
  };
  struct Cta {
    functional::CtaState state;
    std::vector<std::uint32_t> warps; ///< slots
    bool resident = false;
  };

  void launch_ctas(Cycle now);
  bool place_cta(std::uint32_t cta_slot, const CtaSource::Launch& launch, Cycle now);
  void on_release(const Release& release, Cycle now);
  void on_async_copy(WarpSlot& warp, std::uint32_t slot, Cycle now);
  void complete_async_groups(WarpSlot& warp, std::uint32_t slot, Cycle now);
  void decrement(WarpSlot& warp, std::uint32_t slot, std::uint8_t counter, Cycle now);
  void wake(std::uint32_t slot, Cycle at);
  Cycle issue(std::uint32_t sub_core, Cycle now);
  /// The warp waits for long or has finished: a two-level scheduler turns to another one.
  void swap_out(std::uint32_t slot);
  /// The warp that would go waits for the stages behind issue.
  void charge_dispatch(std::uint32_t sub_core, Cycle now);
  /// Whether the warp can issue now. `retry` is lowered to the cycle at which it may.
  Verdict can_issue(std::uint32_t sub_core, std::uint32_t slot, Cycle now, Cycle& retry);
  void execute(std::uint32_t sub_core, std::uint32_t slot, Cycle now);
  /// First cycle in which a packed result that the instruction reads is there; 0 without
  /// compression. The compiler's stall counts and the dependence counters do the rest.
  [[nodiscard]] Cycle unpacked(std::uint32_t slot, const InstructionTiming& t) const {
    return compression_.on() ? compression_.ready(slot, t) : 0;
  }
  /// Register traffic of the instruction that has executed; what compression adds to its times.
  RegisterCompression::Effect
  move_registers(SubCore& core, std::uint32_t slot, const InstructionTiming& t, Cycle now);
  void enqueue_memory(std::uint32_t sub_core,
                      std::uint32_t slot,
                      const InstructionTiming& t,
                      const RegisterCompression::Effect& effect,
                      Cycle now);
  void
  after_step(std::uint32_t sub_core, std::uint32_t slot, const InstructionTiming& t, Cycle now);
  void release_barrier(Cta& cta, Cycle now);
  void finish_warp(std::uint32_t slot, Cycle now);
  void account(std::uint32_t slot, Cycle now);
  /// The parts of the time since the warp's last issue, which account() has worked out.
  void
  observe_issue(const WarpSlot& warp, std::uint32_t slot, Cycle stalled, Cycle blocked, Cycle now);
  /// Lets the timeline and the watchdog look if it is time.
  void look(Cycle now);
  void report_step(std::uint32_t slot, std::uint32_t pc);
  [[nodiscard]] std::uint32_t shown_stall(std::uint32_t sub_core, Cycle now) const;
  [[nodiscard]] std::string describe_warp(std::uint32_t slot, bool spins) const;
  /// Counters that the warp's instruction of the cycle before has taken: an increment shows one
  /// cycle late (Huerta et al., MICRO 2025), so a consumer right behind a producer of stall 1
  /// misses it.
  [[nodiscard]] static std::uint8_t unseen(const WarpSlot& warp, Cycle now) {
    return warp.last_issue + 1 == now ? warp.taken : std::uint8_t{0};
  }
  [[nodiscard]] std::uint32_t sub_core_of(std::uint32_t slot) const {
    return slot % sub_core_count_;
  }
  [[nodiscard]] Cycle& ready_at(std::uint32_t slot) {
    return sub_cores_[slot % sub_core_count_].ready_at[slot / sub_core_count_];
  }

  const config::GpuConfig& config_;
  std::uint32_t id_;
  std::uint32_t sub_core_count_;
  SmProgram program_;
  const InstructionTiming* timing_;
  CtaSource& source_;

  SmCounters counters_;
  TimingWheel<Release> releases_;
  ResponsePort port_;
  LoadStoreUnit lsu_;
  InstructionCaches icache_;
  RegisterCompression compression_;
  functional::Executor executor_;
  functional::StepResult step_;
  std::vector<SubCore> sub_cores_;
  std::vector<WarpSlot> warps_;
  std::vector<std::unique_ptr<functional::WarpState>> states_;
  std::vector<Cta> ctas_;
  std::vector<Issue> issues_; ///< per sub-core; empty if the SM is not viewed
  std::vector<functional::WarpState*> state_list_;
  Cycle shared_fp64_ = 0;
  Cycle lsu_next_ = kNever;
  Cycle last_tick_ = 0;
  Cycle next_look_ = kNever;   ///< of those who look now and then: the earliest of the next two
  Cycle next_sample_ = kNever; ///< of the timeline
  Cycle next_watch_ = kNever;  ///< of the watchdog
  bool observed_ = false;      ///< by a profile, a timeline or a waveform
  bool watched_ = false;       ///< the watchdog sees every instruction
  Cycle last_issue_ = 0;
  std::uint32_t resident_warps_ = 0;
  std::uint64_t next_age_ = 1;
  bool grid_exhausted_ = false;
  bool launch_wanted_ = true;
};

} // namespace coulomb::timing::sm
