// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/instruction_timing.hpp"
#include "sim/timing/types.hpp"

#include <algorithm>
#include <array>

namespace coulomb::timing::sm {

/// Issue ports of the execution pipes of one sub-core. A 16-lane pipe is busy two cycles per warp
/// instruction; GA10x alternates FP32 between FMAheavy and FMAlite, and gives integer multiply-add
/// the heavy one only.
class ExecutionPipes {
public:
  explicit ExecutionPipes(const config::PipesConfig& config)
      : fma_units_(std::min(config.fma.units, kMaxUnits)),
        imad_units_(std::min(config.imad.units, fma_units_)) {}

  /// First cycle at or after `now` at which the pipe accepts another instruction. `shared_fp64` is
  /// the FP64 unit that the whole SM shares, or null.
  [[nodiscard]] Cycle free_at(const InstructionTiming& t, const Cycle* shared_fp64) const {
    switch (t.pipe) {
    case Pipe::fma:
      return earliest(fma_units_);
    case Pipe::imad:
      return earliest(imad_units_);
    case Pipe::half:
      return t.both_fma_units ? *std::max_element(fma_.begin(), fma_.begin() + fma_units_)
                              : other_[index(t)];
    case Pipe::fp64:
      return shared_fp64 != nullptr ? std::max(*shared_fp64, other_[index(t)]) : other_[index(t)];
    case Pipe::none:
    case Pipe::lsu:
    case Pipe::mio:
      return 0;
    default:
      return other_[index(t)];
    }
  }

  void occupy(Cycle now, const InstructionTiming& t, Cycle* shared_fp64) {
    switch (t.pipe) {
    case Pipe::fma:
      *first_free(fma_units_) = now + t.interval;
      break;
    case Pipe::imad:
      *first_free(imad_units_) = now + t.interval;
      break;
    case Pipe::half:
      if (t.both_fma_units) {
        std::fill_n(fma_.begin(), fma_units_, now + t.interval);
      } else {
        other_[index(t)] = now + t.interval;
      }
      break;
    case Pipe::fp64:
      other_[index(t)] = now + t.interval;
      if (shared_fp64 != nullptr) {
        *shared_fp64 = now + t.interval;
      }
      break;
    case Pipe::none:
    case Pipe::lsu:
    case Pipe::mio:
      break;
    default:
      other_[index(t)] = now + t.interval;
    }
  }

  void reset() {
    fma_ = {};
    other_ = {};
  }

private:
  static constexpr std::uint32_t kMaxUnits = 4;
  static std::size_t index(const InstructionTiming& t) { return static_cast<std::size_t>(t.pipe); }
  [[nodiscard]] Cycle earliest(std::uint32_t units) const {
    return *std::min_element(fma_.begin(), fma_.begin() + units);
  }
  // Integer multiply-add may only use the first unit(s), so FP32 prefers the last free one.
  Cycle* first_free(std::uint32_t units) {
    Cycle* best = &fma_[units - 1];
    for (std::uint32_t u = units - 1; u-- > 0;) {
      if (fma_[u] < *best) {
        best = &fma_[u];
      }
    }
    return best;
  }

  std::uint32_t fma_units_;
  std::uint32_t imad_units_;
  std::array<Cycle, kMaxUnits> fma_{};
  std::array<Cycle, kPipes> other_{};
};

} // namespace coulomb::timing::sm
