// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/kernel_impl.hpp"
#include "sim/functional/monitor.hpp"
#include "sim/sanitizer/float_ops.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace coulomb::sanitizer {

/// Follows NaNs and infinities from the arithmetic instruction that made them out of finite numbers
/// through registers, shuffles, shared and local memory of one CTA to a store to global memory: one
/// that never gets there (slow paths of divisions test for them) is of no interest.
class NanTracker {
public:
  /// A value that was made at `pc` reaches global memory by the store at `store_pc`.
  struct Arrival {
    std::uint32_t pc = 0;
    std::uint32_t store_pc = 0;
    int lane = 0; ///< that stored it
    bool nan = false;
  };
  NanTracker(const functional::ExecutableKernel::Impl& kernel,
             const std::vector<FloatOp>& operations);
  /// Nothing but arithmetic is of interest while this is false.
  [[nodiscard]] bool has_tags() const { return any_tags_; }

  /// Whether the instruction at index = pc / 16 has to be seen, as functional::Watch bits.
  [[nodiscard]] std::uint8_t watch(std::size_t index) const;

  /// Quick answer for the usual case: the instruction at `index` has computed one f32 register, in
  /// which there is no NaN or infinity. False: it has to be looked at.
  [[nodiscard]] bool is_harmless(std::uint32_t index, const functional::WarpState& warp) const {
    constexpr std::uint32_t kExponent = 0x7f800000;
    const Plan& plan = plans_[index];
    if (plan.op.result != FloatFormat::f32 || plan.op.tensor || plan.result == 255) {
      return false;
    }
    const std::uint32_t* bits = warp.registers[plan.result].data();
    std::uint32_t any = 0;
    for (int l = 0; l < functional::kLanes; ++l) {
      any |= (bits[l] & kExponent) == kExponent ? 1U : 0U;
    }
    return any == 0;
  }

  /// Keeps the sources that the instruction overwrites.
  void before(const functional::WarpState& warp);
  void
  after(std::uint32_t pc, const functional::WarpState& warp, const functional::StepResult& result);
  /// What the last after() found; empty nearly always.
  [[nodiscard]] const std::vector<Arrival>& arrivals() const { return arrivals_; }

private:
  /// What is to be done for an instruction.
  struct Plan {
    FloatOp op;
    unsigned result = 255;   ///< first register of the result; 255: none that is kept
    unsigned registers = 1;  ///< of the result
    bool overwrites = false; ///< a source is one of them
  };
  /// Valid while the register still holds these bits.
  struct Tag {
    std::uint32_t bits = 0;
    std::uint32_t pc = 0;
    bool valid = false;
    bool nan = false;
  };
  using TagRow = std::array<Tag, functional::kLanes>;
  struct WarpTags {
    std::bitset<256> tagged; ///< registers that have a row
    std::unordered_map<unsigned, TagRow> rows;
  };

  [[nodiscard]] const std::uint32_t*
  source_row(const functional::WarpState& warp, const Plan& plan, functional::Row where) const;
  [[nodiscard]] std::uint32_t nonfinite_sources(std::uint32_t index,
                                                const functional::WarpState& warp) const;
  [[nodiscard]] Tag find(const functional::WarpState& warp, unsigned reg, int lane) const;
  void set(const functional::WarpState& warp, unsigned reg, int lane, Tag tag);
  [[nodiscard]] Tag inherited(const functional::WarpState& warp,
                              const functional::MicroOp& op,
                              int lane,
                              bool any_lane) const;
  void computed(std::uint32_t pc, const functional::WarpState& warp, std::uint32_t executed);
  void moved(std::uint32_t pc, const functional::WarpState& warp, std::uint32_t executed);
  void
  stored(std::uint32_t pc, const functional::WarpState& warp, const functional::StepResult& result);
  void
  loaded(std::uint32_t pc, const functional::WarpState& warp, const functional::StepResult& result);

  const functional::ExecutableKernel::Impl& kernel_;
  std::vector<Plan> plans_; ///< index = pc / 16
  std::vector<WarpTags> warps_;
  bool any_tags_ = false;
  std::vector<Arrival> arrivals_;
  /// Registers of the result before the instruction, if they are a source too.
  alignas(64) std::array<std::array<std::uint32_t, functional::kLanes>, 4> overwritten_{};
  std::unordered_map<std::uint64_t, Tag> shared_; ///< by offset
  std::unordered_map<std::uint64_t, Tag> local_;  ///< by warp, lane and offset
};

} // namespace coulomb::sanitizer
