// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/reachability.hpp"

#include "base/error.hpp"

#include <cstdint>

namespace coulomb::functional {
namespace {
using isa::Instruction;
using isa::Opcode;
using isa::OperandKind;

bool is_conditional(const Instruction& in) {
  if (in.has_guard()) {
    return true;
  }
  const isa::Operand& p = in.operands[0];
  return p.kind == OperandKind::predicate && (p.index != isa::kPredicateTrue || p.negate);
}

/// Where control goes after one instruction.
struct Successors {
  bool next = true;
  bool anywhere = false;
  std::vector<std::int64_t> targets;
};

Successors successors(const isa::KernelImage& kernel, const Instruction& in) {
  Successors s;
  switch (in.opcode) {
  case Opcode::BRA:
    s.targets.push_back(in.operands[2].value);
    s.next = is_conditional(in) || in.operands[1].kind != OperandKind::absent;
    break;
  case Opcode::CALL_REL:
    if (in.operands[1].kind == OperandKind::target) {
      s.targets.push_back(in.operands[1].value);
    } else {
      s.anywhere = true;
    }
    break;
  case Opcode::CALL_ABS: // a function of the device runtime, or any address
    s.anywhere = true;
    break;
  case Opcode::BRX:
    s.next = is_conditional(in);
    if (const auto found = kernel.indirect_targets.find(in.pc);
        found != kernel.indirect_targets.end()) {
      s.targets.assign(found->second.begin(), found->second.end());
    } else {
      s.anywhere = true;
    }
    break;
  case Opcode::RET:
  case Opcode::EXIT:
    s.next = is_conditional(in);
    break;
  default:
    break;
  }
  return s;
}
} // namespace

std::vector<bool> reachable_code(const isa::KernelImage& kernel) {
  std::vector<bool> reached(kernel.code.size(), false);
  std::vector<std::int64_t> todo = {0};
  while (!todo.empty()) {
    const std::int64_t pc = todo.back();
    todo.pop_back();
    const auto index = static_cast<std::size_t>(pc / isa::kInstructionBytes);
    if (pc < 0 || index >= kernel.code.size()) {
      throw UserError(
          fmt::format("kernel {}: control flow leaves the code: pc {:#x} of {:#x} bytes",
                      kernel.name, pc, kernel.code.size() * isa::kInstructionBytes),
          "the cubin is damaged; compile it again");
    }
    if (reached[index]) {
      continue;
    }
    reached[index] = true;
    const Successors s = successors(kernel, kernel.code[index]);
    if (s.anywhere) {
      return std::vector<bool>(kernel.code.size(), true);
    }
    todo.insert(todo.end(), s.targets.begin(), s.targets.end());
    if (s.next) {
      todo.push_back(pc + isa::kInstructionBytes);
    }
  }
  return reached;
}

} // namespace coulomb::functional
