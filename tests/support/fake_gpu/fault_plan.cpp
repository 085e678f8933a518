// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_gpu/fault_plan.hpp"

#include "tests/support/fake_gpu/options.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace coulomb::fake {
namespace {

/// Whether the options are meant for this process.
bool concerns_this_process() {
  const std::string name = option("FAKE_GPU_PROCESS");
  return name.empty() || name == std::filesystem::read_symlink("/proc/self/exe").filename();
}

/// True once in all processes that share the file.
bool claim(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) {
    return false;
  }
  ::close(file);
  return true;
}

} // namespace

int Fault::carry_out() const {
  switch (action) {
  case Action::answer:
    break;
  case Action::hang:
    for (;;) {
      ::pause();
    }
  case Action::crash:
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
  }
  return result;
}

FaultPlan::FaultPlan(const char* option_name,
                     const std::vector<std::string>& functions,
                     const std::map<std::string, int>& words)
    : option_(option_name), functions_(functions), words_(words) {
  read();
}

void FaultPlan::read() {
  text_ = option(option_);
  once_ = option("FAKE_GPU_ONCE");
  entries_.clear();
  if (!concerns_this_process()) {
    return;
  }
  for (const std::string& entry : split(text_, ',')) {
    entries_.push_back(parse(entry));
  }
}

FaultPlan::Entry FaultPlan::parse(const std::string& text) const {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    refuse_option(option_, fmt::format("\"{}\" is not FUNCTION=RESULT[@N[+]]", text));
  }
  Entry entry;
  entry.function = text.substr(0, equals);
  if (entry.function != "any" &&
      std::find(functions_.begin(), functions_.end(), entry.function) == functions_.end()) {
    refuse_option(option_, fmt::format("there is no function {}", entry.function));
  }
  std::string action = text.substr(equals + 1);
  if (const std::size_t at = action.find('@'); at != std::string::npos) {
    std::string number = action.substr(at + 1);
    const bool onwards = number.ends_with('+');
    number.resize(number.size() - (onwards ? 1 : 0));
    entry.first = static_cast<std::uint64_t>(number_of(number, option_));
    entry.last = onwards ? entry.last : entry.first;
    action.resize(at);
  }
  if (action == "hang") {
    entry.fault.action = Fault::Action::hang;
  } else if (action == "crash" || action == "segfault") {
    entry.fault.action = Fault::Action::crash;
  } else if (const auto word = words_.find(action); word != words_.end()) {
    entry.fault.result = word->second;
  } else {
    entry.fault.result = static_cast<int>(number_of(action, option_));
  }
  return entry;
}

std::optional<Fault> FaultPlan::next(std::string_view function) {
  if (option(option_) != text_) {
    read();
  }
  std::optional<Fault> fault;
  for (Entry& entry : entries_) {
    if (entry.function != "any" && entry.function != function) {
      continue;
    }
    ++entry.calls;
    if (entry.calls >= entry.first && entry.calls <= entry.last && !fault) {
      fault = entry.fault;
    }
  }
  if (fault && !once_.empty() && !claim(once_)) {
    return std::nullopt;
  }
  return fault;
}

CallLog::CallLog(const char* option_name)
    : path_(concerns_this_process() ? option(option_name) : std::string()) {}

void CallLog::line(std::string_view text) const {
  if (path_.empty()) {
    return;
  }
  const int file = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) {
    refuse_option("log file", fmt::format("cannot write {}", path_));
  }
  const std::string line = fmt::format("{}\n", text);
  const bool written = ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  ::close(file);
  if (!written) {
    refuse_option("log file", fmt::format("cannot write {}", path_));
  }
}

} // namespace coulomb::fake
