// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/tensor_timing.hpp"

#include <algorithm>

namespace coulomb::timing {
namespace {

/// FMAs of a tensor instruction in eighths of those of the shape that its interval is given for; a
/// sparse shape counts in full. Rows and depths: by the code of the shape modifier.
unsigned tensor_eighths(const isa::Instruction& inst) {
  using isa::Modifier;
  struct Shape {
    std::uint8_t rows;
    std::uint16_t depth;
  };
  constexpr Shape kHmma[4] = {{16, 8}, {16, 16}, {16, 4}, {16, 32}};
  constexpr Shape kImma[8] = {{8, 16},  {8, 16},  {8, 32},  {8, 32},
                              {16, 16}, {16, 32}, {16, 64}, {16, 128}};
  constexpr Shape kBmma[4] = {{8, 128}, {16, 128}, {16, 256}, {16, 256}};
  const unsigned code = inst.modifier(Modifier::shape);
  Shape shape{16, 16};
  unsigned per_unit = 16 * 16; // rows x depth at the interval of the GPU file
  switch (inst.opcode) {
  case isa::Opcode::HMMA: // TF32 runs at half the rate
    shape = kHmma[code & 3];
    per_unit = inst.modifier(Modifier::in_type) == 2 ? 16 * 8 : 16 * 16;
    break;
  case isa::Opcode::IMMA: // 4-bit integers at twice the rate
    shape = kImma[code & 7];
    per_unit = inst.modifier(Modifier::a) >= 2 ? 16 * 64 : 16 * 32;
    break;
  case isa::Opcode::BMMA:
    shape = kBmma[code & 3];
    per_unit = 16 * 256;
    break;
  default:
    return 8;
  }
  return 8U * shape.rows * shape.depth / per_unit;
}

} // namespace

void time_tensor(const isa::Instruction& inst,
                 const config::PipesConfig& pipes,
                 InstructionTiming& t) {
  const config::TensorConfig& c = pipes.tensor;
  std::uint32_t interval = c.interval;
  std::uint32_t latency = c.latency;
  if (inst.opcode == isa::Opcode::DMMA_884) {
    interval = c.fp64_interval;
    latency = c.fp64_latency;
    t.pipe = pipes.fp64_shared_by_sm ? Pipe::fp64 : Pipe::tensor;
  } else if (inst.opcode != isa::Opcode::HMMA) {
    interval = c.integer_interval;
    latency = c.integer_latency;
  } else if (inst.modifier(isa::Modifier::acc) == 0) {
    interval = c.fp16_interval;
    latency = c.fp16_latency;
  }
  const unsigned eighths = tensor_eighths(inst);
  const bool sparse = (inst.opcode == isa::Opcode::HMMA || inst.opcode == isa::Opcode::IMMA) &&
                      inst.modifier(isa::Modifier::SP) != 0;
  const std::uint32_t left_out = eighths < 8 ? interval * (8 - eighths) / 8 : 0;
  t.interval = static_cast<std::uint16_t>(std::max(1U, interval * eighths / (sparse ? 16 : 8)));
  t.latency = static_cast<std::uint16_t>(latency > left_out ? latency - left_out : 1);
  t.tensor = true;
  constexpr unsigned kDestination = 0; // of the register operands: D, A, B, C
  constexpr unsigned kAccumulator = 3;
  unsigned position = 0;
  for (int i = 0; i < inst.operand_count; ++i) {
    const auto& o = inst.operands[static_cast<std::size_t>(i)];
    if (o.kind != isa::OperandKind::reg) {
      continue;
    }
    t.destination = position == kDestination ? o.index : t.destination;
    t.accumulator = position == kAccumulator ? o.index : t.accumulator;
    ++position;
  }
}

} // namespace coulomb::timing
