// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/compilation.hpp"
#include "hw/cuda/driver.hpp"
#include "hw/device/doctor.hpp"
#include "hw/device/measuring_device.hpp"
#include "hw/device/worker_client.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::hw {

/// A CUDA device of this machine. Kernels are compiled and measured in worker processes with
/// deadlines: one that faults or hangs costs one configuration, and the device's health is probed
/// before the next.
class GpuDevice : public MeasuringDevice {
public:
  /// `worker_dir`: where the worker executables lie. `stop` (may be null) must outlive this.
  /// Throws EnvironmentError: no driver, no device, a missing worker; UserError: no such device.
  GpuDevice(std::uint32_t ordinal,
            MeasureOptions options,
            const std::string& worker_dir,
            const std::atomic<bool>* stop = nullptr);

  [[nodiscard]] eval::MeasureOutcome measure(const kernel::TunableSpec& spec,
                                             const kernel::Configuration& configuration) override;
  [[nodiscard]] std::string board() const override { return info_.name; }
  [[nodiscard]] std::string address() const override;

  [[nodiscard]] const DeviceInfo& info() const { return info_; }
  /// Devices that the driver has.
  [[nodiscard]] std::uint32_t device_count() const { return device_count_; }
  /// Milliseconds over which the board's power sensor averages (see power_window_ms).
  void set_power_window(double milliseconds) { options_.power_window_ms = milliseconds; }
  /// What the doctor finds. Throws EnvironmentError.
  [[nodiscard]] std::vector<DoctorCheck> examine();
  /// Seconds until a configuration counts as hung: the time for its samples, its replays and the
  /// check of its output.
  [[nodiscard]] double deadline_s() const;

private:
  [[nodiscard]] eval::CompileOutcome compile(const eval::CompileRequest& request);
  [[nodiscard]] std::string empty_kernel();
  [[nodiscard]] std::string query(const std::string& what) const;
  [[nodiscard]] eval::MeasureOutcome ask(const eval::MeasureRequest& request);
  /// The same without counters, which a worker that died in CUPTI does not survive either.
  [[nodiscard]] eval::MeasureOutcome ask_without_counters(eval::MeasureRequest request,
                                                          const std::string& death);
  [[nodiscard]] DoctorCheck check_counters();
  /// After a failure. Throws EnvironmentError if the device is no longer usable.
  void probe_health(const std::string& after);

  std::uint32_t ordinal_;
  MeasureOptions options_;
  WorkerClient compiler_;
  WorkerClient worker_;
  std::uint32_t device_count_ = 0;
  DeviceInfo info_;
  std::uint64_t next_id_ = 0;
  bool empty_compiled_ = false;
  std::string empty_cubin_; ///< path; empty if it could not be compiled
};

} // namespace coulomb::hw
