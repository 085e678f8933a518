// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/expression_operations.hpp"

#include <fmt/format.h>

namespace coulomb::kernel {
namespace {

using Node = Expression::Node;
using Value = ExpressionValue;

/// Comprehension variables, innermost first.
struct Local {
  const std::string* name;
  const Value* value;
  const Local* outer;
};

/// One evaluation: the tree's text for messages, the scope, and the comprehension variables in
/// force.
class Evaluation {
public:
  Evaluation(const Scope& scope, const std::string& text) : scope_(scope), text_(text) {}

  Value operator()(const Node& node, const Local* locals) const {
    switch (node.kind) {
    case NodeKind::constant:
      return node.value;
    case NodeKind::name:
      return name(node, locals);
    case NodeKind::list:
      return list(node, locals);
    case NodeKind::comprehension:
      return comprehension(node, locals);
    case NodeKind::unary:
      return apply_unary(site(node), node.op, (*this)(*node.children[0], locals));
    case NodeKind::binary:
      return apply_binary(site(node), node.op, (*this)(*node.children[0], locals),
                          (*this)(*node.children[1], locals));
    case NodeKind::compare:
      return compare(node, locals);
    case NodeKind::logical: {
      Value left = (*this)(*node.children[0], locals);
      const bool decided = is_true(left) == (node.op == Operator::logical_or);
      return decided ? left : (*this)(*node.children[1], locals);
    }
    case NodeKind::ternary: {
      const bool condition = is_true((*this)(*node.children[1], locals));
      return (*this)(*node.children[condition ? 0 : 2], locals);
    }
    case NodeKind::index:
      return index(node, locals);
    case NodeKind::call:
      return call(node, locals);
    }
    site(node).fail("unknown node");
  }

private:
  Site site(const Node& node) const { return {text_, node.column}; }
  Value name(const Node& node, const Local* locals) const {
    for (const Local* l = locals; l != nullptr; l = l->outer) {
      if (*l->name == node.text) {
        return *l->value;
      }
    }
    const Value* found = scope_.lookup ? scope_.lookup(node.text) : nullptr;
    if (found == nullptr) {
      site(node).fail(fmt::format("unknown name \"{}\"", node.text));
    }
    return *found;
  }
  Value list(const Node& node, const Local* locals) const {
    Value result;
    result.is_list = true;
    for (const auto& child : node.children) {
      result.list.push_back((*this)(*child, locals));
    }
    return result;
  }
  Value comprehension(const Node& node, const Local* locals) const {
    const Value iterable = (*this)(*node.children[1], locals);
    if (!iterable.is_list) {
      site(node).fail(fmt::format("\"for {} in\" needs a list, found {}", node.text,
                                  value_type_name(iterable)));
    }
    Value result;
    result.is_list = true;
    for (const Value& element : iterable.list) {
      const Local local{&node.text, &element, locals};
      if (node.children.size() < 3 || is_true((*this)(*node.children[2], &local))) {
        result.list.push_back((*this)(*node.children[0], &local));
      }
    }
    return result;
  }

  Value compare(const Node& node, const Local* locals) const {
    Value left = (*this)(*node.children[0], locals);
    for (std::size_t i = 0; i < node.operators.size(); ++i) {
      Value right = (*this)(*node.children[i + 1], locals);
      if (!compare_values(site(node), node.operators[i], left, right)) {
        return make_scalar(false);
      }
      left = std::move(right);
    }
    return make_scalar(true);
  }
  Value index(const Node& node, const Local* locals) const {
    const Value base = (*this)(*node.children[0], locals);
    if (!base.is_list) {
      site(node).fail(fmt::format("only a list can be indexed, found {}", value_type_name(base)));
    }
    const std::int64_t at =
        require_integer(site(node), (*this)(*node.children[1], locals), "an index");
    const auto size = static_cast<std::int64_t>(base.list.size());
    if (at >= size || at < -size) {
      site(node).fail(fmt::format("index {} is outside a list of {}", at, size));
    }
    return base.list[static_cast<std::size_t>(at < 0 ? at + size : at)];
  }

  Value call(const Node& node, const Local* locals) const {
    std::vector<Value> arguments;
    for (const auto& child : node.children) {
      arguments.push_back(argument(node, *child, locals));
    }
    return call_function(site(node), node.function, node.text, std::move(arguments));
  }
  /// In max(p), min(p), sum(p), len(p) the name of a tunable parameter stands for its list of
  /// values.
  Value argument(const Node& call, const Node& child, const Local* locals) const {
    const bool wants_list = call.children.size() == 1 &&
                            (call.function == Function::min || call.function == Function::max ||
                             call.function == Function::sum || call.function == Function::len);
    if (wants_list && child.kind == NodeKind::name && scope_.lookup_list) {
      bool shadowed = false;
      for (const Local* l = locals; l != nullptr; l = l->outer) {
        shadowed = shadowed || *l->name == child.text;
      }
      const Value* found = shadowed ? nullptr : scope_.lookup_list(child.text);
      if (found != nullptr) {
        return *found;
      }
    }
    return (*this)(child, locals);
  }
  const Scope& scope_;
  const std::string& text_;
};

} // namespace

bool is_true(const ExpressionValue& value) {
  if (value.is_list) {
    return !value.list.empty();
  }
  if (const auto n = as_number(value)) {
    return n->integral ? n->i != 0 : n->d != 0.0;
  }
  return !std::get<std::string>(value.scalar).empty();
}

ExpressionValue
evaluate_node(const Expression::Node& node, const Scope& scope, const std::string& text) {
  return Evaluation(scope, text)(node, nullptr);
}

} // namespace coulomb::kernel
