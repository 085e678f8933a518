// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/flow_graph.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <boost/graph/reverse_graph.hpp>
#include <set>
#include <utility>

namespace coulomb::isa {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

/// Where control may go after one instruction.
struct Flow {
  std::vector<std::uint32_t> targets; ///< pcs
  bool falls_through = true;
  bool ends_block = false;
  bool leaves = false;
};

/// True if neither the guard nor the second predicate (EXIT P0, BRA !P1) can keep it from
/// happening.
bool is_unconditional(const Instruction& instruction) {
  if (instruction.has_guard()) {
    return false;
  }
  for (unsigned i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.kind == OperandKind::predicate &&
        (operand.index != kPredicateTrue || operand.negate)) {
      return false;
    }
  }
  return true;
}

std::uint32_t direct_target(const KernelImage& kernel, const Instruction& instruction) {
  for (unsigned i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.kind != OperandKind::target) {
      continue;
    }
    const auto end = static_cast<std::int64_t>(kernel.code.size()) * kInstructionBytes;
    if (operand.value < 0 || operand.value >= end || operand.value % kInstructionBytes != 0) {
      throw UserError(fmt::format("kernel {}, pc {:#x}: {} leaves the section of {:#x} bytes",
                                  kernel.name, instruction.pc, disassemble(instruction), end));
    }
    return static_cast<std::uint32_t>(operand.value);
  }
  throw UnsupportedError(fmt::format("kernel {}, pc {:#x}: {} has no target in its section",
                                     kernel.name, instruction.pc, disassemble(instruction)));
}

bool has_register_target(const Instruction& instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](const Operand& operand) { return operand.kind == OperandKind::reg; });
}

Flow flow_of(const KernelImage& kernel, const Instruction& instruction) {
  Flow flow;
  switch (instruction.opcode) {
  case Opcode::BRA:
    flow.targets.push_back(direct_target(kernel, instruction));
    // .DIV and .CONV test whether the warp is (not) converged
    flow.falls_through = !is_unconditional(instruction) || instruction.modifier(Modifier::div) > 1;
    flow.ends_block = true;
    break;
  case Opcode::BRX: {
    const auto found = kernel.indirect_targets.find(instruction.pc);
    if (found == kernel.indirect_targets.end()) {
      throw UnsupportedError(
          fmt::format("kernel {}, pc {:#x}: {} has no list of targets in the cubin", kernel.name,
                      instruction.pc, disassemble(instruction)));
    }
    flow.targets = found->second;
    flow.falls_through = !is_unconditional(instruction);
    flow.ends_block = true;
    break;
  }
  case Opcode::CALL_REL:
    if (!has_register_target(instruction)) {
      flow.targets.push_back(direct_target(kernel, instruction));
    }
    flow.ends_block = true;
    break;
  case Opcode::EXIT:
  case Opcode::RET:
    flow.leaves = true;
    flow.falls_through = !is_unconditional(instruction);
    flow.ends_block = true;
    break;
  default:
    break;
  }
  return flow;
}

Graph make_graph(const std::vector<BasicBlock>& blocks) {
  Graph graph(blocks.size() + 1); // the last vertex is the end of the thread
  for (Vertex from = 0; from < blocks.size(); ++from) {
    for (const std::uint32_t to : blocks[from].successors) {
      boost::add_edge(from, to, graph);
    }
    if (blocks[from].may_leave) {
      boost::add_edge(from, blocks.size(), graph);
    }
  }
  return graph;
}

template <typename AnyGraph>
std::vector<Vertex> dominators(const AnyGraph& graph, Vertex root) {
  std::vector<Vertex> immediate(boost::num_vertices(graph),
                                boost::graph_traits<AnyGraph>::null_vertex());
  boost::lengauer_tarjan_dominator_tree(
      graph, root,
      boost::make_iterator_property_map(immediate.begin(), boost::get(boost::vertex_index, graph)));
  return immediate;
}

bool dominates(const std::vector<Vertex>& immediate, Vertex above, Vertex below) {
  while (below != above && below != boost::graph_traits<Graph>::null_vertex()) {
    below = immediate[below];
  }
  return below == above;
}

