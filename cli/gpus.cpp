// SPDX-License-Identifier: Apache-2.0
#include "cli/gpus.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"

#include <boost/program_options.hpp>
#include <cmath>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

double peak_gbps(const config::GpuConfig& gpu) {
  return gpu.dram.channels * gpu.dram.channel_gbps;
}

Json gpu_json(const config::ResolvedGpu& gpu) {
  const config::GpuConfig& c = gpu.config;
  Json counts = Json::object();
  for (const auto& [kind, n] : config::provenance_counts(gpu)) {
    counts[kind] = n;
  }
  return {{"id", c.id},
          {"product", c.product},
          {"chip", c.chip},
          {"architecture", fmt::format("sm_{}", c.architecture)},
          {"sms", c.sms},
          {"sm_clock_mhz", c.sm_clock_mhz},
          {"l2_bytes", std::uint64_t{c.l2.slices} * c.l2.slice_size},
          {"memory", c.dram.type},
          {"memory_gbps", peak_gbps(c)},
          {"extends", gpu.extends},
          {"parameters", counts}};
}

std::string counts_text(const config::ResolvedGpu& gpu) {
  std::vector<std::string> parts;
  for (const auto& [kind, n] : config::provenance_counts(gpu)) {
    parts.push_back(fmt::format("{} {}", n, kind));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void print_table(const std::vector<config::ResolvedGpu>& gpus) {
  fmt::print("{:<16} {:<6} {:<6} {:>4} {:>10} {:>7}  {:<18} {}\n", "id", "chip", "arch", "SMs",
             "clock", "L2", "memory", "parameters");
  for (const config::ResolvedGpu& gpu : gpus) {
    const config::GpuConfig& c = gpu.config;
    fmt::print("{:<16} {:<6} sm_{:<3} {:>4} {:>10} {:>7}  {:<18} {}\n", c.id, c.chip,
               c.architecture, c.sms,
               fmt::format("{} MHz", with_thousands(std::llround(c.sm_clock_mhz))),
               fmt::format("{} MiB", std::uint64_t{c.l2.slices} * c.l2.slice_size >> 20),
               fmt::format("{} {} GB/s", c.dram.type, with_thousands(std::llround(peak_gbps(c)))),
               counts_text(gpu));
  }
  fmt::print("\nOne number and its source: coulomb config explain KEY --gpu ID\n");
}

} // namespace

int run_gpus(const std::vector<std::string>& args) {
  po::options_description options;
  options.add_options()("json", "print JSON")("help,h", "print this help");
  const po::variables_map values = parse_options("gpus", args, options);
  if (values.count("help") > 0) {
    fmt::print("usage: coulomb gpus [--json]\n\nThe GPUs that can be simulated, and where their "
               "parameters "
               "come from.\n");
    return 0;
  }
  std::vector<config::ResolvedGpu> gpus;
  for (const std::string& id : config::list_gpus()) {
    gpus.push_back(config::load_gpu(id));
  }
  if (values.count("json") == 0) {
    print_table(gpus);
    return 0;
  }
  Json list = Json::array();
  for (const config::ResolvedGpu& gpu : gpus) {
    list.push_back(gpu_json(gpu));
  }
  fmt::print("{}\n", Json{{"gpus", list}}.dump(2));
  return 0;
}

} // namespace coulomb::cli
