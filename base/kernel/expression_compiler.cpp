// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/kernel/expression_assembler.hpp"
#include "base/kernel/expression_operations.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace coulomb::kernel {
namespace {

using Node = Expression::Node;
using Type = CellType;

// A longer list is searched, not compared element by element.
constexpr std::size_t kMaxCompared = 4;

/// An operator's instruction for each type of operands; Opcode::fail where it has none.
struct OperatorCode {
  Operator op;
  Opcode integer;
  Opcode real;
  Opcode text;
  bool swapped; ///< a > b is b < a
};
constexpr std::array<OperatorCode, 17> kCodes = {{
    {Operator::add, Opcode::add_i, Opcode::add_r, Opcode::fail, false},
    {Operator::subtract, Opcode::subtract_i, Opcode::subtract_r, Opcode::fail, false},
    {Operator::multiply, Opcode::multiply_i, Opcode::multiply_r, Opcode::fail, false},
    {Operator::floor_divide, Opcode::floor_divide_i, Opcode::floor_divide_r, Opcode::fail, false},
    {Operator::modulo, Opcode::modulo_i, Opcode::modulo_r, Opcode::fail, false},
    {Operator::power, Opcode::power_i, Opcode::power_r, Opcode::fail, false},
    {Operator::bit_and, Opcode::and_i, Opcode::fail, Opcode::fail, false},
    {Operator::bit_or, Opcode::or_i, Opcode::fail, Opcode::fail, false},
    {Operator::bit_xor, Opcode::xor_i, Opcode::fail, Opcode::fail, false},
    {Operator::shift_left, Opcode::shift_left_i, Opcode::fail, Opcode::fail, false},
    {Operator::shift_right, Opcode::shift_right_i, Opcode::fail, Opcode::fail, false},
    {Operator::equal, Opcode::equal_i, Opcode::equal_r, Opcode::equal_s, false},
    {Operator::not_equal, Opcode::not_equal_i, Opcode::not_equal_r, Opcode::not_equal_s, false},
    {Operator::less, Opcode::less_i, Opcode::less_r, Opcode::less_s, false},
    {Operator::less_equal, Opcode::less_equal_i, Opcode::less_equal_r, Opcode::less_equal_s, false},
    {Operator::greater, Opcode::less_i, Opcode::less_r, Opcode::less_s, true},
    {Operator::greater_equal, Opcode::less_equal_i, Opcode::less_equal_r, Opcode::less_equal_s,
     true},
}};

bool is_equality(Operator op) {
  return op == Operator::equal || op == Operator::not_equal;
}

class Compiler {
public:
  Compiler(const ExpressionInputs& inputs, const std::string& text)
      : inputs_(inputs), constants_(inputs.constants()), text_(text) {}

  std::shared_ptr<const ExpressionCode> whole(const Node& root) {
    const Operand result = condition(root);
    return possible_ ? code_.finish(result) : nullptr;
  }

private:
  Operand give_up() {
    possible_ = false;
    return {};
  }
  Operand fail() { return code_.emit(Opcode::fail, Type::integer, {}); }
  Operand input(std::size_t slot) {
    const InputType type = inputs_.type(slot);
    if (type == InputType::mixed) {
      return give_up();
    }
    return code_.input(slot, type == InputType::real   ? Type::real
                             : type == InputType::text ? Type::text
                                                       : Type::integer);
  }
  /// The value of a tree without inputs. An error in one is left to the evaluation, which may never
  /// reach it.
  [[nodiscard]] std::optional<ExpressionValue> folded(const Node& node) const {
    try {
      return evaluate_node(node, constants_, text_);
    } catch (const UserError&) {
      return std::nullopt;
    }
  }

  Operand value(const Node& node) {
    if (const auto known = folded(node)) {
      return known->is_list ? give_up() : code_.constant(known->scalar);
    }
    switch (node.kind) {
    case NodeKind::name: {
      const auto slot = inputs_.slot(node.text);
      return slot ? input(*slot) : fail();
    }
    case NodeKind::unary:
      return unary(node);
    case NodeKind::binary:
      return binary(node);
    case NodeKind::compare:
      return compare(node);
    case NodeKind::logical:
    case NodeKind::ternary:
      return branch(node, false);
    case NodeKind::index:
      return element(node);
    case NodeKind::call:
      return call(node);
    default: // lists
      return give_up();
    }
  }

  Operand truth(Operand a) {
    return a.type == Type::integer
               ? a
               : code_.emit(a.type == Type::real ? Opcode::truth_r : Opcode::truth_s, Type::integer,
                            a);
  }
  /// As an integer whose truth is the node's.
  Operand condition(const Node& node) {
    if (const auto known = folded(node)) {
      return code_.constant(is_true(*known));
    }
    const bool branches = node.kind == NodeKind::logical || node.kind == NodeKind::ternary;
    return branches ? branch(node, true) : truth(value(node));
  }
  Operand real(Operand a) {
    return a.type == Type::real ? a : code_.emit(Opcode::to_real, Type::real, a);
  }

