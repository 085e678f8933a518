// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/dim3.hpp"
#include "sim/functional/global_memory.hpp"
#include "sim/functional/step.hpp"
#include "sim/functional/warp_state.hpp"
#include "sim/isa/cubin.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace coulomb::functional {

/// Where in the code and in the grid something happened.
struct FaultPlace {
  std::uint32_t pc = 0;
  Dim3 cta;
  std::uint32_t warp = 0;                ///< of the CTA
  int lane = -1;                         ///< -1: the whole warp
  MemorySpace space = MemorySpace::none; ///< of an access fault
  std::uint64_t address = 0;             ///< of an access fault
};

/// A fault of the kernel under test (illegal address, misaligned access, trap): its message names
/// kernel, pc, instruction, CTA, warp and lane. The candidate's status becomes `crashed`.
class KernelFault : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
  /// `cause` is what happened, without the place; `message` has both.
  KernelFault(const std::string& message, std::string cause, const FaultPlace& place)
      : std::runtime_error(message), cause_(std::move(cause)), place_(place) {}

  [[nodiscard]] std::string cause() const { return cause_.empty() ? what() : cause_; }
  /// None for faults of a whole CTA (deadlock, instruction limit).
  [[nodiscard]] const std::optional<FaultPlace>& place() const { return place_; }

private:
  std::string cause_;
  std::optional<FaultPlace> place_;
};

/// Named barrier 0..15 of one CTA.
struct CtaBarrier {
  std::uint32_t expected_warps = 0; ///< 0: not in use
  std::uint32_t arrived_warps = 0;
  std::uint32_t waiting = 0; ///< bit per warp of the CTA that waits
  std::uint32_t partial = 0; ///< BAR.RED value of the threads that arrived so far
  bool whole_cta = false;    ///< no explicit count: exited warps count as arrived
};

/// One CTA's state.
struct CtaState {
  Dim3 id;
  std::uint64_t linear_id = 0;
  std::uint32_t warps = 0;          ///< warps of the CTA
  std::uint32_t live_warps = 0;     ///< not finished
  std::vector<std::uint8_t> shared; ///< static then dynamic shared memory
  std::array<CtaBarrier, 16> barriers{};
  std::array<std::uint32_t, 16>
      reduction{}; ///< result of the last completed BAR.RED of each barrier
};

/// Values that instructions can read but that the timing model owns.
struct MachineState {
  std::uint64_t cycle = 0; ///< SM clock, for CS2R/S2R CLOCK
  std::uint32_t sm_id = 0;
  std::uint32_t warp_slot = 0;
};

/// The constant banks of one launch, ready to be indexed.
struct ConstantBanks {
  std::array<std::vector<std::uint8_t>, 32>
      bank; ///< padded so that a 16-byte read at any offset is inside
};

/// A kernel prepared for execution: lowered instructions and constant banks. Immutable while it
/// runs; shared by all SMs of a simulation.
class ExecutableKernel {
public:
  /// Lowers every reachable instruction. Throws UnsupportedError (kernel, pc, text) for what is not
  /// modelled. `parameters` is the parameter block (KernelImage::parameter_bytes bytes).
  ExecutableKernel(const isa::Cubin& cubin,
                   const isa::KernelImage& kernel,
                   Dim3 grid,
                   Dim3 block,
                   std::uint32_t dynamic_shared_bytes,
                   std::vector<std::uint8_t> parameters,
                   std::uint32_t sm_count);
  ~ExecutableKernel();
  ExecutableKernel(const ExecutableKernel&) = delete;
  ExecutableKernel& operator=(const ExecutableKernel&) = delete;

  [[nodiscard]] const isa::KernelImage& image() const;
  [[nodiscard]] const ConstantBanks& constants() const;
  /// Overwrites a `__constant__` variable (bank 3) before the launch; throws UserError: unknown
  /// symbol, size.
  void set_constant(const std::string& symbol, const std::vector<std::uint8_t>& contents);
  [[nodiscard]] Dim3 grid() const;
  [[nodiscard]] Dim3 block() const;
  [[nodiscard]] std::uint32_t shared_bytes() const; ///< static + dynamic
  [[nodiscard]] std::uint32_t warps_per_cta() const;

  struct Impl;
  [[nodiscard]] const Impl& impl() const { return *impl_; }

private:
  std::unique_ptr<Impl> impl_;
};

/// Executes instructions, one warp-instruction at a time. Holds no state of its own; create one per
/// SM.
class Executor {
public:
  /// Also maps the module's `__device__` variables into `memory`, unless they are mapped already.
  Executor(const ExecutableKernel& kernel, GlobalMemory& memory);

  /// Puts a CTA and its warps in their initial state (registers, R1, predicates, masks of partial
  /// warps). `warps` points at `kernel.warps_per_cta()` warp states.
  void start_cta(CtaState& cta, std::uint64_t linear_id, WarpState* const* warps) const;

  /// Executes the instruction at warp.pc for the running split and advances it (also: switches
  /// split). May throw KernelFault. `result` is overwritten, but result.access only when the
  /// instruction touches memory (space is always set).
  void step(WarpState& warp, CtaState& cta, const MachineState& machine, StepResult& result);

  /// True once a warp that waits at `barrier_id` may go on: the barrier has completed since it
  /// arrived. The barrier completes inside step() of the last arriving (or exiting) warp; the
  /// caller then polls.
  [[nodiscard]] static bool
  barrier_released(const CtaState& cta, const WarpState& warp, std::uint8_t barrier_id);

private:
  const ExecutableKernel& kernel_;
  GlobalMemory& memory_;
};

} // namespace coulomb::functional
