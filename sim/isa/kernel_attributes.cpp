// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/kernel_attributes.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <functional>

namespace coulomb::isa {
namespace {

enum AttributeId : std::uint8_t {
  kMaxThreads = 0x05,
  kParameterBank = 0x0a,
  kRequiredThreads = 0x10,
  kFrameSize = 0x11,
  kMinStackSize = 0x12,
  kKernelParameter = 0x17,
  kParameterSize = 0x19,
  kMaxStackSize = 0x23,
  kRegisterCount = 0x2f,
  kIndirectTargets = 0x34,
  kBarrierCount = 0x4c,
};

/// One record: `payload` of format 4, else `value` of two bytes.
struct Attribute {
  std::uint8_t id = 0;
  std::uint16_t value = 0;
  std::span<const std::uint8_t> payload;
};

/// Walks a stream; every byte is checked.
class AttributeStream {
public:
  AttributeStream(const ElfReader& elf, const ElfSection& section) : elf_(elf), section_(section) {}

  void for_each(const std::function<void(const Attribute&)>& use) const {
    constexpr std::uint8_t kLastFormat = 4;
    for (std::uint64_t at = 0; at < section_.data.size();) {
      const std::uint64_t format = number(section_.data, at, 1);
      Attribute attribute;
      attribute.id = static_cast<std::uint8_t>(number(section_.data, at + 1, 1));
      attribute.value = static_cast<std::uint16_t>(number(section_.data, at + 2, 2));
      at += 4;
      if (format == 0 || format > kLastFormat) {
        throw UserError(fmt::format(
            "{}: section {} has a record of format {} at {:#x} (known: 1 to 4); the file is "
            "damaged or newer than this reader",
            elf_.origin(), section_.name, format, at - 4));
      }
      if (format == kLastFormat) {
        if (attribute.value > section_.data.size() - at) {
          throw UserError(fmt::format(
              "{}: a record of {} bytes at {:#x} runs over the end of section {}; the file is "
              "damaged",
              elf_.origin(), attribute.value, at - 4, section_.name));
        }
        attribute.payload = section_.data.subspan(at, attribute.value);
        at += attribute.value;
      }
      use(attribute);
    }
  }

  /// Number inside a payload.
  [[nodiscard]] std::uint32_t
  field(const Attribute& attribute, std::uint64_t offset, unsigned width) const {
    return static_cast<std::uint32_t>(number(attribute.payload, offset, width));
  }

private:
  [[nodiscard]] std::uint64_t
  number(std::span<const std::uint8_t> bytes, std::uint64_t offset, unsigned width) const {
    return read_number(bytes, offset, width, elf_.origin(), section_.name);
  }

  const ElfReader& elf_;
  const ElfSection& section_;
};

void read_module_attribute(const AttributeStream& stream,
                           const Attribute& attribute,
                           std::uint32_t symbol_index,
                           KernelAttributes& result) {
  const bool known = attribute.id == kRegisterCount || attribute.id == kFrameSize ||
                     attribute.id == kMinStackSize || attribute.id == kMaxStackSize;
  if (!known || stream.field(attribute, 0, 4) != symbol_index) {
    return;
  }
  const std::uint32_t value = stream.field(attribute, 4, 4);
  if (attribute.id == kRegisterCount) {
    result.registers = value;
  } else if (attribute.id == kFrameSize) {
    result.frame_bytes = value;
  } else {
    result.stack_bytes = std::max(result.stack_bytes, value);
  }
}

/// Records of: pc, 0, count, then `count` targets.
void read_indirect_targets(const AttributeStream& stream,
                           const Attribute& attribute,
                           KernelAttributes& result) {
  for (std::uint64_t at = 0; at < attribute.payload.size();) {
    const std::uint32_t pc = stream.field(attribute, at, 4);
    const std::uint32_t count = stream.field(attribute, at + 8, 4);
    at += 12;
    for (std::uint32_t i = 0; i < count; ++i, at += 4) {
      result.indirect_targets[pc].push_back(stream.field(attribute, at, 4));
    }
  }
}

void read_parameter(const AttributeStream& stream,
                    const Attribute& attribute,
                    KernelAttributes& result) {
  constexpr unsigned kSizeShift = 18;
  const std::size_t ordinal = stream.field(attribute, 4, 2);
  if (result.parameters.size() <= ordinal) {
    result.parameters.resize(ordinal + 1);
  }
  result.parameters[ordinal] = {stream.field(attribute, 6, 2),
                                stream.field(attribute, 8, 4) >> kSizeShift};
}

void read_own_attribute(const AttributeStream& stream,
                        const Attribute& attribute,
                        KernelAttributes& result) {
  switch (attribute.id) {
  case kMaxThreads:
  case kRequiredThreads:
    result.max_threads = stream.field(attribute, 0, 4) * stream.field(attribute, 4, 4) *
                         stream.field(attribute, 8, 4);
    break;
  case kParameterBank:
    result.parameter_base = stream.field(attribute, 4, 2);
    result.parameter_bytes = stream.field(attribute, 6, 2);
    break;
  case kParameterSize:
    result.parameter_bytes = attribute.value;
    break;
  case kKernelParameter:
    read_parameter(stream, attribute, result);
    break;
  case kIndirectTargets:
    read_indirect_targets(stream, attribute, result);
    break;
  case kBarrierCount:
    result.barriers = attribute.value & 0xff;
    break;
  default:
    break;
  }
}

} // namespace

KernelAttributes read_kernel_attributes(const ElfReader& elf, std::uint32_t symbol_index) {
  KernelAttributes result;
  if (const ElfSection* module_info = elf.find_section(".nv.info")) {
    const AttributeStream stream(elf, *module_info);
    stream.for_each([&](const Attribute& attribute) {
      read_module_attribute(stream, attribute, symbol_index, result);
    });
  }
  const std::string name = fmt::format(".nv.info.{}", elf.symbol(symbol_index).name);
  if (const ElfSection* own_info = elf.find_section(name)) {
    const AttributeStream stream(elf, *own_info);
    stream.for_each(
        [&](const Attribute& attribute) { read_own_attribute(stream, attribute, result); });
  }
  return result;
}

} // namespace coulomb::isa
