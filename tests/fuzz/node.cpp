// SPDX-License-Identifier: Apache-2.0
#include "node.hpp"

#include <fmt/format.h>

namespace coulomb::fuzz {

std::size_t Node::size() const {
  std::size_t n = 1;
  for (const Node& child : children) {
    n += child.size();
  }
  return n;
}

std::size_t Node::statements() const {
  std::size_t n = kind == Kind::statement || kind == Kind::phase ? 1 : 0;
  for (const Node& child : children) {
    n += child.statements();
  }
  return n;
}

std::string Node::render(int indent) const {
  if (kind == Kind::block) {
    std::string out = "\n";
    for (const Node& child : children) {
      out += std::string(static_cast<std::size_t>(indent) + 2, ' ') + child.render(indent + 2);
      out += '\n';
    }
    return out + std::string(static_cast<std::size_t>(indent), ' ');
  }
  std::string out = text.front();
  for (std::size_t i = 0; i < children.size(); ++i) {
    out += children[i].render(indent) + text[i + 1];
  }
  return out;
}

std::string Program::render(const std::string& name) const {
  std::string functions;
  std::string kernel = fmt::format("FUZZ_KERNEL({}, {}u)\n", name, threads());
  for (std::size_t i = 0; i < steps.children.size(); ++i) {
    const Node& step = steps.children[i];
    if (step.kind == Kind::phase) {
      functions +=
          fmt::format("{}({}_{}) {{{}}}\n", step.text[0], name, i, step.children[0].render());
      kernel += fmt::format("  FUZZ_RUN({}_{})\n", name, i);
    } else {
      kernel += "  " + step.render(2) + '\n';
    }
  }
  return functions + kernel + "FUZZ_END\n";
}

} // namespace coulomb::fuzz
