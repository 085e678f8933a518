// SPDX-License-Identifier: Apache-2.0
// coulomb-device-worker: measures kernels on a CUDA device for a parent process, because a kernel
// that faults takes the process's context with it, and one that hangs, the process. Requests and
// answers are JSON frames on descriptor 3; "query" says what is asked.
#include "base/error.hpp"
#include "base/frame.hpp"
#include "hw/device/clock_guard.hpp"
#include "hw/device/doctor.hpp"
#include "hw/device/measurer.hpp"
#include "hw/device/worker_reply.hpp"

#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unistd.h>

namespace {

using namespace coulomb;

/// The device's context, made by the first request that needs it.
class Service {
public:
  std::string answer(const std::string& frame) {
    const nlohmann::json object = eval::parse_object(frame, "device request");
    const eval::JsonFields fields(object, "device request");
    const std::string query = fields.text("query");
    hw::Measurer& m = measurer(fields.u32("device"));
    if (query == "measure") {
      return eval::to_json_text(m.measure(eval::measure_request_from_json(fields.text("request"))));
    }
    nlohmann::json reply;
    if (query == "health") {
      reply["problem"] = m.health_problem();
    } else if (query == "info" || query == "doctor") {
      reply["devices"] = m.driver().device_count();
      reply["device"] = hw::device_info_json(m.info());
      reply["checks"] = nlohmann::json::array();
      if (query == "doctor") {
        for (const hw::DoctorCheck& check : hw::examine(m)) {
          reply["checks"].push_back(hw::doctor_check_json(check));
        }
      }
    } else {
      fields.fail("query", "measure, health, info or doctor");
    }
    return eval::dump_line(reply);
  }

private:
  hw::Measurer& measurer(std::uint32_t device) {
    if (!measurer_ || measurer_->info().ordinal != device) {
      measurer_.reset(); // one context at a time
      measurer_ = std::make_unique<hw::Measurer>(device);
    }
    return *measurer_;
  }

  std::unique_ptr<hw::Measurer> measurer_;
};

std::string answer(Service& service, const std::string& frame) {
  try {
    return service.answer(frame);
  } catch (const Error& e) {
    return hw::error_reply(e.kind(), e.what(), e.hint());
  } catch (const hw::CudaFailure& e) {
    return hw::error_reply("environment", e.what(), hw::fate_of(e.code()).hint);
  }
}

int serve() {
  if (::fcntl(kWorkerFd, F_GETFD) < 0) {
    std::fputs("coulomb-device-worker is started by coulomb; it reads requests on descriptor 3\n",
               stderr);
    return 2;
  }
  end_with_parent();
  Service service;
  while (const auto frame = read_frame(kWorkerFd)) {
    write_frame(kWorkerFd, answer(service, *frame));
  }
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 1 && std::string_view(argv[1]) == "--guard-clocks") {
      return hw::guard_clocks();
    }
    return serve();
  } catch (const Error& e) {
    std::fprintf(stderr, "coulomb-device-worker: %s\n", e.what());
    return e.exit_code();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "coulomb-device-worker: %s\n", e.what());
    return 70;
  }
}
