// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_gpu/nvml/sensors.hpp"

#include "base/text.hpp"
#include "tests/support/fake_gpu/options.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

namespace coulomb::fake::nvml {
namespace {

constexpr double kIdleMilliwatts = 55'000.0;
constexpr double kBusyMilliwatts = 250'000.0;
constexpr double kRiseSeconds = 0.2;
constexpr double kTemperature = 35.0;

} // namespace

Cycle::Cycle(const char* option_name, const std::vector<double>& fallback)
    : values_(option_numbers(option_name, fallback)) {}

double Cycle::next() {
  const double value = values_[at_];
  at_ = at_ + 1 == values_.size() ? 0 : at_ + 1;
  return value;
}

ClockLock::ClockLock() : path_(option("FAKE_NVML_STATE")) {}

std::optional<ClockRange> ClockLock::locked() const {
  const std::string text = path_.empty()                    ? here_
                           : std::filesystem::exists(path_) ? read_file(path_)
                                                            : std::string();
  ClockRange range;
  if (std::sscanf(text.c_str(), "locked %u %u", &range.min_mhz, &range.max_mhz) != 2) {
    return std::nullopt;
  }
  return range;
}

void ClockLock::lock(const ClockRange& range) {
  store(fmt::format("locked {} {}\n", range.min_mhz, range.max_mhz));
}

void ClockLock::unlock() {
  store("unlocked\n");
}

void ClockLock::store(const std::string& text) {
  if (path_.empty()) {
    here_ = text;
  } else {
    write_file_atomically(path_, text);
  }
}

Sensors::Sensors(const Board& board)
    : clocks_("FAKE_NVML_CLOCKS", {static_cast<double>(board.clock_mhz)}),
      memory_clocks_("FAKE_NVML_MEMORY_CLOCK", {static_cast<double>(board.memory_clock_mhz)}),
      temperatures_("FAKE_NVML_TEMPERATURE", {kTemperature}),
      utilization_("FAKE_NVML_UTILIZATION", {0.0}),
      power_(option_numbers("FAKE_NVML_POWER", {kIdleMilliwatts, kBusyMilliwatts, kRiseSeconds})) {
  if (power_.size() != 3 || power_[2] <= 0) {
    refuse_option("FAKE_NVML_POWER", "not FIRST,LAST,SECONDS");
  }
  for (const std::string& entry : split(option("FAKE_NVML_THROTTLE"), ',')) {
    const std::vector<std::string> parts = split(entry, '@');
    Throttle throttle;
    throttle.bits = static_cast<std::uint64_t>(number_of(parts.front(), "FAKE_NVML_THROTTLE"));
    if (parts.size() > 1) {
      throttle.from = static_cast<std::uint64_t>(number_of(parts[1], "FAKE_NVML_THROTTLE"));
    }
    throttles_.push_back(throttle);
  }
  const std::string persistence = option("FAKE_NVML_PERSISTENCE", "on");
  if (persistence != "on" && persistence != "off") {
    refuse_option("FAKE_NVML_PERSISTENCE", fmt::format("\"{}\": on or off", persistence));
  }
  persistence_ = persistence == "on";
}

unsigned Sensors::sm_clock_mhz() {
  const auto clock = static_cast<unsigned>(clocks_.next());
  const std::optional<ClockRange> range = lock_.locked();
  return range ? std::clamp(clock, range->min_mhz, std::max(range->min_mhz, range->max_mhz))
               : clock;
}

unsigned Sensors::memory_clock_mhz() {
  return static_cast<unsigned>(memory_clocks_.next());
}

unsigned Sensors::temperature() {
  return static_cast<unsigned>(temperatures_.next());
}

unsigned Sensors::power_milliwatts() {
  const auto now = std::chrono::steady_clock::now();
  power_start_ = power_start_.value_or(now);
  const double seconds = std::chrono::duration<double>(now - *power_start_).count();
  const double rise = 1.0 - std::exp(-seconds / power_[2]);
  return static_cast<unsigned>(std::lround(power_[0] + (power_[1] - power_[0]) * rise));
}

std::uint64_t Sensors::throttle_reasons() {
  ++throttle_readings_;
  std::uint64_t bits = 0;
  for (const Throttle& throttle : throttles_) {
    bits |= throttle_readings_ >= throttle.from ? throttle.bits : 0;
  }
  return bits;
}

unsigned Sensors::utilization() {
  return static_cast<unsigned>(utilization_.next());
}

} // namespace coulomb::fake::nvml
