// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/group_walk.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

namespace coulomb::kernel {
namespace {

/// Choices of one group that are kept at most: a gigabyte of rows.
constexpr std::size_t kMaxChoices = std::size_t{1} << 25;

std::string names_of(const TunableSpec& spec, const ParameterGroup& group) {
  std::vector<std::string> names;
  for (const std::size_t p : group.parameters) {
    names.push_back(spec.parameters[p].name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

using Rows = std::vector<std::uint16_t>;

/// How many steps of a mixed-radix number one step of each column is; empty if it has more than 64
/// bits.
std::vector<std::uint64_t> column_weights(const Rows& rows, std::size_t width) {
  std::vector<std::uint64_t> radix(width, 1);
  for (std::size_t row = 0; row < rows.size(); row += width) {
    for (std::size_t column = 0; column < width; ++column) {
      radix[column] = std::max(radix[column], std::uint64_t{rows[row + column]} + 1);
    }
  }
  std::vector<std::uint64_t> weights(width, 1);
  for (std::size_t column = width - 1; column > 0; --column) {
    if (__builtin_mul_overflow(weights[column], radix[column], &weights[column - 1])) {
      return {};
    }
  }
  std::uint64_t whole = 0;
  return __builtin_mul_overflow(weights[0], radix[0], &whole) ? std::vector<std::uint64_t>{}
                                                              : weights;
}

/// The rows in lexicographic order, by way of one number a row, which sorts much faster.
Rows sorted_as_numbers(const Rows& rows, const std::vector<std::uint64_t>& weights) {
  const std::size_t width = weights.size();
  std::vector<std::uint64_t> numbers(rows.size() / width, 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t column = 0; column < width; ++column) {
      numbers[i] += rows[i * width + column] * weights[column];
    }
  }
  std::sort(numbers.begin(), numbers.end());
  Rows sorted;
  sorted.reserve(rows.size());
  for (std::uint64_t number : numbers) {
    for (const std::uint64_t weight : weights) {
      sorted.push_back(static_cast<std::uint16_t>(number / weight));
      number %= weight;
    }
  }
  return sorted;
}

/// The rows in lexicographic order.
Rows sorted_rows(const Rows& rows, std::size_t width) {
  if (const auto weights = column_weights(rows, width); !weights.empty()) {
    return sorted_as_numbers(rows, weights);
  }
  std::vector<std::uint32_t> order(rows.size() / width);
  std::iota(order.begin(), order.end(), 0U);
  const auto row = [&](std::uint32_t i) { return rows.data() + i * width; };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(row(a), row(a) + width, row(b), row(b) + width);
  });
  Rows sorted;
  sorted.reserve(rows.size());
  for (const std::uint32_t i : order) {
    sorted.insert(sorted.end(), row(i), row(i) + width);
  }
  return sorted;
}

} // namespace

GroupWalk::GroupWalk(const CompiledSpace& space, const ParameterGroup& group)
    : space_(space), group_(group), plan_(plan_group(space, group)), words_(plan_.words),
      chosen_(plan_.domains.size()), cells_(space.first_cells()) {}

bool GroupWalk::start() {
  std::fill(words_.begin(), words_.end(), 0);
  std::size_t at = 0;
  for (const GroupPlan::Step& step : plan_.steps) { // as laid out: in the order of the steps
    for (std::size_t i = 0; i < plan_.domains[step.variable].size(); ++i) {
      words_[at + i / 64] |= std::uint64_t{1} << (i % 64);
    }
    at += step.words;
  }
  return std::none_of(plan_.domains.begin(), plan_.domains.end(),
                      [](const auto& domain) { return domain.empty(); });
}

/// False if nothing is left.
bool GroupWalk::narrow(const GroupPlan::Filter& filter, bool& doubtful) {
  std::uint64_t* bits = words_.data() + filter.to;
  std::copy_n(words_.data() + filter.from, filter.words, bits);
  const std::size_t parameter = group_.parameters[filter.variable];
  for (const GroupPlan::Check& check : filter.checks) {
    if (!check.table.empty()) {
      std::size_t row = 0;
      for (const auto& [variable, stride] : check.strides) {
        row += chosen_[variable] * stride;
      }
      for (std::size_t w = 0; w < filter.words; ++w) {
        bits[w] &= check.table[row + w];
      }
      continue;
    }
    const ExpressionProgram& program = space_.restrictions()[check.restriction];
    for (std::size_t w = 0; w < filter.words; ++w) {
      for (std::uint64_t left = bits[w]; left != 0; left &= left - 1) {
        const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
        cells_[parameter] = space_.cells()[parameter][plan_.domains[filter.variable][i]];
        const std::optional<bool> holds = program.try_holds(cells_.data());
        doubtful = doubtful || !holds;
        bits[w] &= holds == false ? ~(left & -left) : ~std::uint64_t{0};
      }
    }
  }
  return std::any_of(bits, bits + filter.words, [](std::uint64_t w) { return w != 0; });
}

/// The whole choice, restriction by restriction as the file lists them.
bool GroupWalk::valid() const {
  return std::all_of(group_.restrictions.begin(), group_.restrictions.end(),
                     [&](std::size_t r) { return space_.restrictions()[r].holds(cells_.data()); });
}

template <class Visit>
void GroupWalk::walk(std::size_t depth, bool doubtful, const Visit& visit) {
  const GroupPlan::Step& step = plan_.steps[depth];
  const std::size_t parameter = group_.parameters[step.variable];
  const bool last = depth + 1 == plan_.steps.size();
  for (std::size_t w = 0; w < step.words; ++w) {
    for (std::uint64_t left = words_[step.domain + w]; left != 0; left &= left - 1) {
      const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
      chosen_[step.variable] = i;
      cells_[parameter] = space_.cells()[parameter][plan_.domains[step.variable][i]];
      bool in_doubt = doubtful;
      bool possible = true;
      for (const GroupPlan::Filter& filter : step.filters) {
        possible = possible && narrow(filter, in_doubt);
      }
      if (possible && !last) {
        walk(depth + 1, in_doubt, visit);
      } else if (possible && (!in_doubt || valid())) {
        visit();
      }
    }
  }
}

std::vector<std::uint16_t> GroupWalk::rows() {
  const std::size_t width = group_.parameters.size();
  std::vector<std::uint16_t> rows;
  if (!start()) {
    return rows;
  }
  walk(0, plan_.doubtful, [&] {
    if (rows.size() >= kMaxChoices * width) {
      throw UserError(
          fmt::format("{}: more than {} choices of {} satisfy the restrictions that join them",
                      space_.spec().origin, with_thousands(kMaxChoices),
                      names_of(space_.spec(), group_)),
          "give these parameters fewer values, or restrictions that rule out more");
    }
    for (std::size_t v = 0; v < width; ++v) {
      rows.push_back(plan_.domains[v][chosen_[v]]);
    }
  });
  const bool in_order =
      std::is_sorted(plan_.steps.begin(), plan_.steps.end(),
                     [](const auto& a, const auto& b) { return a.variable < b.variable; });
  return in_order ? rows : sorted_rows(rows, width);
}

std::uint64_t GroupWalk::count() {
  std::uint64_t found = 0;
  if (!start()) {
    return found;
  }
  walk(0, plan_.doubtful, [&] { ++found; });
  return found;
}

} // namespace coulomb::kernel
