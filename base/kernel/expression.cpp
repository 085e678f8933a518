// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/expression.hpp"

#include "base/error.hpp"
#include "base/kernel/expression_node.hpp"

#include <cmath>
#include <set>

namespace coulomb::kernel {
namespace {

void collect(const Expression::Node& node,
             std::set<std::string> hidden,
             std::set<std::string>& out) {
  if (node.kind == NodeKind::name && !hidden.contains(node.text)) {
    out.insert(node.text);
  }
  if (node.kind == NodeKind::comprehension) {
    collect(*node.children[1], hidden, out); // the iterable does not see the variable
    hidden.insert(node.text);
    collect(*node.children[0], hidden, out);
    if (node.children.size() > 2) {
      collect(*node.children[2], hidden, out);
    }
    return;
  }
  for (const auto& child : node.children) {
    collect(*child, hidden, out);
  }
}

} // namespace

Expression::Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::Expression(const Expression&) = default;
Expression& Expression::operator=(const Expression&) = default;
Expression::~Expression() = default;

Expression Expression::parse(const std::string& text) {
  Expression e;
  e.root_ = parse_expression(text);
  e.text_ = text;
  return e;
}

ExpressionValue Expression::evaluate(const Scope& scope) const {
  COULOMB_CHECK(root_ != nullptr, "evaluating an expression that was never parsed");
  return evaluate_node(*root_, scope, text_);
}

bool Expression::evaluate_bool(const Scope& scope) const {
  return is_true(evaluate(scope));
}

std::int64_t Expression::evaluate_int(const Scope& scope) const {
  const ExpressionValue v = evaluate(scope);
  if (!v.is_list) {
    if (const auto* i = std::get_if<std::int64_t>(&v.scalar)) {
      return *i;
    }
    if (const auto* b = std::get_if<bool>(&v.scalar)) {
      return *b ? 1 : 0;
    }
    // Sizes written with "/" are floats; a whole number is meant as one.
    if (const auto* d = std::get_if<double>(&v.scalar);
        d != nullptr && std::fabs(*d) < 0x1p62 && std::trunc(*d) == *d) {
      return static_cast<std::int64_t>(*d);
    }
  }
  throw UserError(fmt::format("expression \"{}\": expected an integer, found {}", text_,
                              v.is_list ? std::string("a list") : to_text(v.scalar)));
}

std::vector<std::string> Expression::names() const {
  std::set<std::string> found;
  if (root_ != nullptr) {
    collect(*root_, {}, found);
  }
  return {found.begin(), found.end()};
}

} // namespace coulomb::kernel
