// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/device/worker_client.hpp"

#include <cstdint>
#include <string>

namespace coulomb::hw {

/// The worker's side, `coulomb-device-worker --guard-clocks`: locks the SM clock as the one request
/// says, and releases it when it is told to, or when its parent is gone, however that ended.
/// Returns the exit code.
int guard_clocks();

/// Holds a board's SM clock as long as this lives, by way of a process of its own: it survives a
/// crash or kill -9 of this one and then puts the clocks back.
class ClockLock {
public:
  /// Throws EnvironmentError: no permission, not supported, no NVML.
  ClockLock(const std::string& worker, const std::string& pci_bus_id, std::uint32_t sm_clock_mhz);
  ~ClockLock();
  ClockLock(const ClockLock&) = delete;
  ClockLock& operator=(const ClockLock&) = delete;

private:
  WorkerClient guard_;
};

} // namespace coulomb::hw
