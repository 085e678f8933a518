// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_catalogue.hpp"
#include "base/kernel/tunable_spec.hpp"
#include "sim/functional/executor.hpp"
#include "sim/isa/cubin.hpp"
#include "sim/worker/problem.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coulomb::bench {

/// A kernel of data/cubins with its problem in device memory, ready to run on an A100: what a
/// benchmark needs and does not measure.
class StoredKernel {
public:
  /// The kernel of this benchmark name; made at the first call, for the process's life. Throws
  /// InternalError for an unknown name.
  static StoredKernel& find(const std::string& name);

  [[nodiscard]] const functional::ExecutableKernel& executable() const { return *executable_; }
  [[nodiscard]] functional::GlobalMemory& memory() { return problem_.memory(); }
  [[nodiscard]] const config::GpuConfig& gpu() const { return gpu_; }
  [[nodiscard]] const kernel::Launch& launch() const { return launch_; }
  [[nodiscard]] std::uint64_t ctas() const { return launch_.grid.volume(); }

private:
  struct Row;
  static const std::vector<Row>& rows();
  explicit StoredKernel(const Row& row);

  config::GpuConfig gpu_ = config::load_gpu("a100-pcie-40gb").config;
  isa::Cubin cubin_;
  kernel::Launch launch_;
  worker::Problem problem_;
  std::unique_ptr<functional::ExecutableKernel> executable_;
};

} // namespace coulomb::bench
