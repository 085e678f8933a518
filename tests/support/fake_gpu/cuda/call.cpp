// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_gpu/cuda/call.hpp"

#include "hw/cuda/driver_abi.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <fmt/format.h>
#include <unistd.h>

namespace coulomb::fake::cuda {
namespace {

using hw::abi::Result;

const std::vector<std::string>& function_names() {
#define FAKE_CUDA_NAME(member, name, ...) name,
  static const std::vector<std::string> names{COULOMB_CUDA_FUNCTIONS(FAKE_CUDA_NAME)
                                                  COULOMB_CUDA_OPTIONAL_FUNCTIONS(FAKE_CUDA_NAME)};
#undef FAKE_CUDA_NAME
  return names;
}

/// After these the context is of no use until the process ends (CUDA Driver API, CUresult).
bool sticks(Result result) {
  static constexpr std::array kSticky{hw::abi::kEccUncorrectable,   hw::abi::kIllegalAddress,
                                      hw::abi::kLaunchTimeout,      hw::abi::kAssert,
                                      hw::abi::kHardwareStackError, hw::abi::kIllegalInstruction,
                                      hw::abi::kMisalignedAddress,  hw::abi::kInvalidAddressSpace,
                                      hw::abi::kInvalidPc,          hw::abi::kLaunchFailed};
  return std::find(kSticky.begin(), kSticky.end(), result) != kSticky.end();
}

/// Passes on what kernels printed: the real driver does so whenever the host waits for the device.
void flush_printed(hw::abi::ContextT& context) {
  const std::string text = context.memory.printed();
  if (text.size() > context.printed) {
    std::fwrite(text.data() + context.printed, 1, text.size() - context.printed, stdout);
    std::fflush(stdout);
    context.printed = text.size();
  }
}

} // namespace

Driver& Driver::get() {
  static Driver driver;
  return driver;
}

Driver::Driver()
    : faults_("FAKE_CUDA_FAIL",
              function_names(),
              {{"oom", hw::abi::kOutOfMemory},
               {"ecc", hw::abi::kEccUncorrectable},
               {"illegal", hw::abi::kIllegalAddress},
               {"timeout", hw::abi::kLaunchTimeout},
               {"lost", hw::abi::kDeviceUnavailable}}),
      log_("FAKE_CUDA_LOG") {}

hw::abi::ContextT*& Driver::current() {
  static thread_local hw::abi::ContextT* context = nullptr;
  return context;
}

void Driver::initialise() {
  initialised_ = true;
  if (contexts_.empty()) {
    for (int i = 0; i < board_count(); ++i) {
      contexts_.push_back(nullptr);
    }
  }
}

Result Driver::enter(Needs needs) {
  if (needs == Needs::nothing) {
    return hw::abi::kSuccess;
  }
  if (!initialised_) {
    return hw::abi::kNotInitialized;
  }
  if (needs == Needs::driver) {
    return hw::abi::kSuccess;
  }
  if (sticky_ != 0) {
    return sticky_;
  }
  if (needs == Needs::device) {
    return hw::abi::kSuccess;
  }
  if (current() == nullptr) {
    return kInvalidContext;
  }
  if (needs == Needs::waiting) {
    current()->timeline.sleep();
    flush_printed(*current());
    if (pending_ != 0) {
      sticky_ = pending_;
      return sticky_;
    }
  }
  return hw::abi::kSuccess;
}

Result Driver::call(const char* name, Needs needs, const std::function<Result()>& body) {
  std::unique_lock lock(mutex_);
  log_.line(name);
  try {
    if (const auto planned = faults_.next(name)) {
      sticky_ = sticks(planned->result) ? planned->result : sticky_;
      lock.unlock(); // only this thread hangs
      return planned->carry_out();
    }
    if (const Result result = enter(needs); result != hw::abi::kSuccess) {
      return result;
    }
    if (needs == Needs::waiting && hung_) {
      lock.unlock();
      for (;;) {
        ::pause();
      }
    }
    return body();
  } catch (const std::exception& error) {
    fmt::print(stderr, "fake libcuda: {}: {}\n", name, error.what());
    return hw::abi::kUnknown;
  }
}

void Driver::device_failed(Result result, const std::string& why) {
  pending_ = result;
  log_.line(fmt::format("# {}: {}", result, why));
}

void Driver::device_hung(const std::string& why) {
  hung_ = true;
  log_.line("# hangs: " + why);
}

} // namespace coulomb::fake::cuda
