// SPDX-License-Identifier: Apache-2.0
#include "hw/device/output_sample.hpp"

#include "base/random.hpp"
#include "kernels/launch_check.hpp"

#include <numeric>

namespace coulomb::hw {
namespace {

constexpr std::uint64_t kRun = 64;
constexpr std::uint64_t kRuns = 1024;

} // namespace

std::vector<std::uint64_t> checked_elements(std::uint64_t count) {
  if (count <= kRun * kRuns) {
    std::vector<std::uint64_t> all(count);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    return all;
  }
  std::vector<std::uint64_t> elements;
  elements.reserve(kRun * kRuns);
  RandomStream random(0, "checked elements", count);
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    // The run lies in its own part of the output, so no element comes twice.
    const std::uint64_t begin = count / kRuns * run;
    const std::uint64_t end = run + 1 == kRuns ? count : count / kRuns * (run + 1);
    const std::uint64_t room = end - begin - kRun;
    const std::uint64_t at = run == 0           ? begin
                             : run + 1 == kRuns ? end - kRun
                                                : begin + random.below(room + 1);
    for (std::uint64_t i = 0; i < kRun; ++i) {
      elements.push_back(at + i);
    }
  }
  return elements;
}

eval::OutputCheck check_outputs(const eval::MeasureRequest& request, const DeviceProblem& problem) {
  const kernels::LaunchReference reference{request.expected, request.oracle,
                                           request.oracle_parameters};
  if (reference.none()) {
    return {};
  }
  const auto& arguments = request.launch.arguments;
  std::vector<std::uint8_t> copied; // one output at a time
  const auto compared = kernels::check_launch(
      reference, {arguments,
                  [&] {
                    kernels::PristineBuffers buffers;
                    for (std::size_t i = 0; i < arguments.size(); ++i) {
                      buffers[arguments[i].name] = problem.pristine(i);
                    }
                    return buffers;
                  },
                  [&](std::size_t i) {
                    copied = problem.contents(i);
                    return std::span<const std::uint8_t>(copied);
                  },
                  [&](std::size_t i) { return checked_elements(arguments[i].count); },
                  [](std::size_t) { return std::nullopt; }});
  return {true,
          compared.passed,
          compared.max_rel_error,
          compared.compared,
          compared.reference,
          compared.first_difference};
}

} // namespace coulomb::hw
