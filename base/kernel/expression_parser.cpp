// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/kernel/expression_lexer.hpp"
#include "base/kernel/expression_node.hpp"
#include "base/text.hpp"

#include <array>
#include <span>

namespace coulomb::kernel {
namespace {

using Node = Expression::Node;

struct OperatorText {
  std::string_view text;
  Operator op;
};
/// Binary operators by level, loosest first (Python's order); all of them associate to the left.
constexpr std::array<OperatorText, 1> kBitOr = {{{"|", Operator::bit_or}}};
constexpr std::array<OperatorText, 1> kBitXor = {{{"^", Operator::bit_xor}}};
constexpr std::array<OperatorText, 1> kBitAnd = {{{"&", Operator::bit_and}}};
constexpr std::array<OperatorText, 2> kShift = {
    {{"<<", Operator::shift_left}, {">>", Operator::shift_right}}};
constexpr std::array<OperatorText, 2> kSum = {{{"+", Operator::add}, {"-", Operator::subtract}}};
constexpr std::array<OperatorText, 4> kProduct = {{{"*", Operator::multiply},
                                                   {"/", Operator::divide},
                                                   {"//", Operator::floor_divide},
                                                   {"%", Operator::modulo}}};
constexpr std::array<std::span<const OperatorText>, 6> kLevels = {kBitOr, kBitXor, kBitAnd,
                                                                  kShift, kSum,    kProduct};
constexpr std::array<OperatorText, 6> kComparisons = {{{"==", Operator::equal},
                                                       {"!=", Operator::not_equal},
                                                       {"<", Operator::less},
                                                       {"<=", Operator::less_equal},
                                                       {">", Operator::greater},
                                                       {">=", Operator::greater_equal}}};
constexpr std::array<OperatorText, 7> kOthers = {{{"**", Operator::power},
                                                  {"~", Operator::invert},
                                                  {"not", Operator::logical_not},
                                                  {"and", Operator::logical_and},
                                                  {"or", Operator::logical_or},
                                                  {"in", Operator::in},
                                                  {"not in", Operator::not_in}}};
constexpr std::array<std::string_view, 7> kReserved = {"and", "or",   "not", "in",
                                                       "if",  "else", "for"};
// Deeper nesting than any real expression; keeps hostile input from overflowing the stack.
constexpr int kMaxDepth = 200;

/// Recursive descent over the tokens of one expression.
class Parser {
public:
  explicit Parser(const std::string& text) : text_(text), tokens_(tokenize(text)) {}

  NodePointer whole() {
    NodePointer node = ternary();
    if (peek().kind != TokenKind::end) {
      expected("an operator or the end");
    }
    return node;
  }

private:
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool is(std::string_view text, std::size_t ahead = 0) const {
    const Token& t = peek(ahead);
    return (t.kind == TokenKind::symbol || t.kind == TokenKind::name) && t.text == text;
  }
  bool accept(std::string_view text) {
    if (!is(text)) {
      return false;
    }
    ++at_;
    return true;
  }
  void require(std::string_view text) {
    if (!accept(text)) {
      expected(fmt::format("\"{}\"", text));
    }
  }
  [[noreturn]] void expected(const std::string& what) const {
    const Token& t = peek();
    const std::string found =
        t.kind == TokenKind::end
            ? "the end"
            : fmt::format("\"{}\"", text_.substr(t.column - 1, next_column() - t.column));
    throw UserError(fmt::format("expression \"{}\", column {}: expected {}, found {}", text_,
                                t.column, what, found));
  }
  /// Column just behind the current token, without the blanks that follow it.
  std::size_t next_column() const {
    std::size_t column = peek(1).column;
    while (column > peek().column + 1 && text_[column - 2] == ' ') {
      --column;
    }
    return column;
  }
  std::shared_ptr<Node> make(NodeKind kind, std::size_t column) const {
    auto node = std::make_shared<Node>();
    node->kind = kind;
    node->column = column;
    return node;
  }

  NodePointer ternary() {
    if (++depth_ > kMaxDepth) {
      expected(fmt::format("at most {} levels of nesting", kMaxDepth));
    }
    NodePointer value = logical_or();
    if (is("if")) {
      auto node = make(NodeKind::ternary, peek().column);
      ++at_;
      NodePointer condition = logical_or();
      require("else");
      node->children = {value, condition, ternary()};
      value = node;
    }
    --depth_;
    return value;
  }

  NodePointer logical_or() {
    NodePointer left = logical_and();
    while (is("or")) {
      left = join(NodeKind::logical, Operator::logical_or, left, &Parser::logical_and);
    }
    return left;
  }
  NodePointer logical_and() {
    NodePointer left = logical_not();
    while (is("and")) {
      left = join(NodeKind::logical, Operator::logical_and, left, &Parser::logical_not);
    }
    return left;
  }
  /// Consumes the operator at the cursor and parses its right side.
  NodePointer join(NodeKind kind, Operator op, NodePointer left, NodePointer (Parser::*right)()) {
    auto node = make(kind, peek().column);
    ++at_;
    node->op = op;
    node->children = {std::move(left), (this->*right)()};
    return node;
  }
  NodePointer logical_not() {
    if (!is("not")) {
      return comparison();
    }
    return prefix(Operator::logical_not, &Parser::logical_not);
  }
  NodePointer prefix(Operator op, NodePointer (Parser::*operand)()) {
    if (++depth_ > kMaxDepth) {
      expected(fmt::format("at most {} levels of nesting", kMaxDepth));
    }
    auto node = make(NodeKind::unary, peek().column);
    ++at_;
    node->op = op;
    node->children = {(this->*operand)()};
    --depth_;
    return node;
  }

