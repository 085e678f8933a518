// SPDX-License-Identifier: Apache-2.0
#include "sim/worker/output_checks.hpp"

#include "base/error.hpp"
#include "base/npy.hpp"
#include "base/text.hpp"
#include "kernels/file_oracle.hpp"
#include "kernels/oracles.hpp"

#include <algorithm>
#include <set>

namespace coulomb::worker {
namespace {

std::size_t index_of(const std::vector<kernel::Argument>& arguments, const std::string& name) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name == name) {
      return i;
    }
  }
  throw UserError(fmt::format("no argument is called \"{}\"", name));
}

void add(eval::OutputCheck& check, const kernels::OutputComparison& part) {
  check.compared += part.compared;
  check.max_rel_error = std::max(check.max_rel_error, part.max_rel_error);
  if (!part.passed && check.passed) {
    check.passed = false;
    check.first_difference = part.first_difference;
  }
}

void compare_with_files(const eval::SimRequest& request,
                        const Problem& problem,
                        bool whole_grid,
                        eval::OutputCheck& check) {
  std::set<std::string> references;
  for (const auto& expected : request.expected) {
    const std::size_t i = index_of(problem.arguments(), expected.argument);
    const kernels::FileOracle oracle(expected, problem.arguments()[i]);
    const std::vector<std::uint64_t> stored =
        whole_grid ? std::vector<std::uint64_t>{} : problem.stored_elements(i);
    add(check, oracle.check(whole_grid ? nullptr : &stored, problem.contents(i)));
    references.insert(expected.reference.empty() ? expected.path : expected.reference);
  }
  check.reference = fmt::format("{}", fmt::join(references, ", "));
}

void compare_with_oracle(const eval::SimRequest& request,
                         Problem& problem,
                         eval::OutputCheck& check) {
  const auto oracle =
      kernels::make_oracle(request.oracle, request.oracle_parameters, problem.pristine());
  for (std::size_t i = 0; i < problem.arguments().size(); ++i) {
    const auto& a = problem.arguments()[i];
    if (a.output && a.vector) {
      add(check, kernels::check_output(*oracle, a.name, a.type, problem.stored_elements(i),
                                       problem.contents(i)));
    }
  }
  if (check.compared == 0) {
    check.passed = false;
    check.first_difference = "no output element was stored";
  }
  check.reference = "oracle " + request.oracle;
}

} // namespace

eval::OutputCheck
check_outputs(const eval::SimRequest& request, Problem& problem, bool whole_grid) {
  eval::OutputCheck check;
  if (request.expected.empty() && request.oracle.empty()) {
    return check;
  }
  check.checked = true;
  check.passed = true;
  if (!request.expected.empty()) {
    compare_with_files(request, problem, whole_grid, check);
  } else {
    compare_with_oracle(request, problem, check);
  }
  return check;
}

void write_outputs(const eval::SimRequest& request, const Problem& problem) {
  for (const auto& output : request.outputs) {
    const std::size_t i = index_of(problem.arguments(), output.argument);
    const kernel::Argument& a = problem.arguments()[i];
    std::vector<std::uint64_t> shape = output.shape;
    if (shape.empty()) {
      shape.push_back(a.count);
    }
    write_file_atomically(output.path,
                          npy_file(element_type_dtype(a.type), shape, problem.contents(i)));
  }
}

} // namespace coulomb::worker
