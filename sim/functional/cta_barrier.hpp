// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/executor.hpp"

/// Named barriers of a CTA, counted in warps. Source: PTX bar semantics.
namespace coulomb::functional {

enum class BarrierReduction : std::uint8_t { none, popc, all, any };

/// What one warp (or a part of it) brings to a barrier.
struct BarrierArrival {
  unsigned id = 0;
  std::uint32_t threads = 0; ///< explicit count; 0: all threads of the CTA
  BarrierReduction reduction = BarrierReduction::none;
};

/// Adds the predicate of arriving threads to the barrier's reduction.
void contribute(CtaState& cta,
                const BarrierArrival& arrival,
                std::uint32_t lanes,
                std::uint32_t values);
/// Counts the whole warp as arrived; `waits`: until the barrier completes. Completes it if it was
/// the last one.
void arrive(CtaState& cta, const WarpState& warp, const BarrierArrival& arrival, bool waits);
/// To be called when a warp of the CTA has exited: completes the barriers that waited only for it.
void warp_exited(CtaState& cta);

} // namespace coulomb::functional
