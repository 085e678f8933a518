// SPDX-License-Identifier: Apache-2.0
#include "cli/disasm_input.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "hw/toolchain/compiler.hpp"
#include "sim/isa/elf_reader.hpp"
#include "sim/isa/fatbin.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace coulomb::cli {
namespace {

constexpr std::array<const char*, 2> kArchitectures = {"sm_80", "sm_86"};

using Bytes = std::span<const std::uint8_t>;

Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string sm_name(std::uint32_t architecture) {
  return fmt::format("sm_{}", architecture);
}

/// Compiled under the name that was given, so that line information leads back to the file.
std::string compile(const DisasmRequest& request) {
  const std::string& path = request.path;
  const toolchain::Nvrtc nvrtc(toolchain::ToolchainPaths::from_environment());
  toolchain::NvrtcJob job;
  job.source = read_file(path);
  job.name = path;
  job.options = {"--gpu-architecture=" +
                     (request.architecture.empty() ? kArchitectures[0] : request.architecture),
                 "-lineinfo", "-I" + std::filesystem::absolute(path).parent_path().string()};
  const auto toolkit = nvrtc.include_options();
  job.options.insert(job.options.end(), toolkit.begin(), toolkit.end());
  for (const auto& macro : request.defines) {
    job.options.push_back("-D" + macro);
  }
  toolchain::NvrtcResult result = nvrtc.compile(job);
  if (result.verdict == toolchain::NvrtcVerdict::rejected) {
    throw UserError(
        fmt::format("{} does not compile: {}", path, toolchain::first_error(result.log)),
        "-D NAME=VALUE defines a macro that it expects");
  }
  if (result.verdict != toolchain::NvrtcVerdict::ok) {
    throw EnvironmentError(fmt::format("{} failed on {}: {}", nvrtc.path(), path, result.error),
                           "try another release of the CUDA Toolkit");
  }
  return std::move(result.cubin);
}

DisasmInput open_cubin(Bytes bytes, const DisasmRequest& request) {
  DisasmInput input;
  input.cubins.push_back(isa::Cubin::parse(bytes, request.path));
  const std::string found = sm_name(input.cubins.front().architecture);
  if (!request.architecture.empty() && request.architecture != found) {
    throw UserError(fmt::format("disasm: {} is built for {}, but --arch is {}", request.path, found,
                                request.architecture),
                    "leave --arch out");
  }
  return input;
}

/// Why an entry is left out; empty for one that is wanted.
std::string skip_reason(const isa::FatbinEntry& entry, const DisasmRequest& request) {
  if (entry.kind != isa::FatbinKind::cubin) {
    return "no machine code";
  }
  const std::string found = sm_name(entry.architecture);
  if (std::ranges::find(kArchitectures, found) == kArchitectures.end()) {
    return "neither sm_80 nor sm_86";
  }
  return request.architecture.empty() || request.architecture == found
             ? ""
             : fmt::format("--arch is {}", request.architecture);
}

bool has_code(Bytes image, const std::string& origin) {
  const isa::ElfReader elf(image, origin);
  return std::ranges::any_of(elf.sections(), [](const isa::ElfSection& section) {
    return section.name.starts_with(".text.");
  });
}

DisasmInput open_fatbin(Bytes bytes, const DisasmRequest& request) {
  const isa::Fatbin fatbin = isa::Fatbin::parse(bytes, request.path);
  DisasmInput input;
  std::exception_ptr first_failure;
  for (const isa::FatbinEntry& entry : fatbin.entries()) {
    if (std::string reason = skip_reason(entry, request); !reason.empty()) {
      input.skipped.push_back({entry.text(), std::move(reason)});
      continue;
    }
    try {
      const auto image = fatbin.image(entry);
      if (!has_code(image, request.path)) { // nvcc adds such images to every program
        input.skipped.push_back({entry.text(), "no code"});
        continue;
      }
      input.cubins.push_back(
          isa::Cubin::parse(image, fmt::format("{}: {}", request.path, entry.text())));
    } catch (const Error& error) {
      input.skipped.push_back({entry.text(), error.what(), true});
      first_failure = first_failure ? first_failure : std::current_exception();
    }
  }
  if (!input.cubins.empty()) {
    return input;
  }
  if (first_failure) {
    std::rethrow_exception(first_failure);
  }
  std::vector<std::string> found;
  for (const isa::FatbinEntry& entry : fatbin.entries()) {
    found.push_back(entry.text());
  }
  throw UserError(
      fmt::format("disasm: {} has no machine code for {}; it has: {}", request.path,
                  request.architecture.empty() ? "sm_80 or sm_86" : request.architecture,
                  found.empty() ? "nothing" : fmt::format("{}", fmt::join(found, ", "))),
      "nvcc -gencode arch=compute_80,code=sm_80 -gencode arch=compute_86,code=sm_86 makes both");
}

} // namespace

DisasmInput open_machine_code(const DisasmRequest& request) {
  if (!request.architecture.empty() &&
      std::ranges::find(kArchitectures, request.architecture) == kArchitectures.end()) {
    throw UserError(
        fmt::format("disasm: --arch is {}; allowed: sm_80, sm_86", request.architecture));
  }
  if (request.path.ends_with(".cu")) {
    return open_cubin(bytes_of(compile(request)), request);
  }
  const std::string file = read_file(request.path);
  if (!request.defines.empty()) {
    throw UserError(
        fmt::format("disasm: -D {}: {} is compiled already", request.defines.front(), request.path),
        "-D is for .cu files");
  }
  if (isa::Fatbin::recognises(bytes_of(file))) {
    return open_fatbin(bytes_of(file), request);
  }
  if (request.path.ends_with(".cubin") || file.starts_with("\x7f"
                                                           "ELF")) {
    return open_cubin(bytes_of(file), request);
  }
  throw UserError(fmt::format("disasm: {} is no .cubin, .fatbin or .cu file", request.path),
                  "usage: coulomb disasm FILE.cu|FILE.cubin|FILE.fatbin");
}

} // namespace coulomb::cli