  Operator comparison_operator() {
    for (const auto& c : kComparisons) {
      if (accept(c.text)) {
        return c.op;
      }
    }
    if (accept("in")) {
      return Operator::in;
    }
    if (is("not") && is("in", 1)) {
      at_ += 2;
      return Operator::not_in;
    }
    return Operator::none;
  }
  NodePointer comparison() {
    NodePointer first = binary(0);
    const std::size_t column = peek().column;
    Operator op = comparison_operator();
    if (op == Operator::none) {
      return first;
    }
    auto node = make(NodeKind::compare, column);
    node->children = {first};
    for (; op != Operator::none; op = comparison_operator()) {
      node->operators.push_back(op);
      node->children.push_back(binary(0));
    }
    return node;
  }

  NodePointer binary(std::size_t level) {
    if (level == kLevels.size()) {
      return unary();
    }
    NodePointer left = binary(level + 1);
    for (bool more = true; more;) {
      more = false;
      for (const auto& candidate : kLevels[level]) {
        if (is(candidate.text)) {
          auto node = make(NodeKind::binary, peek().column);
          ++at_;
          node->op = candidate.op;
          node->children = {left, binary(level + 1)};
          left = node;
          more = true;
          break;
        }
      }
    }
    return left;
  }

  NodePointer unary() {
    if (is("-")) {
      return prefix(Operator::subtract, &Parser::unary);
    }
    if (is("+")) {
      return prefix(Operator::add, &Parser::unary);
    }
    if (is("~")) {
      return prefix(Operator::invert, &Parser::unary);
    }
    NodePointer base = postfix();
    // ** binds tighter than a sign on its left and looser than one on its right, and groups to the
    // right.
    return is("**") ? join(NodeKind::binary, Operator::power, base, &Parser::unary) : base;
  }

  NodePointer postfix() {
    NodePointer node = atom();
    while (is("[")) {
      auto index = make(NodeKind::index, peek().column);
      ++at_;
      index->children = {node, ternary()};
      require("]");
      node = index;
    }
    return node;
  }

  NodePointer atom() {
    const Token& token = peek();
    switch (token.kind) {
    case TokenKind::integer:
      return literal(token.integer);
    case TokenKind::real:
      return literal(token.real);
    case TokenKind::string:
      return literal(token.text);
    case TokenKind::name:
      return name();
    case TokenKind::symbol:
      if (is("(")) {
        return parenthesised();
      }
      if (is("[")) {
        return list();
      }
      break;
    case TokenKind::end:
      break;
    }
    expected("a value");
  }
  NodePointer literal(ParameterValue value) {
    auto node = make(NodeKind::constant, peek().column);
    node->value.scalar = std::move(value);
    ++at_;
    return node;
  }
  NodePointer name() {
    const Token token = peek();
    for (const auto word : kReserved) {
      if (token.text == word) {
        expected("a value");
      }
    }
    if (token.text == "True" || token.text == "true") {
      return literal(true);
    }
    if (token.text == "False" || token.text == "false") {
      return literal(false);
    }
    ++at_;
    if (!is("(")) {
      auto node = make(NodeKind::name, token.column);
      node->text = token.text;
      return node;
    }
    return call(token);
  }
  NodePointer call(const Token& token) {
    auto node = make(NodeKind::call, token.column);
    node->text = token.text;
    node->function = function_from_name(token.text);
    if (node->function == Function::none) {
      throw UserError(
          fmt::format("expression \"{}\", column {}: unknown function \"{}\"{}; known: {}", text_,
                      token.column, token.text, did_you_mean(token.text, function_names()),
                      fmt::join(function_names(), ", ")));
    }
    require("(");
    if (!accept(")")) {
      do {
        node->children.push_back(ternary());
      } while (accept(","));
      require(")");
    }
    return node;
  }
  /// (a), or a tuple (a, b), which is a list here.
  NodePointer parenthesised() {
    auto tuple = make(NodeKind::list, peek().column);
    require("(");
    NodePointer inner = ternary();
    if (!is(",")) {
      require(")");
      return inner;
    }
    tuple->children.push_back(inner);
    while (accept(",") && !is(")")) {
      tuple->children.push_back(ternary());
    }
    require(")");
    return tuple;
  }
  NodePointer list() {
    auto node = make(NodeKind::list, peek().column);
    require("[");
    if (accept("]")) {
      return node;
    }
    node->children.push_back(ternary());
    if (accept("for")) {
      return comprehension(node);
    }
    while (accept(",") && !is("]")) {
      node->children.push_back(ternary());
    }
    require("]");
    return node;
  }
  NodePointer comprehension(const std::shared_ptr<Node>& node) {
    node->kind = NodeKind::comprehension;
    if (peek().kind != TokenKind::name) {
      expected("a variable name");
    }
    node->text = peek().text;
    ++at_;
    require("in");
    node->children.push_back(logical_or());
    if (accept("if")) {
      node->children.push_back(logical_or());
    }
    require("]");
    return node;
  }

  const std::string& text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

} // namespace

std::string_view operator_text(Operator op) {
  const auto find = [op](std::span<const OperatorText> table) -> std::string_view {
    for (const auto& entry : table) {
      if (entry.op == op) {
        return entry.text;
      }
    }
    return {};
  };
  for (const auto level : kLevels) {
    if (const auto text = find(level); !text.empty()) {
      return text;
    }
  }
  const auto text = find(kComparisons);
  return text.empty() ? find(kOthers) : text;
}

NodePointer parse_expression(const std::string& text) {
  return Parser(text).whole();
}

} // namespace coulomb::kernel
