// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/cubin.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "sim/isa/elf_reader.hpp"
#include "sim/isa/kernel_attributes.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <optional>

namespace coulomb::isa {
namespace {

constexpr std::uint8_t kEntryFlag = 0x10; ///< st_other of kernels
constexpr std::uint16_t kRelocatable = 1;
constexpr std::uint8_t kLastOldAbi = 7; ///< CUDA 11 and 12 before the SM number moved
/// 64-bit addresses: R_CUDA_64 and its generic form.
constexpr std::array<std::uint32_t, 2> kAddressRelocations{2, 4};
constexpr std::array<std::uint32_t, 2> kArchitectures{80, 86};
/// A worker may use 1 GiB in all; also stops a damaged size before memory runs out.
constexpr std::uint64_t kMaxGlobalImage = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxShared = 1 << 20;

std::vector<std::uint8_t> contents(const ElfReader& elf, const std::string& section) {
  const ElfSection* found = elf.find_section(section);
  return found == nullptr ? std::vector<std::uint8_t>{}
                          : std::vector<std::uint8_t>(found->data.begin(), found->data.end());
}

std::uint32_t read_architecture(const ElfReader& elf) {
  const std::uint32_t shift = elf.abi_version() <= kLastOldAbi ? 0 : 8;
  const std::uint32_t architecture = (elf.flags() >> shift) & 0xff;
  if (std::find(kArchitectures.begin(), kArchitectures.end(), architecture) ==
      kArchitectures.end()) {
    throw UserError(fmt::format("{} is built for sm_{}; the simulator decodes sm_80 and sm_86",
                                elf.origin(), architecture),
                    "compile again with -arch=sm_80 or -arch=sm_86");
  }
  if (elf.file_type() == kRelocatable) {
    throw UserError(
        fmt::format(
            "{} is a relocatable object (nvcc -dc or -rdc=true), whose addresses are not final",
            elf.origin()),
        "compile without -dc / -rdc=true, or link it with nvlink first");
  }
  return architecture;
}

std::vector<Instruction>
decode_section(const ElfReader& elf, const ElfSection& text, const std::string& kernel) {
  if (text.data.empty() || text.data.size() % kInstructionBytes != 0) {
    throw UserError(fmt::format(
        "{}: the code of kernel {} has {:#x} bytes, not a multiple of {:#x}; the file is damaged",
        elf.origin(), kernel, text.data.size(), kInstructionBytes));
  }
  std::vector<Instruction> code;
  code.reserve(text.data.size() / kInstructionBytes);
  for (std::uint32_t pc = 0; pc < text.data.size(); pc += kInstructionBytes) {
    const std::uint64_t low = read_number(text.data, pc, 8, elf.origin(), text.name);
    const std::uint64_t high = read_number(text.data, pc + 8, 8, elf.origin(), text.name);
    code.push_back(decode(low, high, pc, kernel));
  }
  return code;
}

/// Code of -G and -rdc builds calls functions of other sections through relocations, printf and
/// malloc likewise.
void refuse_code_relocations(const ElfReader& elf,
                             const ElfSection& text,
                             const std::string& kernel) {
  const std::vector<ElfRelocation> entries = elf.relocations(text.name);
  if (entries.empty()) {
    return;
  }
  const std::string_view symbol = elf.symbol(entries.front().symbol).name;
  throw UnsupportedError(
      fmt::format(
          "kernel {}, pc {:#x}: the code refers to {} outside its section (relocation type {})",
          kernel, entries.front().offset & ~std::uint64_t{kInstructionBytes - 1},
          symbol.empty() ? "another section" : symbol, entries.front().type),
      "compile with optimisation, without -G and -rdc=true, and without printf, malloc or other "
      "calls into the CUDA runtime");
}

/// Functions outside the module that the one of `symbol_index` calls, directly or not:
/// .nv.callgraph holds pairs of symbol numbers, caller and callee (0 and negative ones are marks).
std::vector<std::string> external_calls(const ElfReader& elf, std::uint32_t symbol_index) {
  const ElfSection* graph = elf.find_section(".nv.callgraph");
  if (graph == nullptr) {
    return {};
  }
  constexpr std::uint64_t kPairBytes = 8;
  std::vector<std::uint32_t> callers{symbol_index};
  std::vector<std::string> externals;
  for (std::size_t i = 0; i < callers.size(); ++i) {
    for (std::uint64_t at = 0; at + kPairBytes <= graph->data.size(); at += kPairBytes) {
      const auto field = [&](std::uint64_t offset) {
        return static_cast<std::uint32_t>(
            read_number(graph->data, at + offset, 4, elf.origin(), graph->name));
      };
      const std::uint32_t callee = field(4);
      if (field(0) != callers[i] || callee == 0 || callee >= elf.symbols().size() ||
          std::find(callers.begin(), callers.end(), callee) != callers.end()) {
        continue;
      }
      callers.push_back(callee);
      if (elf.symbol(callee).section == 0) {
        externals.emplace_back(elf.symbol(callee).name);
      }
    }
  }
  return externals;
}

std::uint32_t
barrier_count(const ElfReader& elf, const ElfSection& text, const KernelAttributes& attributes) {
  if (attributes.barriers) {
    return *attributes.barriers;
  }
  constexpr unsigned kOldShift = 20; // CUDA 11 and 12 keep it in the section flags
  return elf.abi_version() <= kLastOldAbi
             ? static_cast<std::uint32_t>(text.flags >> kOldShift) & 0x7f
             : 0;
}

std::uint32_t shared_bytes(const ElfReader& elf, const std::string& kernel) {
  const ElfSection* shared = elf.find_section(".nv.shared." + kernel);
  if (shared == nullptr) {
    return 0;
  }
  if (shared->size > kMaxShared) {
    throw UserError(
        fmt::format("{}: kernel {} declares {} bytes of static shared memory; the file is damaged",
                    elf.origin(), kernel, shared->size));
  }
  return static_cast<std::uint32_t>(shared->size);
}

KernelImage read_kernel(const ElfReader& elf, const ElfSection& text, std::uint32_t symbol_index) {
  KernelImage kernel;
  kernel.name = elf.symbol(symbol_index).name;
  const KernelAttributes attributes = read_kernel_attributes(elf, symbol_index);
  constexpr unsigned kRegisterShift = 24;
  kernel.registers = std::max(text.info >> kRegisterShift, attributes.registers);
  kernel.static_shared_bytes = shared_bytes(elf, kernel.name);
  kernel.local_bytes = std::max(attributes.frame_bytes, attributes.stack_bytes);
  kernel.barriers = barrier_count(elf, text, attributes);
  kernel.max_threads = attributes.max_threads;
  kernel.parameter_base = attributes.parameter_base.value_or(kernel.parameter_base);
  kernel.parameter_bytes = attributes.parameter_bytes.value_or(0);
  kernel.parameters = attributes.parameters;
  kernel.constant0 = contents(elf, ".nv.constant0." + kernel.name);
  kernel.constant0.resize(std::max<std::size_t>(kernel.constant0.size(),
                                                kernel.parameter_base + kernel.parameter_bytes));
  kernel.constant2 = contents(elf, ".nv.constant2." + kernel.name);
  kernel.indirect_targets = attributes.indirect_targets;
  kernel.external_calls = external_calls(elf, symbol_index);
  refuse_code_relocations(elf, text, kernel.name);
  kernel.code = decode_section(elf, text, kernel.name);
  return kernel;
}

bool is_kernel(const ElfReader& elf, const ElfSymbol& symbol) {
  if (symbol.type != kFunctionSymbol || symbol.section == 0) {
    return false;
  }
  const ElfSection& text = elf.section(symbol.section);
  return text.name == fmt::format(".text.{}", symbol.name) &&
         ((symbol.other & kEntryFlag) != 0 ||
          elf.find_section(fmt::format(".nv.constant0.{}", symbol.name)) != nullptr);
}

void read_kernels(const ElfReader& elf, Cubin& cubin) {
  std::optional<UnsupportedError> first;
  for (std::uint32_t i = 0; i < elf.symbols().size(); ++i) {
    const ElfSymbol& symbol = elf.symbol(i);
    if (!is_kernel(elf, symbol)) {
      continue;
    }
    try {
      cubin.kernels.push_back(read_kernel(elf, elf.section(symbol.section), i));
    } catch (const UnsupportedError& error) {
      cubin.unsupported_kernels.emplace(symbol.name, error.what());
      if (!first) {
        first = error;
      }
    }
  }
  if (!cubin.kernels.empty()) {
    return;
  }
  if (first) {
    throw *first;
  }
  throw UserError(
      fmt::format("{} has no kernel (no function with the entry flag)", elf.origin()),
      "declare the kernel extern \"C\" __global__, or instantiate the template that holds it");
}

/// Base of a section in the module's global image: .nv.global.init first, .nv.global behind it.
class GlobalLayout {
public:
  explicit GlobalLayout(const ElfReader& elf)
      : initialised_(elf.find_section(".nv.global.init")), zero_(elf.find_section(".nv.global")) {
    const std::uint64_t initialised = initialised_ == nullptr ? 0 : initialised_->data.size();
    const std::uint64_t zero = zero_ == nullptr ? 0 : zero_->size;
    const std::uint64_t alignment = zero_ == nullptr ? 1 : zero_->alignment;
    if (zero > kMaxGlobalImage || alignment > kMaxGlobalImage) {
      throw UserError(fmt::format(
          "{}: .nv.global declares {} bytes of __device__ variables, aligned to {}; allowed are {}",
          elf.origin(), zero, alignment, kMaxGlobalImage));
    }
    zero_base_ = (initialised + alignment - 1) / alignment * alignment;
    size_ = zero_ == nullptr ? initialised : zero_base_ + zero;
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::optional<std::uint64_t> base(const ElfSection& section) const {
    if (&section == initialised_) {
      return 0;
    }
    return &section == zero_ ? std::optional(zero_base_) : std::nullopt;
  }

private:
  const ElfSection* initialised_;
  const ElfSection* zero_;
  std::uint64_t zero_base_ = 0;
  std::uint64_t size_ = 0;
};

void read_symbols(const ElfReader& elf, const GlobalLayout& layout, Cubin& cubin) {
  for (const ElfSymbol& symbol : elf.symbols()) {
    if (symbol.type != kObjectSymbol || symbol.section == 0 ||
        symbol.section >= elf.sections().size()) {
      continue;
    }
    const ElfSection& section = elf.section(symbol.section);
    ModuleSymbol entry{std::string(symbol.name), symbol.value, symbol.size,
                       std::string(section.name)};
    if (section.name == ".nv.constant3") {
      cubin.constant_symbols.push_back(entry);
    } else if (const auto base = layout.base(section)) {
      entry.offset += *base;
      cubin.global_symbols.push_back(entry);
    }
  }
}

/// 64-bit addresses to be stored in `image`, the contents of `section`.
std::vector<AddressRelocation> read_address_relocations(const ElfReader& elf,
                                                        const GlobalLayout& layout,
                                                        std::string_view section,
                                                        std::span<const std::uint8_t> image) {
  std::vector<AddressRelocation> result;
  for (const ElfRelocation& entry : elf.relocations(section)) {
    const ElfSymbol& symbol = elf.symbol(entry.symbol);
    const bool is_address = std::find(kAddressRelocations.begin(), kAddressRelocations.end(),
                                      entry.type) != kAddressRelocations.end();
    if (symbol.section == 0 && is_address) {
      result.push_back({entry.offset, 0, std::string(symbol.name)});
      continue;
    }
    const auto base = layout.base(elf.section(symbol.section));
    if (!is_address || !base) {
      throw UnsupportedError(
          fmt::format("{}: {} needs a relocation of type {} to {} (modelled: 64-bit addresses of "
                      "__device__ variables of the same module)",
                      elf.origin(), section, entry.type,
                      symbol.name.empty() ? "an unnamed symbol" : symbol.name),
          "define the variable in the same file and compile with optimisation, without -G and "
          "-rdc=true");
    }
    const std::uint64_t in_place = read_number(image, entry.offset, 8, elf.origin(), section);
    result.push_back(
        {entry.offset,
         *base + symbol.value +
             (entry.addend_in_place ? in_place : static_cast<std::uint64_t>(entry.addend)),
         {}});
  }
  return result;
}

/// "saxpy" of "_Z5saxpyfPKfPf" and of "void scale<int>(int*)".
std::string plain_name(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || text == nullptr) {
    return mangled;
  }
  std::string name = text.get();
  name = name.substr(0, name.find_first_of("<("));
  return name.substr(name.find_last_of(' ') + 1);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

} // namespace

Cubin Cubin::load(const std::string& path) {
  const std::string file = read_file(path);
  return parse({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()}, path);
}

Cubin Cubin::parse(std::span<const std::uint8_t> bytes, const std::string& origin) {
  const ElfReader elf(bytes, origin);
  Cubin cubin;
  cubin.architecture = read_architecture(elf);
  read_kernels(elf, cubin);
  const LineTable line_table = LineTable::read(elf);
  cubin.no_lines = line_table.absent();
  for (KernelImage& kernel : cubin.kernels) {
    line_table.fill(kernel);
  }
  const GlobalLayout layout(elf);
  cubin.constant3 = contents(elf, ".nv.constant3");
  cubin.constant4 = contents(elf, ".nv.constant4");
  cubin.global_image = contents(elf, ".nv.global.init");
  cubin.global_image.resize(layout.size());
  read_symbols(elf, layout, cubin);
  cubin.constant4_relocations =
      read_address_relocations(elf, layout, ".nv.constant4", cubin.constant4);
  cubin.global_relocations =
      read_address_relocations(elf, layout, ".nv.global.init", contents(elf, ".nv.global.init"));
  return cubin;
}

const KernelImage& Cubin::kernel(const std::string& name) const {
  std::vector<std::string> all;
  std::vector<const KernelImage*> plain;
  for (const KernelImage& candidate : kernels) {
    if (candidate.name == name) {
      return candidate;
    }
    if (plain_name(candidate.name) == name) {
      plain.push_back(&candidate);
    }
    all.push_back(candidate.name);
  }
  if (plain.size() == 1) {
    return *plain.front();
  }
  for (const auto& [unsupported, reason] : unsupported_kernels) {
    if (unsupported == name || (plain.empty() && plain_name(unsupported) == name)) {
      throw UnsupportedError(reason);
    }
  }
  if (!plain.empty()) {
    std::vector<std::string> matches;
    for (const KernelImage* match : plain) {
      matches.push_back(match->name);
    }
    throw UserError(
        fmt::format("kernel name {} fits {} kernels: {}", name, plain.size(), joined(matches)),
        "give the mangled name of one of them");
  }
  throw UserError(fmt::format("no kernel {} in the module{}; it has: {}", name,
                              did_you_mean(name, all), joined(all)));
}

} // namespace coulomb::isa
