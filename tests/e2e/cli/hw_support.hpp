// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/e2e/cli/coulomb_process.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace coulomb::e2e {

/// Stand-ins for the driver and NVML (tests/support/fake_gpu/options.hpp).
inline const std::string kFakeDriver = COULOMB_BINARY_DIR "/fake_gpu";

/// The environment of a machine with a GPU, and what it does.
inline Environment with_gpu(Environment more = {}) {
  more["LD_LIBRARY_PATH"] = kFakeDriver;
  more.emplace("FAKE_CUDA_EXECUTE", "first"); // the clock is made up: executing once is enough
  return more;
}

/// Runs `coulomb hw measure saxpy ...`.
inline Result measure_saxpy(const Workplace& workplace,
                            const Environment& environment,
                            const std::vector<std::string>& more = {}) {
  std::vector<std::string> args = {"hw", "measure", "saxpy", "--max-samples", "12"};
  args.insert(args.end(), more.begin(), more.end());
  return run(workplace, args, environment);
}

/// Tests in which kernels are compiled.
class Hw : public testing::Test {
protected:
  void SetUp() override { COULOMB_NEEDS_NVRTC(workplace); }
  Workplace workplace;
};

} // namespace coulomb::e2e
