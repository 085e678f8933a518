// SPDX-License-Identifier: Apache-2.0
// scripts/quickstart after an update: what an older version recorded is kept, and the user gets the
// quickstart all the same. Set-up and build are replaced by nothing, the program is this build's.
#include "tests/e2e/cli/specs.hpp"

#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

void write_script(const Workplace& workplace, const std::string& name, const std::string& text) {
  workplace.write(name, text);
  fs::permissions(workplace.path(name), fs::perms::owner_all);
}

TEST(Quickstart, KeepsASearchThatItCannotContinueAndBeginsANewOne) {
  const Workplace workplace;
  write_script(workplace, "scripts/setup", "#!/bin/sh\n");
  write_script(workplace, "bin/cmake", "#!/bin/sh\n");
  fs::copy(COULOMB_SOURCE_DIR "/scripts/quickstart", workplace.path("scripts/quickstart"));
  fs::create_directories(workplace.path("build"));
  fs::create_directory_symlink(COULOMB_BINARY_DIR, workplace.path("build/release"));
  fs::create_directory_symlink(COULOMB_SOURCE_DIR "/data", workplace.path("data"));
  ASSERT_EQ(run(workplace, {"search", "convolution", "--gpu", kGpu, "--seed", "1", "--budget", "1",
                            "--set", "l2.hit_latency=100", "--out", "runs/quickstart"})
                .exit_code,
            0);
  const std::string script =
      "cd " + workplace.dir() +
      " && env PATH=\"$PWD/bin:$PATH\" COULOMB_HOME=" COULOMB_SOURCE_DIR
      " COULOMB_CACHE=" COULOMB_BINARY_DIR
      "/e2e_kernel_cache COULOMB_QUICKSTART_BUDGET=1 COULOMB_QUICKSTART_ROWS=1 "
      "scripts/quickstart >out 2>err";
  ASSERT_EQ(std::system(script.c_str()), 0) << read(workplace, "err");
  EXPECT_THAT(read(workplace, "err"),
              HasSubstr("error: runs/quickstart was recorded by another search:\n"));
  EXPECT_THAT(read(workplace, "err"),
              HasSubstr("quickstart: that search cannot be continued; it is kept in "
                        "runs/quickstart.1, and a new one begins\n"));
  EXPECT_TRUE(fs::exists(workplace.path("runs/quickstart.1/search.journal")));
  EXPECT_THAT(read(workplace, "out"), HasSubstr("\nsaved      runs/quickstart\n"));
  EXPECT_THAT(read(workplace, "out"), HasSubstr("validate   convolution on a100-pcie-40gb"));

  ASSERT_EQ(std::system(script.c_str()), 0) << read(workplace, "err");
  EXPECT_FALSE(fs::exists(workplace.path("runs/quickstart.2"))) << "its own it continues";
}

} // namespace
} // namespace coulomb::e2e
