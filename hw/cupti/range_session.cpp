// SPDX-License-Identifier: Apache-2.0
#ifdef COULOMB_HAS_RANGE_PROFILER

#include "hw/cupti/range_session.hpp"

#include "hw/cupti/host_profiler.hpp"

namespace coulomb::hw {

RangeSession::RangeSession(std::shared_ptr<const CuptiLibrary> library, void* context)
    : library_(std::move(library)) {
  COULOMB_CHECK(context != nullptr, "the range profiler crashes without a context");
  COULOMB_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, p);
  p.ctx = static_cast<CUcontext>(context);
  library_->check(library_->cuptiRangeProfilerEnable(&p), "cuptiRangeProfilerEnable");
  object_ = p.pRangeProfilerObject;
}

RangeSession::~RangeSession() {
  COULOMB_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, p);
  p.pRangeProfilerObject = object_;
  library_->cuptiRangeProfilerDisable(&p);
}

void RangeSession::configure(const std::vector<std::uint8_t>& config,
                             const std::vector<std::string>& metrics) {
  std::vector<const char*> names = pointers_to(metrics);
  COULOMB_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, s);
  s.pRangeProfilerObject = object_;
  s.pMetricNames = names.data();
  s.numMetrics = names.size();
  s.maxNumOfRanges = 1;
  s.maxNumRangeTreeNodes = 1;
  library_->check(library_->cuptiRangeProfilerGetCounterDataSize(&s),
                  "cuptiRangeProfilerGetCounterDataSize");
  counter_data_.assign(s.counterDataSize, 0);
  COULOMB_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, i);
  i.pRangeProfilerObject = object_;
  i.counterDataSize = counter_data_.size();
  i.pCounterData = counter_data_.data();
  library_->check(library_->cuptiRangeProfilerCounterDataImageInitialize(&i),
                  "cuptiRangeProfilerCounterDataImageInitialize");
  config_ = config;
  COULOMB_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, c);
  c.pRangeProfilerObject = object_;
  c.configSize = config_.size();
  c.pConfig = config_.data();
  c.counterDataImageSize = counter_data_.size();
  c.pCounterDataImage = counter_data_.data();
  c.range = CUPTI_UserRange;
  c.replayMode = CUPTI_UserReplay;
  c.maxRangesPerPass = 1;
  c.numNestingLevels = 1;
  c.minNestingLevel = 1;
  library_->check(library_->cuptiRangeProfilerSetConfig(&c), "cuptiRangeProfilerSetConfig");
}

bool RangeSession::pass(const std::function<void()>& launch) {
  COULOMB_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params, start);
  start.pRangeProfilerObject = object_;
  COULOMB_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange_Params, push);
  push.pRangeProfilerObject = object_;
  push.pRangeName = "kernel";
  COULOMB_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params, pop);
  pop.pRangeProfilerObject = object_;
  COULOMB_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, stop);
  stop.pRangeProfilerObject = object_;
  library_->check(library_->cuptiRangeProfilerStart(&start), "cuptiRangeProfilerStart");
  library_->check(library_->cuptiRangeProfilerPushRange(&push), "cuptiRangeProfilerPushRange");
  try {
    launch();
  } catch (...) {
    // The kernel's failure is what the caller must see, whatever CUPTI says of the open range.
    library_->cuptiRangeProfilerPopRange(&pop);
    library_->cuptiRangeProfilerStop(&stop);
    throw;
  }
  library_->check(library_->cuptiRangeProfilerPopRange(&pop), "cuptiRangeProfilerPopRange");
  library_->check(library_->cuptiRangeProfilerStop(&stop), "cuptiRangeProfilerStop");
  return stop.isAllPassSubmitted != 0;
}

void RangeSession::decode() {
  COULOMB_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params, d);
  d.pRangeProfilerObject = object_;
  library_->check(library_->cuptiRangeProfilerDecodeData(&d), "cuptiRangeProfilerDecodeData");
  COULOMB_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, n);
  n.pCounterDataImage = counter_data_.data();
  n.counterDataImageSize = counter_data_.size();
  library_->check(library_->cuptiRangeProfilerGetCounterDataInfo(&n),
                  "cuptiRangeProfilerGetCounterDataInfo");
  if (n.numTotalRanges != 1 || d.numOfRangeDropped != 0) {
    throw CounterProblem(CounterObstacle::failed,
                         fmt::format("CUPTI gave {} ranges of counters and dropped {}; 1 and 0 "
                                     "were expected",
                                     n.numTotalRanges, d.numOfRangeDropped),
                         "times are measured without counters");
  }
}

} // namespace coulomb::hw

#endif
