// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/space_enumeration.hpp"

#include "base/error.hpp"
#include "base/kernel/group_walk.hpp"
#include "base/random.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace coulomb::kernel {
namespace {

/// Configurations that are listed at most.
constexpr std::uint64_t kMaxListed = std::uint64_t{1} << 25;
/// Points tried to find which restriction removed the most.
constexpr std::uint64_t kTried = std::uint64_t{1} << 16;

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::uint64_t>::max()
                                                : product;
}

/// The restriction without parameters that does not hold, or nothing.
const ExpressionProgram* false_constant(const CompiledSpace& space) {
  const std::vector<Cell> cells(space.cells().size());
  for (const ExpressionProgram& r : space.restrictions()) {
    if (r.slots().empty() && !r.holds(cells.data())) {
      return &r;
    }
  }
  return nullptr;
}

/// How many points each restriction of a group rules out, whatever the others do.
struct Charges {
  std::vector<std::uint64_t> removed;
  std::uint64_t tried = 0;
  bool exact = true; ///< all points of the product of the value lists, not a random sample
};

Charges charge(const CompiledSpace& space, const ParameterGroup& group) {
  std::uint64_t points = 1;
  for (const std::size_t p : group.parameters) {
    points = saturating_product(points, space.positions(p).size());
  }
  const bool all = points <= kTried;
  Charges charges{std::vector<std::uint64_t>(group.restrictions.size(), 0), all ? points : kTried,
                  all};
  std::vector<Cell> cells = space.first_cells();
  RandomStream random(0, "space.empty");
  for (std::uint64_t i = 0; i < charges.tried; ++i) {
    std::uint64_t rest = i;
    for (const std::size_t p : group.parameters) {
      const auto& positions = space.positions(p);
      cells[p] =
          space.cells()[p]
                       [positions[all ? rest % positions.size() : random.below(positions.size())]];
      rest /= positions.size();
    }
    for (std::size_t r = 0; r < charges.removed.size(); ++r) {
      if (space.restrictions()[group.restrictions[r]].try_holds(cells.data()) == false) {
        ++charges.removed[r];
      }
    }
  }
  return charges;
}

[[noreturn]] void
report(const TunableSpec& spec, const std::string& restriction, const std::string& removed) {
  throw UserError(
      fmt::format("{}: no configuration satisfies the restrictions; \"{}\" removed the most: {} "
                  "of {}",
                  spec.origin, restriction, removed, with_thousands(cartesian_size(spec))),
      "widen the parameters' values or correct this restriction");
}

[[noreturn]] void report_empty(const CompiledSpace& space, const ParameterGroup& group) {
  const TunableSpec& spec = space.spec();
  if (group.restrictions.empty()) {
    throw UserError(fmt::format("{}: the tuning space has no parameters", spec.origin));
  }
  const Charges charges = charge(space, group);
  const auto worst = std::max_element(charges.removed.begin(), charges.removed.end());
  const std::size_t restriction =
      group.restrictions[static_cast<std::size_t>(worst - charges.removed.begin())];
  const double share = static_cast<double>(*worst) / static_cast<double>(charges.tried);
  const auto points =
      static_cast<std::uint64_t>(share * static_cast<double>(cartesian_size(spec)) + 0.5);
  report(spec, spec.restrictions[restriction].text,
         (charges.exact ? "" : "about ") + with_thousands(points));
}

/// Goes through the combinations of the components' choices in the order of the value lists: the
/// choices that agree with the values so far are a range of each component's rows.
class Combinations {
public:
  Combinations(const TunableSpec& spec, const std::vector<SpaceComponent>& components)
      : spec_(spec), components_(components), places_(spec.parameters.size()),
        chosen_(spec.default_configuration().entries()) {
    for (std::size_t c = 0; c < components.size(); ++c) {
      ranges_.emplace_back(0, components[c].size());
      for (std::size_t i = 0; i < components[c].parameters.size(); ++i) {
        places_[components[c].parameters[i]] = {c, i};
      }
    }
  }

  void list(std::vector<Configuration>& out, std::size_t parameter = 0) {
    if (parameter == places_.size()) {
      out.emplace_back(chosen_);
      return;
    }
    const auto [c, column] = places_[parameter];
    const SpaceComponent& component = components_[c];
    const auto value = [&, i = column](std::size_t row) {
      return component.rows[row * component.parameters.size() + i];
    };
    const auto whole = ranges_[c];
    for (std::size_t first = whole.first; first < whole.second;) {
      std::size_t end = first + 1;
      while (end < whole.second && value(end) == value(first)) {
        ++end;
      }
      chosen_[parameter].second = spec_.parameters[parameter].values[value(first)];
      ranges_[c] = {first, end};
      list(out, parameter + 1);
      first = end;
    }
    ranges_[c] = whole;
  }

private:
  const TunableSpec& spec_;
  const std::vector<SpaceComponent>& components_;
  std::vector<std::pair<std::size_t, std::size_t>> places_; ///< [parameter]: component, column
  std::vector<std::pair<std::size_t, std::size_t>> ranges_; ///< [component]: rows
  std::vector<Configuration::Entry> chosen_;
};

} // namespace

std::vector<SpaceComponent> valid_components(const TunableSpec& spec) {
  const CompiledSpace space(spec);
  if (const ExpressionProgram* r = false_constant(space)) {
    report(spec, r->expression().text(), with_thousands(cartesian_size(spec)));
  }
  std::vector<SpaceComponent> components;
  for (const ParameterGroup& group : parameter_groups(space)) {
    components.push_back({group.parameters, GroupWalk(space, group).rows()});
    if (components.back().rows.empty()) {
      report_empty(space, group);
    }
  }
  return components;
}

std::vector<Configuration> valid_configurations(const TunableSpec& spec) {
  const std::vector<SpaceComponent> components = valid_components(spec);
  std::uint64_t size = 1;
  for (const SpaceComponent& c : components) {
    size = saturating_product(size, c.size());
  }
  if (size > kMaxListed) {
    throw UserError(fmt::format("{}: {} valid configurations cannot be listed; allowed: {}",
                                spec.origin, with_thousands(size), with_thousands(kMaxListed)));
  }
  std::vector<Configuration> found;
  found.reserve(size);
  Combinations(spec, components).list(found);
  return found;
}

std::uint64_t count_valid(const TunableSpec& spec) {
  const CompiledSpace space(spec);
  std::uint64_t count = false_constant(space) == nullptr ? 1 : 0;
  for (const ParameterGroup& group : parameter_groups(space)) {
    count = count == 0 ? 0 : saturating_product(count, GroupWalk(space, group).count());
  }
  return count;
}

std::uint64_t cartesian_size(const TunableSpec& spec) {
  std::uint64_t size = 1;
  for (const TunableParameter& p : spec.parameters) {
    size = saturating_product(size, p.values.size());
  }
  return size;
}

} // namespace coulomb::kernel
