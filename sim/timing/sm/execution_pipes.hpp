// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/instruction_timing.hpp"
#include "sim/timing/types.hpp"

#include <algorithm>
#include <array>

namespace coulomb::timing::sm {

/// Issue ports of the execution pipes of one sub-core. A 16-lane pipe is busy two cycles per warp
/// instruction, and a pipe of several units takes an instruction as soon as one of them is free;
/// GA10x alternates FP32 between FMAheavy and FMAlite, and gives integer multiply-add the heavy one
/// only.
class ExecutionPipes {
public:
  explicit ExecutionPipes(const config::PipesConfig& config)
      : imad_units_(std::min(config.imad.units, std::min(config.fma.units, kMaxUnits))) {
    const auto set = [&](Pipe pipe, std::uint32_t units) {
      units_[index(pipe)] = std::min(units, kMaxUnits);
    };
    units_.fill(1);
    set(Pipe::fma, config.fma.units);
    set(Pipe::alu, config.alu.units);
    set(Pipe::half, config.half.units);
    set(Pipe::xu, config.xu.units);
    set(Pipe::fp64, config.fp64.units);
    set(Pipe::uniform, config.uniform.units);
    set(Pipe::tensor, config.tensor.units);
  }

  /// First cycle at or after `now` at which the pipe accepts another instruction. `shared_fp64` is
  /// the FP64 unit that the whole SM shares, or null.
  [[nodiscard]] Cycle free_at(const InstructionTiming& t, const Cycle* shared_fp64) const {
    switch (t.pipe) {
    case Pipe::imad:
      return earliest(Pipe::fma, imad_units_);
    case Pipe::half:
      return t.both_fma_units ? latest(Pipe::fma, units(Pipe::fma))
                              : earliest(Pipe::half, units(Pipe::half));
    case Pipe::fp64:
      return shared_fp64 != nullptr ? *shared_fp64 : earliest(Pipe::fp64, units(Pipe::fp64));
    case Pipe::none:
    case Pipe::lsu:
    case Pipe::mio:
      return 0;
    default:
      return earliest(t.pipe, units(t.pipe));
    }
  }

  void occupy(Cycle now, const InstructionTiming& t, Cycle* shared_fp64) {
    switch (t.pipe) {
    case Pipe::imad:
      first_free(Pipe::fma, imad_units_) = now + t.interval;
      break;
    case Pipe::half:
      if (t.both_fma_units) {
        for (std::uint32_t u = 0; u < units(Pipe::fma); ++u) {
          free_[u][index(Pipe::fma)] = now + t.interval;
        }
      } else {
        first_free(Pipe::half, units(Pipe::half)) = now + t.interval;
      }
      break;
    case Pipe::fp64:
      if (shared_fp64 != nullptr) {
        *shared_fp64 = now + t.interval;
      } else {
        first_free(Pipe::fp64, units(Pipe::fp64)) = now + t.interval;
      }
      break;
    case Pipe::none:
    case Pipe::lsu:
    case Pipe::mio:
      break;
    default:
      first_free(t.pipe, units(t.pipe)) = now + t.interval;
    }
  }

private:
  static constexpr std::uint32_t kMaxUnits = 16;
  static std::size_t index(Pipe pipe) { return static_cast<std::size_t>(pipe); }

  [[nodiscard]] std::uint32_t units(Pipe pipe) const { return units_[index(pipe)]; }
  [[nodiscard]] Cycle earliest(Pipe pipe, std::uint32_t units) const {
    Cycle best = free_[0][index(pipe)];
    for (std::uint32_t u = 1; u < units; ++u) {
      best = std::min(best, free_[u][index(pipe)]);
    }
    return best;
  }
  [[nodiscard]] Cycle latest(Pipe pipe, std::uint32_t units) const {
    Cycle best = free_[0][index(pipe)];
    for (std::uint32_t u = 1; u < units; ++u) {
      best = std::max(best, free_[u][index(pipe)]);
    }
    return best;
  }
  // Integer multiply-add may only use the first unit(s), so FP32 prefers the last free one.
  Cycle& first_free(Pipe pipe, std::uint32_t units) {
    std::uint32_t best = units - 1;
    for (std::uint32_t u = units - 1; u-- > 0;) {
      best = free_[u][index(pipe)] < free_[best][index(pipe)] ? u : best;
    }
    return free_[best][index(pipe)];
  }

  std::uint32_t imad_units_;
  std::array<std::uint32_t, kPipes> units_{};
  std::array<std::array<Cycle, kPipes>, kMaxUnits> free_{}; ///< cycle at which each is free
};

} // namespace coulomb::timing::sm
