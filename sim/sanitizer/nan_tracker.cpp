// SPDX-License-Identifier: Apache-2.0
#include "sim/sanitizer/nan_tracker.hpp"

#include "sim/functional/lanes.hpp"

#include <algorithm>
#include <utility>

namespace coulomb::sanitizer {
namespace {
using functional::kLanes;
using functional::MicroOp;
using functional::Row;
using functional::WarpState;
using isa::Opcode;

constexpr unsigned kNoRegister = 255;

/// The register that `where` is, or kNoRegister.
unsigned register_of(Row where) {
  return (where & 3) == functional::kRegisterBase ? where / functional::kRowBytes : kNoRegister;
}

template <FloatFormat Format>
std::uint32_t nonfinite_of(const std::uint32_t* low, const std::uint32_t* high) {
  return functional::lanes_where([=](int l) { return is_nonfinite(Format, low[l], high[l]); });
}

std::uint32_t
nonfinite_lanes(FloatFormat format, const std::uint32_t* low, const std::uint32_t* high) {
  switch (format) {
  case FloatFormat::f32:
    return nonfinite_of<FloatFormat::f32>(low, high);
  case FloatFormat::f64:
    return nonfinite_of<FloatFormat::f64>(low, high);
  case FloatFormat::f64_high:
    return nonfinite_of<FloatFormat::f64_high>(low, high);
  case FloatFormat::f16x2:
    return nonfinite_of<FloatFormat::f16x2>(low, high);
  case FloatFormat::bf16x2:
    return nonfinite_of<FloatFormat::bf16x2>(low, high);
  case FloatFormat::none:
    break;
  }
  return 0;
}

bool is_nan(FloatFormat format, std::uint32_t bits) {
  switch (format) {
  case FloatFormat::f32:
    return (bits & 0x7fffffffU) > 0x7f800000U;
  case FloatFormat::f64:
  case FloatFormat::f64_high:
    return (bits & 0x7fffffffU) > 0x7ff00000U;
  case FloatFormat::f16x2:
    return (bits & 0x7fffU) > 0x7c00U || (bits >> 16 & 0x7fffU) > 0x7c00U;
  case FloatFormat::bf16x2:
    return (bits & 0x7fffU) > 0x7f80U || (bits >> 16 & 0x7fffU) > 0x7f80U;
  case FloatFormat::none:
    break;
  }
  return false;
}

std::uint64_t local_key(const WarpState& warp, int lane, std::uint64_t offset) {
  return std::uint64_t{warp.warp_in_cta} << 48 | static_cast<std::uint64_t>(lane) << 40 | offset;
}

bool is_load(Opcode opcode) {
  return opcode == Opcode::LDS || opcode == Opcode::LDL || opcode == Opcode::LD;
}

/// The data register of a store to memory, or kNoRegister.
unsigned data_register(const isa::Instruction& in) {
  switch (in.opcode) {
  case Opcode::STG:
  case Opcode::STS:
  case Opcode::STL:
  case Opcode::ST:
  case Opcode::RED:
    return in.operands[1].index;
  case Opcode::ATOMG:
  case Opcode::ATOM:
    for (int i = in.operand_count - 1; i > 0; --i) { // the last register is the value
      const isa::Operand& o = in.operands[static_cast<std::size_t>(i)];
      if (o.kind == isa::OperandKind::reg) {
        return o.index;
      }
    }
    return kNoRegister;
  default:
    return kNoRegister;
  }
}
} // namespace

NanTracker::NanTracker(const functional::ExecutableKernel::Impl& kernel,
                       const std::vector<FloatOp>& operations)
    : kernel_(kernel), warps_(kernel.warps) {
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const MicroOp& op = kernel.ops[i];
    Plan plan;
    plan.op = operations[i];
    plan.result = register_of(op.dst);
    plan.registers =
        std::max<unsigned>(plan.op.result_registers, plan.op.result == FloatFormat::f64 ? 2 : 1);
    constexpr unsigned kWidest = 4; // registers of a source: pairs and fragments
    for (const Row source : op.src) {
      const unsigned reg = register_of(source);
      plan.overwrites =
          plan.overwrites || (plan.result != kNoRegister && reg < plan.result + plan.registers &&
                              plan.result < reg + kWidest);
    }
    plans_.push_back(plan);
  }
}

std::uint8_t NanTracker::watch(std::size_t index) const {
  const isa::Instruction& in = kernel_.image.code[index];
  const Plan& plan = plans_[index];
  unsigned watch = functional::kWatchNothing;
  if (plan.result != kNoRegister || data_register(in) != kNoRegister) {
    watch |= functional::kWatchAfter;
  }
  if (plan.op.result != FloatFormat::none && plan.overwrites) {
    watch |= functional::kWatchBefore;
  }
  return static_cast<std::uint8_t>(watch);
}

void NanTracker::before(const WarpState& warp) {
  const Plan& plan = plans_[warp.pc / isa::kInstructionBytes];
  if (plan.overwrites) {
    for (unsigned r = 0; r < plan.registers; ++r) {
      overwritten_[r] = warp.registers[plan.result + r];
    }
  }
}

