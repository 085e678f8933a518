// SPDX-License-Identifier: Apache-2.0
#include "search/driver/interruption.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace coulomb::search {

Interruption::Interruption(std::string notice)
    : notice_(std::move(notice)), watch_([this](int) { cancel_all(); }) {}

int Interruption::exit_code() const {
  constexpr int kEndedBySignal = 128; // as shells report it
  return kEndedBySignal + watch_.signal();
}

void Interruption::cancel_all() {
  // write() and not a stream: another thread may hold the stream in the middle of a progress line.
  const std::string text = fmt::format("\ncoulomb: {}. Once more to stop at once.\n", notice_);
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
  const std::lock_guard lock(mutex_);
  for (Evaluator* evaluator : evaluators_) {
    evaluator->cancel();
  }
}

Interruption::Guard::Guard(Interruption& interruption, Evaluator& evaluator)
    : interruption_(interruption), evaluator_(&evaluator) {
  const std::lock_guard lock(interruption_.mutex_);
  interruption_.evaluators_.push_back(evaluator_);
  if (interruption_.stop()) { // cancel_all() may have been here already
    evaluator_->cancel();
  }
}

Interruption::Guard::~Guard() {
  const std::lock_guard lock(interruption_.mutex_);
  std::erase(interruption_.evaluators_, evaluator_);
}

} // namespace coulomb::search
