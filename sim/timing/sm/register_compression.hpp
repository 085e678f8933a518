// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/choices.hpp"
#include "base/config/gpu_config.hpp"
#include "sim/functional/warp_state.hpp"
#include "sim/timing/instruction_timing.hpp"
#include "sim/timing/types.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace coulomb::timing::sm {

/// In the order of config::kRegisterCompressions.
enum class RegisterPacking : std::uint8_t { off, base_delta };

/// Base-delta-immediate compression of registers, after Warped-Compression (ISCA 2015): at
/// write-back the 32 lanes of a register are checked; if all of them are the first lane plus a
/// signed delta of 0, 1 or 2 bytes, the register takes 1, 3 or 5 of the eight sub-banks of 16 bytes
/// that a bank consists of. A write by a part of the warp leaves the register as it is: whole.
/// Times: a compressed result is there `compression_latency` later, and an instruction with a
/// compressed source is `decompression_latency` slower. The compiler's stall counts know neither,
/// so a scoreboard holds back those who read a register before it is there.
class RegisterCompression {
public:
  static constexpr std::uint8_t kParts = 8; ///< sub-banks of a whole register

  RegisterCompression(const config::RegisterFileConfig& config, std::uint32_t warps)
      : packing_(
            config::choice<RegisterPacking>(config::kRegisterCompressions, config.compression)),
        pack_(config.compression_latency), unpack_(config.decompression_latency),
        warps_(on() ? warps : 0) {}

  [[nodiscard]] bool on() const { return packing_ != RegisterPacking::off; }

  /// For RegisterFile.
  struct Parts {
    static constexpr std::uint32_t kWhole = kParts;
    const std::array<std::uint8_t, 256>& of;
    std::uint8_t operator()(std::uint8_t reg) const { return of[reg]; }
  };
  [[nodiscard]] Parts parts(std::uint32_t slot) const { return {warps_[slot].parts}; }

  /// What one instruction did. Times in cycles, traffic in registers and sub-banks.
  struct Effect {
    std::uint8_t source_delay = 0; ///< until its sources are unpacked
    std::uint8_t result_delay = 0; ///< until its result is packed, on top
    std::uint32_t reads = 0;       ///< compressed registers
    std::uint32_t writes = 0;
    std::uint32_t saved = 0; ///< accesses to sub-banks
  };

  /// A warp begins in the slot; its registers are whole.
  void start(std::uint32_t slot) {
    if (on()) {
      warps_[slot] = Warp{};
    }
  }

  /// First cycle in which all registers that the instruction reads are there.
  [[nodiscard]] Cycle ready(std::uint32_t slot, const InstructionTiming& t) const;
  /// The instruction has executed at `now`; `whole_warp`: in all lanes.
  Effect executed(std::uint32_t slot,
                  const InstructionTiming& t,
                  const functional::WarpState& state,
                  bool whole_warp,
                  Cycle now);
  /// Sub-banks that a register with these lanes takes.
  [[nodiscard]] static std::uint8_t
  parts_of(const std::array<std::uint32_t, functional::kLanes>& lanes);

private:
  struct Warp {
    Warp() { parts.fill(kParts); }
    std::array<std::uint8_t, 256> parts;
    std::array<Cycle, 256> there{}; ///< of results later than the compiler knows; else past
  };

  RegisterPacking packing_;
  std::uint32_t pack_;
  std::uint32_t unpack_;
  std::vector<Warp> warps_;
};

} // namespace coulomb::timing::sm
