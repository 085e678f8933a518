// SPDX-License-Identifier: Apache-2.0
#include "cli/axis.hpp"

#include "base/config/field.hpp"
#include "base/config/quantity.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/ranges.h>
#include <optional>

namespace coulomb::cli {
namespace {

using Strings = std::vector<std::string>;

/// What is wrong with the axes, and how to say it.
class Mistakes {
public:
  template <class... Args>
  void add(fmt::format_string<Args...> text, Args&&... args) {
    texts_.push_back("--axis " + fmt::format(text, std::forward<Args>(args)...));
  }
  void throw_if_any() const {
    if (!texts_.empty()) {
      throw UserError(fmt::format("{}", fmt::join(texts_, "\nerror: ")),
                      "keys of the GPU: coulomb config list; parameters of a kernel: coulomb "
                      "kernels show NAME");
    }
  }

private:
  Strings texts_;
};

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? std::string()
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Parts of `text` between `separator`s outside brackets.
Strings split(const std::string& text, char separator) {
  Strings parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == separator && depth <= 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::ranges::transform(parts, parts.begin(), trimmed);
  return parts;
}

/// "64 KiB": a number and what follows it.
struct Quantity {
  double number = 0.0;
  std::string unit;
};

std::optional<Quantity> read_quantity(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(number)) {
    return std::nullopt;
  }
  return Quantity{number, trimmed(end)};
}

/// FROM, TO and STEP, if `text` is of that form.
std::optional<std::vector<Quantity>> read_range(const std::string& text) {
  std::vector<Quantity> range;
  for (const std::string& part : split(text, ':')) {
    const auto quantity = read_quantity(part);
    if (!quantity) {
      return std::nullopt;
    }
    range.push_back(*quantity);
  }
  return range.size() == 3 ? std::optional(range) : std::nullopt;
}

/// The values of a range; none, and a mistake, if there is no such range.
Strings range_values(const std::string& key, std::vector<Quantity> range, Mistakes& mistakes) {
  const std::string unit = range[2].unit;
  for (Quantity& q : range) {
    q.unit = q.unit.empty() ? unit : q.unit;
    if (q.unit != unit) {
      mistakes.add("{}: FROM, TO and STEP have the units \"{}\", \"{}\" and \"{}\"; give all the "
                   "same",
                   key, range[0].unit, range[1].unit, unit);
      return {};
    }
  }
  const double from = range[0].number;
  const double to = range[1].number;
  const double step = range[2].number;
  constexpr double kRounding = 1e-9; // of steps such as 0.1
  const double count = std::floor((to - from) / step + kRounding) + 1.0;
  if (step == 0.0 || !(count >= 1.0)) {
    mistakes.add("{}: steps of {} do not lead from {} to {}", key, step, from, to);
    return {};
  }
  if (count > static_cast<double>(kMostRuns)) {
    mistakes.add("{}: {} to {} in steps of {} are {:.0f} values; allowed: 1 to {}", key, from, to,
                 step, count, kMostRuns);
    return {};
  }
  Strings values;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const std::string number = fmt::format("{:.12g}", from + i * step);
    values.push_back(unit.empty() ? number : number + " " + unit);
  }
  return values;
}

void check_kernel_values(const Axis& axis, const kernel::TunableSpec& spec, Mistakes& mistakes) {
  for (const std::string& value : axis.values) {
    try {
      (void)spec.configuration({axis.key + "=" + value});
    } catch (const UserError& e) {
      mistakes.add("{}", e.what());
    }
  }
}

/// Relations between keys are checked later, when all keys of a run are set.
void check_gpu_values(const Axis& axis, config::GpuConfig gpu, Mistakes& mistakes) {
  for (const std::string& value : axis.values) {
    if (const auto wrong = config::assign(config::field(gpu, axis.key), value)) {
      mistakes.add("{}: {}; found \"{}\"", axis.key, *wrong, value);
    }
  }
}

/// Fills `axis.of_kernel`. False, and a mistake, if its key is none.
bool find_key(Axis& axis,
              const std::string& text,
              const kernel::TunableSpec& spec,
              Mistakes& mistakes) {
  axis.of_kernel = spec.find(axis.key) != nullptr;
  Strings known = config::keys();
  std::erase(known, "id");
  if (axis.of_kernel || std::ranges::find(known, axis.key) != known.end()) {
    return true;
  }
  for (const kernel::TunableParameter& p : spec.parameters) {
    known.push_back(p.name);
  }
  mistakes.add("{}: \"{}\" is neither a parameter of kernel {} nor a configuration key{}", text,
               axis.key, spec.name, did_you_mean(axis.key, known));
  return false;
}

} // namespace

std::vector<Axis>
parse_axes(const Strings& texts, const kernel::TunableSpec& spec, const config::GpuConfig& gpu) {
  std::vector<Axis> axes;
  Mistakes mistakes;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      mistakes.add("{}: expected KEY=V1,V2,... or KEY=FROM:TO:STEP, e.g. l2.hit_latency=150:300:50",
                   text);
      continue;
    }
    Axis axis;
    axis.key = text.substr(0, equals);
    if (!find_key(axis, text, spec, mistakes)) {
      continue;
    }
    if (std::ranges::any_of(axes, [&](const Axis& a) { return a.key == axis.key; })) {
      mistakes.add("{} is given twice", axis.key);
      continue;
    }
    const std::string values = text.substr(equals + 1);
    const auto range = read_range(values);
    axis.values = range ? range_values(axis.key, *range, mistakes) : split(values, ',');
    if (axis.of_kernel) {
      check_kernel_values(axis, spec, mistakes);
    } else {
      check_gpu_values(axis, gpu, mistakes);
    }
    axes.push_back(std::move(axis));
  }
  double runs = 1.0;
  for (const Axis& axis : axes) {
    runs *= static_cast<double>(axis.values.size());
  }
  if (runs > static_cast<double>(kMostRuns)) {
    mistakes.add("asks for {:.0f} runs; allowed: 1 to {}", runs, kMostRuns);
  }
  mistakes.throw_if_any();
  return axes;
}

std::vector<std::vector<std::size_t>> product(const std::vector<Axis>& axes) {
  std::vector<std::vector<std::size_t>> points(1);
  for (const Axis& axis : axes) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& point : points) {
      for (std::size_t i = 0; i < axis.values.size(); ++i) {
        longer.push_back(point);
        longer.back().push_back(i);
      }
    }
    points = std::move(longer);
  }
  return points;
}

} // namespace coulomb::cli
