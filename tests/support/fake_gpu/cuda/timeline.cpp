// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_gpu/cuda/timeline.hpp"

#include "base/random.hpp"
#include "tests/support/fake_gpu/options.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace coulomb::fake::cuda {
namespace {

constexpr double kLaunchNs = 2200.0;
/// Resolution of the events of Ampere boards.
constexpr double kStepNs = 1024.0;
constexpr double kBytesPerNs = 20.0;
constexpr double kInstructionsPerClock = 2.0;
/// Of the tail: a Pareto distribution of shape 2, from 0.
constexpr double kTail = 0.004;
constexpr double kLongestTail = 4.0;

} // namespace

Timeline::Timeline(int sms, unsigned clock_mhz)
    : rate_(option_number("FAKE_CUDA_RATE",
                          kInstructionsPerClock * sms * static_cast<double>(clock_mhz) * 1e6) *
            1e-9),
      scale_(option_number("FAKE_CUDA_TIME_SCALE", 1.0)),
      first_ns_(option_number("FAKE_CUDA_FIRST_US", 30.0) * 1e3),
      jitter_scale_(option_number("FAKE_CUDA_JITTER", 1.0)),
      seed_(static_cast<std::uint64_t>(option_number("FAKE_CUDA_SEED", 1.0))),
      real_time_(option_number("FAKE_CUDA_REAL_TIME", 0.0)) {
  const std::vector<std::string> slow = split(option("FAKE_CUDA_SLOW"), '@');
  if (!slow.empty()) {
    slow_factor_ = number_of(slow.front(), "FAKE_CUDA_SLOW");
    slow_from_ =
        slow.size() < 2 ? 1 : static_cast<std::uint64_t>(number_of(slow.back(), "FAKE_CUDA_SLOW"));
  }
}

double Timeline::jitter() const {
  RandomStream stream(seed_, "fake launch", static_cast<std::uint64_t>(totals_.launches));
  const double tail = kTail * (1.0 / std::sqrt(1.0 - stream.uniform()) - 1.0);
  return 1.0 + jitter_scale_ * std::min(tail, kLongestTail);
}

void Timeline::launch(double warp_instructions, bool first_of_function) {
  totals_.launches += 1;
  ++given_;
  const double slow =
      slow_from_ != 0 && totals_.launches >= static_cast<double>(slow_from_) ? slow_factor_ : 1.0;
  const double ns = (kLaunchNs + warp_instructions / rate_) * scale_ * slow * jitter() +
                    (first_of_function ? first_ns_ : 0.0);
  now_ns_ += ns;
  totals_.ns += ns;
  totals_.warp_instructions += warp_instructions;
}

void Timeline::transfer(std::uint64_t bytes) {
  ++given_;
  now_ns_ += static_cast<double>(bytes) / kBytesPerNs;
}

void Timeline::sleep() {
  const double ns = (now_ns_ - slept_until_ns_) * real_time_;
  slept_until_ns_ = now_ns_;
  std::this_thread::sleep_for(std::chrono::duration<double, std::nano>(ns));
}

double Timeline::stamp() const {
  return std::floor(now_ns_ / kStepNs) * kStepNs;
}

} // namespace coulomb::fake::cuda
