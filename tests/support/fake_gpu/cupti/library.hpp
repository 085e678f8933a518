// SPDX-License-Identifier: Apache-2.0
#pragma once

// Test double of libcupti (options.hpp); never installed. With this the headers export what they
// declare; exports.map lets nothing else out.
#define CUPTI_LIB

#include "tests/support/fake_gpu/fault_plan.hpp"

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <cupti_version.h>
#include <functional>
#include <mutex>

namespace coulomb::fake::cupti {

/// The library's state in this process.
class Library {
public:
  static Library& get();

  /// A call: log, planned faults, `body`. An exception of `body` is the test double's own failure:
  /// standard error has it, the answer is 999.
  CUptiResult call(const char* name, const std::function<CUptiResult()>& body);

private:
  std::mutex mutex_;
  FaultPlan faults_;
  CallLog log_;
  Library();
};

/// Whether a parameter struct is as CUPTI wants it; it also looks whether the fields are there.
#define FAKE_CUPTI_PARAMS_OK(type, params)                                                         \
  ((params) != nullptr && (params)->structSize == type##_STRUCT_SIZE && (params)->pPriv == nullptr)

} // namespace coulomb::fake::cupti
