// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "sim/functional/device_runtime.hpp"
#include "sim/functional/kernel_impl.hpp"
#include "tests/support/fake_gpu/cuda/call.hpp"
#include "tests/support/fake_gpu/cuda/exports.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <span>
#include <string_view>

namespace {

using namespace coulomb;
using namespace coulomb::fake::cuda;
using hw::abi::DevicePointer;
using hw::abi::Result;

constexpr std::uint16_t kCudaMachine = 190;
/// Up to this ABI version the SM number is in the low byte of the flags, then in the one above it.
constexpr std::uint8_t kLastOldAbi = 7;
constexpr int kMaxStaticShared = 48 * 1024;

Elf64_Ehdr header_of(const void* image) {
  Elf64_Ehdr header{};
  std::memcpy(&header, image, sizeof header);
  return header;
}

/// The interface passes no size: where the ELF file's last part ends.
std::size_t image_bytes(const void* image) {
  const Elf64_Ehdr header = header_of(image);
  const auto* bytes = static_cast<const char*>(image);
  std::size_t end = std::max(header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize,
                             header.e_phoff + std::size_t{header.e_phnum} * header.e_phentsize);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section{};
    std::memcpy(&section, bytes + header.e_shoff + i * sizeof section, sizeof section);
    end = std::max(end, section.sh_offset + (section.sh_type == SHT_NOBITS ? 0 : section.sh_size));
  }
  return end;
}

bool is_cubin(const void* image) {
  const Elf64_Ehdr header = header_of(image);
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_machine == kCudaMachine &&
         header.e_shentsize == sizeof(Elf64_Shdr);
}

/// A cubin runs on its own compute capability and on later ones with the same major number.
bool runs_on(const fake::Board& board, const void* image) {
  const Elf64_Ehdr header = header_of(image);
  const unsigned shift = header.e_ident[EI_ABIVERSION] <= kLastOldAbi ? 0 : 8;
  const int architecture = static_cast<int>(header.e_flags >> shift & 0xff);
  return architecture / 10 == board.major && architecture % 10 <= board.minor;
}

/// Gives the module's variables their own memory, so that several modules can be loaded at once,
/// and makes its code refer to it. Initial values stay in the image until here.
void place_variables(hw::abi::ModuleT& module) {
  isa::Cubin& cubin = module.cubin;
  functional::GlobalMemory& memory = module.context->memory;
  if (!cubin.global_image.empty()) {
    std::vector<std::uint8_t> image = std::move(cubin.global_image);
    cubin.global_image.clear(); // the executor maps none then
    module.globals = memory.allocate("__device__ variables", image.size());
    for (const isa::AddressRelocation& r : cubin.global_relocations) {
      const std::uint64_t address = r.external.empty()
                                        ? module.globals + r.global_offset
                                        : functional::runtime_entry(r.external).value_or(0);
      COULOMB_CHECK(r.offset + sizeof address <= image.size(), "relocation at {:#x} of {} bytes",
                    r.offset, image.size());
      std::memcpy(image.data() + r.offset, &address, sizeof address);
    }
    cubin.global_relocations.clear();
    memory.initialise(module.globals, image);
    for (isa::AddressRelocation& r : cubin.constant4_relocations) {
      if (r.external.empty()) { // the executor adds kModuleGlobals; wraps around
        r.global_offset += module.globals - functional::kModuleGlobals;
      }
    }
  }
  if (!cubin.constant3.empty()) {
    module.constants = memory.allocate("__constant__ variables", cubin.constant3.size());
    memory.initialise(module.constants, cubin.constant3);
  }
}

bool is_module(const hw::abi::ModuleT* module) {
  return holds(here().modules, module);
}

Result load(hw::abi::Module* module, const void* image) {
  if (module == nullptr || image == nullptr) {
    return hw::abi::kInvalidValue;
  }
  const std::string_view start(static_cast<const char*>(image), 4);
  if (start == "\n//\n" || start == "//\n/" || start == ".ver") {
    return kJitCompilerNotFound; // PTX
  }
  if (start != std::string_view(ELFMAG, SELFMAG) || !is_cubin(image)) {
    return hw::abi::kInvalidImage;
  }
  if (!runs_on(here().board, image)) {
    return hw::abi::kNoBinaryForGpu;
  }
  auto made = std::make_unique<hw::abi::ModuleT>();
  made->context = &here();
  try {
    made->cubin = isa::Cubin::parse(
        std::span(static_cast<const std::uint8_t*>(image), image_bytes(image)), "module");
  } catch (const UserError&) {
    return hw::abi::kInvalidImage;
  }
  place_variables(*made);
  *module = made.get();
  here().modules.push_back(std::move(made));
  return hw::abi::kSuccess;
}

Result find_function(hw::abi::Function* function, hw::abi::ModuleT& module, const char* name) {
  const auto& kernels = module.cubin.kernels;
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [name](const auto& kernel) { return kernel.name == name; });
  if (found == kernels.end()) {
    const auto unsupported = module.cubin.unsupported_kernels.find(name);
    if (unsupported != module.cubin.unsupported_kernels.end()) {
      throw UnsupportedError(unsupported->second);
    }
    return hw::abi::kNotFound;
  }
  auto& owned = module.functions[name];
  if (!owned) {
    owned = std::make_unique<hw::abi::FunctionT>();
    owned->module = &module;
    owned->image = &*found;
    owned->max_dynamic_shared = kMaxStaticShared - static_cast<int>(found->static_shared_bytes);
  }
  *function = owned.get();
  return hw::abi::kSuccess;
}

} // namespace

Result cuModuleLoadData(hw::abi::Module* module, const void* image) {
  return Driver::get().call("cuModuleLoadData", Needs::context,
                            [&] { return load(module, image); });
}

Result cuModuleUnload(hw::abi::Module module) {
  return Driver::get().call("cuModuleUnload", Needs::waiting, [&] {
    if (!is_module(module)) {
      return Result{kInvalidHandle};
    }
    for (const DevicePointer variables : {module->globals, module->constants}) {
      if (variables != 0) {
        here().memory.release(variables);
      }
    }
    std::erase_if(here().modules, [module](const auto& one) { return one.get() == module; });
    return Result{hw::abi::kSuccess};
  });
}

Result cuModuleGetFunction(hw::abi::Function* function, hw::abi::Module module, const char* name) {
  return Driver::get().call("cuModuleGetFunction", Needs::context, [&] {
    if (function == nullptr || name == nullptr) {
      return Result{hw::abi::kInvalidValue};
    }
    return is_module(module) ? find_function(function, *module, name) : Result{kInvalidHandle};
  });
}

Result cuModuleGetGlobal_v2(DevicePointer* address,
                            std::size_t* bytes,
                            hw::abi::Module module,
                            const char* name) {
  return Driver::get().call("cuModuleGetGlobal_v2", Needs::context, [&] {
    if (!is_module(module)) {
      return Result{kInvalidHandle};
    }
    const struct {
      const std::vector<isa::ModuleSymbol>& symbols;
      DevicePointer base;
    } spaces[] = {{module->cubin.global_symbols, module->globals},
                  {module->cubin.constant_symbols, module->constants}};
    for (const auto& space : spaces) {
      for (const isa::ModuleSymbol& symbol : space.symbols) {
        if (symbol.name != name) {
          continue;
        }
        if (address != nullptr) {
          *address = space.base + symbol.offset;
        }
        if (bytes != nullptr) {
          *bytes = symbol.size;
        }
        return Result{hw::abi::kSuccess};
      }
    }
    return Result{hw::abi::kNotFound};
  });
}
