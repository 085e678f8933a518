// SPDX-License-Identifier: Apache-2.0
#include "sim/sanitizer/sanitizer.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "hw/toolchain/compiler.hpp"
#include "sim/functional/grid_runner.hpp"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace coulomb::sanitizer {
namespace {

const std::string kSource =
    std::string(COULOMB_SOURCE_DIR) + "/tests/component/sanitizer/planted.cu";
using Strings = std::vector<std::string>;
const Strings kAll = {"memory", "race", "sync", "init", "nan"};

toolchain::Compiler& compiler() {
  static toolchain::Compiler shared;
  return shared;
}

/// Line of the comment "FAULT name".
std::uint32_t fault_line(const std::string& name) {
  const std::string text = read_file(kSource);
  const std::size_t at = text.find("// FAULT " + name + "\n");
  EXPECT_NE(at, std::string::npos) << name;
  return 1 + static_cast<std::uint32_t>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// Runs a kernel of planted.cu on buffers "out" (1 KiB or more) and, if it takes one, "in".
class Sanitized : public testing::TestWithParam<const char*> {
protected:
  void SetUp() override {
    try {
      static_cast<void>(compiler().nvrtc());
    } catch (const EnvironmentError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  std::vector<eval::Finding> run(const std::string& entry,
                                 int n,
                                 Dim3 block = {256, 1, 1},
                                 const std::vector<std::string>& checks = kAll) {
    eval::CompileRequest request;
    request.source_path = kSource;
    request.architecture = GetParam();
    request.kernel_name = entry;
    request.cache_dir = std::string(COULOMB_BINARY_DIR) + "/sanitizer-kernels";
    const auto outcome = compiler().compile(request);
    EXPECT_EQ(outcome.status, eval::EvalStatus::ok) << outcome.log;
    const isa::Cubin cubin = isa::Cubin::load(outcome.cubin_path);
    const isa::KernelImage& image = cubin.kernel(entry);
    functional::GlobalMemory memory;
    std::vector<std::uint8_t> parameters(image.parameter_bytes);
    for (std::size_t i = 0; i < image.parameters.size(); ++i) {
      const isa::KernelParameter& p = image.parameters[i];
      if (p.size == 8) {
        const std::uint64_t address = memory.allocate(i == 0 ? "out" : "in", buffer_bytes_);
        if (!input_.empty() && i > 0) {
          memory.initialise(address, input_);
        }
        std::memcpy(parameters.data() + p.offset, &address, sizeof address);
      } else {
        std::memcpy(parameters.data() + p.offset, &n, sizeof n);
      }
    }
    functional::ExecutableKernel kernel(cubin, image, {grid_, 1, 1}, block, 0, parameters, 108);
    Sanitizer sanitizer(kernel, memory, checks);
    functional::GridRunner runner(kernel, memory, 8, &sanitizer);
    runner.run(0, grid_, 10'000'000);
    first_fault_ = sanitizer.first_fault();
    return sanitizer.findings();
  }

  /// The one finding, which has to be of `check` at the marked line.
  eval::Finding only(const std::vector<eval::Finding>& found,
                     const std::string& check,
                     const std::string& entry) {
    EXPECT_EQ(found.size(), 1U);
    if (found.empty()) {
      return {};
    }
    EXPECT_EQ(found[0].check, check) << finding_text(found[0]);
    EXPECT_EQ(found[0].line, fault_line(entry)) << finding_text(found[0]);
    EXPECT_THAT(found[0].file, testing::EndsWith("planted.cu"));
    EXPECT_EQ(found[0].kernel, entry);
    return found[0];
  }

  /// The finding of `check` at the marked line that says `text`; there may be others of the check:
  /// of two accesses that race, either may come first.
  void contains(const std::vector<eval::Finding>& found,
                const std::string& check,
                const std::string& entry,
                const std::string& text) {
    std::string all;
    bool hit = false;
    for (const auto& f : found) {
      EXPECT_EQ(f.check, check);
      all += finding_text(f) + "\n";
      hit = hit || (f.line == fault_line(entry) && f.message.find(text) != std::string::npos);
    }
    EXPECT_TRUE(hit) << "found: " << all;
  }

  template <class T>
  void input(const std::vector<T>& values) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
    input_.assign(bytes, bytes + values.size() * sizeof(T));
  }

  std::uint32_t grid_ = 1;
  std::uint64_t buffer_bytes_ = 4096;
  std::vector<std::uint8_t> input_;
  std::string first_fault_;
};

TEST_P(Sanitized, AStoreBehindTheBufferIsNamedWithItsBuffer) {
  buffer_bytes_ = 2048;
  grid_ = 3;
  const auto f = only(run("out_of_bounds", 512), "memory", "out_of_bounds");
  EXPECT_EQ(f.allocation, "out");
  EXPECT_EQ(f.space, "global");
  EXPECT_EQ(f.cta.x, 2U);
  EXPECT_EQ(f.thread.x, 0U);
  EXPECT_THAT(f.message, testing::HasSubstr("0 bytes past the end of buffer out (2048 bytes at"));
  EXPECT_THAT(first_fault_, testing::HasSubstr("(planted.cu:"));
}

TEST_P(Sanitized, OtherCtasGoOnAfterABadAccess) {
  buffer_bytes_ = 1024;
  grid_ = 3;
  const auto f = only(run("out_of_bounds", 1000), "memory", "out_of_bounds");
  EXPECT_EQ(f.occurrences, 2U);
}

TEST_P(Sanitized, AMisalignedStoreIsFound) {
  const auto f = only(run("misaligned", 2, {1, 1, 1}), "memory", "misaligned");
  EXPECT_THAT(f.message, testing::StartsWith("misaligned access: 4 bytes at global address"));
}

TEST_P(Sanitized, AReadBehindSharedMemoryIsFound) {
  const auto f = only(run("shared_out_of_bounds", 8), "memory", "shared_out_of_bounds");
  EXPECT_EQ(f.space, "shared");
  EXPECT_EQ(f.address, 1024U);
  EXPECT_EQ(f.thread.x, 248U);
}

TEST_P(Sanitized, AMissingBarrierBetweenStoreAndReadIsARace) {
  contains(run("read_race", 0, {256, 1, 1}, {"race"}), "race", "read_race",
           "reads what another warp stored with no barrier between: warp ");
  EXPECT_EQ(run("read_race", 1).size(), 0U) << "with the barrier";
}

TEST_P(Sanitized, AMissingBarrierBetweenReadAndStoreIsARace) {
  contains(run("write_after_read_race", 0), "race", "write_after_read_race",
           "stores where another warp read with no barrier between: warp ");
  EXPECT_EQ(run("write_after_read_race", 1).size(), 0U) << "with the barrier";
}

TEST_P(Sanitized, TwoWarpsThatStoreDifferentValuesRace) {
  const auto f = only(run("write_write_race", 3), "race", "write_write_race");
  EXPECT_THAT(f.message, testing::HasSubstr("another value"));
  EXPECT_EQ(f.space, "shared");
}

TEST_P(Sanitized, ReadingAnAsynchronousCopyBeforeItsWaitIsFound) {
  const auto f = only(run("unfinished_copy", 0), "race", "unfinished_copy");
  EXPECT_THAT(f.message, testing::HasSubstr("before the asynchronous copy to it was waited for"));
  EXPECT_EQ(run("unfinished_copy", 1).size(), 0U) << "with the wait";
}

TEST_P(Sanitized, ABarrierInDivergentCodeIsFound) {
  const auto found = run("divergent_barrier", 1, {64, 1, 1}, {"sync"});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].check, "sync");
  EXPECT_THAT(found[0].message, testing::StartsWith("only 16 of the 32 running threads of warp 0"));
  std::vector<std::uint32_t> lines;
  for (const auto& f : found) {
    lines.push_back(f.line);
  }
  EXPECT_THAT(lines, testing::Contains(fault_line("divergent_barrier")));
}

TEST_P(Sanitized, ReadingSharedMemoryThatNobodyStoredIsFound) {
  const auto f = only(run("uninitialised_shared", 5), "init", "uninitialised_shared");
  EXPECT_EQ(f.address, 20U);
  EXPECT_EQ(f.thread.x, 4U);
  EXPECT_EQ(run("uninitialised_shared", -1).size(), 0U);
}

TEST_P(Sanitized, OneCheckDoesNotHideWhatAnotherFinds) {
  for (const auto& checks : {Strings{"init"}, Strings{"race", "init"}, kAll}) {
    only(run("half_stored", 1, {64, 1, 1}, checks), "init", "half_stored");
  }
  EXPECT_EQ(run("half_stored", 1, {64, 1, 1}, {"race"}).size(), 0U);
  const auto races = run("half_stored", 0, {64, 1, 1}, {"race"});
  ASSERT_EQ(races.size(), 1U);
  EXPECT_THAT(races[0].message, testing::StartsWith("warp 1 stores where another warp read"));
}

TEST_P(Sanitized, AStoreOverTheAsynchronousCopyOfAnotherWarpIsARace) {
  contains(run("stored_over_copy", 0, {64, 1, 1}), "race", "stored_over_copy", "another warp");
}

TEST_P(Sanitized, ReadingLocalMemoryThatTheThreadDidNotStoreIsFound) {
  const auto f = only(run("uninitialised_local", 31), "init", "uninitialised_local");
  EXPECT_EQ(f.space, "local");
  EXPECT_EQ(run("uninitialised_local", 32).size(), 0U);
}

TEST_P(Sanitized, TheInstructionThatMakesAnInfinityIsNamedNotTheOnesThatCarryIt) {
  std::vector<float> in(256, 2.0F);
  in[17] = 1.0e20F;
  input(in);
  const auto f = only(run("makes_infinity", 1), "nan", "makes_infinity");
  EXPECT_THAT(f.message,
              testing::StartsWith("FMUL makes an infinity of finite operands; it reaches global"));
  EXPECT_EQ(f.occurrences, 1U);
}

TEST_P(Sanitized, InfinityMinusInfinityIsNotTheFirstProducer) {
  std::vector<double> in(256, std::numeric_limits<double>::infinity());
  input(in);
  EXPECT_EQ(run("overflows", 1).size(), 0U) << "the input had it";
  input(std::vector<double>(256, -1.7e308));
  const auto f = only(run("overflows", 1), "nan", "overflows");
  EXPECT_THAT(f.message, testing::HasSubstr("makes an infinity"));
}

TEST_P(Sanitized, CorrectKernelsHaveNoFindings) {
  std::vector<float> in(256, 4.0F);
  in[0] = 0.0F;
  in[1] = 1.0e-41F;
  input(in);
  EXPECT_EQ(run("divides", 1), std::vector<eval::Finding>{});
  EXPECT_EQ(run("producer_consumer", 8, {64, 1, 1}), std::vector<eval::Finding>{});
  EXPECT_EQ(run("copies_with_mbarrier", 1, {64, 1, 1}), std::vector<eval::Finding>{});
  EXPECT_EQ(run("benign", 3), std::vector<eval::Finding>{});
  EXPECT_EQ(run("leaves_early", 200), std::vector<eval::Finding>{});
}

TEST_P(Sanitized, OnlyTheChecksThatWereAskedForReport) {
  EXPECT_EQ(run("read_race", 0, {256, 1, 1}, {"memory", "sync", "nan"}).size(), 0U);
  EXPECT_EQ(run("uninitialised_shared", 5, {256, 1, 1}, {"race"}).size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Architectures,
                         Sanitized,
                         testing::Values("sm_80", "sm_86"),
                         [](const auto& row) { return std::string(row.param); });

} // namespace
} // namespace coulomb::sanitizer
