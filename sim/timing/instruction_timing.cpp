// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/instruction_timing.hpp"

#include "base/error.hpp"
#include "sim/timing/tensor_timing.hpp"

#include <algorithm>

namespace coulomb::timing {
namespace {

using isa::Opcode;
using isa::OperandKind;

struct OpcodeRow {
  Opcode opcode;
  Pipe pipe;
  MemoryPath path = MemoryPath::none;
  std::uint8_t interval_factor = 1; ///< of the pipe's interval
  std::uint8_t latency = 0;         ///< 0: the pipe's
};

// Pipes: NVIDIA forum description of the Ampere sub-core, Mesa NAK latency tables, Huerta et al.
// MICRO 2025. IMAD.WIDE and IMAD.HI occupy the multiplier twice (32 lanes/clk/SM in the programming
// guide).
constexpr OpcodeRow kRows[] = {
    {Opcode::FADD, Pipe::fma},
    {Opcode::FMUL, Pipe::fma},
    {Opcode::FFMA, Pipe::fma},
    {Opcode::IMAD, Pipe::imad},
    {Opcode::IDP, Pipe::imad},
    {Opcode::IMAD_WIDE, Pipe::imad, MemoryPath::none, 2},
    {Opcode::IMAD_HI, Pipe::imad, MemoryPath::none, 2},
    {Opcode::BMSK, Pipe::alu},
    {Opcode::CS2R, Pipe::alu},
    {Opcode::F2FP, Pipe::alu},
    {Opcode::FMNMX, Pipe::alu},
    {Opcode::FSEL, Pipe::alu},
    {Opcode::FSET_BF, Pipe::alu},
    {Opcode::FSETP, Pipe::alu},
    {Opcode::I2FP_F32, Pipe::alu},
    {Opcode::I2I, Pipe::alu},
    {Opcode::I2IP, Pipe::alu},
    {Opcode::IABS, Pipe::alu},
    {Opcode::IADD3, Pipe::alu},
    {Opcode::IMNMX, Pipe::alu},
    {Opcode::ISETP, Pipe::alu},
    {Opcode::LEA, Pipe::alu},
    {Opcode::LEPC, Pipe::alu},
    {Opcode::LOP3_LUT, Pipe::alu},
    {Opcode::MOV, Pipe::alu},
    {Opcode::P2R, Pipe::alu},
    {Opcode::PLOP3_LUT, Pipe::alu},
    {Opcode::PRMT, Pipe::alu},
    {Opcode::R2P, Pipe::alu},
    {Opcode::SEL, Pipe::alu},
    {Opcode::SGXT, Pipe::alu},
    {Opcode::SHF, Pipe::alu},
    {Opcode::VABSDIFF, Pipe::alu},
    {Opcode::VABSDIFF4, Pipe::alu},
    {Opcode::VOTE, Pipe::alu},
    {Opcode::HADD2, Pipe::half},
    {Opcode::HFMA2, Pipe::half},
    {Opcode::HMNMX2, Pipe::half},
    {Opcode::HMUL2, Pipe::half},
    {Opcode::HSET2, Pipe::half},
    {Opcode::HSETP2, Pipe::half},
    {Opcode::MUFU, Pipe::xu},
    {Opcode::F2F, Pipe::xu},
    {Opcode::F2I, Pipe::xu},
    {Opcode::F2IP, Pipe::xu}, // assumption: as F2I

    {Opcode::FRND, Pipe::xu},
    {Opcode::I2F, Pipe::xu},
    {Opcode::POPC, Pipe::xu},
    {Opcode::FLO, Pipe::xu},
    {Opcode::BREV, Pipe::xu},
    {Opcode::FCHK, Pipe::xu},
    {Opcode::DADD, Pipe::fp64},
    {Opcode::DFMA, Pipe::fp64},
    {Opcode::DMUL, Pipe::fp64},
    {Opcode::DSETP, Pipe::fp64},
    {Opcode::HFMA2_MMA, Pipe::fp64},
    {Opcode::HMMA, Pipe::tensor},
    {Opcode::IMMA, Pipe::tensor},
    {Opcode::BMMA, Pipe::tensor},
    {Opcode::DMMA_884, Pipe::tensor},
    {Opcode::UBREV, Pipe::uniform},
    {Opcode::UFLO, Pipe::uniform},
    {Opcode::UIADD3, Pipe::uniform},
    {Opcode::UIMAD, Pipe::uniform},
    {Opcode::UIMAD_WIDE, Pipe::uniform},
    {Opcode::UISETP, Pipe::uniform},
    {Opcode::ULDC, Pipe::uniform},
    {Opcode::ULEA, Pipe::uniform},
    {Opcode::ULOP3_LUT, Pipe::uniform},
    {Opcode::UMOV, Pipe::uniform},
    {Opcode::UPLOP3_LUT, Pipe::uniform},
    {Opcode::UPOPC, Pipe::uniform},
    {Opcode::USEL, Pipe::uniform},
    {Opcode::USHF, Pipe::uniform},
    {Opcode::UPRMT, Pipe::uniform},
    {Opcode::UBMSK, Pipe::uniform},
    {Opcode::UP2UR, Pipe::uniform},
    {Opcode::UR2UP, Pipe::uniform},
    {Opcode::USGXT, Pipe::uniform},
    {Opcode::VOTEU, Pipe::uniform},
    {Opcode::R2UR, Pipe::uniform},
    {Opcode::REDUX, Pipe::xu},
    {Opcode::ATOM, Pipe::lsu, MemoryPath::l1},
    {Opcode::ATOMG, Pipe::lsu, MemoryPath::l1},
    {Opcode::LD, Pipe::lsu, MemoryPath::l1},
    {Opcode::LDG, Pipe::lsu, MemoryPath::l1},
    {Opcode::LDGSTS_E, Pipe::lsu, MemoryPath::l1},
    {Opcode::LDL, Pipe::lsu, MemoryPath::l1},
    {Opcode::RED, Pipe::lsu, MemoryPath::l1},
    {Opcode::ST, Pipe::lsu, MemoryPath::l1},
    {Opcode::STG, Pipe::lsu, MemoryPath::l1},
    {Opcode::STL, Pipe::lsu, MemoryPath::l1},
    {Opcode::CCTL, Pipe::lsu, MemoryPath::special},
    {Opcode::CCTLL, Pipe::lsu, MemoryPath::special},
    {Opcode::MEMBAR, Pipe::lsu, MemoryPath::special},
    {Opcode::ERRBAR, Pipe::none},
    {Opcode::QSPC, Pipe::mio, MemoryPath::special},
    {Opcode::LDS, Pipe::mio, MemoryPath::shared},
    {Opcode::STS, Pipe::mio, MemoryPath::shared},
    {Opcode::LDSM_16, Pipe::mio, MemoryPath::shared},
    {Opcode::ATOMS, Pipe::mio, MemoryPath::shared},
    {Opcode::ARRIVES_LDGSTSBAR_64, Pipe::mio, MemoryPath::special},
    {Opcode::SHFL, Pipe::mio, MemoryPath::shuffle},
    {Opcode::MOVM_16_MT88, Pipe::mio, MemoryPath::shuffle},
    {Opcode::MATCH, Pipe::mio, MemoryPath::shuffle},
    {Opcode::LDC, Pipe::mio, MemoryPath::constant},
    {Opcode::S2R, Pipe::mio, MemoryPath::special},
    {Opcode::S2UR, Pipe::mio, MemoryPath::special},
    {Opcode::B2R, Pipe::mio, MemoryPath::special},
    {Opcode::BMOV_32, Pipe::none},
    {Opcode::LDGDEPBAR, Pipe::none},
    {Opcode::DEPBAR, Pipe::none},
    {Opcode::BAR, Pipe::none},
    {Opcode::BPT, Pipe::none},
    {Opcode::BRA, Pipe::none},
    {Opcode::BREAK, Pipe::none},
    {Opcode::BRX, Pipe::none},
    {Opcode::BSSY, Pipe::none},
    {Opcode::BSYNC, Pipe::none},
    {Opcode::CALL_ABS, Pipe::none},
    {Opcode::CALL_REL, Pipe::none},
    {Opcode::EXIT, Pipe::none},
    {Opcode::NANOSLEEP, Pipe::none},
    {Opcode::NOP, Pipe::none},
    {Opcode::PMTRIG, Pipe::none},
    {Opcode::RET, Pipe::none},
    {Opcode::WARPSYNC, Pipe::none},
    {Opcode::YIELD, Pipe::none},
};

const OpcodeRow* row_of(Opcode opcode) {
  static constexpr auto kIndex = [] {
    std::array<std::int16_t, isa::kOpcodeCount> index{};
    index.fill(-1);
    std::int16_t i = 0;
    for (const auto& row : kRows) {
      index[static_cast<std::size_t>(row.opcode)] = i++;
    }
    return index;
  }();
  const auto i = kIndex[static_cast<std::size_t>(opcode)];
  return i < 0 ? nullptr : &kRows[i];
}

/// LDC: the address is a constant, or in a vector register.
void time_constant_load(const isa::Instruction& inst,
                        const config::LsuConfig& lsu,
                        InstructionTiming& t) {
  const auto end = inst.operands.begin() + inst.operand_count;
  const bool indexed = std::any_of(inst.operands.begin(), end, [](const isa::Operand& o) {
    return o.kind == OperandKind::constant_indexed && o.index != isa::kRegisterZero;
  });
  t.latency = static_cast<std::uint16_t>(indexed ? lsu.constant_indexed_latency
                                                 : lsu.constant_load_latency);
  t.read_release = static_cast<std::uint16_t>(indexed ? lsu.constant_indexed_release
                                                      : lsu.constant_load_release);
}

/// The address of the instruction's (first) memory operand takes no vector register.
bool has_uniform_address(const isa::Instruction& inst) {
  for (int i = 0; i < inst.operand_count; ++i) {
    const auto& o = inst.operands[static_cast<std::size_t>(i)];
    if (o.kind == OperandKind::memory) {
      return o.index == isa::kRegisterZero;
    }
  }
  return false;
}

const config::PipeConfig* pipe_config(Pipe pipe, const config::PipesConfig& p) {
  switch (pipe) {
  case Pipe::fma:
    return &p.fma;
  case Pipe::imad:
    return &p.imad;
  case Pipe::alu:
    return &p.alu;
  case Pipe::half:
    return &p.half;
  case Pipe::xu:
    return &p.xu;
  case Pipe::fp64:
    return &p.fp64;
  case Pipe::uniform:
    return &p.uniform;
  case Pipe::tensor:
  case Pipe::none:
  case Pipe::lsu:
  case Pipe::mio:
    break;
  }
  return nullptr;
}

/// Source registers of the fixed-latency path; those of 64-bit pairs count once per register.
void collect_sources(const isa::Instruction& inst, InstructionTiming& t) {
  // The first register operand is the destination unless the instruction writes predicates only.
  bool destination_seen = inst.opcode == Opcode::ISETP || inst.opcode == Opcode::FSETP ||
                          inst.opcode == Opcode::DSETP || inst.opcode == Opcode::HSETP2 ||
                          inst.opcode == Opcode::R2P || inst.opcode == Opcode::FCHK;
  std::uint8_t slot = 0;
  for (int i = 0; i < inst.operand_count && t.source_count < t.sources.size(); ++i) {
    const auto& o = inst.operands[static_cast<std::size_t>(i)];
    const bool value_operand =
        o.kind == OperandKind::reg || o.kind == OperandKind::uniform_reg ||
        o.kind == OperandKind::immediate || o.kind == OperandKind::constant ||
        o.kind == OperandKind::f32_immediate || o.kind == OperandKind::f64_immediate ||
        o.kind == OperandKind::f16x2_immediate;
    if (!value_operand) {
      continue;
    }
    if (!destination_seen) {
      destination_seen = true;
      continue;
    }
    if (o.kind == OperandKind::reg && o.index != isa::kRegisterZero) {
      t.sources[t.source_count++] = {o.index, slot, o.reuse, 1};
    }
    if (o.kind == OperandKind::constant && !o.has_uniform) {
      t.has_constant = true;
      t.constant_bank = o.bank;
      t.constant_offset = static_cast<std::uint16_t>(o.value);
    }
    slot = std::min<std::uint8_t>(2, static_cast<std::uint8_t>(slot + 1));
  }
}

/// Register traffic, and how wide the operands of the fixed-latency path are.
void time_registers(const isa::Instruction& inst, InstructionTiming& t) {
  const RegisterOperands registers = register_operands(inst);
  t.register_reads = registers.reads();
  t.read = registers.sources;
  t.read_count = registers.source_count;
  t.written = registers.destination;
  // Both lists are in text order, but that of the ports may lack some.
  std::size_t from = 0;
  for (std::size_t i = 0; i < t.source_count; ++i) {
    while (from < registers.source_count && registers.sources[from].first != t.sources[i].reg) {
      ++from;
    }
    t.sources[i].words = from < registers.source_count ? registers.sources[from++].count : 1;
  }
}

std::uint16_t path_latency(MemoryPath path, const config::LsuConfig& lsu) {
  switch (path) {
  case MemoryPath::shuffle:
    return static_cast<std::uint16_t>(lsu.shuffle_latency);
  case MemoryPath::special:
    return static_cast<std::uint16_t>(lsu.special_register_latency);
  case MemoryPath::constant: // see time_constant_load
  case MemoryPath::none:
  case MemoryPath::l1:
  case MemoryPath::shared:
    break;
  }
  return 1;
}

InstructionTiming time_one(const isa::Instruction& inst, const config::SmConfig& sm) {
  const OpcodeRow* row = row_of(inst.opcode);
  COULOMB_CHECK(row != nullptr, "opcode {} has no row in the pipe table",
                isa::opcode_name(inst.opcode));
  InstructionTiming t;
  t.pipe = row->pipe;
  t.path = row->path;
  t.stall = std::max<std::uint8_t>(1, inst.control.stall);
  t.yield = inst.control.yield;
  t.write_barrier = inst.control.write_barrier;
  t.read_barrier = inst.control.read_barrier;
  t.wait_mask = inst.control.wait_mask;
  t.long_latency = row->path == MemoryPath::l1;
  if (const auto* p = pipe_config(row->pipe, sm.pipes)) {
    t.interval = static_cast<std::uint16_t>(p->interval * row->interval_factor);
    t.latency = static_cast<std::uint16_t>(p->latency);
  }
  if (row->pipe == Pipe::tensor) {
    time_tensor(inst, sm.pipes, t);
  }
  if (row->path != MemoryPath::none) {
    t.latency = path_latency(row->path, sm.lsu);
    t.uniform_address = has_uniform_address(inst);
  }
  if (row->path == MemoryPath::constant) {
    time_constant_load(inst, sm.lsu, t);
  }
  // GA10x runs a packed-half instruction on both FMA units at once.
  t.both_fma_units = row->pipe == Pipe::half && sm.pipes.fma.units > 1;
  t.fixed_latency = row->path == MemoryPath::none && row->pipe != Pipe::xu;
  if (t.fixed_latency && row->pipe != Pipe::none) {
    collect_sources(inst, t);
  }
  time_registers(inst, t);
  if (inst.opcode == Opcode::DEPBAR) {
    t.depbar = true;
    t.depbar_counter = inst.operands[0].index;
    t.depbar_count = static_cast<std::uint8_t>(inst.operands[1].value);
  }
  t.closes_async_group = inst.opcode == Opcode::LDGDEPBAR;
  constexpr unsigned kPopcInc = 10; // code of the op modifier
  t.merges_lanes = (inst.opcode == Opcode::ATOMS || inst.opcode == Opcode::ATOM) &&
                   inst.modifier(isa::Modifier::op) == kPopcInc;
  return t;
}

} // namespace

Pipe pipe_of(Opcode opcode) {
  const OpcodeRow* row = row_of(opcode);
  COULOMB_CHECK(row != nullptr, "opcode {} has no row in the pipe table", isa::opcode_name(opcode));
  return row->pipe;
}

std::vector<InstructionTiming> time_instructions(const isa::KernelImage& kernel,
                                                 const config::SmConfig& sm) {
  std::vector<InstructionTiming> out;
  out.reserve(kernel.code.size());
  for (const auto& inst : kernel.code) {
    out.push_back(time_one(inst, sm));
  }
  return out;
}

} // namespace coulomb::timing
