// SPDX-License-Identifier: Apache-2.0
#include "engine_fake_worker.hpp"

#include "base/error.hpp"
#include "base/eval/compilation.hpp"
#include "base/eval/simulation.hpp"
#include "base/frame.hpp"
#include "base/text.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace coulomb::search::testing {
namespace {

using Words = std::map<std::string, std::string>;

Words words_of(const std::string& text) {
  Words words;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    const auto eq = word.find('=');
    words[word.substr(0, eq)] = eq == std::string::npos ? "" : word.substr(eq + 1);
  }
  return words;
}

/// True for the first caller, over all processes.
bool first_time(const std::string& file) {
  const int fd = ::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
  if (fd >= 0) {
    ::close(fd);
  }
  return fd >= 0;
}

[[noreturn]] void die_of(int signal) {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  std::signal(signal, SIG_DFL);
  ::raise(signal);
  std::abort();
}

void misbehave(const Words& words) {
  const auto value = [&](const char* word) { return words.contains(word) ? words.at(word) : ""; };
  if (words.contains("sleep")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(value("sleep"))));
  }
  while (words.contains("await") && !std::filesystem::exists(value("await"))) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (words.contains("crash") ||
      (words.contains("crash_once") && first_time(value("crash_once")))) {
    die_of(SIGSEGV);
  }
  if (words.contains("exit")) {
    ::_exit(std::stoi(value("exit")));
  }
  if (words.contains("exit_once") && first_time(value("exit_once"))) {
    ::_exit(7);
  }
  while (words.contains("hang")) {
    ::pause();
  }
}

void note(const std::string& line) {
  const std::string text = line + '\n';
  const int fd =
      ::open(std::getenv("COULOMB_FAKE_LOG"), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0644);
  if (::write(fd, text.data(), text.size()) < 0) {
    ::_exit(9);
  }
  ::close(fd);
}

std::string compile(const std::string& text) {
  const eval::CompileRequest request = eval::compile_request_from_json(text);
  note(fmt::format("compile {}", request.id));
  std::map<std::string, std::string> macros;
  for (const auto& option : request.options) {
    const auto eq = option.find('=');
    if (option.starts_with("-D") && eq != std::string::npos) {
      macros[option.substr(2, eq - 2)] = option.substr(eq + 1);
    }
  }
  const Words words = words_of(macros["COMPILE"]);
  misbehave(words);
  eval::CompileOutcome outcome;
  outcome.id = request.id;
  outcome.status = words.contains("fail") ? eval::EvalStatus::compile_failed : eval::EvalStatus::ok;
  outcome.message = words.contains("fail") ? "k.cu(3): error: expected a ;" : "";
  if (words.contains("no_compiler")) {
    outcome.status = eval::EvalStatus::crashed;
    outcome.error_kind = "environment";
    outcome.message = "NVRTC was not found";
    outcome.error_hint = "scripts/setup installs it";
  }
  outcome.cubin_path = macros["SIMULATE"];
  outcome.cubin_hash =
      words.contains("code") ? words.at("code") : fmt::format("code{}", request.id);
  outcome.compile_s = 0.5;
  return words.contains("garbage") ? "{" : eval::to_json_text(outcome);
}

std::string simulate(const std::string& text) {
  const eval::SimRequest request = eval::sim_request_from_json(text);
  note(fmt::format("simulate {}", request.id));
  const Words words = words_of(request.cubin_path);
  misbehave(words);
  eval::SimOutcome outcome;
  outcome.id = request.id;
  outcome.status = words.contains("status") ? eval::status_from_string(words.at("status"))
                                            : eval::EvalStatus::ok;
  outcome.message = outcome.status == eval::EvalStatus::ok ? "" : "as asked";
  outcome.time_ms = 1.0 + static_cast<double>(request.launch.block.x) / 1024.0;
  outcome.cycles = 1e6 * outcome.time_ms;
  outcome.ctas_total = request.launch.grid.volume();
  return words.contains("garbage") ? "{" : eval::to_json_text(outcome);
}

std::string echo(const std::string& text) {
  const Words words = words_of(text);
  misbehave(words);
  return words.contains("large") ? std::string(std::stoul(words.at("large")), 'x')
                                 : fmt::format("{} by {}", text, ::getpid());
}

[[noreturn]] void work(const std::string& mode) {
  while (const auto request = read_frame(kWorkerFd)) {
    const bool json = request->starts_with('{');
    write_frame(kWorkerFd, !json               ? echo(*request)
                           : mode == "compile" ? compile(*request)
                                               : simulate(*request));
  }
  ::_exit(0);
}

/// The worker mode of this program, entered before main(): a worker must not run tests.
const bool kIsNoWorker = [] {
  if (const char* mode = std::getenv("COULOMB_FAKE_WORKER"); mode != nullptr) {
    try {
      work(mode);
    } catch (...) {
      ::_exit(8);
    }
  }
  return true;
}();

void write_script(const std::string& path, const std::string& mode, const std::string& log) {
  std::ofstream(path) << fmt::format(
      "#!/bin/sh\nCOULOMB_FAKE_WORKER={} COULOMB_FAKE_LOG={} exec {}\n", mode, log,
      std::filesystem::read_symlink("/proc/self/exe").string());
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

} // namespace

FakeWorkers::FakeWorkers() {
  std::string dir = (std::filesystem::temp_directory_path() / "coulomb-workers-XXXXXX").string();
  if (!kIsNoWorker || ::mkdtemp(dir.data()) == nullptr) {
    throw EnvironmentError("cannot make a temporary folder for fake workers");
  }
  dir_ = dir;
  write_script(sim(), "simulate", dir_ + "/log");
  write_script(compile(), "compile", dir_ + "/log");
}

FakeWorkers::~FakeWorkers() {
  std::error_code ignored;
  std::filesystem::remove_all(dir_, ignored);
}

std::string FakeWorkers::log() const {
  return std::filesystem::exists(dir_ + "/log") ? read_file(dir_ + "/log") : "";
}

} // namespace coulomb::search::testing
