// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compiled only where CUPTI's headers are; included by the sources of hw/cupti and nobody else.

#include "hw/cupti/cupti_library.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace coulomb::hw {

/// The range profiler, enabled on a context while this lives: one range, user replay. The order of
/// the calls is that of CUPTI's documentation (Range Profiler API).
class RangeSession {
public:
  /// Throws CounterProblem: here CUPTI tells that privileges are missing.
  RangeSession(std::shared_ptr<const CuptiLibrary> library, void* context);
  RangeSession(const RangeSession&) = delete;
  RangeSession& operator=(const RangeSession&) = delete;
  ~RangeSession();

  void configure(const std::vector<std::uint8_t>& config, const std::vector<std::string>& metrics);
  /// One pass around `launch`. True once all passes are done. If `launch` throws, the pass is
  /// closed and the exception goes on.
  [[nodiscard]] bool pass(const std::function<void()>& launch);
  /// Fills counter_data(). Throws CounterProblem if the range is not there whole.
  void decode();
  [[nodiscard]] const std::vector<std::uint8_t>& counter_data() const { return counter_data_; }

private:
  std::shared_ptr<const CuptiLibrary> library_;
  CUpti_RangeProfiler_Object* object_ = nullptr;
  std::vector<std::uint8_t> config_;
  std::vector<std::uint8_t> counter_data_;
};

} // namespace coulomb::hw
