// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/expression_operations.hpp"

#include "base/error.hpp"

#include <cmath>
#include <limits>

namespace coulomb::kernel {
namespace {

using Value = ExpressionValue;

bool equal(const Value& a, const Value& b) {
  if (a.is_list || b.is_list) {
    if (a.is_list != b.is_list || a.list.size() != b.list.size()) {
      return false;
    }
    for (std::size_t i = 0; i < a.list.size(); ++i) {
      if (!equal(a.list[i], b.list[i])) {
        return false;
      }
    }
    return true;
  }
  const auto x = as_number(a);
  const auto y = as_number(b);
  if (x && y) {
    return x->integral && y->integral ? x->i == y->i : x->d == y->d;
  }
  return a.scalar == b.scalar;
}

void require_divisor(const Site& at, const Number& divisor) {
  if (divisor.integral ? divisor.i == 0 : divisor.d == 0.0) {
    at.fail("division by zero");
  }
}

std::int64_t shift(const Site& at, Operator op, std::int64_t a, std::int64_t by) {
  if (by < 0 || by > 63) {
    at.fail(fmt::format("shift by {}, allowed: 0 to 63", by));
  }
  if (op == Operator::shift_right) {
    return a >> by;
  }
  const auto shifted = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << by);
  if ((shifted >> by) != a) {
    at.fail("integer overflow");
  }
  return shifted;
}

std::int64_t power(const Site& at, std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  bool overflow = false;
  while (exponent > 0 && !overflow) {
    overflow = (exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result);
    exponent >>= 1;
    overflow = overflow || (exponent > 0 && __builtin_mul_overflow(base, base, &base));
  }
  if (overflow) {
    at.fail("integer overflow");
  }
  return result;
}

/// Quotient and remainder of a division that rounds towards minus infinity.
std::int64_t floor_division(const Site& at, Operator op, std::int64_t a, std::int64_t b) {
  if (b == 0) {
    at.fail("division by zero");
  }
  if (b == -1) { // the only divisor that can overflow
    std::int64_t negated = 0;
    if (op == Operator::modulo) {
      return 0;
    }
    if (__builtin_sub_overflow(std::int64_t{0}, a, &negated)) {
      at.fail("integer overflow");
    }
    return negated;
  }
  const std::int64_t quotient = a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
  return op == Operator::modulo ? a - quotient * b : quotient;
}

std::int64_t integer_arithmetic(const Site& at, Operator op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  bool overflow = false;
  switch (op) {
  case Operator::add:
    overflow = __builtin_add_overflow(a, b, &result);
    break;
  case Operator::subtract:
    overflow = __builtin_sub_overflow(a, b, &result);
    break;
  case Operator::multiply:
    overflow = __builtin_mul_overflow(a, b, &result);
    break;
  case Operator::power:
    return power(at, a, b);
  default:
    return floor_division(at, op, a, b);
  }
  if (overflow) {
    at.fail("integer overflow");
  }
  return result;
}

double float_arithmetic(const Site& at, Operator op, const Number& x, const Number& y) {
  switch (op) {
  case Operator::add:
    return x.d + y.d;
  case Operator::subtract:
    return x.d - y.d;
  case Operator::multiply:
    return x.d * y.d;
  case Operator::power:
    if (x.d == 0.0 && y.d < 0.0) {
      at.fail("division by zero");
    }
    return std::pow(x.d, y.d);
  case Operator::floor_divide:
    require_divisor(at, y);
    return std::floor(x.d / y.d);
  default: {
    require_divisor(at, y);
    const double r = std::fmod(x.d, y.d);
    return r != 0.0 && (r < 0.0) != (y.d < 0.0) ? r + y.d : r;
  }
  }
}

int sign_of_difference(double x, double y) {
  return x < y ? -1 : (x > y ? 1 : 0);
}

/// Sign of a - b; 2 if unordered (NaN).
int order(const Site& at, Operator op, const Value& a, const Value& b) {
  const auto x = as_number(a);
  const auto y = as_number(b);
  if (x && y) {
    if (x->integral && y->integral) {
      return x->i < y->i ? -1 : (x->i > y->i ? 1 : 0);
    }
    return std::isnan(x->d) || std::isnan(y->d) ? 2 : sign_of_difference(x->d, y->d);
  }
  const auto* s = a.is_list ? nullptr : std::get_if<std::string>(&a.scalar);
  const auto* t = b.is_list ? nullptr : std::get_if<std::string>(&b.scalar);
  if (s == nullptr || t == nullptr) {
    at.fail(fmt::format("\"{}\" cannot compare {} with {}", operator_text(op), value_type_name(a),
                        value_type_name(b)));
  }
  const int c = s->compare(*t);
  return c < 0 ? -1 : (c > 0 ? 1 : 0);
}

bool ordered(Operator op, int sign) {
  switch (op) {
  case Operator::less:
    return sign == -1;
  case Operator::less_equal:
    return sign == -1 || sign == 0;
  case Operator::greater:
    return sign == 1;
  default:
    return sign == 1 || sign == 0;
  }
}

} // namespace