  Operand unary(const Node& node) {
    if (node.op == Operator::logical_not) {
      return code_.emit(Opcode::not_i, Type::integer, condition(*node.children[0]));
    }
    const Operand a = value(*node.children[0]);
    if (a.type == Type::text || (node.op == Operator::invert && a.type == Type::real)) {
      return fail();
    }
    if (node.op == Operator::invert) {
      return code_.emit(Opcode::invert_i, Type::integer, a);
    }
    if (node.op == Operator::add) {
      return a;
    }
    return a.type == Type::real
               ? code_.emit(Opcode::negate_r, Type::real, a)
               : code_.emit(Opcode::subtract_i, Type::integer, code_.constant(std::int64_t{0}), a);
  }

  Operand binary(const Node& node) {
    const Operand a = value(*node.children[0]);
    const Operand b = value(*node.children[1]);
    if (a.type == Type::text || b.type == Type::text) {
      return fail();
    }
    if (node.op == Operator::divide) {
      return code_.emit(Opcode::divide_r, Type::real, real(a), real(b));
    }
    return apply(node.op, a, b, false);
  }

  /// An operator of the table; `test`: its result is true or false.
  Operand apply(Operator op, Operand a, Operand b, bool test) {
    const auto* const entry = std::find_if(kCodes.begin(), kCodes.end(),
                                           [op](const OperatorCode& c) { return c.op == op; });
    if (entry == kCodes.end()) {
      return give_up();
    }
    if ((a.type == Type::text) != (b.type == Type::text)) { // never equal, and without an order
      return is_equality(op) ? code_.constant(op == Operator::not_equal) : fail();
    }
    if (entry->swapped) {
      std::swap(a, b);
    }
    if (a.type == Type::text) {
      return code_.emit(entry->text, Type::integer, a, b);
    }
    if (a.type == Type::integer && b.type == Type::integer) {
      return code_.emit(entry->integer, Type::integer, a, b);
    }
    return entry->real == Opcode::fail
               ? fail()
               : code_.emit(entry->real, test ? Type::integer : Type::real, real(a), real(b));
  }

  Operand compare(const Node& node) {
    Operand left = value(*node.children[0]);
    const std::size_t links = node.operators.size();
    const Operand out = links > 1 ? code_.temporary(Type::integer) : Operand{};
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < links; ++i) {
      const Operator op = node.operators[i];
      const Node& child = *node.children[i + 1];
      const bool membership = op == Operator::in || op == Operator::not_in;
      if (membership && i + 1 < links) { // the list would be compared next
        return give_up();
      }
      const Operand right = membership ? Operand{} : value(child);
      const Operand holds = membership ? member(op, left, child) : apply(op, left, right, true);
      if (links == 1) {
        return holds;
      }
      code_.copy(holds, out);
      if (i + 1 < links) {
        ends.push_back(code_.jump(Opcode::jump_unless, out));
      }
      left = right;
    }
    for (const std::size_t end : ends) {
      code_.land(end);
    }
    return out;
  }

  Operand member(Operator op, Operand a, const Node& list) {
    auto table = a.type == Type::integer ? integer_table(list) : std::nullopt;
    Operand found;
    if (table && table->size() > kMaxCompared) {
      std::sort(table->begin(), table->end());
      found = code_.emit_table(Opcode::in_sorted_i, a, std::move(*table));
    } else {
      const auto elements = list_elements(list);
      if (!elements) {
        return give_up();
      }
      found = code_.constant(false);
      for (const Operand element : *elements) {
        found = code_.emit(Opcode::or_i, Type::integer, found,
                           apply(Operator::equal, a, element, true));
      }
    }
    return op == Operator::in ? found : code_.emit(Opcode::not_i, Type::integer, found);
  }

