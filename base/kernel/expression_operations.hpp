// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/expression_node.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::kernel {

/// Where in which expression an operation stands, for its message.
struct Site {
  const std::string& text;
  std::size_t column;
  /// Throws UserError `expression "...", column n: what`.
  [[noreturn]] void fail(const std::string& what) const;
};

/// A number: integers stay exact, the rest is double.
struct Number {
  bool integral = true;
  std::int64_t i = 0;
  double d = 0.0; ///< the value, whether integral or not
};

[[nodiscard]] ExpressionValue make_scalar(ParameterValue value);
/// "an integer", "a list", ... for messages.
[[nodiscard]] const char* value_type_name(const ExpressionValue& value);
/// The value as a number; a bool is 0 or 1; nothing for a string or a list.
[[nodiscard]] std::optional<Number> as_number(const ExpressionValue& value);
/// The same, failing with `user`, who needs the number.
[[nodiscard]] Number
require_number(const Site& at, const ExpressionValue& v, std::string_view user);
[[nodiscard]] std::int64_t
require_integer(const Site& at, const ExpressionValue& v, std::string_view user);

/// - + ~ not.
[[nodiscard]] ExpressionValue apply_unary(const Site& at, Operator op, const ExpressionValue& v);
/// Arithmetic and bit operators.
[[nodiscard]] ExpressionValue
apply_binary(const Site& at, Operator op, const ExpressionValue& a, const ExpressionValue& b);
/// == != < <= > >= in, not in.
[[nodiscard]] bool
compare_values(const Site& at, Operator op, const ExpressionValue& a, const ExpressionValue& b);
/// A function of evaluated arguments; `name` is as it was written.
[[nodiscard]] ExpressionValue call_function(const Site& at,
                                            Function function,
                                            const std::string& name,
                                            std::vector<ExpressionValue> arguments);

} // namespace coulomb::kernel
