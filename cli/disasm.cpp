// SPDX-License-Identifier: Apache-2.0
#include "cli/disasm.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "hw/toolchain/compiler.hpp"
#include "sim/isa/cubin.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <span>
#include <sstream>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;

constexpr std::array<const char*, 2> kArchitectures = {"sm_80", "sm_86"};

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("file", po::value<std::string>(), "FILE, if it is not given as a word");
  add("arch", po::value<std::string>()->default_value("sm_80"), "for a .cu file: sm_80 or sm_86");
  add("define,D", po::value<std::vector<std::string>>()->composing(),
      "NAME=VALUE: macro for a .cu file");
  add("kernel", po::value<std::string>(), "only this kernel");
  add("plain", "instructions only, without addresses and scheduling control");
  add("help,h", "print this help");
  return options;
}

std::string compile(const std::string& path, const po::variables_map& values) {
  const std::string arch = values["arch"].as<std::string>();
  if (std::ranges::find(kArchitectures, arch) == kArchitectures.end()) {
    throw UserError(fmt::format("disasm: --arch is {}; allowed: sm_80, sm_86", arch));
  }
  const std::filesystem::path file(path);
  const toolchain::Nvrtc nvrtc(toolchain::ToolchainPaths::from_environment());
  toolchain::NvrtcJob job;
  job.source = read_file(path);
  job.name = file.filename().string();
  job.options = {"--gpu-architecture=" + arch,
                 "-I" + std::filesystem::absolute(file).parent_path().string()};
  if (!nvrtc.include_dir().empty()) {
    job.options.push_back("-I" + nvrtc.include_dir());
  }
  for (const auto& macro : strings(values, "define")) {
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

isa::Cubin load(const std::string& path, const po::variables_map& values) {
  if (path.ends_with(".cubin")) {
    return isa::Cubin::load(path);
  }
  if (path.ends_with(".cu")) {
    const std::string image = compile(path, values);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(image.data());
    return isa::Cubin::parse({bytes, image.size()}, path);
  }
  throw UserError(fmt::format("disasm: {} is neither a .cubin nor a .cu file", path),
                  "usage: coulomb disasm FILE.cubin|FILE.cu");
}

/// "S04 Y W0 R- B0..3.. " as in published work on these bits: stall, yield, barriers set, barriers
/// awaited.
std::string control_text(const isa::Control& control) {
  const auto barrier = [](std::uint8_t b) {
    return b == isa::kNoBarrier ? '-' : static_cast<char>('0' + b);
  };
  std::string wait;
  for (int b = 0; b < 6; ++b) {
    wait += (control.wait_mask >> b & 1) != 0 ? static_cast<char>('0' + b) : '-';
  }
  return fmt::format("S{:02} {} W{} R{} B{}", control.stall, control.yield ? 'Y' : '-',
                     barrier(control.write_barrier), barrier(control.read_barrier), wait);
}

void print_kernel(const isa::KernelImage& kernel, std::uint32_t architecture, bool plain) {
  fmt::print("// kernel {}   sm_{}   {} registers   {} bytes static shared   {} bytes local   {} "
             "instructions\n",
             kernel.name, architecture, kernel.registers, kernel.static_shared_bytes,
             kernel.local_bytes, kernel.code.size());
  for (const auto& instruction : kernel.code) {
    const std::string text = isa::disassemble(instruction);
    if (plain) {
      fmt::print("{} ;\n", text);
    } else {
      fmt::print("{}  /*{:04x}*/  {} ;\n", control_text(instruction.control), instruction.pc, text);
    }
  }
}

void print_help() {
  std::ostringstream text;
  text << "usage: coulomb disasm FILE.cubin|FILE.cu [options]\n\n"
          "The machine code of every kernel in the file, as the simulator decodes it. Before each\n"
          "instruction: stall cycles (S), yield (Y), dependence counter set at write (W) and at "
          "read\n"
          "(R), counters awaited (B).\n\n"
       << describe_options();
  fmt::print("{}", text.str());
}

} // namespace

int run_disasm(const std::vector<std::string>& args) {
  const auto values = parse_options("disasm", args, describe_options(), {"file"});
  if (values.count("help") > 0) {
    print_help();
    return 0;
  }
  if (values.count("file") == 0) {
    throw UserError("disasm: no file is given", "usage: coulomb disasm FILE.cubin|FILE.cu");
  }
  const isa::Cubin cubin = load(values["file"].as<std::string>(), values);
  const bool plain = values.count("plain") > 0;
  if (values.count("kernel") > 0) {
    print_kernel(cubin.kernel(values["kernel"].as<std::string>()), cubin.architecture, plain);
    return 0;
  }
  for (const auto& kernel : cubin.kernels) {
    print_kernel(kernel, cubin.architecture, plain);
  }
  for (const auto& [name, reason] : cubin.unsupported_kernels) {
    fmt::print(stderr, "not decoded: {}: {}\n", name, reason);
  }
  return cubin.unsupported_kernels.empty() ? 0 : 4;
}

} // namespace coulomb::cli
