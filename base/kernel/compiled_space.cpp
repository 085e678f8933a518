// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/compiled_space.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>

namespace coulomb::kernel {
namespace {

constexpr std::size_t kMaxValues = 65'536; // positions have 16 bits

std::vector<ExpressionInputs::Input> inputs_of(const TunableSpec& spec) {
  std::vector<ExpressionInputs::Input> inputs;
  for (const TunableParameter& p : spec.parameters) {
    if (p.values.size() > kMaxValues) {
      throw UserError(fmt::format("{}: parameter \"{}\" has {} values; allowed: at most {}",
                                  spec.origin, p.name, p.values.size(), kMaxValues),
                      "take larger steps");
    }
    inputs.push_back({p.name, p.values});
  }
  return inputs;
}

std::vector<std::uint16_t> different_positions(const std::vector<ParameterValue>& values) {
  std::vector<std::uint16_t> order(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<std::uint16_t>(i);
  }
  // By value, then by position, so that the first of equals comes first.
  std::sort(order.begin(), order.end(), [&](std::uint16_t a, std::uint16_t b) {
    return values[a] < values[b] || (!(values[b] < values[a]) && a < b);
  });
  order.erase(std::unique(order.begin(), order.end(),
                          [&](std::uint16_t a, std::uint16_t b) { return values[a] == values[b]; }),
              order.end());
  std::sort(order.begin(), order.end());
  return order;
}

} // namespace

CompiledSpace::CompiledSpace(const TunableSpec& spec)
    : spec_(spec), inputs_(inputs_of(spec), spec.scope(spec.default_configuration())) {
  for (const Restriction& r : spec.restrictions) {
    programs_.emplace_back(r.expression, inputs_);
  }
  for (std::size_t p = 0; p < spec.parameters.size(); ++p) {
    const auto& values = spec.parameters[p].values;
    positions_.push_back(different_positions(values));
    cells_.emplace_back();
    for (const ParameterValue& v : values) {
      cells_.back().push_back(inputs_.cell(p, v));
    }
  }
}

std::vector<Cell> CompiledSpace::first_cells() const {
  std::vector<Cell> first;
  for (const auto& cells : cells_) {
    first.push_back(cells.front());
  }
  return first;
}

std::vector<ParameterGroup> parameter_groups(const CompiledSpace& space) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  const std::size_t parameters = space.cells().size();
  Graph graph(parameters);
  for (const ExpressionProgram& r : space.restrictions()) {
    for (std::size_t i = 1; i < r.slots().size(); ++i) {
      boost::add_edge(r.slots()[i - 1], r.slots()[i], graph);
    }
  }
  std::vector<std::size_t> component(parameters);
  if (parameters == 0) {
    return {};
  }
  // Numbered in the order of their first vertices.
  std::vector<ParameterGroup> groups(boost::connected_components(graph, component.data()));
  for (std::size_t p = 0; p < parameters; ++p) {
    groups[component[p]].parameters.push_back(p);
  }
  for (std::size_t r = 0; r < space.restrictions().size(); ++r) {
    if (!space.restrictions()[r].slots().empty()) {
      groups[component[space.restrictions()[r].slots().front()]].restrictions.push_back(r);
    }
  }
  return groups;
}

} // namespace coulomb::kernel
