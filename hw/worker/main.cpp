// SPDX-License-Identifier: Apache-2.0
// coulomb-compile-worker: compiles for a parent process, one request at a time, in a process of its
// own, because a compiler may crash, hang or eat memory. Requests and outcomes are JSON frames on
// descriptor 3.
#include "base/error.hpp"
#include "base/eval/compilation.hpp"
#include "base/frame.hpp"
#include "base/text.hpp"
#include "hw/toolchain/compiler.hpp"
#include "hw/toolchain/stored_update.hpp"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace coulomb;

constexpr const char* kUsage =
    "usage: coulomb-compile-worker            compile requests that arrive on descriptor 3\n"
    "       coulomb-compile-worker --store    write data/cubins anew from "
    "data/cubins/wanted.json\n";

/// Simulations answer sooner than compilations, so they go first on a shared core.
constexpr int kNiceness = 10;
/// Address space. A fully unrolled kernel was seen to need 1 GiB; a runaway one must not take the
/// machine down.
constexpr rlim_t kMemoryLimit = rlim_t{8} << 30;

void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) &&                                                              \
    !defined(__SANITIZE_THREAD__) // they reserve terabytes of addresses
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0) {
    limit.rlim_cur = std::min(kMemoryLimit, limit.rlim_max);
    ::setrlimit(RLIMIT_AS, &limit);
  }
#endif
}

eval::CompileOutcome answer(toolchain::Compiler& compiler, const std::string& frame) {
  try {
    return compiler.compile_or_error(eval::compile_request_from_json(frame));
  } catch (const UserError& e) {
    eval::CompileOutcome outcome;
    outcome.message = e.what();
    outcome.error_kind = e.kind();
    outcome.error_hint = e.hint();
    return outcome;
  }
}

int serve() {
  if (::fcntl(kWorkerFd, F_GETFD) < 0) {
    std::fputs(
        "coulomb-compile-worker: descriptor 3 is not open: it is started by coulomb, not by hand\n",
        stderr);
    std::fputs(kUsage, stderr);
    return 2;
  }
  ::setpriority(PRIO_PROCESS, 0, kNiceness);
  limit_memory();
  end_with_parent();
  toolchain::Compiler compiler;
  while (const auto frame = read_frame(kWorkerFd)) {
    write_frame(kWorkerFd, eval::to_json_text(answer(compiler, *frame)));
  }
  return 0;
}

int store() {
  const std::string home = std::filesystem::absolute(home_dir()).string();
  // NVRTC writes the working directory into the line information: stored cubins are to name none.
  std::filesystem::current_path("/");
  for (const auto& line : toolchain::update_stored_cubins(home)) {
    std::puts(line.c_str());
  }
  return 0;
}

int run(int argc, char** argv) {
  if (argc == 1) {
    return serve();
  }
  const std::string_view command = argv[1];
  if (argc == 2 && command == "--store") {
    return store();
  }
  if (argc == 2 && command == "--help") {
    std::fputs(kUsage, stdout);
    return 0;
  }
  std::fputs(kUsage, stderr);
  return 2;
}

} // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& e) {
    std::fprintf(stderr, "coulomb-compile-worker: %s\n", e.what());
    if (!e.hint().empty()) {
      std::fprintf(stderr, "  %s\n", e.hint().c_str());
    }
    return e.exit_code();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "coulomb-compile-worker: %s\n", e.what());
    return 70;
  }
}
