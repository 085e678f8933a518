// SPDX-License-Identifier: Apache-2.0
#include "sim/worker/problem.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cstring>

namespace coulomb::worker {

void Problem::prepare(const std::vector<kernel::Argument>& arguments) {
  if (!arguments_.empty() && arguments == arguments_) {
    memory_.restore();
    return;
  }
  memory_.clear();
  arguments_.clear(); // so that a failure below leaves nothing half-made behind
  scalars_.clear();
  addresses_.clear();
  copies_.clear();
  for (const auto& a : arguments) {
    const std::uint64_t bytes = a.count * kernel::element_bytes(a.type);
    std::uint64_t address = 0;
    std::vector<std::uint8_t> scalar;
    if (!a.vector) {
      scalar = kernel::initial_contents(a);
    } else {
      address = memory_.allocate(a.name, bytes);
      // Straight into device memory: fresh pages of a zero buffer are never touched.
      if (!kernel::starts_zero(a) && bytes > 0) {
        kernel::write_initial_contents(a, memory_.find(address)->data);
      }
    }
    addresses_.push_back(address);
    scalars_.push_back(std::move(scalar));
  }
  arguments_ = arguments;
}

std::vector<std::uint8_t> Problem::parameter_block(const isa::KernelImage& kernel) const {
  std::vector<std::uint8_t> block(kernel.parameter_bytes, 0);
  std::size_t ordinal = 0;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const auto& a = arguments_[i];
    if (!a.passed) {
      continue;
    }
    if (ordinal >= kernel.parameters.size()) {
      throw UserError(
          fmt::format("kernel {} takes {} parameters, the launch passes more (argument \"{}\")",
                      kernel.name, kernel.parameters.size(), a.name),
          "compare the Arguments of the spec with the kernel's parameter list");
    }
    const auto& parameter = kernel.parameters[ordinal++];
    const std::uint32_t size = a.vector ? 8U : kernel::element_bytes(a.type);
    if (size != parameter.size || parameter.offset + size > block.size()) {
      throw UserError(fmt::format("argument \"{}\" has {} bytes, parameter {} of kernel {} has {}",
                                  a.name, size, ordinal - 1, kernel.name, parameter.size));
    }
    if (a.vector) {
      std::memcpy(&block[parameter.offset], &addresses_[i], size);
    } else {
      std::memcpy(&block[parameter.offset], scalars_[i].data(), size);
    }
  }
  if (ordinal != kernel.parameters.size()) {
    throw UserError(fmt::format("kernel {} takes {} parameters, the launch passes {}", kernel.name,
                                kernel.parameters.size(), ordinal),
                    "compare the Arguments of the spec with the kernel's parameter list");
  }
  return block;
}

void Problem::fill_constants(functional::ExecutableKernel& kernel) const {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (!arguments_[i].constant_symbol.empty()) {
      kernel.set_constant(arguments_[i].constant_symbol, kernel::initial_contents(arguments_[i]));
    }
  }
}

const functional::Allocation& Problem::allocation(std::size_t argument) const {
  const functional::Allocation* a = memory_.find(addresses_[argument]);
  COULOMB_CHECK(a != nullptr, "argument {} has no allocation", argument);
  return *a;
}

std::map<std::string, std::span<const std::uint8_t>> Problem::pristine() {
  std::map<std::string, std::span<const std::uint8_t>> out;
  copies_.clear();
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const auto& a = arguments_[i];
    if (!a.vector) {
      out[a.name] = scalars_[i];
    } else if (a.output || a.writable) {
      const functional::Allocation& allocated = allocation(i);
      copies_.emplace_back(static_cast<std::uint8_t*>(std::calloc(allocated.bytes + 1, 1)));
      COULOMB_CHECK(copies_.back() != nullptr, "out of memory for {} bytes", allocated.bytes);
      if (!kernel::starts_zero(a)) {
        const auto bytes = memory_.pristine(allocated);
        std::memcpy(copies_.back().get(), bytes.data(), bytes.size());
      }
      out[a.name] = std::span<const std::uint8_t>(copies_.back().get(), allocated.bytes);
    } else {
      out[a.name] = std::span<const std::uint8_t>(allocation(i).data, allocation(i).bytes);
    }
  }
  return out;
}

} // namespace coulomb::worker