/// Blocks from which `latch` can be reached without passing `header`, and both of them.
std::vector<std::uint32_t> loop_body(const Graph& graph, Vertex header, Vertex latch) {
  std::set<std::uint32_t> body{static_cast<std::uint32_t>(header)};
  std::vector<Vertex> open{latch};
  while (!open.empty()) {
    const Vertex vertex = open.back();
    open.pop_back();
    if (!body.insert(static_cast<std::uint32_t>(vertex)).second) {
      continue;
    }
    for (const auto edge : boost::make_iterator_range(boost::in_edges(vertex, graph))) {
      open.push_back(boost::source(edge, graph));
    }
  }
  return {body.begin(), body.end()};
}

/// Indices of the instructions that begin a block.
std::set<std::uint32_t> find_leaders(const KernelImage& kernel, const std::vector<Flow>& flows) {
  const auto size = static_cast<std::uint32_t>(kernel.code.size());
  std::set<std::uint32_t> leaders{0};
  for (std::uint32_t i = 0; i < size; ++i) {
    if (flows[i].ends_block) {
      leaders.insert(i + 1);
    }
    for (const std::uint32_t pc : flows[i].targets) {
      if (pc / kInstructionBytes >= size) {
        throw UserError(
            fmt::format("kernel {}, pc {:#x}: the listed target {:#x} lies outside the section",
                        kernel.name, kernel.code[i].pc, pc));
      }
      leaders.insert(pc / kInstructionBytes);
    }
  }
  leaders.erase(size);
  return leaders;
}

void mark_reachable(std::vector<BasicBlock>& blocks) {
  std::vector<std::uint32_t> open;
  if (!blocks.empty()) {
    open.push_back(0);
  }
  while (!open.empty()) {
    BasicBlock& block = blocks[open.back()];
    open.pop_back();
    if (!block.reachable) {
      block.reachable = true;
      open.insert(open.end(), block.successors.begin(), block.successors.end());
    }
  }
}

} // namespace

FlowGraph::FlowGraph(const KernelImage& kernel) : block_of_(kernel.code.size()) {
  std::vector<Flow> flows;
  for (const Instruction& instruction : kernel.code) {
    flows.push_back(flow_of(kernel, instruction));
  }
  for (const std::uint32_t leader : find_leaders(kernel, flows)) {
    blocks_.push_back({.first = leader});
  }
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    const auto size = static_cast<std::uint32_t>(kernel.code.size());
    const std::uint32_t end = b + 1 < blocks_.size() ? blocks_[b + 1].first : size;
    blocks_[b].count = end - blocks_[b].first;
    std::fill(block_of_.begin() + blocks_[b].first, block_of_.begin() + end, b);
  }
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    const Flow& last = flows[blocks_[b].first + blocks_[b].count - 1];
    std::set<std::uint32_t> next;
    for (const std::uint32_t pc : last.targets) {
      next.insert(block_of_[pc / kInstructionBytes]);
    }
    if (last.falls_through && b + 1 < blocks_.size()) {
      next.insert(b + 1);
    }
    blocks_[b].successors.assign(next.begin(), next.end());
    blocks_[b].may_leave = last.leaves;
  }
  mark_reachable(blocks_);
  const Graph graph = make_graph(blocks_);
  const std::vector<Vertex> immediate =
      dominators(boost::make_reverse_graph(graph), blocks_.size());
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    if (immediate[b] < blocks_.size()) {
      blocks_[b].post_dominator = static_cast<std::uint32_t>(immediate[b]);
    }
  }
}

std::uint32_t FlowGraph::block_of(std::uint32_t instruction) const {
  COULOMB_CHECK(instruction < block_of_.size(), "instruction {} of {}", instruction,
                block_of_.size());
  return block_of_[instruction];
}

std::vector<NaturalLoop> FlowGraph::loops() const {
  const Graph graph = make_graph(blocks_);
  const std::vector<Vertex> immediate = dominators(graph, 0);
  std::vector<NaturalLoop> found;
  for (std::uint32_t latch = 0; latch < blocks_.size(); ++latch) {
    for (const std::uint32_t header : blocks_[latch].successors) {
      if (blocks_[latch].reachable && dominates(immediate, header, latch)) {
        found.push_back({header, latch, loop_body(graph, header, latch)});
      }
    }
  }
  std::sort(found.begin(), found.end(), [](const NaturalLoop& a, const NaturalLoop& b) {
    return std::pair(a.header, a.latch) < std::pair(b.header, b.latch);
  });
  return found;
}

} // namespace coulomb::isa
