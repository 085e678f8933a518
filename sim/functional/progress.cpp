// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/progress.hpp"

#include "base/hash.hpp"
#include "sim/functional/kernel_impl.hpp"
#include "sim/isa/line_table.hpp"
#include "sim/isa/opcode_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <string_view>

namespace coulomb::functional {
namespace {
/// A hash of a warp's state costs about as much as this many instructions of it.
constexpr std::uint32_t kInterval = 64;
/// Words whose value is remembered; must be a power of two.
constexpr std::size_t kWords = 16384;
constexpr std::uint32_t kWordBytes = 4;
/// Marks the key of a word of shared memory.
constexpr std::uint64_t kSharedKey = std::uint64_t{1} << 63;
/// Above the index of a word of shared memory lies the CTA's linear id.
constexpr unsigned kSharedKeyShift = 16;

bool tells_time(const isa::Instruction& in) {
  for (std::size_t i = 0; i < in.operand_count; ++i) {
    const isa::Operand& o = in.operands[i];
    if (o.kind == isa::OperandKind::special_register) {
      const std::string_view name = isa::special_register_name(o.index);
      if (name.starts_with("SR_CLOCK") || name.starts_with("SR_GLOBALTIMER")) {
        return true;
      }
    }
  }
  return false;
}

template <class T>
std::uint64_t add_hash(std::uint64_t seed, const T* data, std::size_t bytes) {
  return hash64({reinterpret_cast<const char*>(data), bytes}, seed);
}

std::uint64_t octave(std::uint64_t quiet, std::uint64_t patience) {
  return patience * std::bit_floor(quiet / patience);
}

std::string place(const isa::KernelImage& image, std::uint32_t pc) {
  const std::size_t index = pc / isa::kInstructionBytes;
  const std::string line = isa::source_place(image, pc);
  return fmt::format("{} at pc {:#06x}{}",
                     index < image.code.size() ? isa::disassemble(image.code[index]) : "?", pc,
                     line.empty() ? line : fmt::format(" ({})", line));
}
} // namespace

bool watch_due(std::uint64_t quiet, std::uint64_t patience) {
  if (quiet < patience) {
    return false;
  }
  const std::uint64_t begin = octave(quiet, patience);
  return quiet < begin + begin / 4;
}

std::uint64_t watch_changes_at(std::uint64_t quiet, std::uint64_t patience) {
  if (quiet < patience) {
    return patience;
  }
  const std::uint64_t begin = octave(quiet, patience);
  return watch_due(quiet, patience) ? begin + begin / 4 : 2 * begin;
}

ProgressWatch::ProgressWatch(const ExecutableKernel& kernel, const GlobalMemory& memory)
    : kernel_(kernel), memory_(memory) {
  const isa::KernelImage& image = kernel.image();
  const std::size_t rows = std::min<std::size_t>(image.registers + 1, 255);
  state_bytes_ = rows * kRowBytes;
  const std::size_t local_bytes = std::size_t{kernel.impl().local_bytes} * kLanes;
  interval_ = kInterval + static_cast<std::uint32_t>(local_bytes / 256);
  for (const isa::Instruction& in : image.code) {
    tells_time_.push_back(tells_time(in) ? 1 : 0);
  }
}

void ProgressWatch::restart(std::size_t warps) {
  records_.assign(warps, Record{});
  words_.assign(kWords, Word{});
  runtime_calls_ = memory_.runtime_calls();
  disturb();
}

void ProgressWatch::stepped(std::size_t number,
                            std::uint32_t pc,
                            const WarpState& warp,
                            const CtaState& cta,
                            const StepResult& result) {
  Record& record = records_[number];
  if (record.repeats == version_) {
    return; // it changes nothing
  }
  ++record.steps;
  if (tells_time_[pc / isa::kInstructionBytes] != 0) {
    record.version = 0;
  }
  if (result.access.space != MemorySpace::none) {
    accessed(record, pc, cta, result);
  }
  switch (result.event) {
  case StepEvent::none:
  case StepEvent::sleep:
    break;
  case StepEvent::barrier:
  case StepEvent::arrive:
  case StepEvent::exit:
    disturb();
    break;
  case StepEvent::branch:
    if (runtime_calls_ != memory_.runtime_calls()) {
      runtime_calls_ = memory_.runtime_calls();
      disturb();
    }
    if (record.steps >= interval_) {
      compare(record, warp);
    }
    break;
  }
}

void ProgressWatch::accessed(Record& record,
                             std::uint32_t pc,
                             const CtaState& cta,
                             const StepResult& result) {
  const MemoryAccess& access = result.access;
  if (access.load && access.mask != 0) {
    record.read_pc = pc;
    record.read_space = access.space;
    record.read_bytes = access.bytes;
    record.read_address = access.address[static_cast<std::size_t>(std::countr_zero(access.mask))];
  }
  if (!access.store && !access.async_copy) {
    return;
  }
  // Generic accesses report one space only, asynchronous copies what they read.
  const bool whole = access.mask == result.executed && !access.async_copy;
  const bool own = whole && access.space == MemorySpace::local; // part of the warp's state
  if (!own && (!whole || changes_memory(cta, access))) {
    disturb();
  }
}

bool ProgressWatch::changes_memory(const CtaState& cta, const MemoryAccess& access) {
  bool changed = false;
  for (std::uint32_t lanes = access.mask; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t first = access.address[static_cast<std::size_t>(std::countr_zero(lanes))];
    const std::uint64_t begin = first / kWordBytes * kWordBytes;
    const bool shared = access.space == MemorySpace::shared;
    const Allocation* a = shared ? nullptr : memory_.find(first);
    if (!shared && a == nullptr) {
      return true;
    }
    for (std::uint64_t at = begin; at < first + access.bytes; at += kWordBytes) {
      const std::uint64_t offset = shared ? at : at - a->base;
      if (shared && offset + kWordBytes > cta.shared.size()) {
        return true;
      }
      const std::uint64_t key =
          shared ? kSharedKey | cta.linear_id << kSharedKeyShift | at / kWordBytes : at;
      // Buffers begin at word boundaries, and their last page is there to its end.
      changed |= changes_word(key, (shared ? cta.shared.data() : a->data) + offset);
    }
  }
  return changed;
}

bool ProgressWatch::changes_word(std::uint64_t key, const std::uint8_t* at) {
  constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15ULL; // 2^64 / golden ratio
  Word& word = words_[(key * kSpread) >> 50 & (kWords - 1)];
  std::uint32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  const bool known = word.key == key && word.value == value;
  word = {key, value};
  return !known;
}

void ProgressWatch::compare(Record& record, const WarpState& warp) {
  const std::uint64_t now = fingerprint(warp);
  record.steps = 0;
  if (record.version == version_ && record.saved == now) {
    record.repeats = version_;
    ++repeating_;
    return;
  }
  const bool fresh = record.version != version_;
  if (fresh || ++record.comparisons == record.power) {
    record.power = fresh ? 1 : 2 * record.power;
    record.comparisons = 0;
    record.saved = now;
    record.version = version_;
    record.read_space = MemorySpace::none;
  }
}

std::uint64_t ProgressWatch::fingerprint(const WarpState& warp) const {
  std::uint64_t h = add_hash(0, warp.registers.data(), state_bytes_);
  h = add_hash(h, warp.uniform.data(), sizeof warp.uniform);
  h = add_hash(h, warp.predicates.data(), sizeof warp.predicates);
  h = add_hash(h, warp.uniform_predicates.data(), sizeof warp.uniform_predicates);
  h = add_hash(h, warp.barriers.data(), sizeof warp.barriers);
  h = add_hash(h, warp.local.data(), warp.local.size());
  const std::uint32_t rest[] = {warp.pc, warp.active, warp.exited, warp.backward_branches,
                                warp.last_barrier};
  h = add_hash(h, rest, sizeof rest);
  for (const Split& s : warp.splits) {
    const std::uint32_t split[] = {s.pc, s.mask, static_cast<std::uint32_t>(s.waits_on),
                                   s.sync_mask};
    h = add_hash(h, split, sizeof split);
  }
  return h;
}

std::string ProgressWatch::read_text(const Record& record, const CtaState& cta) const {
  const std::uint64_t address = record.read_address;
  const std::uint32_t bytes = std::min<std::uint32_t>(record.read_bytes, 8);
  const std::uint8_t* from = nullptr;
  std::string where;
  if (record.read_space == MemorySpace::shared) {
    where = fmt::format("shared address {:#x}", address);
    from = address + bytes <= cta.shared.size() ? cta.shared.data() + address : nullptr;
  } else if (record.read_space == MemorySpace::local) {
    where = fmt::format("local address {:#x}", address);
  } else if (const Allocation* a = memory_.find(address); a != nullptr) {
    where =
        fmt::format("global address {:#x} (buffer {} + {})", address, a->name, address - a->base);
    from = a->data + (address - a->base);
  }
  if (from == nullptr) {
    return where;
  }
  std::uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  return fmt::format("{}, which stays {:#x}", where, value);
}

std::string
ProgressWatch::describe(std::size_t number, const WarpState& warp, const CtaState& cta) const {
  const Record& record = records_[number];
  const isa::KernelImage& image = kernel_.image();
  std::string text = place(image, warp.pc);
  if (record.read_space == MemorySpace::none) {
    return text + ", spins without reading memory";
  }
  return fmt::format("{}, spins on {}: {}", text, place(image, record.read_pc),
                     read_text(record, cta));
}

} // namespace coulomb::functional
