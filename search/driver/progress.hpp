// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/store/evaluation_record.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

namespace coulomb::search {

/// How a search tells where it stands: on a terminal one line that is rewritten, else a line every
/// 30 s.
class Progress {
public:
  using Clock = std::chrono::steady_clock;
  enum class Style : std::uint8_t { terminal, lines };

  /// `now` is the clock, replaceable for tests.
  Progress(std::ostream& out,
           Style style,
           std::uint64_t budget,
           std::function<Clock::time_point()> now = Clock::now);

  /// Told of each evaluation, on the search's thread; `fresh`: it was done now.
  using Listener = std::function<void(const EvaluationRecord& record, bool fresh)>;
  void listen(Listener listener) { listener_ = std::move(listener); }

  /// An evaluation that an earlier session recorded.
  void recorded(const EvaluationRecord& record);
  /// An evaluation that was done now.
  void evaluated(const EvaluationRecord& record);
  /// Where the search stands, of one that is not by time alone: "front of 5, hypervolume 1.31".
  void stands(const std::string& text) { standing_ = text; }
  /// Leaves the terminal's line, so that what is printed next stands on its own.
  void finish();

  /// "45/200 evaluated  best 0.5531 ms  42 ok, 3 failed  1.2/s  2 min left".
  [[nodiscard]] std::string line() const;
  /// Evaluations done now, per second; 0 before the first.
  [[nodiscard]] double rate() const;

private:
  void count(const EvaluationRecord& record, bool fresh);

  std::ostream& out_;
  Style style_;
  std::uint64_t budget_;
  std::function<Clock::time_point()> now_;
  Listener listener_ = [](const EvaluationRecord&, bool) {};
  Clock::time_point start_;
  Clock::time_point last_print_;
  std::uint64_t total_ = 0;
  std::uint64_t fresh_ = 0;
  std::uint64_t ok_ = 0;
  std::optional<double> best_ms_;
  std::string standing_; ///< empty: by time
  bool line_open_ = false;
};

} // namespace coulomb::search
