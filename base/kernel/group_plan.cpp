// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/group_plan.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace coulomb::kernel {
namespace {

/// A restriction over more choices than this is evaluated during the walk.
constexpr std::size_t kMaxTabulated = std::size_t{1} << 18;
/// Choices tried to find how many a restriction lets pass.
constexpr std::size_t kTried = 2048;

/// Beyond this the expected number of choices is only "too many".
constexpr double kMaxLog = 500.0;

class Planner {
public:
  Planner(const CompiledSpace& space, const ParameterGroup& group)
      : space_(space), group_(group), cells_(space.first_cells()) {}

  GroupPlan plan() {
    filter_domains();
    measure_passing();
    const std::vector<std::size_t> order = best_order();
    position_.resize(order.size());
    for (std::size_t d = 0; d < order.size(); ++d) {
      position_[order[d]] = d;
    }
    lay_out(order);
    return std::move(plan_);
  }

private:
  using Variables = std::vector<std::size_t>;

  [[nodiscard]] const ExpressionProgram& program(std::size_t restriction) const {
    return space_.restrictions()[restriction];
  }
  void set(std::size_t variable, std::size_t index) {
    const std::size_t parameter = group_.parameters[variable];
    cells_[parameter] = space_.cells()[parameter][plan_.domains[variable][index]];
  }
  [[nodiscard]] Variables variables_of(std::size_t restriction) const {
    Variables variables;
    for (const std::size_t slot : program(restriction).slots()) {
      variables.push_back(static_cast<std::size_t>(
          std::lower_bound(group_.parameters.begin(), group_.parameters.end(), slot) -
          group_.parameters.begin()));
    }
    return variables;
  }

  void filter_domains() {
    for (const std::size_t p : group_.parameters) {
      plan_.domains.push_back(space_.positions(p));
    }
    for (const std::size_t r : group_.restrictions) {
      const Variables variables = variables_of(r);
      if (variables.size() > 1) {
        joining_.push_back({r, variables, 1.0});
        continue;
      }
      const std::size_t p = group_.parameters[variables[0]];
      std::erase_if(plan_.domains[variables[0]], [&](std::uint16_t position) {
        cells_[p] = space_.cells()[p][position];
        const std::optional<bool> holds = program(r).try_holds(cells_.data());
        plan_.doubtful = plan_.doubtful || !holds;
        return holds == false;
      });
    }
  }

  /// The share of choices that each restriction lets pass, exact if there are few.
  void measure_passing() {
    for (Joining& j : joining_) {
      std::size_t choices = 1;
      for (const std::size_t v : j.variables) {
        choices = std::min(kTried + 1, choices * plan_.domains[v].size());
      }
      if (choices == 0) {
        continue; // a domain is empty: there is nothing to enumerate
      }
      const bool all = choices <= kTried;
      RandomStream random(0, "space.plan", j.restriction);
      std::size_t passed = 0;
      const std::size_t tries = all ? choices : kTried;
      for (std::size_t i = 0; i < tries; ++i) {
        std::size_t rest = i;
        for (const std::size_t v : j.variables) {
          const std::size_t n = plan_.domains[v].size();
          set(v, all ? rest % n : random.below(n));
          rest /= n;
        }
        passed += program(j.restriction).try_holds(cells_.data()) != false ? 1 : 0;
      }
      j.passing = std::max(0.5, static_cast<double>(passed)) / static_cast<double>(tries);
    }
  }

  struct Order {
    Variables variables;
    double cost = 0.0; ///< log2 of the expected number of partial choices
  };

  /// The cheapest of the greedy orders, one for each variable that can come first.
  [[nodiscard]] Variables best_order() const {
    Order best;
    for (std::size_t first = 0; first < plan_.domains.size(); ++first) {
      Order candidate = order_from(first);
      if (best.variables.empty() || candidate.cost < best.cost - 1e-9) {
        best = std::move(candidate);
      }
    }
    return best.variables;
  }

  [[nodiscard]] Order order_from(std::size_t first) const {
    const std::size_t n = plan_.domains.size();
    std::vector<std::size_t> missing; // variables that each restriction still lacks
    for (const Joining& j : joining_) {
      missing.push_back(j.variables.size());
    }
    std::vector<bool> chosen(n, false);
    Order order;
    double choices = 0.0; // log2
    double total = 0.0;
    std::size_t next = first;
    for (std::size_t d = 0; d < n; ++d) {
      if (d > 0) {
        next = most_deciding(missing, chosen);
      }
      chosen[next] = true;
      order.variables.push_back(next);
      choices += std::log2(std::max<double>(1.0, static_cast<double>(plan_.domains[next].size())));
      for (std::size_t i = 0; i < joining_.size(); ++i) {
        if (joining_[i].has(next) && --missing[i] == 0) {
          choices += std::log2(joining_[i].passing);
        }
      }
      total += std::exp2(std::min(choices, kMaxLog));
    }
    order.cost = std::log2(total);
    return order;
  }

