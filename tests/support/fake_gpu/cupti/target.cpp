// SPDX-License-Identifier: Apache-2.0
//
// The part of CUPTI that needs a GPU: the range profiler on a context.
#include "tests/support/fake_gpu/board.hpp"
#include "tests/support/fake_gpu/cupti/images.hpp"
#include "tests/support/fake_gpu/cupti/library.hpp"
#include "tests/support/fake_gpu/cupti/metrics.hpp"
#include "tests/support/fake_gpu/options.hpp"

#include <csignal>
#include <fmt/format.h>
#include <memory>

/// What a handle points at: the interface leaves the type open. Calls in another order than
/// enable, (set config, (start, push, pop, stop) once a pass, decode), disable are refused.
struct CUpti_RangeProfiler_Object {
  bool configured = false;
  bool started = false;
  bool in_range = false;
  std::size_t passes = 0; ///< that the configuration needs
  std::size_t done = 0;
  coulomb::fake::cupti::Work before; ///< when the first pass's range began
  coulomb::fake::cupti::Work work;   ///< of that range
  std::uint8_t* image = nullptr;     ///< the caller's, from set config on
  std::size_t image_bytes = 0;
};

namespace {

using namespace coulomb::fake::cupti;

/// Any size: a caller must ask first.
constexpr std::size_t kAvailabilityBytes = 64;

bool& initialised() {
  static bool value = false;
  return value;
}

std::unique_ptr<CUpti_RangeProfiler_Object>& enabled() {
  static std::unique_ptr<CUpti_RangeProfiler_Object> object;
  return object;
}

bool is_enabled(const CUpti_RangeProfiler_Object* object) {
  return object != nullptr && enabled().get() == object;
}

struct Obstacle {
  const char* name; ///< value of FAKE_CUPTI_UNSUPPORTED
  CUpti_Profiler_Support_Level CUpti_Profiler_DeviceSupported_Params::*flag;
};
constexpr Obstacle kObstacles[] = {
    {"architecture", &CUpti_Profiler_DeviceSupported_Params::architecture},
    {"sli", &CUpti_Profiler_DeviceSupported_Params::sli},
    {"vgpu", &CUpti_Profiler_DeviceSupported_Params::vGpu},
    {"confidential", &CUpti_Profiler_DeviceSupported_Params::confidentialCompute},
    {"cmp", &CUpti_Profiler_DeviceSupported_Params::cmp},
    {"wsl", &CUpti_Profiler_DeviceSupported_Params::wsl},
};

void fill_support(CUpti_Profiler_DeviceSupported_Params& p) {
  const std::string obstacle = coulomb::fake::option("FAKE_CUPTI_UNSUPPORTED");
  p.isSupported = obstacle.empty() ? CUPTI_PROFILER_CONFIGURATION_SUPPORTED
                                   : CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
  bool known = obstacle.empty();
  for (const Obstacle& one : kObstacles) {
    p.*one.flag = obstacle == one.name ? CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED
                                       : CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    known = known || obstacle == one.name;
  }
  if (!known) {
    coulomb::fake::refuse_option("FAKE_CUPTI_UNSUPPORTED",
                                 fmt::format("there is no obstacle {}", obstacle));
  }
}

} // namespace

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params* p) {
  return Library::get().call("cuptiProfilerInitialize", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_Initialize_Params, p)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    initialised() = true;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiProfilerDeInitialize(CUpti_Profiler_DeInitialize_Params* p) {
  return Library::get().call("cuptiProfilerDeInitialize", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_DeInitialize_Params, p)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    initialised() = false;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiProfilerDeviceSupported(CUpti_Profiler_DeviceSupported_Params* p) {
  return Library::get().call("cuptiProfilerDeviceSupported", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_DeviceSupported_Params, p) ||
        p->cuDevice >= coulomb::fake::board_count()) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    fill_support(*p);
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params* p) {
  return Library::get().call("cuptiDeviceGetChipName", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Device_GetChipName_Params, p) ||
        p->deviceIndex >= static_cast<std::size_t>(coulomb::fake::board_count())) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    p->pChipName = coulomb::fake::chosen_board().chip;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params* p) {
  return Library::get().call("cuptiProfilerGetCounterAvailability", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_GetCounterAvailability_Params, p) ||
        (p->pCounterAvailabilityImage != nullptr &&
         p->counterAvailabilityImageSize < kAvailabilityBytes)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    if (!initialised()) {
      return CUPTI_ERROR_INVALID_OPERATION;
    }
    p->counterAvailabilityImageSize = kAvailabilityBytes;
    if (p->pCounterAvailabilityImage != nullptr) {
      std::memset(p->pCounterAvailabilityImage, 1, kAvailabilityBytes);
    }
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params* p) {
  return Library::get().call("cuptiRangeProfilerEnable", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_RangeProfiler_Enable_Params, p)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    if (p->ctx == nullptr) {
      ::raise(SIGSEGV); // as CUPTI does
    }
    if (!initialised() || enabled()) {
      return CUPTI_ERROR_INVALID_OPERATION;
    }
    enabled() = std::make_unique<CUpti_RangeProfiler_Object>();
    p->pRangeProfilerObject = enabled().get();
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params* p) {
  return Library::get().call("cuptiRangeProfilerDisable", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_RangeProfiler_Disable_Params, p) ||
        !is_enabled(p->pRangeProfilerObject)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    enabled().reset();
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params* p) {
  return Library::get().call("cuptiRangeProfilerGetCounterDataSize", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_RangeProfiler_GetCounterDataSize_Params, p) ||
        !is_enabled(p->pRangeProfilerObject) || p->maxNumRangeTreeNodes < p->maxNumOfRanges) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    p->counterDataSize = sizeof(CounterImage);
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerCounterDataImageInitialize(
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params* p) {
  return Library::get().call("cuptiRangeProfilerCounterDataImageInitialize", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, p) ||
        !is_enabled(p->pRangeProfilerObject) ||
        !write_image(CounterImage{}, p->pCounterData, p->counterDataSize)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params* p) {
  return Library::get().call("cuptiRangeProfilerSetConfig", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_RangeProfiler_SetConfig_Params, p) ||
        !is_enabled(p->pRangeProfilerObject)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    const auto config = read_image<ConfigImage>(p->pConfig, p->configSize);
    if (!config || !read_image<CounterImage>(p->pCounterDataImage, p->counterDataImageSize)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    if (p->range != CUPTI_UserRange || p->replayMode != CUPTI_UserReplay) {
      return CUPTI_ERROR_NOT_SUPPORTED; // by the test double: it does not replay kernels itself
    }
    CUpti_RangeProfiler_Object& object = *p->pRangeProfilerObject;
    object = CUpti_RangeProfiler_Object{};
    object.configured = true;
    object.passes = config->passes;
    object.image = p->pCounterDataImage;
    object.image_bytes = p->counterDataImageSize;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params* p) {
  return Library::get().call("cuptiRangeProfilerStart", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_RangeProfiler_Start_Params, p) ||
        !is_enabled(p->pRangeProfilerObject)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    CUpti_RangeProfiler_Object& object = *p->pRangeProfilerObject;
    if (!object.configured || object.started || object.done == object.passes) {
      return CUPTI_ERROR_INVALID_OPERATION;
    }
    object.started = true;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerPushRange(CUpti_RangeProfiler_PushRange_Params* p) {
  return Library::get().call("cuptiRangeProfilerPushRange", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_RangeProfiler_PushRange_Params, p) ||
        !is_enabled(p->pRangeProfilerObject) || p->pRangeName == nullptr) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    CUpti_RangeProfiler_Object& object = *p->pRangeProfilerObject;
    if (!object.started || object.in_range) {
      return CUPTI_ERROR_INVALID_OPERATION;
    }
    object.in_range = true;
    object.before = work_so_far();
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerPopRange(CUpti_RangeProfiler_PopRange_Params* p) {
  return Library::get().call("cuptiRangeProfilerPopRange", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_RangeProfiler_PopRange_Params, p) ||
        !is_enabled(p->pRangeProfilerObject)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    CUpti_RangeProfiler_Object& object = *p->pRangeProfilerObject;
    if (!object.in_range) {
      return CUPTI_ERROR_INVALID_OPERATION;
    }
    object.in_range = false;
    if (object.done == 0) {
      const Work now = work_so_far();
      object.work = {now.known, now.launches - object.before.launches,
                     now.warp_instructions - object.before.warp_instructions,
                     now.ns - object.before.ns};
    }
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params* p) {
  return Library::get().call("cuptiRangeProfilerStop", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_RangeProfiler_Stop_Params, p) ||
        !is_enabled(p->pRangeProfilerObject)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    CUpti_RangeProfiler_Object& object = *p->pRangeProfilerObject;
    if (!object.started || object.in_range) {
      return CUPTI_ERROR_INVALID_OPERATION;
    }
    object.started = false;
    p->passIndex = ++object.done;
    p->targetNestingLevel = 1;
    p->isAllPassSubmitted = object.done == object.passes ? 1 : 0;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params* p) {
  return Library::get().call("cuptiRangeProfilerDecodeData", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_RangeProfiler_DecodeData_Params, p) ||
        !is_enabled(p->pRangeProfilerObject)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    const CUpti_RangeProfiler_Object& object = *p->pRangeProfilerObject;
    if (!object.configured || object.started) {
      return CUPTI_ERROR_INVALID_OPERATION;
    }
    CounterImage image;
    image.ranges = object.done == object.passes ? 1 : 0; // a range needs all of its passes
    image.work = object.work;
    p->numOfRangeDropped = 0;
    return write_image(image, object.image, object.image_bytes) ? CUPTI_SUCCESS
                                                                : CUPTI_ERROR_INVALID_PARAMETER;
  });
}

CUptiResult cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params* p) {
  return Library::get().call("cuptiRangeProfilerGetCounterDataInfo", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_RangeProfiler_GetCounterDataInfo_Params, p)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    const auto image = read_image<CounterImage>(p->pCounterDataImage, p->counterDataImageSize);
    if (!image) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    p->numTotalRanges = image->ranges;
    return CUPTI_SUCCESS;
  });
}
