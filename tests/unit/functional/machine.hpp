// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/executor.hpp"
#include "sim/isa/cubin.hpp"

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace coulomb::functional::test {

/// One warp in front of one instruction, then EXIT.
class Machine {
public:
  Machine(std::uint64_t low, std::uint64_t high) {
    isa::KernelImage image;
    image.name = "one";
    image.registers = 64;
    image.constant0.resize(0x200);
    image.static_shared_bytes = 256;
    image.local_bytes = 64;
    image.code.push_back(isa::decode(low, high, 0, "one"));
    image.code.push_back(isa::decode(0x000000000000794dULL, 0x000fea0003800000ULL, 16, "one"));
    kernel_ = std::make_unique<ExecutableKernel>(isa::Cubin{}, image, Dim3{}, Dim3{32, 1, 1}, 0,
                                                 std::vector<std::uint8_t>{}, 1);
    executor_ = std::make_unique<Executor>(*kernel_, memory);
    WarpState* pointer = warp.get();
    executor_->start_cta(cta, 0, &pointer);
  }
  /// Every lane of register `r`.
  Machine& set(unsigned r, std::uint32_t value) {
    warp->registers[r].fill(value);
    return *this;
  }
  Machine& set64(unsigned r, double value) {
    const auto v = std::bit_cast<std::uint64_t>(value);
    return set(r, static_cast<std::uint32_t>(v)).set(r + 1, static_cast<std::uint32_t>(v >> 32));
  }
  Machine& step() {
    executor_->step(*warp, cta, MachineState{}, result);
    return *this;
  }
  [[nodiscard]] std::uint32_t get(unsigned r) const { return warp->registers[r][0]; }

  std::unique_ptr<WarpState> warp = std::make_unique<WarpState>();
  StepResult result;
  CtaState cta;
  GlobalMemory memory;

private:
  std::unique_ptr<ExecutableKernel> kernel_;
  std::unique_ptr<Executor> executor_;
};

} // namespace coulomb::functional::test
