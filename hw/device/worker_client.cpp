// SPDX-License-Identifier: Apache-2.0
#include "hw/device/worker_client.hpp"

#include "base/error.hpp"

#include <chrono>
#include <filesystem>
#include <poll.h>

namespace coulomb::hw {
namespace {

/// How often a stop is looked for.
constexpr int kPollMs = 100;

} // namespace

WorkerClient::WorkerClient(std::string executable,
                           const std::atomic<bool>* stop,
                           std::vector<std::string> arguments)
    : executable_(std::move(executable)), stop_(stop), arguments_(std::move(arguments)) {
  std::error_code ec;
  if (!std::filesystem::exists(executable_, ec)) {
    throw EnvironmentError(fmt::format("no worker at {}", executable_),
                           "it is built with coulomb and lies beside it; build all targets");
  }
}

WorkerClient::Answer WorkerClient::ask(const std::string& request, double deadline_s) {
  if (!worker_) {
    worker_ = std::make_unique<WorkerProcess>(executable_, arguments_);
  }
  worker_->send(request);
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(deadline_s);
  while (true) {
    pollfd ready{worker_->fd(), static_cast<short>(worker_->sending() ? POLLIN | POLLOUT : POLLIN),
                 0};
    ::poll(&ready, 1, kPollMs);
    worker_->continue_sending();
    switch (worker_->receive()) {
    case WorkerProcess::Progress::answer:
      return {End::answered, worker_->take_answer(), {}};
    case WorkerProcess::Progress::ended: {
      Answer answer{End::died, {}, worker_->death_text()};
      worker_.reset();
      return answer;
    }
    case WorkerProcess::Progress::nothing:
      break;
    }
    const bool stopped = stop_ != nullptr && stop_->load();
    if (stopped || std::chrono::steady_clock::now() >= deadline) {
      worker_.reset(); // kills it
      return {stopped ? End::stopped : End::timed_out, {}, {}};
    }
  }
}

} // namespace coulomb::hw
