// SPDX-License-Identifier: Apache-2.0
#include "shrinker.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace coulomb::fuzz {
namespace {

constexpr std::size_t kBatch = 16;
/// The simplest expressions of each type, in the order of Kind.
constexpr std::array<std::array<const char*, 2>, 7> kSimplest = {{{"s.u0", "1u"},
                                                                  {"s.i0", "1"},
                                                                  {"s.w0", "1ull"},
                                                                  {"s.l0", "1ll"},
                                                                  {"s.f0", "1.0f"},
                                                                  {"s.d0", "1.0"},
                                                                  {"true", "false"}}};

bool is_expression(const Node& node) {
  return node.kind <= Kind::boolean;
}

/// Finds the single-step simplifications of a tree, each as a whole new program.
class Reducer {
public:
  explicit Reducer(const Program& program) : program_(program) {}

  std::vector<Program> all() {
    visit(program_.steps);
    return std::move(found_);
  }

private:
  /// `node` is part of program_; a copy of the program with `changed` in its place is a finding.
  void replace(Node& node, Node changed) {
    std::swap(node, changed);
    found_.push_back(program_);
    std::swap(node, changed);
  }

  void visit(Node& node) {
    if (node.kind == Kind::block) {
      shorten(node);
      for (std::size_t i = 0; i < node.children.size(); ++i) {
        hoist(node, i);
      }
    } else if (is_expression(node)) {
      simplify(node);
    } else if (node.kind == Kind::phase && node.text[0] == "FUZZ_CALLED_PHASE") {
      Node inlined = node;
      inlined.text[0] = "FUZZ_PHASE";
      replace(node, std::move(inlined));
    }
    for (Node& child : node.children) {
      visit(child);
    }
  }

  /// Leaves out runs of a block's children: halves, quarters, ... single ones.
  void shorten(Node& block) {
    const std::size_t count = block.children.size();
    for (std::size_t length = count; length > 0; length /= 2) {
      for (std::size_t begin = 0; begin < count; begin += length) {
        Node shorter = block;
        const auto first = shorter.children.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last =
            shorter.children.begin() + static_cast<std::ptrdiff_t>(std::min(begin + length, count));
        shorter.children.erase(first, last);
        replace(block, std::move(shorter));
      }
    }
  }

  /// Puts what a statement holds in its place: code never mentions the counter of its loop, and a
  /// break or continue belongs to the text of the loop itself.
  void hoist(Node& block, std::size_t i) {
    for (const Node& inner : block.children[i].children) {
      if (block.children[i].kind == Kind::statement && inner.kind == Kind::block) {
        Node flat = block;
        const auto at = flat.children.begin() + static_cast<std::ptrdiff_t>(i);
        flat.children.insert(flat.children.erase(at), inner.children.begin(), inner.children.end());
        replace(block, std::move(flat));
      }
    }
  }

  void simplify(Node& expression) {
    if (expression.text.size() == 1 && expression.size() == 1) {
      return;
    }
    add_operands(expression, expression);
    for (const char* text : kSimplest[static_cast<std::size_t>(expression.kind)]) {
      Node leaf;
      leaf.kind = expression.kind;
      leaf.text = {text};
      replace(expression, std::move(leaf));
    }
  }

  /// The nearest parts of `inside` that have the type of `expression`, in its place.
  void add_operands(Node& expression, const Node& inside) {
    std::vector<const Node*> pending;
    for (const Node& child : inside.children) {
      pending.push_back(&child);
    }
    std::vector<Node> operands;
    for (std::size_t i = 0; i < pending.size(); ++i) {
      if (pending[i]->kind == expression.kind) {
        operands.push_back(*pending[i]);
        continue;
      }
      for (const Node& child : pending[i]->children) {
        pending.push_back(&child);
      }
    }
    for (Node& operand : operands) {
      replace(expression, std::move(operand));
    }
  }

  Program program_;
  std::vector<Program> found_;
};

} // namespace

std::vector<Program> reductions(const Program& program) {
  std::vector<Program> found = Reducer(program).all();
  if (program.ctas > 1) {
    found.push_back(program);
    found.back().ctas = 1;
  }
  std::stable_sort(found.begin(), found.end(), [](const Program& a, const Program& b) {
    return a.steps.size() < b.steps.size();
  });
  return found;
}

Shrunk shrink(Program program, Outcome outcome, const RunBatch& run, std::size_t batches) {
  Shrunk best{std::move(program), std::move(outcome), 0};
  while (batches > 0) {
    const std::vector<Program> candidates = reductions(best.program);
    bool smaller = false;
    for (std::size_t i = 0; i < candidates.size() && !smaller && batches > 0; i += kBatch) {
      const std::size_t count = std::min(kBatch, candidates.size() - i);
      const std::vector<Outcome> outcomes = run({candidates.data() + i, count});
      --batches;
      best.tried += count;
      const auto kept = std::find_if(outcomes.begin(), outcomes.end(), [&](const Outcome& o) {
        return o.verdict == best.outcome.verdict;
      });
      if (kept != outcomes.end()) {
        best.program = candidates[i + static_cast<std::size_t>(kept - outcomes.begin())];
        best.outcome = *kept;
        smaller = true;
      }
    }
    if (!smaller) {
      break;
    }
  }
  return best;
}

} // namespace coulomb::fuzz
