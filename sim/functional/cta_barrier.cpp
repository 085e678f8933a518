// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/cta_barrier.hpp"

#include <bit>

namespace coulomb::functional {
namespace {
void complete_if_full(CtaState& cta, unsigned id) {
  CtaBarrier& barrier = cta.barriers[id];
  if (barrier.expected_warps == 0) {
    return;
  }
  const std::uint32_t exited = barrier.whole_cta ? cta.warps - cta.live_warps : 0;
  if (barrier.arrived_warps + exited >= barrier.expected_warps) {
    cta.reduction[id] = barrier.partial;
    barrier = CtaBarrier{};
  }
}

/// Sets up the barrier for its first arrival.
CtaBarrier& open(CtaState& cta, const BarrierArrival& arrival) {
  CtaBarrier& barrier = cta.barriers[arrival.id];
  if (barrier.expected_warps == 0) {
    barrier.whole_cta = arrival.threads == 0;
    barrier.expected_warps = barrier.whole_cta ? cta.warps : (arrival.threads + 31) / 32;
    barrier.partial = arrival.reduction == BarrierReduction::all ? 1 : 0;
  }
  return barrier;
}
} // namespace

void contribute(CtaState& cta,
                const BarrierArrival& arrival,
                std::uint32_t lanes,
                std::uint32_t values) {
  CtaBarrier& barrier = open(cta, arrival);
  const std::uint32_t set = lanes & values;
  switch (arrival.reduction) {
  case BarrierReduction::popc:
    barrier.partial += static_cast<std::uint32_t>(std::popcount(set));
    break;
  case BarrierReduction::all:
    barrier.partial &= set == lanes ? 1 : 0;
    break;
  case BarrierReduction::any:
    barrier.partial |= set != 0 ? 1 : 0;
    break;
  case BarrierReduction::none:
    break;
  }
}

void arrive(CtaState& cta, const WarpState& warp, const BarrierArrival& arrival, bool waits) {
  CtaBarrier& barrier = open(cta, arrival);
  ++barrier.arrived_warps;
  if (waits) {
    barrier.waiting |= 1U << warp.warp_in_cta;
  }
  complete_if_full(cta, arrival.id);
}

void warp_exited(CtaState& cta) {
  for (unsigned id = 0; id < cta.barriers.size(); ++id) {
    complete_if_full(cta, id);
  }
}

} // namespace coulomb::functional