  /// The variable that adds the fewest choices, restrictions that it brings near a decision counted
  /// in part.
  [[nodiscard]] std::size_t most_deciding(const std::vector<std::size_t>& missing,
                                          const std::vector<bool>& chosen) const {
    std::size_t best = 0;
    double best_score = std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < chosen.size(); ++v) {
      if (chosen[v]) {
        continue;
      }
      double score = std::log2(std::max<double>(1.0, static_cast<double>(plan_.domains[v].size())));
      for (std::size_t i = 0; i < joining_.size(); ++i) {
        if (joining_[i].has(v)) {
          score += std::log2(joining_[i].passing) / std::exp2(static_cast<double>(missing[i] - 1));
        }
      }
      if (score < best_score - 1e-9) {
        best_score = score;
        best = v;
      }
    }
    return best;
  }

  /// Steps in order; every restriction narrows its last variable as soon as the others are chosen.
  void lay_out(const Variables& order) {
    std::vector<std::size_t> bits(order.size()); // where a variable's newest domain is
    for (const std::size_t v : order) {
      bits[v] = plan_.words;
      plan_.words += words_of(plan_.domains[v].size());
    }
    for (std::size_t d = 0; d < order.size(); ++d) {
      GroupPlan::Step step{order[d], bits[order[d]], words_of(plan_.domains[order[d]].size()), {}};
      for (std::size_t later = d + 1; later < order.size(); ++later) {
        const std::size_t v = order[later];
        GroupPlan::Filter filter{v, bits[v], plan_.words, words_of(plan_.domains[v].size()), {}};
        for (const Joining& j : joining_) {
          if (decides(j, d, later)) {
            filter.checks.push_back(check(j, v));
          }
        }
        if (!filter.checks.empty()) {
          bits[v] = plan_.words;
          plan_.words += filter.words;
          step.filters.push_back(std::move(filter));
        }
      }
      plan_.steps.push_back(std::move(step));
    }
  }

  struct Joining {
    std::size_t restriction;
    Variables variables;
    double passing; ///< share of its choices, never 0
    [[nodiscard]] bool has(std::size_t v) const {
      return std::find(variables.begin(), variables.end(), v) != variables.end();
    }
  };

  /// True if its last variable is chosen at step `later` and the one before it at step `d`.
  [[nodiscard]] bool decides(const Joining& j, std::size_t d, std::size_t later) const {
    std::size_t last = 0;
    std::size_t before = 0;
    for (const std::size_t v : j.variables) {
      if (position_[v] > last) {
        before = last;
        last = position_[v];
      } else {
        before = std::max(before, position_[v]);
      }
    }
    return last == later && before == d;
  }

  GroupPlan::Check check(const Joining& j, std::size_t last) {
    GroupPlan::Check made{j.restriction, {}, {}};
    const std::size_t row = words_of(plan_.domains[last].size());
    std::size_t choices = plan_.domains[last].size();
    std::size_t stride = row;
    for (const std::size_t v : j.variables) {
      if (v != last && choices <= kMaxTabulated) {
        made.strides.emplace_back(v, stride);
        stride *= plan_.domains[v].size();
        choices *= plan_.domains[v].size();
      }
    }
    if (choices <= kMaxTabulated && choices > 0) {
      made.table.assign(stride, 0);
      if (!tabulate(made, last, made.strides.size(), 0)) {
        made.table.clear(); // it fails somewhere: only the walk can tell whether that is reached
      }
    }
    return made;
  }

  /// Fills the rows of the first `depth` variables' choices; false where the restriction fails.
  bool tabulate(GroupPlan::Check& made, std::size_t last, std::size_t depth, std::size_t row) {
    if (depth > 0) {
      const auto [variable, stride] = made.strides[depth - 1];
      for (std::size_t i = 0; i < plan_.domains[variable].size(); ++i) {
        set(variable, i);
        if (!tabulate(made, last, depth - 1, row + i * stride)) {
          return false;
        }
      }
      return true;
    }
    for (std::size_t i = 0; i < plan_.domains[last].size(); ++i) {
      set(last, i);
      const std::optional<bool> holds = program(made.restriction).try_holds(cells_.data());
      if (!holds) {
        return false;
      }
      made.table[row + i / 64] |= std::uint64_t{*holds} << (i % 64);
    }
    return true;
  }

  const CompiledSpace& space_;
  const ParameterGroup& group_;
  std::vector<Cell> cells_; ///< what is being evaluated
  GroupPlan plan_;
  std::vector<Joining> joining_;      ///< restrictions of two variables or more
  std::vector<std::size_t> position_; ///< of a variable in the order
};

} // namespace

GroupPlan plan_group(const CompiledSpace& space, const ParameterGroup& group) {
  return Planner(space, group).plan();
}

} // namespace coulomb::kernel
