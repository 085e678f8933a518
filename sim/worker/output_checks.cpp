// SPDX-License-Identifier: Apache-2.0
#include "sim/worker/output_checks.hpp"

#include "base/kernel/launch_description.hpp"
#include "base/npy.hpp"
#include "base/text.hpp"
#include "kernels/launch_check.hpp"

namespace coulomb::worker {

eval::OutputCheck
check_outputs(const eval::SimRequest& request, Problem& problem, bool whole_grid) {
  const kernels::LaunchReference reference{request.expected, request.oracle,
                                           request.oracle_parameters};
  if (reference.none()) {
    return {};
  }
  const auto stored = [&](std::size_t i) { return problem.stored_elements(i); };
  const auto compared = kernels::check_launch(
      reference,
      {problem.arguments(), [&] { return problem.pristine(); },
       [&](std::size_t i) { return problem.contents(i); }, stored,
       [&](std::size_t i) { return whole_grid ? std::nullopt : std::optional(stored(i)); }});
  return {true,
          compared.passed,
          compared.max_rel_error,
          compared.compared,
          compared.reference,
          compared.first_difference};
}

void write_outputs(const eval::SimRequest& request, const Problem& problem) {
  for (const auto& output : request.outputs) {
    const kernel::Argument& a = kernel::find_argument(problem.arguments(), output.argument);
    const auto i = static_cast<std::size_t>(&a - problem.arguments().data());
    std::vector<std::uint64_t> shape = output.shape;
    if (shape.empty()) {
      shape.push_back(a.count);
    }
    write_file_atomically(output.path,
                          npy_file(element_type_dtype(a.type), shape, problem.contents(i)));
  }
}

} // namespace coulomb::worker
