// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/text.hpp"
#include "sim/functional/device_runtime.hpp"
#include "sim/functional/faults.hpp"
#include "sim/functional/kernel_impl.hpp"
#include "sim/functional/lowering.hpp"
#include "sim/functional/reachability.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace coulomb::functional {
namespace {
constexpr std::size_t kBankPadding = 16; // a 16-byte read at any offset stays inside

/// Offsets in constant bank 0 that the driver fills at launch. Source: compiled code that reads the
/// matching PTX special registers.
enum Bank0 : std::size_t {
  kBlockDim = 0x00,
  kGridDim = 0x0c,
  kSharedBase = 0x18,
  kLocalBase = 0x20,
  kStackPointer = 0x28,
  kDynamicShared = 0x2c,
  kGridId = 0x30,
  kGridWorkspaceHigh = 0x8c,
  kGridWorkspaceLow = 0x90,
  kSmCount = 0x10c,
};

/// Default per-thread stack of a kernel whose calls use one: recursion makes its depth unknown to
/// the compiler (CUDA's cudaLimitStackSize).
constexpr std::uint32_t kDefaultStack = 1024;

std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

template <class T>
void put(std::vector<std::uint8_t>& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

void relocate(std::vector<std::uint8_t>& bytes, const std::vector<isa::AddressRelocation>& list) {
  for (const isa::AddressRelocation& r : list) {
    COULOMB_CHECK(r.offset + 8 <= bytes.size(), "relocation at {:#x} of {} bytes", r.offset,
                  bytes.size());
    // A function that is not modelled gets no address: no kernel that calls it is let through.
    put(bytes, r.offset,
        r.external.empty() ? kModuleGlobals + r.global_offset
                           : runtime_entry(r.external).value_or(0));
  }
}

std::uint32_t stack_bytes(const isa::KernelImage& image) {
  std::uint32_t bytes = image.local_bytes;
  const auto uses = [&image](isa::Opcode opcode) {
    return std::any_of(image.code.begin(), image.code.end(),
                       [opcode](const auto& in) { return in.opcode == opcode; });
  };
  if (uses(isa::Opcode::CALL_REL) && (bytes != 0 || uses(isa::Opcode::STL))) {
    bytes = std::max(bytes, kDefaultStack);
  }
  return round_up(bytes, 16);
}

/// True if the kernel reads the address of the workspace of a cooperative launch.
bool reads_grid_workspace(const isa::KernelImage& image) {
  return std::any_of(image.code.begin(), image.code.end(), [](const isa::Instruction& in) {
    return std::any_of(in.operands.begin(), in.operands.end(), [](const isa::Operand& o) {
      return o.kind == isa::OperandKind::constant && o.bank == 0 && !o.has_uniform &&
             std::cmp_greater_equal(o.value, std::size_t{kGridWorkspaceHigh}) &&
             std::cmp_less_equal(o.value, std::size_t{kGridWorkspaceLow});
    });
  });
}

void fill_bank0(ExecutableKernel::Impl& impl,
                std::uint32_t dynamic_shared,
                const std::vector<std::uint8_t>& parameters,
                std::uint32_t sm_count) {
  auto& bank = impl.banks.bank[0];
  const std::size_t base = impl.image.parameter_base;
  bank = impl.image.constant0;
  bank.resize(std::max(bank.size(), base + parameters.size()));
  put(bank, kBlockDim, impl.block);
  put(bank, kGridDim, impl.grid);
  put(bank, kSharedBase, kSharedWindow);
  put(bank, kLocalBase, kLocalWindow);
  put(bank, kStackPointer, impl.local_bytes);
  put(bank, kDynamicShared, dynamic_shared);
  put(bank, kGridId, std::uint64_t{1});
  put(bank, kSmCount, sm_count);
  if (impl.grid_workspace) { // every launch is taken for a cooperative one
    put(bank, kGridWorkspaceHigh, static_cast<std::uint32_t>(kGridWorkspace >> 32));
    put(bank, kGridWorkspaceLow, static_cast<std::uint32_t>(kGridWorkspace));
  }
  std::copy(parameters.begin(), parameters.end(), bank.begin() + static_cast<std::ptrdiff_t>(base));
}

void fill_threads(ExecutableKernel::Impl& impl) {
  impl.threads.resize(impl.warps);
  for (std::uint32_t w = 0; w < impl.warps; ++w) {
    for (std::uint32_t l = 0; l < kLanes; ++l) {
      const Dim3 t = impl.block.at(w * kLanes + l);
      impl.threads[w].x[l] = t.x;
      impl.threads[w].y[l] = t.y;
      impl.threads[w].z[l] = t.z;
    }
  }
}

/// Stands behind the last instruction.
void past_the_end(Context& ctx, const MicroOp&) {
  throw_fault(ctx, "control ran past the end of the code", -1);
}

void lower_all(ExecutableKernel::Impl& impl) {
  const auto& code = impl.image.code;
  const std::vector<bool> reachable = reachable_code(impl.image);
  impl.ops.resize(code.size() + 1);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!lower(code[i], impl.pool, impl.ops[i]) && reachable[i]) {
      throw UnsupportedError(fmt::format("instruction not modelled in kernel {} at pc {:#06x}: {}",
                                         impl.image.name, code[i].pc, isa::disassemble(code[i])),
                             "compile the kernel without the feature that needs it");
    }
  }
  impl.ops.back() = MicroOp{};
  impl.ops.back().handler = past_the_end;
}

