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
  contents_.clear();
  addresses_.clear();
  for (const auto& a : arguments) {
    contents_.push_back(kernel::initial_contents(a));
    std::uint64_t address = 0;
    if (a.vector) {
      address = memory_.allocate(a.name, contents_.back().size());
      memory_.initialise(address, contents_.back());
    }
    addresses_.push_back(address);
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
      throw UserError(fmt::format("kernel {} takes {} parameters, the launch passes more (argument \"{}\")",
                                  kernel.name, kernel.parameters.size(), a.name),
                      "compare the Arguments of the spec with the kernel's parameter list");
    }
    const auto& parameter = kernel.parameters[ordinal++];
    const std::uint32_t size = a.vector ? 8U : kernel::element_bytes(a.type);
    if (size != parameter.size || parameter.offset + size > block.size()) {
      throw UserError(fmt::format("argument \"{}\" has {} bytes, parameter {} of kernel {} has {}", a.name, size,
                                  ordinal - 1, kernel.name, parameter.size));
    }
    if (a.vector) {
      std::memcpy(&block[parameter.offset], &addresses_[i], size);
    } else {
      std::memcpy(&block[parameter.offset], contents_[i].data(), size);
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
      kernel.set_constant(arguments_[i].constant_symbol, contents_[i]);
    }
  }
}

const functional::Allocation& Problem::allocation(std::size_t argument) const {
  const functional::Allocation* a = memory_.find(addresses_[argument]);
  COULOMB_CHECK(a != nullptr, "argument {} has no allocation", argument);
  return *a;
}

} // namespace coulomb::worker
