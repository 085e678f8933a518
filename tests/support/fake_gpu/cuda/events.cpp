// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_gpu/cuda/call.hpp"
#include "tests/support/fake_gpu/cuda/exports.hpp"

#include <algorithm>

namespace {

using namespace coulomb;
using namespace coulomb::fake::cuda;
using hw::abi::Result;

constexpr double kNsPerMs = 1e6;
/// CU_EVENT_BLOCKING_SYNC, _DISABLE_TIMING, _INTERPROCESS.
constexpr unsigned kEventFlags = 7;

} // namespace

Result cuEventCreate(hw::abi::Event* event, unsigned flags) {
  return Driver::get().call("cuEventCreate", Needs::context, [&] {
    if (event == nullptr || flags > kEventFlags) {
      return Result{hw::abi::kInvalidValue};
    }
    auto made = std::make_unique<hw::abi::EventT>();
    made->context = &here();
    *event = made.get();
    here().events.push_back(std::move(made));
    return Result{hw::abi::kSuccess};
  });
}

Result cuEventDestroy_v2(hw::abi::Event event) {
  return Driver::get().call("cuEventDestroy_v2", Needs::context, [&] {
    if (!holds(here().events, event)) {
      return Result{kInvalidHandle};
    }
    std::erase_if(here().events, [event](const auto& one) { return one.get() == event; });
    return Result{hw::abi::kSuccess};
  });
}

Result cuEventRecord(hw::abi::Event event, hw::abi::Stream stream) {
  return Driver::get().call("cuEventRecord", Needs::context, [&] {
    if (!holds(here().events, event) || stream != nullptr) {
      return Result{kInvalidHandle};
    }
    event->recorded = true;
    event->stamp_ns = here().timeline.stamp();
    event->work = here().timeline.mark();
    return Result{hw::abi::kSuccess};
  });
}

Result cuEventSynchronize(hw::abi::Event event) {
  return Driver::get().call("cuEventSynchronize", Needs::waiting, [&] {
    if (!holds(here().events, event)) {
      return Result{kInvalidHandle};
    }
    if (event->recorded) {
      here().timeline.wait_for(event->work);
    }
    return Result{hw::abi::kSuccess};
  });
}

/// Stricter than a GPU, which may be done with the work although nobody waited: a caller that does
/// not wait is wrong, and here it finds out every time.
Result cuEventElapsedTime(float* milliseconds, hw::abi::Event start, hw::abi::Event end) {
  return Driver::get().call("cuEventElapsedTime", Needs::context, [&] {
    if (!holds(here().events, start) || !holds(here().events, end) || !start->recorded ||
        !end->recorded) {
      return Result{kInvalidHandle};
    }
    if (std::max(start->work, end->work) > here().timeline.waited_for()) {
      return Result{hw::abi::kNotReady};
    }
    *milliseconds = static_cast<float>((end->stamp_ns - start->stamp_ns) / kNsPerMs);
    return Result{hw::abi::kSuccess};
  });
}
