// SPDX-License-Identifier: Apache-2.0
// Function without time: alone, and under the sanitizer.
#include "base/eval/finding.hpp"
#include "sim/functional/grid_runner.hpp"
#include "sim/sanitizer/sanitizer.hpp"
#include "tests/bench/rate.hpp"
#include "tests/bench/stored_kernel.hpp"

#include <chrono>
#include <string>

namespace coulomb::bench {
namespace {

using Seconds = std::chrono::duration<double>;

/// CTAs that one iteration executes: the next ones each time, round the grid.
class NextCtas {
public:
  NextCtas(std::uint64_t grid, std::uint64_t at_once) : grid_(grid), at_once_(at_once) {}
  std::uint64_t operator()() {
    const std::uint64_t first = next_;
    next_ = (next_ + at_once_) % (grid_ - at_once_);
    return first;
  }

private:
  std::uint64_t grid_;
  std::uint64_t at_once_;
  std::uint64_t next_ = 0;
};

/// The rung "functional".
void functional_only(benchmark::State& state, const std::string& name, std::uint64_t ctas) {
  StoredKernel& kernel = StoredKernel::find(name);
  functional::GridRunner runner(kernel.executable(), kernel.memory(), kernel.gpu().sms);
  NextCtas next(kernel.ctas(), ctas);
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    instructions += runner.run(next(), ctas);
  }
  report_rate(state, instructions, 0.0);
}

/// The same CTAs without and with every check; the time is that of the checked ones, "slowdown"
/// their ratio.
void checked(benchmark::State& state, const std::string& name, std::uint64_t ctas) {
  StoredKernel& kernel = StoredKernel::find(name);
  const std::vector<std::string> checks(eval::kCheckNames.begin(), eval::kCheckNames.end());
  functional::GridRunner plain(kernel.executable(), kernel.memory(), kernel.gpu().sms);
  NextCtas next(kernel.ctas(), ctas);
  std::uint64_t instructions = 0;
  Seconds without{0};
  Seconds with{0};
  for (auto _ : state) {
    const std::uint64_t first = next();
    const auto start = std::chrono::steady_clock::now();
    plain.run(first, ctas);
    const auto middle = std::chrono::steady_clock::now();
    sanitizer::Sanitizer sanitizer(kernel.executable(), kernel.memory(), checks);
    functional::GridRunner watched(kernel.executable(), kernel.memory(), kernel.gpu().sms,
                                   &sanitizer);
    instructions += watched.run(first, ctas);
    const Seconds took = std::chrono::steady_clock::now() - middle;
    without += middle - start;
    with += took;
    state.SetIterationTime(took.count());
    if (!sanitizer.findings().empty()) {
      state.SkipWithError("the sanitizer found an error");
      break;
    }
  }
  report_rate(state, instructions, 0.0);
  state.counters["slowdown"] = with.count() / without.count();
}

#define COULOMB_FUNCTIONAL(name, ctas)                                                             \
  BENCHMARK_CAPTURE(functional_only, name, #name, ctas)->Unit(benchmark::kMillisecond)
COULOMB_FUNCTIONAL(convolution, 64);
COULOMB_FUNCTIONAL(convolution_default, 64);
COULOMB_FUNCTIONAL(saxpy, 64);
COULOMB_FUNCTIONAL(hgemm, 2);

#define COULOMB_CHECKED(name, ctas)                                                                \
  BENCHMARK_CAPTURE(checked, name, #name, ctas)->Unit(benchmark::kMillisecond)->UseManualTime()
COULOMB_CHECKED(convolution, 64);
COULOMB_CHECKED(saxpy, 64);
COULOMB_CHECKED(hgemm, 2);

} // namespace
} // namespace coulomb::bench
