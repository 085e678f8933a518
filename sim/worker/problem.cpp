// SPDX-License-Identifier: Apache-2.0
#include "sim/worker/problem.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "sim/functional/kernel_impl.hpp"

#include <algorithm>
#include <cstring>
#include <cxxabi.h>

namespace coulomb::worker {
namespace {

std::uint64_t parameter_size(const kernel::Argument& a) {
  return a.vector ? sizeof(std::uint64_t) : kernel::argument_bytes(a);
}

/// "scale(float*, int)" of "_Z5scalePfi": what to compare the arguments with. A name that is
/// extern "C" stays.
std::string readable_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? text.get() : symbol;
}

[[noreturn]] void refuse_arguments(const isa::KernelImage& kernel,
                                   const std::vector<kernel::Argument>& arguments) {
  std::vector<std::string> takes;
  for (const auto& parameter : kernel.parameters) {
    takes.push_back(std::to_string(parameter.size));
  }
  std::vector<std::string> given;
  for (const auto& a : arguments) {
    if (a.passed) {
      given.push_back(fmt::format("{} ({})", kernel::argument_text(a), parameter_size(a)));
    }
  }
  throw UserError(
      fmt::format("kernel {} takes {} parameter{} of {} bytes, the launch passes {}: {}",
                  readable_name(kernel.name), takes.size(), takes.size() == 1 ? "" : "s",
                  takes.empty() ? "no" : fmt::format("{}", fmt::join(takes, ", ")), given.size(),
                  given.empty() ? "nothing" : fmt::format("{}", fmt::join(given, ", "))),
      "give one argument for each parameter of the kernel, in order; a pointer has 8 bytes");
}

bool is_constant(const isa::Cubin& cubin, const isa::ModuleSymbol& symbol) {
  return !cubin.constant_symbols.empty() && &symbol >= &cubin.constant_symbols.front() &&
         &symbol <= &cubin.constant_symbols.back();
}

const isa::ModuleSymbol& find_symbol(const isa::Cubin& cubin, const std::string& name) {
  std::vector<std::string> names;
  for (const auto* symbols : {&cubin.constant_symbols, &cubin.global_symbols}) {
    for (const isa::ModuleSymbol& s : *symbols) {
      if (s.name == name) {
        return s;
      }
      names.push_back(s.name);
    }
  }
  throw UserError(
      fmt::format("no __constant__ or __device__ variable {} in the module{}; there are: {}", name,
                  did_you_mean(name, names),
                  names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))),
      "the compiler drops variables that no kernel uses");
}

} // namespace

void Problem::prepare(const std::vector<kernel::Argument>& arguments, const std::string& module) {
  if (!arguments_.empty() && arguments == arguments_ && module == module_) {
    memory_.restore();
    return;
  }
  memory_.clear();
  arguments_.clear(); // so that a failure below leaves nothing half-made behind
  scalars_.clear();
  addresses_.clear();
  copies_.clear();
  for (const auto& a : arguments) {
    const std::uint64_t bytes = kernel::argument_bytes(a);
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
  module_ = module;
}

std::vector<std::uint8_t> Problem::parameter_block(const isa::KernelImage& kernel) const {
  std::vector<std::size_t> passed;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_[i].passed) {
      passed.push_back(i);
    }
  }
  bool fits = passed.size() == kernel.parameters.size();
  for (std::size_t p = 0; fits && p < passed.size(); ++p) {
    fits = parameter_size(arguments_[passed[p]]) == kernel.parameters[p].size;
  }
  if (!fits) {
    refuse_arguments(kernel, arguments_);
  }
  std::vector<std::uint8_t> block(kernel.parameter_bytes, 0);
  for (std::size_t p = 0; p < passed.size(); ++p) {
    const auto& parameter = kernel.parameters[p];
    COULOMB_CHECK(parameter.offset + parameter.size <= block.size(),
                  "parameter {} of kernel {} is outside its {} bytes", p, kernel.name,
                  block.size());
    const void* from = arguments_[passed[p]].vector
                           ? static_cast<const void*>(&addresses_[passed[p]])
                           : static_cast<const void*>(scalars_[passed[p]].data());
    std::memcpy(&block[parameter.offset], from, parameter.size);
  }
  return block;
}

void Problem::fill_symbols(const isa::Cubin& cubin, functional::ExecutableKernel& kernel) {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const kernel::Argument& a = arguments_[i];
    if (a.constant_symbol.empty()) {
      continue;
    }
    const isa::ModuleSymbol& symbol = find_symbol(cubin, a.constant_symbol);
    if (kernel::argument_bytes(a) > symbol.size) {
      throw UserError(fmt::format("variable {} has {} bytes; {} were given ({})", symbol.name,
                                  symbol.size, kernel::argument_bytes(a),
                                  kernel::argument_text(a)));
    }
    const bool constant = is_constant(cubin, symbol);
    if (constant && a.fill.kind != kernel::FillKind::keep) {
      kernel.set_constant(a.constant_symbol, kernel::initial_contents(a));
    } else if (!constant) {
      const functional::Executor map_variables(kernel, memory_);
      const std::uint64_t address = functional::kModuleGlobals + symbol.offset;
      if (a.fill.kind != kernel::FillKind::keep) {
        memory_.initialise(address, kernel::initial_contents(a));
      }
      addresses_[i] = a.vector ? addresses_[i] : address;
    }
  }
}

const functional::Allocation& Problem::allocation(std::size_t argument) const {
  const kernel::Argument& wanted = arguments_[argument];
  if (addresses_[argument] == 0) {
    throw UserError(fmt::format("\"{}\" is {}: the kernel cannot change it", wanted.name,
                                wanted.passed ? "passed by value" : "__constant__"),
                    "outputs are buffers, TYPE[COUNT], and __device__ variables");
  }
  const functional::Allocation* a = memory_.find(addresses_[argument]);
  COULOMB_CHECK(a != nullptr, "argument {} has no allocation", argument);
  return *a;
}

std::span<const std::uint8_t> Problem::contents(std::size_t argument) const {
  const functional::Allocation& a = allocation(argument);
  return {a.data + (addresses_[argument] - a.base), kernel::argument_bytes(arguments_[argument])};
}

std::vector<std::uint64_t> Problem::stored_elements(std::size_t argument) const {
  const functional::Allocation& a = allocation(argument);
  const std::uint32_t size = kernel::element_bytes(arguments_[argument].type);
  if (arguments_[argument].vector) {
    return memory_.stored_elements(a, size);
  }
  // A variable is part of the module's allocation and may begin at any byte of it.
  const std::uint64_t begin = addresses_[argument] - a.base;
  std::vector<std::uint64_t> elements;
  for (const std::uint64_t byte : memory_.stored_elements(a, 1)) {
    if (byte < begin || byte >= begin + kernel::argument_bytes(arguments_[argument])) {
      continue;
    }
    const std::uint64_t element = (byte - begin) / size;
    if (elements.empty() || elements.back() != element) {
      elements.push_back(element);
    }
  }
  return elements;
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