/// What a source row held before the instruction.
const std::uint32_t*
NanTracker::source_row(const WarpState& warp, const Plan& plan, Row where) const {
  if ((where & 3) == functional::kPoolBase) {
    return reinterpret_cast<const std::uint32_t*>(
        reinterpret_cast<const char*>(kernel_.pool.data()) + (where & ~3U));
  }
  const unsigned reg = where / functional::kRowBytes;
  return plan.overwrites && reg >= plan.result && reg < plan.result + plan.registers
             ? overwritten_[reg - plan.result].data()
             : warp.registers[reg].data();
}

/// Lanes in which a source was a NaN or an infinity already. Uniform registers, which are broadcast
/// only while the instruction runs, are taken for finite.
std::uint32_t NanTracker::nonfinite_sources(std::uint32_t index, const WarpState& warp) const {
  const Plan& plan = plans_[index];
  const MicroOp& op = kernel_.ops[index];
  const auto readable = [](Row where) { return (where & 3) <= functional::kPoolBase; };
  std::uint32_t lanes = 0;
  for (int i = 0; i < 3; ++i) {
    const FloatFormat format = plan.op.tensor && i == 2 ? plan.op.accumulator : plan.op.source;
    if (!readable(op.src[i]) || !readable(op.src_hi[i])) {
      continue;
    }
    lanes |= nonfinite_lanes(format, source_row(warp, plan, op.src[i]),
                             source_row(warp, plan, op.src_hi[i]));
    if (const unsigned reg = register_of(op.src[i]); plan.op.tensor && reg != kNoRegister) {
      constexpr unsigned kMostRegisters = 4; // of a fragment; smaller ones are over-read
      const unsigned step = format == FloatFormat::f64 ? 2 : 1;
      for (unsigned r = step; r < kMostRegisters && reg + r + 1 < kNoRegister; r += step) {
        lanes |= nonfinite_lanes(format, source_row(warp, plan, functional::register_row(reg + r)),
                                 source_row(warp, plan, functional::register_row(reg + r + 1)));
      }
    }
  }
  return plan.op.tensor && lanes != 0 ? ~0U : lanes;
}

NanTracker::Tag NanTracker::find(const WarpState& warp, unsigned reg, int lane) const {
  const WarpTags& tags = warps_[warp.warp_in_cta];
  if (reg >= kNoRegister || !tags.tagged[reg]) {
    return {};
  }
  const Tag& tag = tags.rows.at(reg)[static_cast<std::size_t>(lane)];
  return tag.valid && tag.bits == warp.registers[reg][static_cast<std::size_t>(lane)] ? tag : Tag{};
}

void NanTracker::set(const WarpState& warp, unsigned reg, int lane, Tag tag) {
  WarpTags& tags = warps_[warp.warp_in_cta];
  any_tags_ = true;
  tag.bits = warp.registers[reg][static_cast<std::size_t>(lane)];
  tags.tagged[reg] = true;
  tags.rows[reg][static_cast<std::size_t>(lane)] = tag;
}

/// The tag of a source of lane `lane` (of any lane, for shuffles and tensor cores).
NanTracker::Tag
NanTracker::inherited(const WarpState& warp, const MicroOp& op, int lane, bool any_lane) const {
  for (int i = 0; i < 3; ++i) {
    for (const Row where : {op.src[i], op.src_hi[i]}) {
      const unsigned reg = register_of(where);
      if (reg == kNoRegister || !warps_[warp.warp_in_cta].tagged[reg]) {
        continue;
      }
      for (int l = any_lane ? 0 : lane; l < (any_lane ? kLanes : lane + 1); ++l) {
        // A source that the result has overwritten: its old tag says what it was.
        const Tag& old = warps_[warp.warp_in_cta].rows.at(reg)[static_cast<std::size_t>(l)];
        const Tag tag = reg == register_of(op.dst) ? old : find(warp, reg, l);
        if (tag.valid) {
          return tag;
        }
      }
    }
  }
  return {};
}

void NanTracker::computed(std::uint32_t pc, const WarpState& warp, std::uint32_t executed) {
  const std::uint32_t index = pc / isa::kInstructionBytes;
  const Plan& plan = plans_[index];
  if (plan.result == kNoRegister) {
    return;
  }
  const unsigned step = plan.op.result == FloatFormat::f64 ? 2 : 1;
  for (unsigned r = 0; r < plan.registers; r += step) {
    const unsigned reg = plan.result + r;
    const unsigned telling = reg + step - 1; // the high register of a pair
    const std::uint32_t bad = executed & nonfinite_lanes(plan.op.result, warp.registers[reg].data(),
                                                         warp.registers[telling].data());
    if (bad == 0) [[likely]] {
      continue;
    }
    const std::uint32_t carried = nonfinite_sources(index, warp);
    functional::each_lane(bad, [&](int l) {
      Tag tag;
      if ((carried >> l & 1U) != 0) {
        tag = inherited(warp, kernel_.ops[index], l, plan.op.tensor);
      } else {
        const std::uint32_t bits = warp.registers[telling][static_cast<std::size_t>(l)];
        tag = {0, pc, true, is_nan(plan.op.result, bits)};
      }
      if (tag.valid) {
        set(warp, telling, l, tag);
      }
    });
  }
}

