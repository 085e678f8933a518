// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/message_queue.hpp"

#include <bit>
#include <cstddef>
#include <vector>

namespace coulomb::timing::sm {

/// The SM's port from the crossbar: answers queue here in order of arrival and pass at
/// `fill_bytes_per_cycle`. It belongs to the SM and not to the crossbar so that slices may run
/// ahead of each other: only arrival times decide who goes first.
class ResponsePort {
public:
  explicit ResponsePort(const config::L1Config& l1)
      : sector_ticks_(Server::ticks(static_cast<double>(kSectorBytes) / l1.fill_bytes_per_cycle)) {}

  void push(const MemoryMessage& message) { arriving_.push(message); }
  [[nodiscard]] bool empty() const { return arriving_.empty() && first_ == passing_.size(); }

  /// Next cycle at which something arrives or has passed.
  [[nodiscard]] Cycle next() const {
    const Cycle passed = first_ == passing_.size() ? kNever : passing_[first_].ready;
    return passed < arriving_.next() ? passed : arriving_.next();
  }
  /// Hands `receive` every answer that has passed by `now`.
  template <typename Receive>
  void run(Cycle now, Receive&& receive) {
    while (arriving_.next() <= now) {
      MemoryMessage m = arriving_.pop();
      const auto sectors =
          m.only_acknowledged() ? 0U : static_cast<unsigned>(std::popcount(unsigned{m.sectors}));
      m.ready = port_.serve(m.ready, sector_ticks_ * sectors);
      passing_.push_back(m);
    }
    while (first_ < passing_.size() && passing_[first_].ready <= now) {
      receive(passing_[first_++]);
    }
    if (first_ == passing_.size() || first_ >= kCompact) {
      passing_.erase(passing_.begin(), passing_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
  }

private:
  static constexpr std::size_t kCompact = 256;

  std::uint64_t sector_ticks_;
  MessageQueue arriving_;
  std::vector<MemoryMessage> passing_; ///< from `first_` on, in order of passing
  std::size_t first_ = 0;
  Server port_;
};

} // namespace coulomb::timing::sm
