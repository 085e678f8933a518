// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/grid_runner.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace coulomb::functional {
namespace {
/// Warp instructions of one CTA before another has its turn: more than most CTAs execute in all, so
/// that one set of warp states serves the grid; few enough that a grid barrier costs little.
constexpr std::uint64_t kTurn = 50'000;
} // namespace

GridRunner::GridRunner(const ExecutableKernel& kernel,
                       GlobalMemory& memory,
                       std::uint32_t resident_ctas,
                       Monitor* monitor)
    : kernel_(kernel), memory_(memory), resident_ctas_(std::max(resident_ctas, 1U)),
      monitor_(monitor) {}

/// True: the CTA has finished, or was given up.
bool GridRunner::turn(CtaRunner& runner) {
  const std::uint64_t before = runner.executed();
  bool finished = true;
  try {
    finished = runner.advance(kTurn);
  } catch (const KernelFault& fault) {
    if (monitor_ == nullptr || !monitor_->faulted(fault, runner.cta())) {
      executed_ += runner.executed() - before;
      throw;
    }
  }
  executed_ += runner.executed() - before;
  finished_ctas_ += finished ? 1 : 0;
  return finished;
}

void GridRunner::check_limit(std::uint64_t limit, std::size_t resident) const {
  if (limit != 0 && executed_ >= limit) {
    throw KernelFault(
        fmt::format("instruction limit of {} warp instructions reached in kernel {}; {} CTAs had "
                    "started and not finished",
                    limit, kernel_.image().name, resident));
  }
}

std::uint64_t
GridRunner::run(std::uint64_t first_cta, std::uint64_t ctas, std::uint64_t instruction_limit) {
  using Runner = std::unique_ptr<CtaRunner>;
  std::vector<Runner> resident; // in the order of their start
  std::vector<Runner> spare;
  std::uint64_t next = first_cta;
  const std::uint64_t end = first_cta + ctas;
  executed_ = 0;
  finished_ctas_ = 0;
  while (next < end || !resident.empty()) {
    check_limit(instruction_limit, resident.size());
    if (next < end && resident.size() < resident_ctas_) {
      if (spare.empty()) {
        spare.push_back(std::make_unique<CtaRunner>(kernel_, memory_, monitor_));
      }
      Runner runner = std::move(spare.back());
      spare.pop_back();
      runner->start(next++);
      (turn(*runner) ? spare : resident).push_back(std::move(runner));
      continue;
    }
    for (Runner& runner : resident) {
      if (turn(*runner)) {
        spare.push_back(std::move(runner));
      }
      check_limit(instruction_limit, resident.size());
    }
    std::erase(resident, nullptr);
  }
  return executed_;
}

} // namespace coulomb::functional
