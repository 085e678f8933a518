// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/kernel_runner.hpp"

#include "base/error.hpp"
#include "hw/toolchain/compiler.hpp"
#include "sim/functional/grid_runner.hpp"
#include "sim/isa/cubin.hpp"

#include <stdexcept>

namespace coulomb::kernels_test {
namespace {

/// A file with one of its kernels: the compiler wants a name, the cubin holds all of them.
/// The option is what the source needs (128-bit integers), or: kernels whose control flow hangs on
/// the last bit of a float are compiled without contraction, so that the order of roundings is the
/// source's.
struct SourceFile {
  const char* file;
  const char* entry;
  const char* option = nullptr;
};
constexpr SourceFile kFiles[] = {
    {"k01_saxpy.cu", "saxpy"},
    {"k02_reduce.cu", "reduce_f32"},
    {"k03_softmax.cu", "layernorm"},
    {"k04_transpose.cu", "copy_b8"},
    {"k05_sgemm.cu", "sgemm_tiled"},
    {"k06_sgemm_async.cu", "mbar_copy"},
    {"k07_mma.cu", "mma_f16"},
    {"k08_wmma.cu", "wmma_f16"},
    {"k09_dgemm_hgemm.cu", "dgemm"},
    {"k10_conv2d.cu", "conv2d_sh"},
    {"k11_dedisp_stencil.cu", "hotspot"},
    {"k12_hist_scan_sort.cu", "bitonic"},
    {"k13_nbody_spmv.cu", "nbody", "--fmad=false"},
    {"k14_hash_bits.cu", "bits", "--device-int128"},
    {"k15_flash.cu", "flash_mma"},
    {"k16_local_switch.cu", "calls", "--fmad=false"},
    {"k17_sync_vote.cu", "votes"},
    {"k18_math.cu", "mathf"},
    {"k19_forms.cu", "pack"},
    {"k20_ptx.cu", "ptx_round"},
    {"mma_shapes.cu", "mma_f16_16816_f32"},
    {"sparse_shapes.cu", "sp_f16_16816_0"},
    {"unseen/summary_statistics.cu", "summary_statistics"},
    {"unseen/lookback_scan.cu", "lookback_scan"},
    {"unseen/segmented_radix_sort.cu", "segmented_radix_sort"},
    {"unseen/hash_join.cu", "hash_join"},
    {"unseen/json_structure.cu", "json_structure"},
    {"unseen/flash_attention.cu", "flash_attention"},
    {"unseen/gemm_bias_gelu.cu", "gemm_bias_gelu"},
    {"unseen/csr_adaptive_spmv.cu", "csr_adaptive_spmv"},
    {"unseen/batched_cholesky.cu", "batched_cholesky"},
    {"unseen/ray_traversal.cu", "ray_traversal"},
};

const SourceFile& source_file(const std::string& file) {
  for (const SourceFile& row : kFiles) {
    if (file == row.file) {
      return row;
    }
  }
  throw std::runtime_error(file + " is not in the table of source files");
}

/// One for the process: loading the compiler costs more than a test.
toolchain::Compiler& compiler() {
  static toolchain::Compiler shared;
  return shared;
}

/// Stops a kernel that no longer ends, long before the test's own time limit.
constexpr std::uint64_t kInstructionLimit = 20'000'000;
/// So many fit on any Ampere GPU: two to each of the 84 or 108 SMs.
constexpr std::uint32_t kResidentCtas = 160;

} // namespace

std::string missing_compiler() {
  try {
    static_cast<void>(compiler().nvrtc());
    return {};
  } catch (const EnvironmentError& error) {
    return error.what();
  }
}

std::string compiled(const std::string& file, const std::string& architecture) {
  eval::CompileRequest request;
  request.source_path = std::string(COULOMB_SOURCE_DIR) + "/tests/kernels/" + file;
  request.architecture = architecture;
  const SourceFile& row = source_file(file);
  request.kernel_name = row.entry;
  if (row.option != nullptr) {
    request.options.emplace_back(row.option);
  }
  request.cache_dir = std::string(COULOMB_BINARY_DIR) + "/kernel-proofs";
  const eval::CompileOutcome outcome = compiler().compile(request);
  if (outcome.status != eval::EvalStatus::ok) {
    throw std::runtime_error(file + ": " + outcome.message + "\n" + outcome.log);
  }
  return outcome.cubin_path;
}

std::string compiler_release() {
  try {
    return compiler().nvrtc().version();
  } catch (const EnvironmentError&) {
    return {};
  }
}

std::string
run_and_compare(const Launch& launch, const Problem& problem, const MakeMonitor& make_monitor) {
  const isa::Cubin cubin = isa::Cubin::load(launch.cubin_path);
  const isa::KernelImage& image = cubin.kernel(launch.entry);
  if (image.parameters.size() != problem.arguments().size()) {
    return fmt::format("{} takes {} parameters, not {}", launch.entry, image.parameters.size(),
                       problem.arguments().size());
  }
  functional::GlobalMemory memory;
  std::vector<std::uint8_t> parameters(image.parameter_bytes);
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = 0; i < problem.arguments().size(); ++i) {
    const Problem::Argument& argument = problem.arguments()[i];
    std::vector<std::uint8_t> bytes = argument.bytes;
    addresses.push_back(0);
    if (argument.buffer) {
      addresses.back() = memory.allocate(fmt::format("argument {}", i), argument.bytes.size());
      memory.initialise(addresses.back(), argument.bytes);
      bytes.resize(sizeof(std::uint64_t));
      std::memcpy(bytes.data(), &addresses.back(), bytes.size());
    }
    if (image.parameters[i].size != bytes.size()) {
      return fmt::format("parameter {} of {} has {} bytes, not {}", i, launch.entry,
                         image.parameters[i].size, bytes.size());
    }
    std::memcpy(parameters.data() + image.parameters[i].offset, bytes.data(), bytes.size());
  }
  functional::ExecutableKernel kernel(cubin, image, launch.grid, launch.block,
                                      launch.dynamic_shared_bytes, parameters, 84);
  for (const auto& [symbol, contents] : problem.constants()) {
    kernel.set_constant(symbol, contents);
  }
  const auto monitor = make_monitor ? make_monitor(kernel, memory) : nullptr;
  functional::GridRunner runner(kernel, memory, kResidentCtas, monitor.get());
  runner.run(0, launch.grid.volume(), kInstructionLimit);
  std::string wrong;
  for (std::size_t i = 0; i < problem.arguments().size(); ++i) {
    const Problem::Argument& argument = problem.arguments()[i];
    if (!argument.buffer) {
      continue;
    }
    const std::string text = argument.check(
        memory.read(addresses[i], static_cast<std::uint32_t>(argument.bytes.size())));
    if (!text.empty()) {
      wrong += fmt::format("argument {}: {}\n", i, text);
    }
  }
  return wrong;
}

} // namespace coulomb::kernels_test
