// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/expression_operations.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace coulomb::kernel {
namespace {

using Value = ExpressionValue;

// A range() or product of ranges longer than this is a mistake in the file, not a tuning space.
constexpr std::size_t kMaxListLength = 1'000'000;

std::int64_t truncated(const Site& at, double d) {
  if (!(d > -0x1p63 && d < 0x1p63)) {
    at.fail(fmt::format("{} does not fit in a 64-bit integer", d));
  }
  return static_cast<std::int64_t>(d);
}

Value over_list(const Site& at,
                Function function,
                const std::string& name,
                std::vector<Value> arguments) {
  const bool extremum = function == Function::min || function == Function::max;
  if (arguments.size() == 1 && arguments[0].is_list) {
    arguments = std::vector<Value>(std::move(arguments[0].list));
  } else if (arguments.size() == 1 || !extremum) {
    at.fail(fmt::format("{}() takes a list{}", name, extremum ? " or at least 2 arguments" : ""));
  }
  if (function == Function::len) {
    return make_scalar(static_cast<std::int64_t>(arguments.size()));
  }
  if (extremum) {
    if (arguments.empty()) {
      at.fail(fmt::format("{}() of nothing", name));
    }
    const Operator better = function == Function::min ? Operator::less : Operator::greater;
    std::size_t best = 0;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      best = compare_values(at, better, arguments[i], arguments[best]) ? i : best;
    }
    return arguments[best];
  }
  Number total;
  for (const Value& v : arguments) {
    const Number n = require_number(at, v, "sum()");
    total.integral = total.integral && n.integral;
    if (total.integral && __builtin_add_overflow(total.i, n.i, &total.i)) {
      at.fail("integer overflow");
    }
    total.d += n.d;
  }
  return total.integral ? make_scalar(total.i) : make_scalar(total.d);
}

Value range(const Site& at, const std::vector<Value>& arguments) {
  if (arguments.empty() || arguments.size() > 3) {
    at.fail(fmt::format("range() takes 1 to 3 arguments, found {}", arguments.size()));
  }
  std::int64_t bounds[3] = {0, 0, 1};
  if (arguments.size() == 1) {
    bounds[1] = require_integer(at, arguments[0], "range()");
  }
  for (std::size_t i = 0; i < arguments.size() && arguments.size() > 1; ++i) {
    bounds[i] = require_integer(at, arguments[i], "range()");
  }
  if (bounds[2] == 0) {
    at.fail("range() with step 0");
  }
  Value result;
  result.is_list = true;
  for (std::int64_t i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1];) {
    result.list.push_back(make_scalar(i));
    if (result.list.size() > kMaxListLength) {
      at.fail(fmt::format("range() of more than {} elements", kMaxListLength));
    }
    if (__builtin_add_overflow(i, bounds[2], &i)) {
      break;
    }
  }
  return result;
}

Value of_number(const Site& at, Function function, const std::string& name, const Value& v) {
  const Number n = require_number(at, v, fmt::format("{}()", name));
  switch (function) {
  case Function::abs:
    if (n.integral && n.i == std::numeric_limits<std::int64_t>::min()) {
      at.fail("integer overflow");
    }
    return n.integral ? make_scalar(n.i < 0 ? -n.i : n.i) : make_scalar(std::fabs(n.d));
  case Function::to_float:
    return make_scalar(n.d);
  case Function::to_int:
    return n.integral ? make_scalar(n.i) : make_scalar(truncated(at, n.d));
  case Function::round: // to even on a tie, as Python does
    return n.integral ? make_scalar(n.i) : make_scalar(truncated(at, std::nearbyint(n.d)));
  case Function::ceil:
    return n.integral ? make_scalar(n.i) : make_scalar(truncated(at, std::ceil(n.d)));
  default:
    return n.integral ? make_scalar(n.i) : make_scalar(truncated(at, std::floor(n.d)));
  }
}

} // namespace

ExpressionValue call_function(const Site& at,
                              Function function,
                              const std::string& name,
                              std::vector<ExpressionValue> arguments) {
  switch (function) {
  case Function::min:
  case Function::max:
  case Function::sum:
  case Function::len:
    return over_list(at, function, name, std::move(arguments));
  case Function::range:
    return range(at, arguments);
  default:
    break;
  }
  if (arguments.size() != 1) {
    at.fail(fmt::format("{}() takes 1 argument, found {}", name, arguments.size()));
  }
  if (function == Function::list) {
    if (!arguments[0].is_list) {
      at.fail(fmt::format("{}() takes a list, found {}", name, value_type_name(arguments[0])));
    }
    return std::move(arguments[0]);
  }
  return function == Function::to_bool ? make_scalar(is_true(arguments[0]))
                                       : of_number(at, function, name, arguments[0]);
}

} // namespace coulomb::kernel
