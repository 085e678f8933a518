// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/monitor.hpp"
#include "sim/sanitizer/finding_log.hpp"
#include "sim/sanitizer/float_ops.hpp"
#include "sim/sanitizer/roles.hpp"
#include "sim/sanitizer/shared_shadow.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace coulomb::sanitizer {

/// Looks for errors of a kernel while it executes functionally, as compute-sanitizer does on a GPU:
///   memory  accesses outside every buffer, or misaligned; the CTA ends there, others go on
///   race    accesses of two warps to the same shared memory with no barrier between, and reads of
///           an asynchronous copy that was not waited for
///   sync    a CTA barrier that only a part of a warp's threads reaches; deadlocks
///   init    reads of shared or local memory that nothing stored before
///   nan     the instruction that first makes a NaN or an infinity which reaches global memory
/// Between two threads of one warp it sees no race.
class Sanitizer final : public functional::Monitor {
public:
  /// `checks`: names of eval::kCheckNames. `kernel` and `memory` must outlive it.
  Sanitizer(const functional::ExecutableKernel& kernel,
            const functional::GlobalMemory& memory,
            const std::vector<std::string>& checks);
  ~Sanitizer() override;

  [[nodiscard]] std::vector<std::uint8_t> watched(const isa::KernelImage& kernel) override;
  void cta_started(const functional::CtaState& cta) override;
  void before(const functional::WarpState& warp, const functional::CtaState& cta) override;
  void after(std::uint32_t pc,
             const functional::WarpState& warp,
             const functional::CtaState& cta,
             const functional::StepResult& result) override;
  bool faulted(const functional::KernelFault& fault, const functional::CtaState& cta) override;

  [[nodiscard]] std::vector<eval::Finding> findings() const { return log_.findings(); }
  /// Message of the first access fault that `memory` took note of; empty if there was none.
  [[nodiscard]] const std::string& first_fault() const { return first_fault_; }

private:
  struct CtaShadow;

  CtaShadow& shadow(const functional::CtaState& cta);
  void follow_nans(std::uint32_t pc,
                   const functional::WarpState& warp,
                   const functional::CtaState& cta,
                   const functional::StepResult& result);
  void check(Role role,
             std::uint32_t pc,
             const functional::WarpState& warp,
             const functional::CtaState& cta,
             const functional::StepResult& result);
  void check_shared(Role role,
                    std::uint32_t pc,
                    const functional::WarpState& warp,
                    const functional::CtaState& cta,
                    const functional::StepResult& result);
  void check_local(std::uint32_t pc,
                   const functional::WarpState& warp,
                   const functional::CtaState& cta,
                   const functional::StepResult& result);
  void check_barrier(std::uint32_t pc,
                     const functional::WarpState& warp,
                     const functional::CtaState& cta,
                     const functional::StepResult& result);
  void synchronise(const functional::WarpState& warp,
                   const functional::CtaState& cta,
                   const functional::StepResult& result);
  void report(const SharedHazard& hazard,
              std::uint32_t pc,
              std::uint32_t warp,
              const functional::CtaState& cta);

  const functional::ExecutableKernel& kernel_;
  const functional::GlobalMemory& memory_;
  Checks checks_;
  FindingLog log_;
  std::vector<Role> roles_;        ///< index = pc / 16
  std::vector<FloatOp> float_ops_; ///< index = pc / 16
  std::uint32_t element_bytes_ = 4;
  std::map<std::uint64_t, std::unique_ptr<CtaShadow>> ctas_; ///< by linear id
  CtaShadow* current_ = nullptr;
  std::string first_fault_;
};

} // namespace coulomb::sanitizer
