// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace coulomb::search::testing {

/// A fresh folder with scripted workers: coulomb-sim-worker and coulomb-compile-worker, both this
/// test program started again in worker mode. Removed at the end.
///
/// A worker obeys the words of its request, separated by spaces: in a pool test the request itself;
/// of a compilation the value of the macro COMPILE; of a simulation the same of SIMULATE, which
/// reaches it in the cubin's path. Words: `sleep=MS`, `await=FILE` (until it exists), `crash`
/// (SIGSEGV), `exit=CODE`, `hang`, `crash_once=FILE` and `exit_once=FILE` (only if FILE does not
/// exist yet; it is made), `garbage` (answers no JSON), `fail` (status of a failed compilation),
/// `no_compiler` (as if NVRTC were missing), `status=WORD`, `code=WORD` (the cubin's hash),
/// `large=BYTES` (answers that many).
class FakeWorkers {
public:
  FakeWorkers();
  FakeWorkers(const FakeWorkers&) = delete;
  FakeWorkers& operator=(const FakeWorkers&) = delete;
  ~FakeWorkers();

  [[nodiscard]] const std::string& dir() const { return dir_; }
  [[nodiscard]] std::string sim() const { return dir_ + "/coulomb-sim-worker"; }
  [[nodiscard]] std::string compile() const { return dir_ + "/coulomb-compile-worker"; }
  /// One line per request that any worker of this folder began: "compile <id>", "simulate <id>".
  [[nodiscard]] std::string log() const;

private:
  std::string dir_;
};

} // namespace coulomb::search::testing
