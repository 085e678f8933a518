// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace coulomb::config {

/// Where the shipped GPUs are.
inline const std::string kShippedGpus = COULOMB_SOURCE_DIR "/configs/gpu";

/// A folder for GPU files of a test, removed after it. Files may extend the shipped presets.
class TemporaryGpus : public ::testing::Test {
protected:
  TemporaryGpus() {
    std::string name = ::testing::TempDir() + "coulomb.XXXXXX";
    dir_ = ::mkdtemp(name.data());
  }
  ~TemporaryGpus() override { std::filesystem::remove_all(dir_); }

  std::string write(const std::string& name, const std::string& contents) const {
    std::ofstream(dir_ + "/" + name) << contents;
    return dir_ + "/" + name;
  }
  /// The message with which loading `contents` as mine.toml fails; its folder is left out.
  [[nodiscard]] std::string error_of(const std::string& contents,
                                     const std::string& presets = kShippedGpus) const {
    try {
      (void)load_gpu(write("mine.toml", contents), {}, presets);
    } catch (const UserError& e) {
      std::string text = e.what();
      for (std::size_t at = text.find(dir_); at != std::string::npos; at = text.find(dir_)) {
        text.erase(at, dir_.size() + 1);
      }
      return text;
    }
    return "no error";
  }

  std::string dir_;
};

} // namespace coulomb::config
