// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/isa/cubin.hpp"
#include "sim/timing/register_operands.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace coulomb::timing {

/// Execution pipes, as far as issue has to wait for one.
enum class Pipe : std::uint8_t {
  none, ///< dispatch only (NOP, BSSY, barriers, branches)
  fma,  ///< FP32 multiply, add
  imad, ///< integer multiply-add, on the FMA units that can
  alu,  ///< integer, logic, compare, moves
  half, ///< packed half
  xu,   ///< transcendental, conversions, bit counts
  fp64,
  uniform,
  tensor,
  lsu, ///< global, local and generic memory
  mio, ///< shared memory, shuffles, other instructions queued to the SM's shared units
};
inline constexpr int kPipes = 11;
inline constexpr std::array<std::string_view, kPipes> kPipeNames = {
    "none", "fma", "imad", "alu", "half", "xu", "fp64", "uniform", "tensor", "lsu", "mio"};

/// Which datapath of the load/store unit an instruction takes.
enum class MemoryPath : std::uint8_t { none, l1, shared, shuffle, constant, special };

/// One register read by the fixed-latency path.
struct SourceRead {
  std::uint8_t reg = 0;
  std::uint8_t slot = 0; ///< operand position 0..2
  bool reuse = false;
  std::uint8_t words = 1; ///< registers of the operand; ports are charged for the first
};

/// Everything the issue stage needs of one instruction, worked out once per kernel.
struct InstructionTiming {
  Pipe pipe = Pipe::none;
  MemoryPath path = MemoryPath::none;
  std::uint8_t stall = 1;
  bool yield = false;
  std::uint8_t write_barrier = isa::kNoBarrier;
  std::uint8_t read_barrier = isa::kNoBarrier;
  std::uint8_t wait_mask = 0;
  std::uint16_t interval = 1;     ///< cycles one unit of the pipe is busy
  std::uint16_t latency = 1;      ///< issue to release of `write_barrier` (non-memory)
  std::uint16_t read_release = 4; ///< issue to release of `read_barrier` (non-memory)
  bool fixed_latency = true;      ///< passes Allocate; the others go to a queue
  std::uint8_t source_count =
      0; ///< 0 for the variable-latency path, which reads outside the window
  std::array<SourceRead, 3> sources{};
  bool has_constant = false; ///< a constant operand that goes through the constant cache
  std::uint8_t constant_bank = 0;
  std::uint16_t constant_offset = 0;
  bool long_latency = false; ///< its scoreboard wait is long_scoreboard
  bool both_fma_units = false;
  bool depbar = false; ///< DEPBAR.LE: waits until counter `depbar_counter` <= `depbar_count`
  std::uint8_t depbar_counter = 0;
  std::uint8_t depbar_count = 0;
  bool closes_async_group = false; ///< LDGDEPBAR
  bool merges_lanes = false;       ///< POPC.INC: lanes of one address count as one
  bool uniform_address = false;    ///< memory address without a vector register
  bool tensor = false;             ///< runs on a tensor core (DMMA: or on the SM's FP64 unit)
  std::uint8_t destination = isa::kRegisterZero; ///< of a tensor instruction, first register
  std::uint8_t accumulator = isa::kRegisterZero; ///< same, what it adds to
  std::uint8_t register_reads = 0;               ///< 32-lane registers, reused ones included
  std::uint8_t read_count = 0;
  std::array<RegisterSpan, 4> read{}; ///< all vector registers that it reads, addresses included
  RegisterSpan written;               ///< vector registers that it writes
};

/// Times every instruction of a kernel under one SM configuration.
[[nodiscard]] std::vector<InstructionTiming> time_instructions(const isa::KernelImage& kernel,
                                                               const config::SmConfig& sm);

/// The pipe that the table gives an opcode; a test checks that the table names every opcode.
[[nodiscard]] Pipe pipe_of(isa::Opcode opcode);

} // namespace coulomb::timing
