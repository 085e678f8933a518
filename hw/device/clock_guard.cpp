// SPDX-License-Identifier: Apache-2.0
#include "hw/device/clock_guard.hpp"

#include "base/error.hpp"
#include "base/eval/json_fields.hpp"
#include "base/frame.hpp"
#include "hw/device/worker_reply.hpp"
#include "hw/nvml/nvml.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace coulomb::hw {
namespace {

constexpr double kDeadlineSeconds = 20.0;

/// The lock itself. Released also when the parent dies between the lock and the answer.
class Held {
public:
  Held(const Nvml& nvml, std::uint32_t mhz) : nvml_(nvml) { nvml_.lock_sm_clock(mhz); }
  ~Held() {
    try {
      nvml_.release_sm_clock();
    } catch (const Error& e) {
      std::fprintf(stderr, "coulomb-device-worker: %s\n", e.what());
    }
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

private:
  const Nvml& nvml_;
};

} // namespace

int guard_clocks() {
  const auto frame = read_frame(kWorkerFd);
  if (!frame) {
    return 0;
  }
  try {
    const nlohmann::json object = eval::parse_object(*frame, "clock request");
    const eval::JsonFields fields(object, "clock request");
    std::string why;
    const auto nvml = Nvml::open(fields.text("pci_bus_id"), why);
    if (!nvml) {
      throw EnvironmentError("cannot lock the SM clock: " + why,
                             "measure without --lock-clocks: the clocks are then not changed");
    }
    bool asked = false;
    {
      const Held held(*nvml, fields.u32("sm_clock_mhz"));
      write_frame(kWorkerFd, "{}");
      asked = read_frame(kWorkerFd).has_value(); // or the parent is gone
    }
    if (asked) {
      write_frame(kWorkerFd, "{}");
    }
    return 0;
  } catch (const EnvironmentError& e) {
    write_frame(kWorkerFd, error_reply(e.kind(), e.what(), e.hint()));
    return e.exit_code();
  }
}

ClockLock::ClockLock(const std::string& worker,
                     const std::string& pci_bus_id,
                     std::uint32_t sm_clock_mhz)
    : guard_(worker, nullptr, {"--guard-clocks"}) {
  const std::string request =
      eval::dump_line({{"pci_bus_id", pci_bus_id}, {"sm_clock_mhz", sm_clock_mhz}});
  static_cast<void>(read_reply(guard_.ask(request, kDeadlineSeconds), "the clock guard"));
}

ClockLock::~ClockLock() {
  if (!guard_.running() || guard_.ask("{}", kDeadlineSeconds).end != WorkerClient::End::answered) {
    std::fputs("coulomb: the guard did not say that it released the SM clock; "
               "\"nvidia-smi --reset-gpu-clocks\" (as root) does\n",
               stderr);
  }
}

} // namespace coulomb::hw
