// SPDX-License-Identifier: Apache-2.0
#include "hw/toolchain/stored_cubins.hpp"

#include "tests/component/toolchain/toolchain_fixture.hpp"

#include "base/hash.hpp"
#include "hw/toolchain/machine_code.hpp"
#include "hw/toolchain/stored_update.hpp"

namespace coulomb::toolchain {
namespace {

using eval::CompileOutcome;
using eval::EvalStatus;

constexpr const char* kUpdate = "data/cubins is out of date: run coulomb-compile-worker --store";

/// Stored cubins of the temporary directory, with made-up contents.
class StoredCubinsTest : public ToolchainTest {
protected:
  void store(const std::string& nvrtc_version) {
    StoredCubin cubin;
    cubin.key = content_key(request_, collect_sources(request_.source_path, request_.options));
    cubin.file = "scale.cubin";
    cubin.checksum = hash128_hex("machine code");
    cubin.cubin_hash = "hash";
    cubin.entry_name = "scale";
    cubin.compile_s = 0.25;
    write("stored/scale.cubin", "machine code");
    write("stored/index.json", StoredCubins::index_text(nvrtc_version, {cubin}));
  }
};

TEST_F(StoredCubinsTest, ServeWhereThereIsNoNvrtc) {
  store("13.0");
  paths_.nvrtc = "/nonexistent";
  Compiler compiler(paths_);
  const CompileOutcome outcome = compiler.compile(request_);
  EXPECT_EQ(outcome.status, EvalStatus::ok);
  EXPECT_EQ(outcome.id, 11U);
  EXPECT_TRUE(outcome.cache_hit);
  EXPECT_EQ(outcome.cubin_path, directory_ + "/stored/scale.cubin");
  EXPECT_EQ(outcome.cubin_hash, "hash");
  EXPECT_EQ(outcome.entry_name, "scale");
  EXPECT_EQ(outcome.compile_s, 0.25);
  EXPECT_EQ(compiler.counters().stored_hits, 1U);
  EXPECT_FALSE(std::filesystem::exists(paths_.cache_dir));
  request_.options = {"-DFACTOR=8.0f"};
  EXPECT_THROW((void)compiler.compile(request_), EnvironmentError);
}

TEST_F(StoredCubinsTest, DoNotServeWhenTheirFileIsDamaged) {
  store("13.0");
  write("stored/scale.cubin", "machine cod");
  paths_.nvrtc = "/nonexistent";
  EXPECT_THROW((void)Compiler(paths_).compile(request_), EnvironmentError);
}

TEST_F(StoredCubinsTest, AreNamedByAMalformedIndex) {
  write("stored/index.json", "{\"nvrtc\": 13}");
  try {
    const StoredCubins stored(paths_.stored_dir);
    FAIL() << "no error";
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(), testing::StartsWith(paths_.stored_dir +
                                              "/index.json is not an index of stored cubins: "));
    EXPECT_EQ(e.hint(), "write it again with coulomb-compile-worker --store");
  }
}

class StoredCubinsWithNvrtc : public StoredCubinsTest {
protected:
  void SetUp() override {
    StoredCubinsTest::SetUp();
    try {
      version_ = Nvrtc(paths_).version();
    } catch (const EnvironmentError& e) {
      GTEST_SKIP() << e.what();
    }
  }
  std::string version_;
};

TEST_F(StoredCubinsWithNvrtc, ServeIfTheSameReleaseMadeThem) {
  store(version_);
  Compiler compiler(paths_);
  EXPECT_EQ(compiler.compile(request_).cubin_hash, "hash");
  EXPECT_EQ(compiler.counters().compiled, 0U);
}

TEST_F(StoredCubinsWithNvrtc, DoNotServeIfAnotherReleaseMadeThem) {
  store("11.1");
  Compiler compiler(paths_);
  EXPECT_NE(compiler.compile(request_).cubin_hash, "hash");
  EXPECT_EQ(compiler.counters().compiled, 1U);
  EXPECT_EQ(compiler.counters().stored_hits, 0U);
}

TEST(DataCubins, MatchThePresentSourcesAndServeWithoutNvrtc) {
  ToolchainPaths paths = ToolchainPaths::from_environment();
  paths.nvrtc = "/nonexistent";
  Compiler compiler(paths);
  const auto wanted = wanted_cubins(home_dir());
  ASSERT_EQ(wanted.size(), 10U);
  for (const auto& [file, request] : wanted) {
    const CompileOutcome outcome = compiler.compile_or_error(request);
    ASSERT_EQ(outcome.status, EvalStatus::ok) << file << ": " << kUpdate;
    const std::string cubin = read_file(outcome.cubin_path);
    EXPECT_EQ(outcome.cubin_path, home_dir() + "/data/cubins/" + file);
    EXPECT_EQ(machine_code_hash(cubin, outcome.entry_name), outcome.cubin_hash) << file;
    // The directory that they were built in would be in the line information.
    EXPECT_EQ(cubin.find(home_dir()), std::string::npos) << file;
  }
  EXPECT_EQ(StoredCubins(paths.stored_dir).entries().size(), wanted.size()) << kUpdate;
}

TEST(DataCubins, AreWhatThisNvrtcMakes) {
  ToolchainPaths paths = ToolchainPaths::from_environment();
  const StoredCubins stored(paths.stored_dir);
  std::string pattern = testing::TempDir() + "coulomb-cubins-XXXXXX";
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  paths.stored_dir.clear();
  paths.cache_dir = pattern;
  Compiler compiler(paths);
  try {
    if (compiler.nvrtc().version() != stored.nvrtc_version()) {
      GTEST_SKIP() << "they are of NVRTC " << stored.nvrtc_version() << ", here is "
                   << compiler.nvrtc().version();
    }
  } catch (const EnvironmentError& e) {
    GTEST_SKIP() << e.what();
  }
  for (const auto& [file, request] : wanted_cubins(home_dir())) {
    const CompileOutcome outcome = compiler.compile(request);
    const auto found =
        stored.find(content_key(request, collect_sources(request.source_path, request.options)));
    ASSERT_TRUE(found.has_value()) << file << ": " << kUpdate;
    EXPECT_EQ(outcome.cubin_hash, found->cubin_hash) << file << ": " << kUpdate;
  }
  std::filesystem::remove_all(pattern);
}

TEST(DataCubins, HaveTheMachineCodeThatTheyWouldHaveWithoutLineInformation) {
  const ToolchainPaths paths = ToolchainPaths::from_environment();
  const StoredCubins stored(paths.stored_dir);
  std::optional<Nvrtc> nvrtc;
  try {
    nvrtc.emplace(paths);
  } catch (const EnvironmentError& e) {
    GTEST_SKIP() << e.what();
  }
  if (nvrtc->version() != stored.nvrtc_version()) {
    GTEST_SKIP() << "they are of NVRTC " << stored.nvrtc_version();
  }
  for (const auto& [file, request] : wanted_cubins(home_dir())) {
    NvrtcJob job;
    job.source = read_file(request.source_path);
    job.name = "any.cu";
    job.options = request.options;
    job.options.push_back("--gpu-architecture=" + request.architecture);
    const auto found =
        stored.find(content_key(request, collect_sources(request.source_path, request.options)));
    ASSERT_TRUE(found.has_value()) << file << ": " << kUpdate;
    EXPECT_EQ(machine_code_hash(nvrtc->compile(job).cubin, found->entry_name), found->cubin_hash)
        << file;
  }
}

} // namespace
} // namespace coulomb::toolchain
