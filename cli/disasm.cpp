// SPDX-License-Identifier: Apache-2.0
#include "cli/disasm.hpp"

#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "cli/disasm_input.hpp"
#include "cli/disasm_json.hpp"
#include "cli/disasm_source.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <sstream>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kUsage = "usage: coulomb disasm FILE.cu|FILE.cubin|FILE.fatbin";

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("file", po::value<std::string>(), "FILE, if it is not given as a word");
  add("arch", po::value<std::string>(),
      "sm_80 or sm_86: what to compile a .cu file for (default sm_80), which images of a fatbin");
  add("define,D", po::value<std::vector<std::string>>()->composing(),
      "NAME=VALUE: macro for a .cu file");
  add("kernel", po::value<std::string>(), "only this kernel");
  add("plain", "instructions only, without addresses and scheduling control");
  add("source", "with the source line wherever it changes (cubins must be made with -lineinfo)");
  add("json", "one JSON object on standard output");
  add("help,h", "print this help");
  return options;
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

struct ListingStyle {
  bool plain = false;  ///< instructions without addresses and scheduling control
  bool source = false; ///< with the source line wherever it changes
};

void print_kernel(const ListedKernel& listed, const ListingStyle& style, DisasmSource& sources) {
  const isa::KernelImage& kernel = *listed.kernel;
  fmt::print("// kernel {}   sm_{}   {} registers   {} bytes static shared   {} bytes local   {} "
             "instructions\n",
             kernel.name, listed.architecture, kernel.registers, kernel.static_shared_bytes,
             kernel.local_bytes, kernel.code.size());
  std::string last;
  for (const auto& instruction : kernel.code) {
    if (style.source) {
      std::string announcement = sources.announcement(kernel, instruction.pc);
      if (announcement != last) {
        fmt::print("{}\n", announcement.empty() ? "// source line unknown" : announcement);
        last = std::move(announcement);
      }
    }
    const std::string text = isa::disassemble(instruction);
    if (style.plain) {
      fmt::print("{} ;\n", text);
    } else {
      fmt::print("{}  /*{:04x}*/  {} ;\n", control_text(instruction.control), instruction.pc, text);
    }
  }
}

/// The kernel of that name of every cubin that has it. Throws what the first cubin says if none
/// has.
std::vector<ListedKernel> kernels_named(const DisasmInput& input, const std::string& name) {
  std::vector<ListedKernel> kernels;
  std::exception_ptr first_failure;
  for (const auto& cubin : input.cubins) {
    try {
      kernels.push_back({&cubin.kernel(name), cubin.architecture});
    } catch (const Error&) {
      first_failure = first_failure ? first_failure : std::current_exception();
    }
  }
  if (kernels.empty()) {
    std::rethrow_exception(first_failure);
  }
  return kernels;
}

std::vector<ListedKernel> all_kernels(const DisasmInput& input) {
  std::vector<ListedKernel> kernels;
  for (const auto& cubin : input.cubins) {
    for (const auto& kernel : cubin.kernels) {
      kernels.push_back({&kernel, cubin.architecture});
    }
  }
  return kernels;
}

std::vector<UndecodedKernel> undecoded_kernels(const DisasmInput& input) {
  std::vector<UndecodedKernel> kernels;
  for (const auto& cubin : input.cubins) {
    for (const auto& [name, reason] : cubin.unsupported_kernels) {
      kernels.push_back({name, reason});
    }
  }
  return kernels;
}

void print_notes(const DisasmInput& input,
                 const std::vector<UndecodedKernel>& undecoded,
                 bool source) {
  for (const auto& cubin : input.cubins) {
    if (source && !cubin.no_lines.empty()) {
      fmt::print(stderr, "no source lines for sm_{}: {}\n", cubin.architecture, cubin.no_lines);
    }
  }
  for (const auto& image : input.skipped) {
    fmt::print(stderr, "skipped: {}: {}\n", image.image, image.reason);
  }
  for (const auto& kernel : undecoded) {
    fmt::print(stderr, "not decoded: {}: {}\n", kernel.name, kernel.reason);
  }
}

DisasmRequest request_of(const po::variables_map& values) {
  if (values.count("file") == 0) {
    throw UserError("disasm: no file is given", kUsage);
  }
  DisasmRequest request;
  request.path = values["file"].as<std::string>();
  request.architecture = values.count("arch") > 0 ? values["arch"].as<std::string>() : "";
  request.defines = strings(values, "define");
  return request;
}

void print_help() {
  std::ostringstream text;
  text << kUsage << " [options]\n\n"
       << "The machine code of every kernel in the file, as the simulator decodes it; of every\n"
          "sm_80 and sm_86 image, if the file is a fatbin or a host program with device code.\n"
          "Before each instruction: stall cycles (S), yield (Y), dependence counter set at write\n"
          "(W) and at read (R), counters awaited (B).\n\n"
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
  const DisasmInput input = open_machine_code(request_of(values));
  const bool one_kernel = values.count("kernel") > 0;
  const auto kernels =
      one_kernel ? kernels_named(input, values["kernel"].as<std::string>()) : all_kernels(input);
  const auto undecoded = one_kernel ? std::vector<UndecodedKernel>{} : undecoded_kernels(input);
  if (values.count("json") > 0) {
    fmt::print("{}\n", disasm_json(kernels, undecoded, input.skipped));
  } else {
    const ListingStyle style{values.count("plain") > 0, values.count("source") > 0};
    DisasmSource sources;
    for (const auto& kernel : kernels) {
      print_kernel(kernel, style, sources);
    }
    print_notes(input, undecoded, style.source);
  }
  const bool all_read = std::ranges::none_of(input.skipped, &SkippedImage::unsupported);
  return undecoded.empty() && all_read ? 0 : 4;
}

} // namespace coulomb::cli
