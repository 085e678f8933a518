// SPDX-License-Identifier: Apache-2.0
#include "tests/component/toolchain/toolchain_fixture.hpp"

#include "base/frame.hpp"
#include "hw/toolchain/kernel_cache.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace coulomb::toolchain {
namespace {

using eval::CompileOutcome;
using eval::EvalStatus;
using namespace std::chrono_literals;

const std::string kWorker = std::string(COULOMB_BINARY_DIR) + "/coulomb-compile-worker";

/// A worker and our end of its socket.
class Worker {
public:
  explicit Worker(const std::vector<std::string>& variables = {}) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    std::vector<std::string> texts = variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
      texts.emplace_back(*variable);
    }
    std::vector<char*> environment;
    for (auto& text : texts) {
      environment.push_back(text.data());
    }
    environment.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], kWorkerFd);
    std::string path = kWorker;
    char* arguments[] = {path.data(), nullptr};
    EXPECT_EQ(::posix_spawn(&pid_, path.c_str(), &actions, nullptr, arguments, environment.data()),
              0)
        << kWorker << " is not built";
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    fd_ = ends[0];
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    hang_up();
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }

  void send(const std::string& text) const { write_frame(fd_, text); }
  void send(const eval::CompileRequest& request) const { send(eval::to_json_text(request)); }
  [[nodiscard]] CompileOutcome receive() const {
    const auto frame = read_frame(fd_);
    EXPECT_TRUE(frame.has_value()) << "the worker died";
    return frame ? eval::compile_outcome_from_json(*frame) : CompileOutcome{};
  }
  void hang_up() {
    if (fd_ >= 0) {
      ::close(fd_);
      fd_ = -1;
    }
  }
  /// Exit code, or -1 if it did not end by itself in time.
  int wait(std::chrono::seconds limit) {
    for (auto end = std::chrono::steady_clock::now() + limit;
         std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(5ms)) {
      int status = 0;
      if (::waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      }
    }
    return -1;
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

private:
  pid_t pid_ = -1;
  int fd_ = -1;
};

using WorkerWithNvrtc = NvrtcTest;
using WorkerWithoutNvrtc = ToolchainTest;

TEST_F(WorkerWithNvrtc, AnswersRequestsInTurnAndEndsAtEndOfFile) {
  Worker worker;
  worker.send(request_);
  const CompileOutcome made = worker.receive();
  EXPECT_EQ(made.status, EvalStatus::ok) << made.message;
  EXPECT_EQ(made.id, 11U);
  EXPECT_FALSE(made.cache_hit);
  auto broken = request_;
  broken.id = 12;
  broken.options = {"-DFACTOR=oops"};
  worker.send(broken);
  request_.id = 13;
  worker.send(request_);
  const CompileOutcome failed = worker.receive();
  EXPECT_EQ(failed.id, 12U);
  EXPECT_EQ(failed.message, "scale.cu(3): error: identifier \"oops\" is undefined");
  const CompileOutcome again = worker.receive();
  EXPECT_EQ(again.id, 13U);
  EXPECT_TRUE(again.cache_hit);
  EXPECT_EQ(again.cubin_path, made.cubin_path);
  worker.hang_up();
  EXPECT_EQ(worker.wait(20s), 0);
}

TEST_F(WorkerWithNvrtc, TwoWorkersDoNotCompileTheSameKeyTwice) {
  Worker first;
  Worker second;
  first.send(request_);
  second.send(request_);
  const CompileOutcome a = first.receive();
  const CompileOutcome b = second.receive();
  EXPECT_EQ(a.status, EvalStatus::ok) << a.message;
  EXPECT_EQ(b.status, EvalStatus::ok) << b.message;
  EXPECT_NE(a.cache_hit, b.cache_hit);
  EXPECT_EQ(a.cubin_path, b.cubin_path);
}

/// Takes the compiler several seconds: every iteration is unrolled.
constexpr const char* kSlowSource = R"(extern "C" __global__ void slow(float* x) {
  float a = x[threadIdx.x], b = x[threadIdx.x + 64];
#pragma unroll
  for (int i = 0; i < 20000; ++i) { a = sinf(a * b + i); b = b * a + x[i]; }
  x[threadIdx.x] = a + b;
})";

TEST_F(WorkerWithNvrtc, EndsInMidCompilationWhenTheParentIsGone) {
  request_.source_path = write("slow.cu", kSlowSource);
  request_.kernel_name = "slow";
  Worker worker;
  worker.send(request_);
  const auto has_file = [&](const char* extension) {
    if (!std::filesystem::exists(request_.cache_dir)) {
      return false;
    }
    for (const auto& file : std::filesystem::recursive_directory_iterator(request_.cache_dir)) {
      if (file.path().extension() == extension) {
        return true;
      }
    }
    return false;
  };
  // The lock appears just before the compiler starts.
  for (int i = 0; i < 2000 && !has_file(".lock"); ++i) {
    std::this_thread::sleep_for(5ms);
  }
  ASSERT_TRUE(has_file(".lock"));
  worker.hang_up();
  EXPECT_EQ(worker.wait(20s), 0);
  EXPECT_FALSE(has_file(".json")) << "it compiled to the end";
}

TEST_F(WorkerWithNvrtc, RunsAtALowerPriorityThanSimulations) {
  Worker worker;
  worker.send(request_);
  (void)worker.receive();
  EXPECT_EQ(::getpriority(PRIO_PROCESS, static_cast<id_t>(worker.pid())),
            std::min(19, ::getpriority(PRIO_PROCESS, 0) + 10));
}

TEST_F(WorkerWithoutNvrtc, ReportsThatNvrtcIsMissingAndGoesOn) {
  Worker worker({"COULOMB_NVRTC=/nonexistent"});
  for (int i = 0; i < 2; ++i) {
    worker.send(request_);
    const CompileOutcome outcome = worker.receive();
    EXPECT_EQ(outcome.status, EvalStatus::crashed);
    EXPECT_EQ(outcome.error_kind, "environment");
    EXPECT_EQ(outcome.message,
              "cannot load NVRTC, the CUDA run-time compiler; looked for /nonexistent");
    EXPECT_THAT(outcome.error_hint, testing::HasSubstr("scripts/setup"));
  }
}

TEST_F(WorkerWithoutNvrtc, AnswersARequestItCannotRead) {
  Worker worker;
  worker.send(std::string{"{\"id\": 1}"});
  const CompileOutcome outcome = worker.receive();
  EXPECT_EQ(outcome.error_kind, "input");
  EXPECT_EQ(outcome.message, "compile request: field \"source_path\" is missing");
}

TEST_F(WorkerWithoutNvrtc, SecondHolderOfALockWaitsForTheFirst) {
  const KernelCache cache(paths_.cache_dir);
  std::atomic<bool> entered = false;
  std::thread waiting;
  {
    const auto lock = cache.lock("abcd");
    waiting = std::thread([&] {
      const KernelCache other(paths_.cache_dir);
      const auto inner = other.lock("abcd");
      entered = true;
    });
    const auto free = cache.lock("abce"); // another key does not wait
    std::this_thread::sleep_for(50ms);
    EXPECT_FALSE(entered);
  }
  waiting.join();
  EXPECT_TRUE(entered);
}

} // namespace
} // namespace coulomb::toolchain
