// SPDX-License-Identifier: Apache-2.0
#include "hw/device/output_sample.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "kernels/file_oracle.hpp"
#include "kernels/oracles.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace coulomb::hw {
namespace {

constexpr std::uint64_t kRun = 64;
constexpr std::uint64_t kRuns = 1024;

void add(eval::OutputCheck& check, const kernels::OutputComparison& part) {
  check.compared += part.compared;
  check.max_rel_error = std::max(check.max_rel_error, part.max_rel_error);
  if (!part.passed && check.passed) {
    check.passed = false;
    check.first_difference = part.first_difference;
  }
}

std::size_t index_of(const std::vector<kernel::Argument>& arguments, const std::string& name) {
  const auto found = std::find_if(arguments.begin(), arguments.end(),
                                  [&](const auto& a) { return a.name == name; });
  if (found == arguments.end()) {
    throw UserError(fmt::format("no argument is called \"{}\"", name));
  }
  return static_cast<std::size_t>(found - arguments.begin());
}

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
  eval::OutputCheck check;
  const auto& arguments = request.launch.arguments;
  if (request.expected.empty() && request.oracle.empty()) {
    return check;
  }
  check.checked = true;
  check.passed = true;
  if (!request.expected.empty()) {
    std::set<std::string> references;
    for (const auto& expected : request.expected) {
      const std::size_t i = index_of(arguments, expected.argument);
      const kernels::FileOracle oracle(expected, arguments[i]);
      add(check, oracle.check(nullptr, problem.contents(i)));
      references.insert(expected.reference.empty() ? expected.path : expected.reference);
    }
    check.reference = fmt::format("{}", fmt::join(references, ", "));
    return check;
  }
  kernels::PristineBuffers buffers;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    buffers[arguments[i].name] = problem.pristine(i);
  }
  const auto oracle =
      kernels::make_oracle(request.oracle, request.oracle_parameters, std::move(buffers));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& a = arguments[i];
    if (a.output && a.vector) {
      add(check, kernels::check_output(*oracle, a.name, a.type, checked_elements(a.count),
                                       problem.contents(i)));
    }
  }
  check.reference = "oracle " + request.oracle;
  return check;
}

} // namespace coulomb::hw
