// SPDX-License-Identifier: Apache-2.0
#include "generator.hpp"

#include "grammar.hpp"

#include <fmt/format.h>
#include <iterator>
#include <tuple>
#include <utility>

namespace coulomb::fuzz {
namespace {

constexpr int kExpressionDepth = 3;
constexpr int kBlockDepth = 3;

/// Makes one program, top down.
class Generator {
public:
  Generator(std::uint64_t seed, std::uint64_t index)
      : random_(seed, "fuzz program", index), budget_(static_cast<int>(6 + random_.below(18))) {}

  Program program(std::uint64_t index);

private:
  static constexpr std::pair<unsigned, unsigned> kShapes[] = {
      {32U, 1U}, {64U, 1U}, {8U, 8U}, {32U, 3U}, {128U, 1U}, {32U, 1U}, {48U, 1U}, {5U, 4U}};

  [[nodiscard]] Node phase();
  [[nodiscard]] Node block(int depth);
  [[nodiscard]] Node statement(int depth);
  [[nodiscard]] Node expression(Kind kind, int depth);
  [[nodiscard]] std::string constant(Kind kind);
  [[nodiscard]] const Rule& choose(std::span<const Rule> rules, Kind kind);
  [[nodiscard]] Node expand(const Rule& rule, int expression_depth, int block_depth);
  void
  expand_placeholder(char letter, std::uint64_t number, Node& node, std::pair<int, int> depths);

  RandomStream random_;
  int budget_; ///< statements still to make
  int parity_ = 0;
  std::uint64_t numbers_ = 0;
  bool in_collective_ = false;
};

/// Collectives see the variables only: the rest belongs to one thread of a phase.
bool is_of_phases(std::string_view text) {
  return text.find("arr[") != text.npos || text.find("sh->") != text.npos ||
         text.find("gid") != text.npos;
}

const Rule& Generator::choose(std::span<const Rule> rules, Kind kind) {
  const auto fits = [&](const Rule& rule) {
    return rule.kind == kind && !(in_collective_ && is_of_phases(rule.text));
  };
  std::uint64_t total = 0;
  for (const Rule& rule : rules) {
    total += fits(rule) ? static_cast<std::uint64_t>(rule.weight) : 0;
  }
  std::uint64_t pick = random_.below(total);
  for (const Rule& rule : rules) {
    if (!fits(rule)) {
      continue;
    }
    if (pick < static_cast<std::uint64_t>(rule.weight)) {
      return rule;
    }
    pick -= static_cast<std::uint64_t>(rule.weight);
  }
  return rules.front(); // not reached: the weights add up to `total`
}

std::string Generator::constant(Kind kind) {
  switch (kind) {
  case Kind::u32:
    return fmt::format("0x{:x}u", edge_integer(random_, 32));
  case Kind::s32:
    return fmt::format("(s32)0x{:x}u", edge_integer(random_, 32));
  case Kind::u64:
    return fmt::format("0x{:x}ull", edge_integer(random_, 64));
  case Kind::s64:
    return fmt::format("(s64)0x{:x}ull", edge_integer(random_, 64));
  case Kind::f32:
    return fmt::format("fz_f32(0x{:x}u)", edge_float(random_));
  case Kind::f64:
    return fmt::format("fz_f64(0x{:x}ull)", edge_double(random_));
  default:
    return random_.chance(0.5) ? "true" : "false";
  }
}

void Generator::expand_placeholder(char letter,
                                   std::uint64_t number,
                                   Node& node,
                                   std::pair<int, int> depths) {
  constexpr std::string_view kLetters = "uiwlfdb";
  const auto add = [&](Node child) {
    node.children.push_back(std::move(child));
    node.text.emplace_back();
  };
  if (const auto kind = kLetters.find(letter); kind != kLetters.npos) {
    add(expression(static_cast<Kind>(kind), depths.first));
  } else if (letter == 'B') {
    add(block(depths.second));
  } else if (letter == 'K') {
    const bool small = random_.chance(0.5);
    node.text.back() += std::to_string(2 + random_.below(small ? 15 : 65536));
  } else if (letter == 'N') {
    node.text.back() += std::to_string(number);
  } else {
    node.text.back() += std::to_string(letter == 'R' ? 1 - parity_ : parity_);
  }
}

Node Generator::expand(const Rule& rule, int expression_depth, int block_depth) {
  constexpr std::string_view kPlaceholders = "uiwlfdbBKNRW";
  const std::uint64_t number = numbers_++;
  Node node;
  node.kind = rule.kind;
  for (std::size_t i = 0; i < rule.text.size(); ++i) {
    const bool placeholder = rule.text[i] == '%' && i + 1 < rule.text.size() &&
                             kPlaceholders.find(rule.text[i + 1]) != kPlaceholders.npos;
    if (placeholder) {
      expand_placeholder(rule.text[++i], number, node, {expression_depth, block_depth});
    } else {
      node.text.back() += rule.text[i];
    }
  }
  return node;
}

Node Generator::expression(Kind kind, int depth) {
  if (depth <= 0 || random_.chance(0.15)) {
    if (kind != Kind::boolean && random_.chance(0.2)) {
      Node node;
      node.kind = kind;
      node.text = {constant(kind)};
      return node;
    }
    return expand(choose(leaves(), kind), 0, 0);
  }
  return expand(choose(operations(), kind), depth - 1, 0);
}

Node Generator::statement(int depth) {
  --budget_;
  const int expression_depth = 1 + static_cast<int>(random_.below(kExpressionDepth));
  if (depth > 0 && random_.chance(0.35)) {
    return expand(choose(compound_statements(), Kind::statement), expression_depth, depth - 1);
  }
  return expand(choose(simple_statements(), Kind::statement), expression_depth, 0);
}

Node Generator::block(int depth) {
  Node node;
  const std::uint64_t count = 1 + random_.below(3);
  for (std::uint64_t i = 0; i < count && (i == 0 || budget_ > 0); ++i) {
    node.children.push_back(statement(depth));
  }
  return node;
}

Node Generator::phase() {
  Node body;
  const std::uint64_t count = 2 + random_.below(4);
  for (std::uint64_t i = 0; i < count && (i == 0 || budget_ > 0); ++i) {
    body.children.push_back(statement(kBlockDepth));
  }
  Node node;
  node.kind = Kind::phase;
  node.text = {random_.chance(0.15) ? "FUZZ_CALLED_PHASE" : "FUZZ_PHASE", ""};
  node.children.push_back(std::move(body));
  return node;
}

Program Generator::program(std::uint64_t index) {
  Program program;
  program.index = index;
  std::tie(program.width, program.height) = kShapes[random_.below(std::size(kShapes))];
  program.ctas = 1 + static_cast<std::uint32_t>(random_.below(2));
  // Lanes that do not exist cannot take part in a warp-wide operation.
  const bool whole_warps = program.threads() % 32 == 0;
  while (budget_ > 0) {
    program.steps.children.push_back(phase());
    parity_ = 1 - parity_;
    in_collective_ = true;
    while (whole_warps && random_.chance(0.5)) {
      program.steps.children.push_back(
          expand(choose(collectives(), Kind::statement), static_cast<int>(random_.below(3)), 0));
    }
    in_collective_ = false;
  }
  return program;
}

} // namespace

Program generate(std::uint64_t seed, std::uint64_t index) {
  return Generator(seed, index).program(index);
}

} // namespace coulomb::fuzz
