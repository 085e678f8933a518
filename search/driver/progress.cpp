// SPDX-License-Identifier: Apache-2.0
#include "search/driver/progress.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace coulomb::search {
namespace {

using namespace std::chrono_literals;

constexpr auto kLineInterval = 30s;
constexpr auto kRedrawInterval = 100ms;

std::string duration(double seconds) {
  if (seconds < 60.0) {
    return fmt::format("{:.0f} s", std::ceil(seconds));
  }
  if (seconds < 7200.0) {
    return fmt::format("{:.0f} min", std::ceil(seconds / 60.0));
  }
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

} // namespace

Progress::Progress(std::ostream& out,
                   Style style,
                   std::uint64_t budget,
                   std::function<Clock::time_point()> now)
    : out_(out), style_(style), budget_(budget), now_(std::move(now)), start_(now_()),
      last_print_(start_) {}

void Progress::count(const EvaluationRecord& record, bool fresh) {
  listener_(record, fresh);
  ++total_;
  if (record.status == eval::EvalStatus::ok) {
    ++ok_;
    best_ms_ = best_ms_ ? std::min(*best_ms_, record.time_ms) : record.time_ms;
  }
}

void Progress::recorded(const EvaluationRecord& record) {
  count(record, false);
}

void Progress::evaluated(const EvaluationRecord& record) {
  count(record, true);
  ++fresh_;
  const auto now = now_();
  if (style_ == Style::terminal) {
    if (!line_open_ || now - last_print_ >= kRedrawInterval || total_ == budget_) {
      out_ << '\r' << line() << "\x1b[K" << std::flush;
      line_open_ = true;
      last_print_ = now;
    }
  } else if (now - last_print_ >= kLineInterval) {
    out_ << line() << std::endl;
    last_print_ = now;
  }
}

void Progress::finish() {
  if (line_open_) {
    out_ << '\r' << line() << "\x1b[K" << std::endl;
    line_open_ = false;
  }
}

double Progress::rate() const {
  const double elapsed = std::chrono::duration<double>(now_() - start_).count();
  return elapsed > 0.0 ? static_cast<double>(fresh_) / elapsed : 0.0;
}

std::string Progress::line() const {
  std::string text = fmt::format("{}/{} evaluated  {}  {} ok, {} failed", total_, budget_,
                                 !standing_.empty() ? standing_
                                 : best_ms_         ? fmt::format("best {:.4g} ms", *best_ms_)
                                                    : "best none yet",
                                 ok_, total_ - ok_);
  if (const double per_second = rate(); per_second > 0.0) {
    text += fmt::format("  {:.2g}/s", per_second);
    if (total_ < budget_) {
      text +=
          fmt::format("  {} left", duration(static_cast<double>(budget_ - total_) / per_second));
    }
  }
  return text;
}

} // namespace coulomb::search