/// A move, selection, shuffle or integer operation: a result with the bits of a tagged source is
/// that value.
void NanTracker::moved(std::uint32_t pc, const WarpState& warp, std::uint32_t executed) {
  const std::uint32_t index = pc / isa::kInstructionBytes;
  const MicroOp& op = kernel_.ops[index];
  const unsigned reg = register_of(op.dst);
  WarpTags& tags = warps_[warp.warp_in_cta];
  if (reg == kNoRegister || tags.tagged.none()) {
    return;
  }
  const bool any_lane = kernel_.image.code[index].opcode == Opcode::SHFL;
  std::array<unsigned, 6> sources{};
  std::size_t count = 0;
  for (int i = 0; i < 3; ++i) {
    for (const Row where : {op.src[i], op.src_hi[i]}) {
      const unsigned source = register_of(where);
      if (source != kNoRegister && tags.tagged[source]) {
        sources[count++] = source;
      }
    }
  }
  for (std::size_t s = 0; s < count; ++s) {
    const TagRow from = tags.rows.at(sources[s]);
    functional::each_lane(executed, [&](int l) {
      const std::uint32_t bits = warp.registers[reg][static_cast<std::size_t>(l)];
      for (int k = any_lane ? 0 : l; k < (any_lane ? kLanes : l + 1); ++k) {
        const Tag& tag = from[static_cast<std::size_t>(k)];
        if (tag.valid && tag.bits == bits) {
          set(warp, reg, l, tag);
          return;
        }
      }
    });
  }
}

void NanTracker::stored(std::uint32_t pc,
                        const WarpState& warp,
                        const functional::StepResult& result) {
  const isa::Instruction& in = kernel_.image.code[pc / isa::kInstructionBytes];
  const unsigned first = data_register(in);
  const functional::MemoryAccess& access = result.access;
  if (first == kNoRegister || access.space == functional::MemorySpace::none) {
    return;
  }
  const unsigned words = std::max<unsigned>(access.bytes / 4, 1);
  for (unsigned r = 0; r < words && first + r < kNoRegister; ++r) {
    if (!warps_[warp.warp_in_cta].tagged[first + r] && shared_.empty() && local_.empty()) {
      continue;
    }
    functional::each_lane(access.mask, [&](int l) {
      const Tag tag = find(warp, first + r, l);
      const std::uint64_t offset = access.address[static_cast<std::size_t>(l)] + 4 * r;
      if (access.space == functional::MemorySpace::global) {
        if (tag.valid) {
          arrivals_.push_back({tag.pc, pc, l, tag.nan});
        }
      } else if (access.space == functional::MemorySpace::shared) {
        tag.valid ? void(shared_[offset] = tag) : void(shared_.erase(offset));
      } else {
        const std::uint64_t key = local_key(warp, l, offset);
        tag.valid ? void(local_[key] = tag) : void(local_.erase(key));
      }
    });
  }
}

void NanTracker::loaded(std::uint32_t pc,
                        const WarpState& warp,
                        const functional::StepResult& result) {
  const functional::MemoryAccess& access = result.access;
  const bool shared = access.space == functional::MemorySpace::shared;
  const auto& tags = shared ? shared_ : local_;
  const unsigned first = register_of(kernel_.ops[pc / isa::kInstructionBytes].dst);
  if (tags.empty() || first == kNoRegister || access.space == functional::MemorySpace::global) {
    return;
  }
  for (unsigned r = 0; r < std::max<unsigned>(access.bytes / 4, 1); ++r) {
    functional::each_lane(access.mask, [&](int l) {
      const std::uint64_t offset = access.address[static_cast<std::size_t>(l)] + 4 * r;
      const auto found = tags.find(shared ? offset : local_key(warp, l, offset));
      if (found != tags.end() &&
          found->second.bits == warp.registers[first + r][static_cast<std::size_t>(l)]) {
        set(warp, first + r, l, found->second);
      }
    });
  }
}

void NanTracker::after(std::uint32_t pc,
                       const WarpState& warp,
                       const functional::StepResult& result) {
  arrivals_.clear();
  const std::uint32_t index = pc / isa::kInstructionBytes;
  if (plans_[index].op.result != FloatFormat::none) {
    computed(pc, warp, result.executed);
    return;
  }
  if (!any_tags_) {
    return;
  }
  const isa::Instruction& in = kernel_.image.code[index];
  if (data_register(in) != kNoRegister) {
    stored(pc, warp, result);
  } else if (is_load(in.opcode)) {
    loaded(pc, warp, result);
  } else {
    moved(pc, warp, result.executed);
  }
}

} // namespace coulomb::sanitizer
