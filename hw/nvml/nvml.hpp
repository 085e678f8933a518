// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/loader/shared_library.hpp"
#include "hw/nvml/nvml_abi.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::hw {

/// What the board tells of itself at one moment; a field that it does not tell is empty.
struct BoardReading {
  std::optional<double> sm_clock_mhz;
  std::optional<double> memory_clock_mhz;
  std::optional<double> temperature_c;
  std::optional<double> watts;
  std::uint64_t throttle_bits = 0;
};

/// NVML's words for the bits that hold the clock down, idleness and settings excepted: "SW power
/// cap", "HW thermal slowdown", ...
[[nodiscard]] std::vector<std::string> throttle_words(std::uint64_t bits);

/// One board as NVML sees it. Only what a user may read without privileges, but for the clocks'
/// lock. Not thread safe.
class Nvml {
public:
  /// Nothing if NVML is not there, too old, or does not know the board; `why` then says so.
  [[nodiscard]] static std::optional<Nvml> open(const std::string& pci_bus_id, std::string& why);
  Nvml(Nvml&& other) noexcept;
  Nvml& operator=(Nvml&&) = delete;
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  [[nodiscard]] BoardReading read() const;
  [[nodiscard]] std::string driver_version() const; ///< "535.54.03"; empty if it does not tell
  [[nodiscard]] std::optional<double> busy_percent() const;
  [[nodiscard]] std::optional<bool> persistence_mode() const;
  [[nodiscard]] std::optional<double> power_limit_watts() const;
  [[nodiscard]] std::optional<double> max_sm_clock_mhz() const;

  /// Holds the SM clock at `mhz` until it is released. Throws EnvironmentError: no permission (with
  /// the fix), not supported.
  void lock_sm_clock(std::uint32_t mhz) const;
  /// Throws EnvironmentError.
  void release_sm_clock() const;

private:
  Nvml(SharedLibrary library, const nvml_abi::Functions& functions)
      : library_(std::move(library)), functions_(functions) {}
  void check(nvml_abi::Result result, const char* what) const;
  [[nodiscard]] std::optional<double> clock(int which) const;

  std::optional<SharedLibrary> library_; ///< empty: moved from
  nvml_abi::Functions functions_;
  nvml_abi::Device device_ = nullptr;
};

} // namespace coulomb::hw
