// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "base/eval/compilation.hpp"
#include "base/text.hpp"
#include "hw/toolchain/compiler.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <stdlib.h>
#include <string>

namespace coulomb::toolchain {

inline constexpr const char* kScaleSource = R"(extern "C" __global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= FACTOR;
}
)";

/// A temporary directory with a kernel, and a cache in it.
class ToolchainTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "coulomb-toolchain-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    paths_ = ToolchainPaths::from_environment();
    paths_.cache_dir = directory_ + "/cache";
    paths_.stored_dir = directory_ + "/stored";
    request_.id = 11;
    request_.source_path = write("scale.cu", kScaleSource);
    request_.kernel_name = "scale";
    request_.architecture = "sm_86";
    request_.options = {"-DFACTOR=3.0f"};
    request_.cache_dir = paths_.cache_dir;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = directory_ + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    write_file_atomically(path, text);
    return path;
  }

  std::string directory_;
  ToolchainPaths paths_;
  eval::CompileRequest request_;
};

/// Tests that need a compiler are skipped, with the reason, where there is none.
class NvrtcTest : public ToolchainTest {
protected:
  void SetUp() override {
    ToolchainTest::SetUp();
    try {
      nvrtc_.emplace(paths_);
    } catch (const EnvironmentError& e) {
      GTEST_SKIP() << e.what();
    }
  }
  std::optional<Nvrtc> nvrtc_;
};

} // namespace coulomb::toolchain
