// SPDX-License-Identifier: Apache-2.0
#include "sim/sanitizer/roles.hpp"

#include "sim/isa/cubin.hpp"

#include <algorithm>
#include <string>

namespace coulomb::sanitizer {
namespace {
using isa::Modifier;
using isa::Opcode;

/// True for the load with which a compare-and-swap loop begins, whose value an ATOMS.CAS soon
/// compares with: how atomics without an instruction of their own are compiled (float and 64-bit
/// addition).
bool begins_swap_loop(const std::vector<isa::Instruction>& code, std::size_t index) {
  constexpr std::size_t kLoop = 12; // instructions from the load to its ATOMS
  const isa::Instruction& load = code[index];
  if (load.opcode != Opcode::LDS || load.operands[0].index == isa::kRegisterZero) {
    return false;
  }
  for (std::size_t i = index + 1; i < std::min(index + kLoop, code.size()); ++i) {
    const isa::Instruction& in = code[i]; // R, MEM, compared R, new R
    if (in.opcode == Opcode::ATOMS && in.operand_count == 4 &&
        in.operands[2].index == load.operands[0].index) {
      return true;
    }
  }
  return false;
}

Role role_of(const isa::Instruction& in, const Checks& checks) {
  const bool shared = checks.race || checks.init; // both need to know who stored what when
  switch (in.opcode) {
  case Opcode::LDS:
  case Opcode::STS:
  case Opcode::LDSM_16:
  case Opcode::LD:
  case Opcode::ST:
    return shared ? Role::memory : Role::none;
  case Opcode::LDL:
  case Opcode::STL:
    return checks.init ? Role::memory : Role::none;
  case Opcode::ATOMS:
  case Opcode::ATOM:
    if (!shared) {
      return Role::none;
    }
    return isa::disassemble(in).find(".ARRIVE") == std::string::npos ? Role::atomic : Role::arrive;
  case Opcode::LDGSTS_E:
    return shared ? Role::copy : Role::none;
  case Opcode::LDGDEPBAR:
    return shared ? Role::commit_copies : Role::none;
  case Opcode::DEPBAR:
    return shared ? Role::wait_copies : Role::none;
  case Opcode::ARRIVES_LDGSTSBAR_64:
    return shared ? Role::finish_copies : Role::none;
  case Opcode::BAR:
    return shared || checks.sync ? Role::barrier : Role::none;
  case Opcode::EXIT:
  case Opcode::BSYNC:
  case Opcode::BREAK:
  case Opcode::WARPSYNC:
    return Role::control;
  default:
    return Role::none;
  }
}

} // namespace

bool accesses_parts_of_words(const isa::Instruction& in) {
  const bool memory = in.opcode == Opcode::LDS || in.opcode == Opcode::STS ||
                      in.opcode == Opcode::LD || in.opcode == Opcode::ST;
  constexpr unsigned kWord = 4; // size code of 32 bits
  return memory && in.modifier(Modifier::size) < kWord;
}

std::vector<Role> roles_of(const std::vector<isa::Instruction>& code, const Checks& checks) {
  std::vector<Role> roles;
  for (std::size_t i = 0; i < code.size(); ++i) {
    Role role = role_of(code[i], checks);
    if (role == Role::memory && begins_swap_loop(code, i)) {
      role = Role::swap_read;
    }
    roles.push_back(role);
  }
  return roles;
}

} // namespace coulomb::sanitizer
