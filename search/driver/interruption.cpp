// SPDX-License-Identifier: Apache-2.0
#include "search/driver/interruption.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace coulomb::search {

Interruption::Interruption(std::string notice, std::chrono::milliseconds grace)
    : notice_(std::move(notice)), grace_(grace),
      watch_([this](int signal) { tell(signal); }, [this] { cancel_all(); }, grace) {}

void Interruption::tell(int signal) const {
  // write() and not a stream: another thread may hold the stream in the middle of a progress line.
  const bool waits = signal != SIGINT && grace_.count() > 0;
  const std::string text =
      fmt::format("\ncoulomb: {}. {}Once more to stop at once.\n", notice_,
                  waits ? fmt::format("What runs has {:g} s to finish. ",
                                      std::chrono::duration<double>(grace_).count())
                        : "");
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
}

void Interruption::cancel_all() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  for (Evaluator* evaluator : evaluators_) {
    evaluator->cancel();
  }
}

Interruption::Guard::Guard(Interruption& interruption, Evaluator& evaluator)
    : interruption_(interruption), evaluator_(&evaluator) {
  const std::lock_guard lock(interruption_.mutex_);
  interruption_.evaluators_.push_back(evaluator_);
  if (interruption_.cancelled_) { // cancel_all() was here already
    evaluator_->cancel();
  }
}

Interruption::Guard::~Guard() {
  const std::lock_guard lock(interruption_.mutex_);
  std::erase(interruption_.evaluators_, evaluator_);
}

} // namespace coulomb::search
