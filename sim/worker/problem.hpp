// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/tunable_spec.hpp"
#include "sim/functional/executor.hpp"
#include "sim/functional/global_memory.hpp"
#include "sim/isa/cubin.hpp"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace coulomb::worker {

/// The buffers of one tuning problem in device memory. They stay between candidates of the same
/// problem: what a kernel stored is undone, and only other arguments make them be built anew.
class Problem {
public:
  /// Makes the memory hold the launch's arguments, pristine. `module`: identity of a module with
  /// `__device__` variables, which lie in the same memory; empty if it has none.
  void prepare(const std::vector<kernel::Argument>& arguments, const std::string& module = {});

  [[nodiscard]] functional::GlobalMemory& memory() { return memory_; }
  /// Kernel parameter block; throws UserError, listing both, when number or sizes do not match the
  /// cubin's parameters.
  [[nodiscard]] std::vector<std::uint8_t> parameter_block(const isa::KernelImage& kernel) const;
  /// Copies the arguments that name a `__constant__` or `__device__` variable into it. Throws
  /// UserError: no such variable (those there are), more bytes than it has.
  void fill_symbols(const isa::Cubin& cubin, functional::ExecutableKernel& kernel);

  [[nodiscard]] const std::vector<kernel::Argument>& arguments() const { return arguments_; }
  /// What an argument or a `__device__` variable holds now. Throws UserError for one that is passed
  /// by value or `__constant__`.
  [[nodiscard]] std::span<const std::uint8_t> contents(std::size_t argument) const;
  /// Indices of its elements that the kernel stored to, ascending.
  [[nodiscard]] std::vector<std::uint64_t> stored_elements(std::size_t argument) const;
  /// What each argument held before the kernel ran, by name. Read-only buffers are shown where they
  /// lie; others are copied. Valid until the next prepare().
  [[nodiscard]] std::map<std::string, std::span<const std::uint8_t>> pristine();

private:
  [[nodiscard]] const functional::Allocation& allocation(std::size_t argument) const;

  std::vector<kernel::Argument> arguments_;
  std::string module_;
  std::vector<std::vector<std::uint8_t>> scalars_; ///< bytes of the arguments passed by value
  /// Made by pristine(). From calloc, so that a copy of a buffer of zeros costs no memory.
  struct Free {
    void operator()(std::uint8_t* p) const { std::free(p); }
  };
  std::vector<std::unique_ptr<std::uint8_t[], Free>> copies_;
  std::vector<std::uint64_t> addresses_; ///< of vectors and `__device__` variables; else 0
  functional::GlobalMemory memory_;
};

} // namespace coulomb::worker
