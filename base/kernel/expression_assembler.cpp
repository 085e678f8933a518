// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/expression_assembler.hpp"

#include <algorithm>

namespace coulomb::kernel {
namespace {

// Which of the three parts of the frame an operand is in, until their sizes are known.
constexpr std::uint16_t kConstant = 0x4000;
constexpr std::uint16_t kTemporary = 0x8000;
constexpr std::uint16_t kPart = 0xc000;

bool is_jump(Opcode op) {
  return op == Opcode::jump || op == Opcode::jump_if || op == Opcode::jump_unless;
}

} // namespace

Operand ExpressionAssembler::input(std::size_t slot, CellType type) {
  auto at = std::find(code_.slots.begin(), code_.slots.end(), slot);
  if (at == code_.slots.end()) {
    at = code_.slots.insert(at, slot);
  }
  return {type, static_cast<std::uint16_t>(at - code_.slots.begin())};
}

Operand ExpressionAssembler::constant(const ParameterValue& value) {
  Cell cell{};
  Operand made{CellType::integer, static_cast<std::uint16_t>(kConstant | code_.constants.size())};
  if (const auto* s = std::get_if<std::string>(&value)) {
    code_.texts.push_back(std::make_unique<const std::string>(*s));
    cell.text = code_.texts.back().get();
    made.type = CellType::text;
  } else if (const auto* d = std::get_if<double>(&value)) {
    cell.real = *d;
    made.type = CellType::real;
  } else if (const auto* b = std::get_if<bool>(&value)) {
    cell.integer = *b ? 1 : 0;
  } else {
    cell.integer = std::get<std::int64_t>(value);
  }
  code_.constants.push_back(cell);
  return made;
}

Operand ExpressionAssembler::temporary(CellType type) {
  return {type, static_cast<std::uint16_t>(kTemporary | temporaries_++)};
}

Operand ExpressionAssembler::emit(Opcode op, CellType type, Operand a, Operand b) {
  const Operand out = temporary(type);
  code_.instructions.push_back({op, out.at, a.at, b.at});
  return out;
}

Operand ExpressionAssembler::emit_table(Opcode op, Operand a, std::vector<std::int64_t> table) {
  code_.tables.push_back(std::move(table));
  const Operand out = temporary(CellType::integer);
  code_.instructions.push_back(
      {op, out.at, a.at, static_cast<std::uint16_t>(code_.tables.size() - 1)});
  return out;
}

void ExpressionAssembler::copy(Operand from, Operand to) {
  code_.instructions.push_back({Opcode::copy, to.at, from.at, 0});
}

std::size_t ExpressionAssembler::jump(Opcode op, Operand condition) {
  code_.instructions.push_back({op, 0, condition.at, 0});
  return code_.instructions.size() - 1;
}

void ExpressionAssembler::land(std::size_t jump) {
  code_.instructions[jump].out = static_cast<std::uint16_t>(code_.instructions.size());
}

std::uint16_t ExpressionAssembler::placed(std::uint16_t at,
                                          const std::vector<std::size_t>& sorted) const {
  std::size_t index = at & ~kPart;
  if ((at & kPart) == 0) {
    // Slots were numbered as they came up; the frame has them ascending.
    const bool used = index < code_.slots.size(); // an operand that does not count is cell 0
    return used ? static_cast<std::uint16_t>(
                      std::lower_bound(sorted.begin(), sorted.end(), code_.slots[index]) -
                      sorted.begin())
                : 0;
  }
  index += code_.slots.size();
  index += (at & kPart) == kTemporary ? code_.constants.size() : 0;
  return static_cast<std::uint16_t>(index);
}

std::shared_ptr<const ExpressionCode> ExpressionAssembler::finish(Operand result) {
  if (code_.slots.size() + code_.constants.size() + temporaries_ > kMaxFrameCells ||
      code_.instructions.size() >= kConstant) {
    return nullptr;
  }
  std::vector<std::size_t> sorted = code_.slots;
  std::sort(sorted.begin(), sorted.end());
  for (Instruction& i : code_.instructions) {
    i.a = placed(i.a, sorted);
    const bool table = i.op == Opcode::in_sorted_i || i.op == Opcode::element_i;
    i.b = table ? i.b : placed(i.b, sorted);
    i.out = is_jump(i.op) ? i.out : placed(i.out, sorted);
  }
  code_.result = placed(result.at, sorted);
  code_.slots = std::move(sorted);
  return std::make_shared<const ExpressionCode>(std::move(code_));
}

} // namespace coulomb::kernel
