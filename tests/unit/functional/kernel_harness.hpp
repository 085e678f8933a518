// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/cta_runner.hpp"
#include "sim/isa/cubin.hpp"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace coulomb::functional::test {

/// A compiled test kernel with its own device memory.
class KernelHarness {
public:
  /// `file` without "_sm80.cubin", e.g. "basic"; `sm` 80 or 86.
  KernelHarness(const std::string& file, int sm, const std::string& kernel)
      : cubin_(isa::Cubin::load(std::string(COULOMB_SOURCE_DIR) + "/tests/unit/functional/cubins/" +
                                file + "_sm" + std::to_string(sm) + ".cubin")),
        image_(cubin_.kernel(kernel)), parameters_(image_.parameter_bytes) {}

  template <class T>
  std::uint64_t buffer(const std::string& name, const std::vector<T>& contents) {
    const std::uint64_t address = memory_.allocate(name, contents.size() * sizeof(T));
    memory_.initialise(address, {reinterpret_cast<const std::uint8_t*>(contents.data()),
                                 contents.size() * sizeof(T)});
    return address;
  }
  template <class T>
  [[nodiscard]] std::vector<T> read(std::uint64_t address, std::size_t count) const {
    std::vector<T> out(count);
    std::memcpy(out.data(), memory_.read(address, static_cast<std::uint32_t>(count * sizeof(T))),
                count * sizeof(T));
    return out;
  }

  template <class... Args>
  KernelHarness& arguments(Args... args) {
    std::size_t i = 0;
    (put(i++, args), ...);
    return *this;
  }

  ExecutableKernel& prepare(Dim3 grid, Dim3 block, std::uint32_t dynamic_shared = 0) {
    kernel_ = std::make_unique<ExecutableKernel>(cubin_, image_, grid, block, dynamic_shared,
                                                 parameters_, 84);
    return *kernel_;
  }
  /// Runs the whole grid; returns executed warp instructions.
  std::uint64_t
  run(Dim3 grid, Dim3 block, std::uint32_t dynamic_shared = 0, std::uint64_t limit = 0) {
    prepare(grid, block, dynamic_shared);
    return run_prepared(limit);
  }
  std::uint64_t run_prepared(std::uint64_t limit = 0) {
    CtaRunner runner(*kernel_, memory_);
    std::uint64_t executed = 0;
    for (std::uint64_t cta = 0; cta < kernel_->grid().volume(); ++cta) {
      executed += runner.run(cta, limit);
    }
    return executed;
  }
  /// The message of the KernelFault that running the grid throws; empty if it throws none.
  std::string
  fault(Dim3 grid, Dim3 block, std::uint32_t dynamic_shared = 0, std::uint64_t limit = 0) {
    try {
      run(grid, block, dynamic_shared, limit);
    } catch (const KernelFault& fault) {
      return fault.what();
    }
    return {};
  }

  GlobalMemory& memory() { return memory_; }
  const isa::Cubin& cubin() const { return cubin_; }

private:
  template <class T>
  void put(std::size_t i, T value) {
    const isa::KernelParameter& p = image_.parameters.at(i);
    if (p.size != sizeof(T)) {
      throw std::logic_error("argument " + std::to_string(i) + " has the wrong size");
    }
    std::memcpy(parameters_.data() + p.offset, &value, sizeof value);
  }

  isa::Cubin cubin_;
  const isa::KernelImage& image_;
  std::vector<std::uint8_t> parameters_;
  GlobalMemory memory_;
  std::unique_ptr<ExecutableKernel> kernel_;
};

} // namespace coulomb::functional::test