void check_launch(const isa::KernelImage& image,
                  const Dim3& grid,
                  const Dim3& block,
                  std::size_t parameter_bytes) {
  if (grid.volume() == 0 || block.volume() == 0 || block.volume() > 1024) {
    throw UserError(fmt::format("kernel {}: grid {} x {} x {} with blocks of {} x {} x {} threads: "
                                "a block has 1 to 1024 threads, a grid at least 1 block",
                                image.name, grid.x, grid.y, grid.z, block.x, block.y, block.z));
  }
  if (parameter_bytes != image.parameter_bytes) {
    throw UserError(fmt::format("kernel {} takes {} bytes of parameters, not {}", image.name,
                                image.parameter_bytes, parameter_bytes),
                    "check the number and types of the arguments");
  }
}
void check_external_calls(const isa::KernelImage& image) {
  for (const std::string& name : image.external_calls) {
    if (!runtime_entry(name)) {
      throw UnsupportedError(
          fmt::format("kernel {} calls {}, which is not modelled", image.name, name),
          "of the CUDA device runtime, printf, assert, malloc and free are; link other functions "
          "into the module");
    }
  }
}
} // namespace

ExecutableKernel::ExecutableKernel(const isa::Cubin& cubin,
                                   const isa::KernelImage& kernel,
                                   Dim3 grid,
                                   Dim3 block,
                                   std::uint32_t dynamic_shared_bytes,
                                   std::vector<std::uint8_t> parameters,
                                   std::uint32_t sm_count)
    : impl_(std::make_unique<Impl>()) {
  check_launch(kernel, grid, block, parameters.size());
  check_external_calls(kernel);
  Impl& impl = *impl_;
  impl.image = kernel;
  impl.grid = grid;
  impl.block = block;
  impl.shared_bytes = kernel.static_shared_bytes + dynamic_shared_bytes;
  impl.local_bytes = stack_bytes(kernel);
  impl.warps = static_cast<std::uint32_t>((block.volume() + kLanes - 1) / kLanes);
  impl.constant_symbols = cubin.constant_symbols;
  impl.globals = cubin.global_image;
  relocate(impl.globals, cubin.global_relocations);
  impl.grid_workspace = reads_grid_workspace(kernel);
  fill_bank0(impl, dynamic_shared_bytes, parameters, sm_count);
  impl.banks.bank[2] = kernel.constant2;
  impl.banks.bank[3] = cubin.constant3;
  impl.banks.bank[4] = cubin.constant4;
  relocate(impl.banks.bank[4], cubin.constant4_relocations);
  for (auto& bank : impl.banks.bank) {
    bank.resize(bank.size() + kBankPadding);
  }
  fill_threads(impl);
  lower_all(impl);
  impl.pool.fill(impl.banks);
}

ExecutableKernel::~ExecutableKernel() = default;

const isa::KernelImage& ExecutableKernel::image() const {
  return impl_->image;
}

const ConstantBanks& ExecutableKernel::constants() const {
  return impl_->banks;
}

void ExecutableKernel::set_constant(const std::string& symbol,
                                    const std::vector<std::uint8_t>& contents) {
  std::vector<std::string> names;
  for (const isa::ModuleSymbol& s : impl_->constant_symbols) {
    if (s.name == symbol) {
      auto& bank = impl_->banks.bank[3];
      if (contents.size() > s.size || s.offset + contents.size() > bank.size()) {
        throw UserError(fmt::format("__constant__ {} has {} bytes; {} were given", symbol, s.size,
                                    contents.size()));
      }
      std::copy(contents.begin(), contents.end(),
                bank.begin() + static_cast<std::ptrdiff_t>(s.offset));
      impl_->pool.fill(impl_->banks);
      return;
    }
    names.push_back(s.name);
  }
  throw UserError(
      fmt::format("no __constant__ variable {} in the module of kernel {}{}; there are: {}", symbol,
                  impl_->image.name, did_you_mean(symbol, names),
                  names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

Dim3 ExecutableKernel::grid() const {
  return impl_->grid;
}

Dim3 ExecutableKernel::block() const {
  return impl_->block;
}

std::uint32_t ExecutableKernel::shared_bytes() const {
  return impl_->shared_bytes;
}

std::uint32_t ExecutableKernel::warps_per_cta() const {
  return impl_->warps;
}

} // namespace coulomb::functional
