// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/stored_kernel.hpp"

#include "base/error.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/text.hpp"

#include <map>

namespace coulomb::bench {

struct StoredKernel::Row {
  const char* name;
  const char* spec;
  const char* file;
  std::vector<std::string> parameters;
  std::vector<std::int64_t> problem_size; ///< empty: the spec's
};

/// "convolution" has 32 x 4 threads of 3 outputs; "convolution_default" 16 x 16 of one, nearly all
/// FFMA and shared-memory loads. "sgemm_small" is small enough for all SMs of a chip.
const std::vector<StoredKernel::Row>& StoredKernel::rows() {
  static const std::vector<Row> all = {
      {"convolution",
       "convolution",
       "convolution-sm_80-1.cubin",
       {"block_size_x=32", "block_size_y=4", "tile_size_y=3"},
       {}},
      {"convolution_default", "convolution", "convolution-sm_80-0.cubin", {}, {}},
      {"saxpy", "saxpy", "saxpy-sm_80-0.cubin", {}, {}},
      {"hgemm", "hgemm", "hgemm-sm_80-0.cubin", {}, {}},
      {"sgemm_small", "sgemm", "sgemm-sm_80-0.cubin", {}, {1024, 1024, 128}},
  };
  return all;
}

StoredKernel::StoredKernel(const Row& row) {
  auto spec = kernel::find_spec(row.spec);
  if (!row.problem_size.empty()) {
    spec.problem_size = row.problem_size;
  }
  launch_ = spec.launch(spec.configuration(row.parameters));
  cubin_ = isa::Cubin::load(home_dir() + "/data/cubins/" + row.file);
  problem_.prepare(launch_.arguments);
  const auto& image = cubin_.kernel(spec.kernel_name);
  executable_ = std::make_unique<functional::ExecutableKernel>(
      cubin_, image, launch_.grid, launch_.block, launch_.dynamic_shared_bytes,
      problem_.parameter_block(image), gpu_.sms);
  problem_.fill_symbols(cubin_, *executable_);
}

StoredKernel& StoredKernel::find(const std::string& name) {
  static std::map<std::string, std::unique_ptr<StoredKernel>> made;
  auto& kernel = made[name];
  for (const Row& row : rows()) {
    if (!kernel && name == row.name) {
      kernel.reset(new StoredKernel(row));
    }
  }
  COULOMB_CHECK(kernel != nullptr, "there is no stored kernel \"{}\"", name);
  return *kernel;
}

} // namespace coulomb::bench
