// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/grid_runner.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace coulomb::functional {
namespace {
/// Warp instructions of one CTA before another has its turn: more than most CTAs execute in all, so
/// that one set of warp states serves the grid; few enough that a grid barrier costs little.
constexpr std::uint64_t kTurn = 50'000;
/// Warp instructions without a CTA that starts or ends after which spins are looked for: a fraction
/// of a second.
constexpr std::uint64_t kPatience = std::uint64_t{1} << 20;
/// Stuck warps that a message lists.
constexpr std::size_t kListedWarps = 8;
} // namespace

GridRunner::GridRunner(const ExecutableKernel& kernel,
                       GlobalMemory& memory,
                       std::uint32_t resident_ctas,
                       Monitor* monitor)
    : kernel_(kernel), memory_(memory), resident_ctas_(std::max(resident_ctas, 1U)),
      monitor_(monitor), progress_(kernel, memory) {}

/// True: the CTA has finished, or was given up.
bool GridRunner::turn(CtaRunner& runner) {
  const std::uint64_t before = runner.executed();
  bool finished = true;
  try {
    finished = runner.advance(watching_ ? runner.watched_turn() : kTurn);
  } catch (const KernelFault& fault) {
    if (monitor_ == nullptr || !monitor_->faulted(fault, runner.cta())) {
      executed_ += runner.executed() - before;
      throw;
    }
  }
  executed_ += runner.executed() - before;
  if (finished) {
    ++finished_ctas_;
    last_change_ = executed_;
  }
  watch_when_due();
  return finished;
}

void GridRunner::check_limit(std::uint64_t limit) const {
  if (limit != 0 && executed_ >= limit) {
    throw KernelFault(
        fmt::format("instruction limit of {} warp instructions reached in kernel {}; {} CTAs had "
                    "started and not finished",
                    limit, kernel_.image().name, resident_.size()));
  }
}

void GridRunner::watch_when_due() {
  if (watch_due(executed_ - last_change_, kPatience) == watching_) {
    return;
  }
  watching_ = !watching_;
  std::size_t number = 0;
  for (const Runner& runner : resident_) {
    if (runner) { // none: it has finished in this round
      runner->watch(watching_ ? &progress_ : nullptr, number);
      number += kernel_.warps_per_cta();
    }
  }
  if (watching_) {
    progress_.restart(number);
  }
}

void GridRunner::check_progress() const {
  std::size_t runnable = 0;
  for (const Runner& runner : resident_) {
    runnable += runner->runnable_warps();
  }
  if (runnable == 0 || progress_.repeating() < runnable) {
    return;
  }
  std::vector<std::string> lines;
  for (const Runner& runner : resident_) {
    runner->describe_stuck(lines);
  }
  std::string text = fmt::format("deadlock in kernel {}: no warp can make progress, {} of {} spin "
                                 "while nothing changes",
                                 kernel_.image().name, runnable, lines.size());
  for (std::size_t i = 0; i < std::min(lines.size(), kListedWarps); ++i) {
    text += "\n" + lines[i];
  }
  if (lines.size() > kListedWarps) {
    text += fmt::format("\n{} more warps", lines.size() - kListedWarps);
  }
  throw KernelFault(text);
}

void GridRunner::start(std::uint64_t cta) {
  if (spare_.empty()) {
    spare_.push_back(std::make_unique<CtaRunner>(kernel_, memory_, monitor_));
  }
  resident_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  resident_.back()->start(cta);
  last_change_ = executed_;
  watch_when_due();
  if (turn(*resident_.back())) {
    spare_.push_back(std::move(resident_.back()));
    resident_.pop_back();
  }
}

/// A turn for each resident CTA. No other can start before one of them has finished.
void GridRunner::round(std::uint64_t limit) {
  for (Runner& runner : resident_) {
    if (turn(*runner)) {
      spare_.push_back(std::move(runner));
    }
    check_limit(limit);
  }
  std::erase(resident_, nullptr);
  if (watching_) {
    check_progress();
  }
}

std::uint64_t
GridRunner::run(std::uint64_t first_cta, std::uint64_t ctas, std::uint64_t instruction_limit) {
  std::uint64_t next = first_cta;
  const std::uint64_t end = first_cta + ctas;
  resident_.clear();
  watching_ = false;
  last_change_ = 0;
  executed_ = 0;
  finished_ctas_ = 0;
  while (next < end || !resident_.empty()) {
    check_limit(instruction_limit);
    if (next < end && resident_.size() < resident_ctas_) {
      start(next++);
    } else {
      round(instruction_limit);
    }
  }
  return executed_;
}

} // namespace coulomb::functional
