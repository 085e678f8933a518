// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/memory_access.hpp"

#include <array>
#include <fmt/format.h>

/// Indexed loads from the constant banks.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

/// What lies at `address` of a constant bank; beyond the bank's contents reads zero. Faults on a
/// misaligned address; `lane` is named in the fault, -1 = all.
std::array<std::uint8_t, 16> constant_bytes(
    const Context& ctx, const MicroOp& op, std::uint64_t address, std::uint32_t bytes, int lane) {
  if (address % bytes != 0) {
    throw_fault(
        ctx, fmt::format("misaligned access: {} bytes at constant address {:#x}", bytes, address),
        lane);
  }
  const auto& bank = ctx.kernel.banks.bank[op.aux[1]];
  std::array<std::uint8_t, 16> contents{};
  if (address + bytes <= bank.size()) {
    std::memcpy(contents.data(), bank.data() + address, bytes);
  }
  return contents;
}

/// src[0]: register index, value: offset, aux[0]: size code, aux[1]: bank.
void ldc(Context& ctx, const MicroOp& op) {
  const unsigned size = op.aux[0];
  const std::uint32_t bytes = bytes_of(size);
  const std::uint32_t* index = row(ctx, op.src[0]);
  std::uint32_t* d = row(ctx, op.dst);
  describe_access(ctx, MemorySpace::constant, bytes, true, false);
  for (unsigned l = 0; l < kLanes; ++l) {
    ctx.result.access.address[l] = std::uint32_t{index[l] + op.value};
  }
  each_lane(ctx.exec, [&](int l) {
    const std::uint64_t a = ctx.result.access.address[static_cast<std::size_t>(l)];
    const auto contents = constant_bytes(ctx, op, a, bytes, l);
    const std::uint8_t* v = contents.data();
    switch (size) {
    case kU8:
      load_lane<kU8>(d + l, v);
      break;
    case kS8:
      load_lane<kS8>(d + l, v);
      break;
    case kU16:
      load_lane<kU16>(d + l, v);
      break;
    case kS16:
      load_lane<kS16>(d + l, v);
      break;
    case k32:
      load_lane<k32>(d + l, v);
      break;
    default:
      load_lane<k64>(d + l, v);
      break;
    }
  });
}

/// ULDC with a uniform index. src[0]: the index, else as ldc.
void uldc_indexed(Context& ctx, const MicroOp& op) {
  const unsigned size = op.aux[0];
  const std::uint32_t bytes = bytes_of(size);
  const std::uint32_t address = *row(ctx, op.src[0]) + op.value;
  const auto contents = constant_bytes(ctx, op, address, bytes, -1);
  std::uint64_t value = 0;
  std::memcpy(&value, contents.data(), bytes);
  const bool is_signed = size == kS8 || size == kS16;
  const unsigned unused = 64 - 8 * bytes;
  if (is_signed) {
    value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
  }
  std::uint32_t* d = row(ctx, op.dst);
  d[0] = static_cast<std::uint32_t>(value);
  if (size == k64) {
    d[1] = static_cast<std::uint32_t>(value >> 32);
  }
}

Handler lower_uldc_indexed(Lowering& low) {
  const isa::Operand& o = low.operand(1);
  const unsigned size = low.modifier(Modifier::size);
  if (size > k64) {
    return nullptr;
  }
  low.uniform_dst(0);
  low.op.src[0] = uniform_word(o.uniform);
  low.op.value = static_cast<std::uint32_t>(o.value);
  low.op.aux[0] = static_cast<std::uint8_t>(size);
  low.op.aux[1] = o.bank & 31;
  return uldc_indexed;
}

Handler lower_ldc(Lowering& low) {
  const isa::Operand& o = low.operand(1);
  const unsigned size = low.modifier(Modifier::size);
  if (low.modifier(Modifier::mode) != 0 || size > k64) {
    return nullptr;
  }
  low.dst(0);
  low.op.src[0] = register_row(o.index);
  low.op.value = static_cast<std::uint32_t>(o.value);
  low.op.aux[0] = static_cast<std::uint8_t>(size);
  low.op.aux[1] = o.bank & 31;
  return ldc;
}
} // namespace

Handler select_constant(Lowering& low) {
  if (low.operand(1).kind != isa::OperandKind::constant_indexed) {
    return nullptr;
  }
  switch (low.in.opcode) {
  case Opcode::LDC:
    return lower_ldc(low);
  case Opcode::ULDC:
    return lower_uldc_indexed(low);
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