void Site::fail(const std::string& what) const {
  throw UserError(fmt::format("expression \"{}\", column {}: {}", text, column, what));
}

ExpressionValue make_scalar(ParameterValue value) {
  return {std::move(value), {}, false};
}

const char* value_type_name(const ExpressionValue& value) {
  if (value.is_list) {
    return "a list";
  }
  constexpr const char* kNames[] = {"an integer", "a float", "a bool", "a string"};
  return kNames[value.scalar.index()];
}

std::optional<Number> as_number(const ExpressionValue& value) {
  if (value.is_list) {
    return std::nullopt;
  }
  if (const auto* i = std::get_if<std::int64_t>(&value.scalar)) {
    return Number{true, *i, static_cast<double>(*i)};
  }
  if (const auto* b = std::get_if<bool>(&value.scalar)) {
    return Number{true, *b ? 1 : 0, *b ? 1.0 : 0.0};
  }
  if (const auto* d = std::get_if<double>(&value.scalar)) {
    return Number{false, 0, *d};
  }
  return std::nullopt;
}

Number require_number(const Site& at, const ExpressionValue& v, std::string_view user) {
  const auto n = as_number(v);
  if (!n) {
    at.fail(fmt::format("{} needs a number, found {}", user, value_type_name(v)));
  }
  return *n;
}

std::int64_t require_integer(const Site& at, const ExpressionValue& v, std::string_view user) {
  const auto n = as_number(v);
  if (!n || !n->integral) {
    at.fail(fmt::format("{} needs an integer, found {}", user, value_type_name(v)));
  }
  return n->i;
}

ExpressionValue apply_unary(const Site& at, Operator op, const ExpressionValue& v) {
  if (op == Operator::logical_not) {
    return make_scalar(!is_true(v));
  }
  if (op == Operator::invert) {
    return make_scalar(~require_integer(at, v, "\"~\""));
  }
  const Number n = require_number(at, v, fmt::format("\"{}\"", operator_text(op)));
  if (op == Operator::add) {
    return n.integral ? make_scalar(n.i) : make_scalar(n.d);
  }
  std::int64_t negated = 0;
  if (n.integral && __builtin_sub_overflow(std::int64_t{0}, n.i, &negated)) {
    at.fail("integer overflow");
  }
  return n.integral ? make_scalar(negated) : make_scalar(-n.d);
}

ExpressionValue
apply_binary(const Site& at, Operator op, const ExpressionValue& a, const ExpressionValue& b) {
  // The operator's name is only needed for a message: formatting it always would double the time.
  const auto user = [op] { return fmt::format("\"{}\"", operator_text(op)); };
  const auto number = [&](const Value& v) {
    const auto n = as_number(v);
    return n ? *n : require_number(at, v, user());
  };
  if (op == Operator::add && a.is_list && b.is_list) {
    Value joined = a;
    joined.list.insert(joined.list.end(), b.list.begin(), b.list.end());
    return joined;
  }
  const Number x = number(a);
  const Number y = number(b);
  switch (op) {
  case Operator::divide:
    require_divisor(at, y);
    return make_scalar(x.d / y.d);
  case Operator::bit_and:
    return make_scalar(require_integer(at, a, user()) & require_integer(at, b, user()));
  case Operator::bit_or:
    return make_scalar(require_integer(at, a, user()) | require_integer(at, b, user()));
  case Operator::bit_xor:
    return make_scalar(require_integer(at, a, user()) ^ require_integer(at, b, user()));
  case Operator::shift_left:
  case Operator::shift_right:
    return make_scalar(
        shift(at, op, require_integer(at, a, user()), require_integer(at, b, user())));
  default:
    break;
  }
  return x.integral && y.integral && !(op == Operator::power && y.i < 0)
             ? make_scalar(integer_arithmetic(at, op, x.i, y.i))
             : make_scalar(float_arithmetic(at, op, x, y));
}

bool compare_values(const Site& at,
                    Operator op,
                    const ExpressionValue& a,
                    const ExpressionValue& b) {
  if (op == Operator::equal || op == Operator::not_equal) {
    return equal(a, b) == (op == Operator::equal);
  }
  if (op == Operator::in || op == Operator::not_in) {
    if (!b.is_list) {
      at.fail(fmt::format("\"in\" needs a list on its right, found {}", value_type_name(b)));
    }
    bool found = false;
    for (const Value& element : b.list) {
      found = found || equal(a, element);
    }
    return found == (op == Operator::in);
  }
  return ordered(op, order(at, op, a, b));
}

} // namespace coulomb::kernel
