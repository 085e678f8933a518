// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch_check.hpp"

#include "base/kernel/launch_description.hpp"
#include "kernels/file_oracle.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <set>

namespace coulomb::kernels {
namespace {

void add(LaunchComparison& all, const OutputComparison& part) {
  all.compared += part.compared;
  all.max_rel_error = std::max(all.max_rel_error, part.max_rel_error);
  if (!part.passed && all.passed) {
    all.passed = false;
    all.first_difference = part.first_difference;
  }
}

void compare_with_files(const LaunchReference& reference,
                        const LaunchResult& result,
                        LaunchComparison& all) {
  std::set<std::string> names;
  for (const auto& expected : reference.expected) {
    const kernel::Argument& argument = kernel::find_argument(result.arguments, expected.argument);
    const auto i = static_cast<std::size_t>(&argument - result.arguments.data());
    const auto elements = result.file_elements(i);
    add(all,
        FileOracle(expected, argument).check(elements ? &*elements : nullptr, result.contents(i)));
    names.insert(expected.reference.empty() ? expected.path : expected.reference);
  }
  all.reference = fmt::format("{}", fmt::join(names, ", "));
}

void compare_with_oracle(const LaunchReference& reference,
                         const LaunchResult& result,
                         LaunchComparison& all) {
  const auto oracle = make_oracle(reference.oracle, reference.oracle_parameters, result.pristine());
  for (std::size_t i = 0; i < result.arguments.size(); ++i) {
    const auto& a = result.arguments[i];
    if (a.output && a.vector) {
      add(all,
          check_output(*oracle, a.name, a.type, result.oracle_elements(i), result.contents(i)));
    }
  }
  if (all.compared == 0) {
    all.passed = false;
    all.first_difference = "no output element was stored";
  }
  all.reference = "oracle " + reference.oracle;
}

} // namespace

LaunchComparison check_launch(const LaunchReference& reference, const LaunchResult& result) {
  LaunchComparison all;
  all.passed = true;
  if (!reference.expected.empty()) {
    compare_with_files(reference, result, all);
  } else {
    compare_with_oracle(reference, result, all);
  }
  return all;
}

} // namespace coulomb::kernels
