// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/faults.hpp"

#include "base/error.hpp"
#include "sim/functional/kernel_impl.hpp"
#include "sim/isa/line_table.hpp"

namespace coulomb::functional {
namespace {
std::string where(const Context& ctx) {
  const auto& code = ctx.kernel.image.code;
  const std::size_t index = ctx.pc / isa::kInstructionBytes;
  const std::string text = index < code.size() ? isa::disassemble(code[index]) : "outside the code";
  const std::string line = isa::source_place(ctx.kernel.image, ctx.pc);
  return fmt::format("kernel {} at pc {:#06x}: {}{}", ctx.kernel.image.name, ctx.pc, text,
                     line.empty() ? "" : " (" + line + ")");
}
} // namespace

void throw_fault(const Context& ctx, const std::string& what, int lane) {
  throw_access_fault(ctx, what, lane, MemorySpace::none, 0);
}

void throw_access_fault(const Context& ctx,
                        const std::string& what,
                        int lane,
                        MemorySpace space,
                        std::uint64_t address) {
  const Dim3& id = ctx.cta.id;
  const std::string message = fmt::format(
      "{} in {}, CTA ({}, {}, {}), warp {}, {}", what, where(ctx), id.x, id.y, id.z,
      ctx.warp.warp_in_cta, lane < 0 ? std::string("all lanes") : fmt::format("lane {}", lane));
  throw KernelFault(message, what, {ctx.pc, id, ctx.warp.warp_in_cta, lane, space, address});
}

void throw_unsupported(const Context& ctx) {
  throw UnsupportedError(fmt::format("instruction not modelled in {}", where(ctx)),
                         "`coulomb disasm` shows where the kernel uses it");
}

} // namespace coulomb::functional