  /// The elements of a constant list, or of a literal whose elements are evaluated.
  std::optional<std::vector<Operand>> list_elements(const Node& node) {
    std::vector<Operand> elements;
    if (const auto known = folded(node)) {
      const bool scalars =
          known->is_list && known->list.size() < kMaxFrameCells / 2 &&
          std::none_of(known->list.begin(), known->list.end(), [](auto& v) { return v.is_list; });
      if (!scalars) {
        return std::nullopt;
      }
      for (const ExpressionValue& v : known->list) {
        elements.push_back(code_.constant(v.scalar));
      }
      return elements;
    }
    if (node.kind != NodeKind::list) {
      return std::nullopt;
    }
    for (const auto& child : node.children) {
      elements.push_back(value(*child));
    }
    return elements;
  }
  /// A constant list of integers and bools.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integer_table(const Node& node) const {
    const auto known = folded(node);
    if (!known || !known->is_list) {
      return std::nullopt;
    }
    std::vector<std::int64_t> table;
    for (const ExpressionValue& v : known->list) {
      const auto n = as_number(v);
      if (!n || !n->integral) {
        return std::nullopt;
      }
      table.push_back(n->i);
    }
    return table;
  }
  Operand element(const Node& node) {
    auto table = integer_table(*node.children[0]);
    const Operand at = value(*node.children[1]);
    return table && at.type == Type::integer
               ? code_.emit_table(Opcode::element_i, at, std::move(*table))
               : give_up();
  }

  /// and, or, and the ternary. `truth_only`: only the truth of the value is wanted, so that
  /// branches of different types do no harm.
  Operand branch(const Node& node, bool truth_only) {
    const bool ternary = node.kind == NodeKind::ternary;
    const auto child = [&](std::size_t i) {
      return truth_only ? condition(*node.children[i]) : value(*node.children[i]);
    };
    const Operand first = ternary ? condition(*node.children[1]) : child(0);
    const bool on_true = ternary || node.op == Operator::logical_and;
    Operand out;
    if (!ternary) {
      out = code_.temporary(first.type);
      code_.copy(first, out);
    }
    const std::size_t otherwise =
        code_.jump(on_true ? Opcode::jump_unless : Opcode::jump_if, ternary ? first : truth(first));
    const Operand second = child(ternary ? 0 : 1);
    if (ternary) {
      out = code_.temporary(second.type);
    }
    code_.copy(second, out);
    if (!ternary) {
      code_.land(otherwise);
      return second.type == first.type ? out : give_up();
    }
    const std::size_t end = code_.jump(Opcode::jump);
    code_.land(otherwise);
    const Operand third = child(2);
    code_.copy(third, out);
    code_.land(end);
    return third.type == second.type ? out : give_up();
  }

  Operand call(const Node& node) {
    const bool extremum = node.function == Function::min || node.function == Function::max;
    if (extremum || node.function == Function::sum) {
      return over_elements(node);
    }
    if (node.function == Function::to_bool && node.children.size() == 1) {
      const Operand is_false =
          code_.emit(Opcode::not_i, Type::integer, condition(*node.children[0]));
      return code_.emit(Opcode::not_i, Type::integer, is_false); // 1 for whatever is true
    }
    if (node.function == Function::len || node.function == Function::range ||
        node.function == Function::list || node.children.size() != 1) {
      return give_up();
    }
    const Operand a = value(*node.children[0]);
    return a.type == Type::text ? fail() : of_number(node.function, a);
  }
  Operand of_number(Function function, Operand a) {
    if (function == Function::to_float) {
      return real(a);
    }
    if (function == Function::abs) {
      return code_.emit(a.type == Type::integer ? Opcode::abs_i : Opcode::abs_r, a.type, a);
    }
    if (a.type == Type::integer) {
      return a;
    }
    const Opcode op = function == Function::to_int  ? Opcode::truncate_r
                      : function == Function::round ? Opcode::round_r
                      : function == Function::ceil  ? Opcode::ceil_r
                                                    : Opcode::floor_r;
    return code_.emit(op, Type::integer, a);
  }
  /// min, max and sum of elements that are all integers or, but for a sum, all reals.
  Operand over_elements(const Node& node) {
    std::vector<Operand> elements;
    if (node.children.size() == 1) {
      const auto listed = list_elements(*node.children[0]);
      elements = listed ? *listed : elements;
    } else if (node.function != Function::sum) {
      for (const auto& child : node.children) {
        elements.push_back(value(*child));
      }
    }
    const bool same = std::all_of(elements.begin(), elements.end(), [&](const Operand& e) {
      return e.type != Type::text && e.type == elements.front().type;
    });
    if (elements.empty() || !same) {
      return give_up();
    }
    const bool integers = elements.front().type == Type::integer;
    const bool sum = node.function == Function::sum;
    const Opcode op = sum                              ? (integers ? Opcode::add_i : Opcode::add_r)
                      : node.function == Function::min ? (integers ? Opcode::min_i : Opcode::min_r)
                                                       : (integers ? Opcode::max_i : Opcode::max_r);
    Operand total = elements.front();
    for (std::size_t i = 1; i < elements.size(); ++i) {
      total = code_.emit(op, total.type, total, elements[i]);
    }
    return total;
  }

  const ExpressionInputs& inputs_;
  Scope constants_;
  const std::string& text_;
  ExpressionAssembler code_;
  bool possible_ = true;
};

} // namespace

std::shared_ptr<const ExpressionCode> compile_expression(const Expression& expression,
                                                         const ExpressionInputs& inputs) {
  return Compiler(inputs, expression.text()).whole(expression.root());
}

} // namespace coulomb::kernel
