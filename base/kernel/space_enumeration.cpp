// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/space_enumeration.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace coulomb::kernel {
namespace {

/// Walks the tree of partial configurations of one spec.
class Enumeration {
public:
  explicit Enumeration(const TunableSpec& spec)
      : spec_(spec), by_depth_(spec.parameters.size()), removed_(spec.restrictions.size(), 0.0),
        chosen_(spec.default_configuration().entries()) {
    base_ = spec.scope(spec.default_configuration());
    current_.resize(spec.parameters.size());
    for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
      index_[spec.parameters[i].name] = i;
    }
    for (std::size_t r = 0; r < spec.restrictions.size(); ++r) {
      std::size_t last = 0;
      for (const std::string& name : spec.restrictions[r].expression.names()) {
        const auto it = index_.find(name);
        last = it == index_.end() ? last : std::max(last, it->second);
      }
      if (!by_depth_.empty()) {
        by_depth_[last].push_back(r);
      }
    }
    scope_ = {[this](const std::string& name) -> const ExpressionValue* {
                const auto it = index_.find(name);
                return it == index_.end() ? base_.lookup(name) : &current_[it->second];
              },
              base_.lookup_list};
  }

  template <class Visit>
  void walk(Visit&& visit, std::size_t depth = 0) {
    if (depth == spec_.parameters.size()) {
      visit(chosen_);
      return;
    }
    for (const ParameterValue& value : spec_.parameters[depth].values) {
      current_[depth].scalar = value;
      if (!allowed(depth)) {
        continue;
      }
      chosen_[depth].second = value;
      walk(visit, depth + 1);
    }
  }

  [[noreturn]] void report_empty() const {
    if (spec_.restrictions.empty()) {
      throw UserError(fmt::format("{}: the tuning space has no parameters", spec_.origin));
    }
    const auto worst = std::max_element(removed_.begin(), removed_.end());
    const Restriction& r = spec_.restrictions[static_cast<std::size_t>(worst - removed_.begin())];
    throw UserError(
        fmt::format("{}: no configuration satisfies the restrictions; \"{}\" removed the most: {} "
                    "of {}",
                    spec_.origin, r.text, with_thousands(static_cast<std::uint64_t>(*worst)),
                    with_thousands(cartesian_size(spec_))),
        "widen the parameters' values or correct this restriction");
  }

private:
  bool allowed(std::size_t depth) {
    for (const std::size_t r : by_depth_[depth]) {
      if (!spec_.restrictions[r].expression.evaluate_bool(scope_)) {
        double pruned = 1.0;
        for (std::size_t i = depth + 1; i < spec_.parameters.size(); ++i) {
          pruned *= static_cast<double>(spec_.parameters[i].values.size());
        }
        removed_[r] += pruned;
        return false;
      }
    }
    return true;
  }

  const TunableSpec& spec_;
  std::vector<std::vector<std::size_t>> by_depth_; ///< restrictions decided by parameter i
  std::vector<double> removed_; ///< points of the product each restriction removed
  std::vector<Configuration::Entry> chosen_;
  std::vector<ExpressionValue> current_;
  std::map<std::string, std::size_t, std::less<>> index_;
  Scope base_;
  Scope scope_;
};

} // namespace

std::vector<Configuration> valid_configurations(const TunableSpec& spec) {
  std::vector<Configuration> found;
  Enumeration enumeration(spec);
  enumeration.walk([&](const std::vector<Configuration::Entry>& c) { found.emplace_back(c); });
  if (found.empty()) {
    enumeration.report_empty();
  }
  return found;
}

std::uint64_t count_valid(const TunableSpec& spec) {
  std::uint64_t count = 0;
  Enumeration(spec).walk([&](const std::vector<Configuration::Entry>&) { ++count; });
  return count;
}

std::uint64_t cartesian_size(const TunableSpec& spec) {
  std::uint64_t size = 1;
  for (const TunableParameter& p : spec.parameters) {
    if (__builtin_mul_overflow(size, std::uint64_t{p.values.size()}, &size)) {
      return std::numeric_limits<std::uint64_t>::max();
    }
  }
  return size;
}

} // namespace coulomb::kernel
