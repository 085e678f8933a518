// SPDX-License-Identifier: Apache-2.0
#include "cli/hw_features.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/eval/compilation.hpp"
#include "base/eval/features.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/results/measurement_file.hpp"
#include "cli/command_line.hpp"
#include "hw/collectors/counter_map.hpp"
#include "hw/toolchain/compiler.hpp"
#include "sim/isa/code_mix.hpp"
#include "sim/isa/cubin.hpp"

#include <cmath>
#include <fmt/format.h>
#include <sstream>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kAbout =
    "usage: coulomb hw features FILE [--gpu GPU]\n\n"
    "The features of every measured configuration of FILE as CSV, under the names that "
    "simulations\n"
    "have (docs/features.md). What silicon does not tell is empty. Machine code comes from the\n"
    "kernel cache, or is compiled.\n\n";

/// Static counts of the machine code that was measured; empty if it cannot be had.
std::map<std::string, double> code_mix_of(toolchain::Compiler& compiler,
                                          const kernel::TunableSpec& spec,
                                          const kernel::Configuration& configuration,
                                          const config::GpuConfig& gpu) {
  const auto compiled = compiler.compile(
      eval::compile_request(spec, configuration, fmt::format("sm_{}", gpu.architecture)));
  if (compiled.status != eval::EvalStatus::ok) {
    return {};
  }
  return isa::code_mix(isa::Cubin::load(compiled.cubin_path).kernel(compiled.entry_name));
}

void print_kernel(const results::MeasuredKernel& measured,
                  const config::GpuConfig& gpu,
                  toolchain::Compiler& compiler) {
  const kernel::TunableSpec spec = kernel::find_spec(measured.spec);
  const auto family = hw::chip_family_of(gpu.architecture);
  for (const results::MeasuredRow& row : measured.rows) {
    std::string line = fmt::format("{},\"{}\",{}", measured.spec, row.parameters.key(),
                                   eval::to_string(row.outcome.status));
    if (row.outcome.status == eval::EvalStatus::ok) {
      const auto counters = hw::measured_counters(family, row.outcome.counters);
      for (const double value :
           eval::features_of(row.outcome, counters, spec.launch(row.parameters),
                             code_mix_of(compiler, spec, row.parameters, gpu), gpu)) {
        line += ',' + (std::isfinite(value) ? fmt::to_string(value) : std::string());
      }
    } else {
      line.append(eval::feature_table().size(), ',');
    }
    fmt::print("{}\n", line);
  }
}

} // namespace

int run_hw_features(const std::vector<std::string>& args) {
  po::options_description options("Options");
  auto add = options.add_options();
  add("file", po::value<std::string>(), "measurement file (.json)");
  add("gpu", po::value<std::string>(), "GPU id or file (default: the measured board's)");
  add("help,h", "print this help");
  const auto values = parse_options("hw features", args, options, {"file"});
  if (values.count("help") > 0) {
    std::ostringstream out;
    out << kAbout << options;
    fmt::print("{}", out.str());
    return 0;
  }
  if (values.count("file") == 0) {
    throw UserError("hw features: which file?",
                    "coulomb hw measure KERNEL --metrics full --out FILE.json writes one");
  }
  const auto file = results::MeasurementFile::load(values["file"].as<std::string>());
  const config::GpuConfig gpu =
      config::load_gpu(values.count("gpu") > 0 ? values["gpu"].as<std::string>() : file.gpu).config;
  toolchain::Compiler compiler;
  fmt::print("kernel,parameters,status");
  for (const eval::Feature& feature : eval::feature_table()) {
    fmt::print(",{}", feature.name);
  }
  fmt::print("\n");
  for (const auto& measured : file.kernels) {
    print_kernel(measured, gpu, compiler);
  }
  return 0;
}

} // namespace coulomb::cli
