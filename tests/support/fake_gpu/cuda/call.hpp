// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fake_gpu/cuda/context.hpp"
#include "tests/support/fake_gpu/fault_plan.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace coulomb::fake::cuda {

/// Results that the interface's header does not name because Coulomb does not tell them apart.
enum : hw::abi::Result {
  kInvalidContext = 201,
  kJitCompilerNotFound = 221,
  kInvalidHandle = 400,
  kNotSupported = 801,
};

/// What a function needs, and what it answers after a sticky error.
enum class Needs {
  nothing, ///< works always
  driver,  ///< cuInit
  device,  ///< cuInit, and a device that is not lost: answers a sticky error
  context, ///< the same, and a current context
  waiting, ///< the same, and waits for the device: finds out what went wrong there
};

/// The driver's state in this process.
class Driver {
public:
  static Driver& get();

  /// Performs a call of the function `name`: log, planned faults, state of the driver, `body`. An
  /// exception of `body` is the test double's own failure: standard error has it, the answer is
  /// 999.
  hw::abi::Result call(const char* name, Needs needs, const std::function<hw::abi::Result()>& body);

  void initialise();
  [[nodiscard]] std::vector<std::unique_ptr<hw::abi::ContextT>>& contexts() { return contexts_; }
  /// Of the calling thread; null: none.
  static hw::abi::ContextT*& current();
  /// A kernel went wrong on the device: the next call that waits answers `result`. `why` goes to
  /// the log.
  void device_failed(hw::abi::Result result, const std::string& why);
  /// The device will never finish what it does: the next call that waits does not return.
  void device_hung(const std::string& why);
  /// No kernel runs any more.
  [[nodiscard]] bool device_stopped() const { return hung_ || pending_ != 0; }

private:
  Driver();
  hw::abi::Result enter(Needs needs);

  std::mutex mutex_;
  FaultPlan faults_;
  CallLog log_;
  bool initialised_ = false;
  bool hung_ = false;
  hw::abi::Result pending_ = 0; ///< what the device ran into and no call has answered yet
  hw::abi::Result sticky_ = 0;
  std::vector<std::unique_ptr<hw::abi::ContextT>> contexts_; ///< one a device
};

/// The current context: there is one in calls that need it.
[[nodiscard]] inline hw::abi::ContextT& here() {
  return *Driver::current();
}

} // namespace coulomb::fake::cuda
