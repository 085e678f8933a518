// SPDX-License-Identifier: Apache-2.0
// Processes that share a kernel cache, some of them killed: no entry is ever half there.
#include "base/text.hpp"
#include "hw/toolchain/kernel_cache.hpp"
#include "tests/component/toolchain/toolchain_fixture.hpp"

#include <csignal>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coulomb::toolchain {
namespace {

constexpr int kKeys = 12;
constexpr int kProcesses = 6;
constexpr int kRounds = 40;

std::string key(int k) {
  return fmt::format("{:02x}0123456789", k % 3);
}

/// Longer than a page, so that a torn write would show.
std::string cubin(int k) {
  return std::string(20'000 + static_cast<std::size_t>(k % 3), static_cast<char>('a' + k % 3));
}

class SharedKernelCache : public ToolchainTest {
protected:
  /// Finds and stores one key. True if what was found was nothing or whole.
  static bool use(KernelCache& cache, int k) {
    const auto found = cache.find(key(k));
    const bool good = !found || read_file(found->cubin_path) == cubin(k);
    eval::CompileOutcome outcome;
    outcome.status = eval::EvalStatus::ok;
    (void)cache.store(key(k), outcome, cubin(k));
    return good;
  }

  /// All keys again and again. Returns 0 if no entry was ever half there.
  int work(int process, bool locking) const {
    KernelCache cache(paths_.cache_dir);
    bool good = true;
    for (int round = 0; round < kRounds; ++round) {
      const int k = (round * 5 + process) % kKeys;
      if (locking) {
        const auto lock = cache.lock(key(k));
        good = use(cache, k) && good;
      } else {
        good = use(cache, k) && good;
      }
    }
    return good && cache.damaged() == 0 ? 0 : 1;
  }

  std::vector<pid_t> start(bool locking) const {
    std::vector<pid_t> children;
    for (int p = 0; p < kProcesses; ++p) {
      const pid_t child = ::fork();
      if (child == 0) {
        int code = 3;
        try {
          code = work(p, locking);
        } catch (const std::exception& e) {
          fmt::print(stderr, "{}\n", e.what());
        }
        ::_exit(code);
      }
      children.push_back(child);
    }
    return children;
  }

  void expect_all_whole() const {
    KernelCache cache(paths_.cache_dir);
    for (int k = 0; k < 3; ++k) {
      const auto found = cache.find(key(k));
      ASSERT_TRUE(found.has_value()) << key(k);
      EXPECT_EQ(read_file(found->cubin_path), cubin(k));
    }
  }
};

TEST_F(SharedKernelCache, HasWholeEntriesWhoeverWritesThemAtOnce) {
  // Without the lock, as on a file system that has none.
  for (const bool locking : {false, true}) {
    for (const pid_t child : start(locking)) {
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
    }
    expect_all_whole();
  }
}

TEST_F(SharedKernelCache, SurvivesTheKillOfAWriter) {
  int killed = 0;
  for (int victim = 0; victim < 5; ++victim) {
    const auto children = start(false);
    ::usleep(static_cast<useconds_t>(3000 * (victim + 1)));
    ::kill(children.front(), SIGKILL);
    for (const pid_t child : children) {
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << "status " << status;
      killed += WIFSIGNALED(status) ? 1 : 0;
    }
    expect_all_whole();
  }
  EXPECT_GT(killed, 0) << "all had come to their end before";
}

} // namespace
} // namespace coulomb::toolchain
