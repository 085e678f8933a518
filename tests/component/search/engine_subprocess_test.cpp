// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/frame.hpp"
#include "base/subprocess.hpp"
#include "engine_fake_worker.hpp"

#include <cerrno>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <utility>

namespace coulomb {
namespace {

using search::testing::FakeWorkers;

TEST(Child, AnswersFramesOnItsSocket) {
  const FakeWorkers fakes;
  const Child child = Child::spawn(fakes.sim());
  write_frame(child.fd(), "hello");
  EXPECT_EQ(read_frame(child.fd()).value(), "hello by " + std::to_string(child.pid()));
}

TEST(Child, TellsTheSignalThatKilledIt) {
  const FakeWorkers fakes;
  Child child = Child::spawn(fakes.sim());
  child.kill(SIGKILL);
  EXPECT_EQ(wait_status_text(child.wait(5.0)), "killed by signal 9 (SIGKILL)");
  EXPECT_FALSE(read_frame(child.fd()).has_value());
}

TEST(Child, TellsItsExitCode) {
  const FakeWorkers fakes;
  Child child = Child::spawn(fakes.sim());
  write_frame(child.fd(), "exit=3");
  EXPECT_EQ(wait_status_text(child.wait(5.0)), "exited with code 3");
}

TEST(Child, IgnoresTheSignalsThatStopItsParent) {
  const FakeWorkers fakes;
  Child child = Child::spawn(fakes.sim());
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
    child.kill(signal);
  }
  write_frame(child.fd(), "still here");
  EXPECT_TRUE(read_frame(child.fd()).has_value());
  EXPECT_FALSE(child.try_wait().has_value());
}

TEST(Child, IsKilledAndReapedWithItsOwner) {
  const FakeWorkers fakes;
  pid_t pid = -1;
  {
    Child first = Child::spawn(fakes.sim());
    write_frame(first.fd(), "hang");
    const Child second = std::move(first);
    pid = second.pid();
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_EQ(::kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(Child, SaysWhichExecutableCannotBeStarted) {
  try {
    (void)Child::spawn("/nonexistent/worker");
    FAIL();
  } catch (const EnvironmentError& e) {
    EXPECT_STREQ(e.what(), "cannot start /nonexistent/worker: No such file or directory");
    EXPECT_EQ(e.hint(), "build all targets; the workers lie beside the coulomb executable");
  }
}

} // namespace
} // namespace coulomb
