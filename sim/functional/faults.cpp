// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/faults.hpp"

#include "base/error.hpp"
#include "sim/functional/kernel_impl.hpp"

namespace coulomb::functional {
namespace {
std::string where(const Context& ctx) {
  const auto& code = ctx.kernel.image.code;
  const std::size_t index = ctx.pc / isa::kInstructionBytes;
  const std::string text = index < code.size() ? isa::disassemble(code[index]) : "outside the code";
  return fmt::format("kernel {} at pc {:#06x}: {}", ctx.kernel.image.name, ctx.pc, text);
}
} // namespace

void throw_fault(const Context& ctx, const std::string& what, int lane) {
  const Dim3& id = ctx.cta.id;
  throw KernelFault(fmt::format(
      "{} in {}, CTA ({}, {}, {}), warp {}, {}", what, where(ctx), id.x, id.y, id.z,
      ctx.warp.warp_in_cta, lane < 0 ? std::string("all lanes") : fmt::format("lane {}", lane)));
}

void throw_unsupported(const Context& ctx) {
  throw UnsupportedError(fmt::format("instruction not modelled in {}", where(ctx)),
                         "`coulomb disasm` shows where the kernel uses it");
}

} // namespace coulomb::functional
