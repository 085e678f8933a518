// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/code_mix.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace coulomb::isa {
namespace {

using enum Opcode;

/// Opcodes that count under one name. The classes are disjoint and cover all opcodes.
struct Class {
  std::string_view name;
  std::array<Opcode, 28> opcodes; ///< filled up with the first one
};

template <class... Opcodes>
constexpr Class of(std::string_view name, Opcodes... opcodes) {
  const Opcode listed[] = {opcodes...};
  Class c{name, {}};
  c.opcodes.fill(listed[0]);
  std::copy(std::begin(listed), std::end(listed), c.opcodes.begin());
  return c;
}

constexpr Class kClasses[] = {
    of("int", BMSK, IABS, IADD3, IDP, IMAD, IMAD_HI, IMAD_WIDE, IMNMX, LEA, VABSDIFF, VABSDIFF4),
    of("logic", LOP3_LUT, PLOP3_LUT, PRMT, SGXT, SHF),
    of("move", B2R, CS2R, LEPC, MOV, MOVM_16_MT88, P2R, R2P, R2UR, S2R, S2UR, SEL),
    of("compare", FSET_BF, FSETP, HSET2, HSETP2, ISETP, DSETP, FSEL),
    of("fp32", FADD, FFMA, FMNMX, FMUL, FCHK),
    of("fp64", DADD, DFMA, DMUL),
    of("fp16", HADD2, HFMA2, HFMA2_MMA, HMNMX2, HMUL2),
    of("tensor", BMMA, DMMA_884, HMMA, IMMA),
    of("transcendental", MUFU),
    of("bit_count", BREV, FLO, POPC),
    of("conversion", F2F, F2FP, F2I, F2IP, FRND, I2F, I2FP_F32, I2I, I2IP),
    of("uniform",
       UBMSK,
       UBREV,
       UFLO,
       UIADD3,
       UIMAD,
       UIMAD_WIDE,
       UISETP,
       ULDC,
       ULEA,
       ULOP3_LUT,
       UMOV,
       UP2UR,
       UPLOP3_LUT,
       UPOPC,
       UPRMT,
       UR2UP,
       USEL,
       USGXT,
       USHF,
       VOTEU),
    of("warp_exchange", MATCH, REDUX, SHFL, VOTE),
    of("global_loads", LDG),
    of("global_stores", STG),
    of("generic_loads", LD),
    of("generic_stores", ST),
    of("local_loads", LDL),
    of("local_stores", STL),
    of("shared_loads", LDS, LDSM_16),
    of("shared_stores", STS),
    of("constant_loads", LDC),
    of("async_copies", LDGSTS_E),
    of("atomics", ATOM, ATOMG, ATOMS, RED),
    of("barriers", BAR),
    of("memory_order", ARRIVES_LDGSTSBAR_64, CCTL, CCTLL, DEPBAR, ERRBAR, LDGDEPBAR, MEMBAR),
    of("branches", BRA, BRX),
    of("calls", CALL_ABS, CALL_REL, RET),
    of("exits", EXIT),
    of("convergence", BMOV_32, BREAK, BSSY, BSYNC, WARPSYNC, YIELD),
    of("other_control", BPT, NANOSLEEP, PMTRIG, QSPC),
    of("nop", NOP),
};

/// Class of each opcode.
constexpr auto kClassOf = [] {
  std::array<std::uint8_t, kOpcodeCount> out{};
  out.fill(0xff);
  for (std::uint8_t i = 0; i < std::size(kClasses); ++i) {
    for (const Opcode opcode : kClasses[i].opcodes) {
      out[static_cast<std::size_t>(opcode)] = i;
    }
  }
  return out;
}();
static_assert(std::ranges::find(kClassOf, 0xff) == kClassOf.end(), "an opcode has no class");

constexpr std::array<std::string_view, 5> kWidths = {"1b", "2b", "4b", "8b", "16b"};
/// Index in kWidths of the values of the modifier .size: .U8 .S8 .U16 .S16 (32 bits) .64 .128.
constexpr std::array<std::size_t, 8> kWidthOfSize = {0, 0, 1, 1, 2, 3, 4, 4};

bool is_load(Opcode o) {
  return o == LDG || o == LD || o == LDL || o == LDS || o == LDGSTS_E;
}

bool is_store(Opcode o) {
  return o == STG || o == ST || o == STL || o == STS;
}

/// The self-branch behind the last EXIT goes nowhere, not backward.
bool is_backward_branch(const Instruction& in) {
  return in.opcode == BRA &&
         std::any_of(in.operands.begin(), in.operands.begin() + in.operand_count,
                     [&](const Operand& o) {
                       return o.kind == OperandKind::target && o.value < std::int64_t{in.pc};
                     });
}

/// What an instruction adds to a count besides that of its class.
struct Also {
  std::string_view name;
  unsigned (*count)(const Instruction&);
};

constexpr Also kAlso[] = {
    {"instructions", [](const Instruction&) { return 1U; }},
    {"bytes", [](const Instruction&) { return unsigned{kInstructionBytes}; }},
    {"predicated", [](const Instruction& in) { return unsigned{in.has_guard()}; }},
    {"backward_branches", [](const Instruction& in) { return unsigned{is_backward_branch(in)}; }},
    {"ffma", [](const Instruction& in) { return unsigned{in.opcode == FFMA}; }},
    {"integer_multiply",
     [](const Instruction& in) {
       return unsigned{in.opcode == IMAD || in.opcode == IMAD_WIDE || in.opcode == IMAD_HI};
     }},
    {"matrix_loads", [](const Instruction& in) { return unsigned{in.opcode == LDSM_16}; }},
    {"reused_operands",
     [](const Instruction& in) { return unsigned(std::popcount(in.control.reuse)); }},
    {"barrier_waits", [](const Instruction& in) { return unsigned{in.control.wait_mask != 0}; }},
    {"yields", [](const Instruction& in) { return unsigned{in.control.yield}; }},
    {"stall_cycles", [](const Instruction& in) { return unsigned{in.control.stall}; }},
};

} // namespace

std::map<std::string, double> code_mix(const KernelImage& kernel) {
  std::map<std::string, double> mix;
  for (const Class& c : kClasses) {
    mix[std::string(c.name)] = 0.0;
  }
  for (const Also& also : kAlso) {
    mix[std::string(also.name)] = 0.0;
  }
  std::array<double, kWidths.size()> loads{};
  std::array<double, kWidths.size()> stores{};
  for (const Instruction& in : kernel.code) {
    mix[std::string(kClasses[kClassOf[static_cast<std::size_t>(in.opcode)]].name)] += 1.0;
    for (const Also& also : kAlso) {
      mix[std::string(also.name)] += also.count(in);
    }
    const std::size_t width = kWidthOfSize.at(in.modifier(Modifier::size) % kWidthOfSize.size());
    loads.at(width) += is_load(in.opcode) ? 1.0 : 0.0;
    stores.at(width) += is_store(in.opcode) ? 1.0 : 0.0;
  }
  for (std::size_t i = 0; i < kWidths.size(); ++i) {
    mix["loads_" + std::string(kWidths.at(i))] = loads.at(i);
    mix["stores_" + std::string(kWidths.at(i))] = stores.at(i);
  }
  return mix;
}

} // namespace coulomb::isa
