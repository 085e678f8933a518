// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/cli/coulomb_process.hpp"

#include "base/text.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace coulomb::e2e {
namespace {

namespace fs = std::filesystem;

constexpr double kDeadlineSeconds = 100.0;
const std::string kProgram = COULOMB_BINARY_DIR "/coulomb";

/// In the child: from here to the program, or exit 127.
[[noreturn]] void become(const Workplace& workplace,
                         const std::vector<std::string>& args,
                         const Environment& environment,
                         const std::string& out,
                         const std::string& err) {
  constexpr int kMode = 0600;
  const int out_fd = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kMode);
  const int err_fd = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kMode);
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(out_fd, STDOUT_FILENO);
  ::dup2(err_fd, STDERR_FILENO);
  ::setenv("COULOMB_CACHE", COULOMB_BINARY_DIR "/e2e_kernel_cache", 1);
  for (const auto& [name, value] : environment) {
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  std::vector<char*> argv = {const_cast<char*>(kProgram.c_str())};
  for (const auto& arg : args) {
    argv.push_back(const_cast<char*>(arg.c_str()));
  }
  argv.push_back(nullptr);
  if (::chdir(workplace.dir().c_str()) == 0) {
    ::execv(kProgram.c_str(), argv.data());
  }
  ::_exit(127);
}

/// Fields of /proc/PID/stat after the name: state, parent, ...; empty if there is no such process.
std::vector<std::string> process_fields(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  std::getline(file, line);
  const auto name_end = line.rfind(')'); // the name may hold blanks
  if (name_end == std::string::npos) {
    return {};
  }
  std::istringstream rest(line.substr(name_end + 1));
  return {std::istream_iterator<std::string>(rest), std::istream_iterator<std::string>()};
}

std::string executable_name(const std::string& pid) {
  std::error_code error;
  return fs::read_symlink("/proc/" + pid + "/exe", error).filename().string();
}

} // namespace

nlohmann::json Result::json() const {
  auto value = nlohmann::json::parse(out, nullptr, false);
  if (value.is_discarded()) {
    ADD_FAILURE() << "standard output is not one JSON value:\n" << out << "\nstderr:\n" << err;
    return nullptr;
  }
  return value;
}

Workplace::Workplace() {
  std::string name = (fs::temp_directory_path() / "coulomb-e2e-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("cannot make " + name);
  }
  dir_ = name;
}

Workplace::~Workplace() {
  std::error_code ignored;
  fs::remove_all(dir_, ignored);
}

void Workplace::write(const std::string& name, const std::string& text) const {
  fs::create_directories(fs::path(path(name)).parent_path());
  std::ofstream(path(name), std::ios::binary) << text;
}

Process::Process(const Workplace& workplace,
                 const std::vector<std::string>& args,
                 const Environment& environment) {
  static int number = 0; // two processes may run at once in one workplace
  const std::string stem = workplace.path(".output-" + std::to_string(number++));
  out_path_ = stem + ".out";
  err_path_ = stem + ".err";
  pid_ = ::fork();
  if (pid_ == 0) {
    become(workplace, args, environment, out_path_, err_path_);
  }
}

Process::~Process() {
  if (!reaped_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, &status_, 0);
  }
}

bool Process::running() {
  reaped_ = reaped_ || ::waitpid(pid_, &status_, WNOHANG) == pid_;
  return !reaped_;
}

void Process::kill(int signal) const {
  if (!reaped_) {
    ::kill(pid_, signal);
  }
}

Result Process::wait() {
  if (!eventually([this] { return !running(); }, kDeadlineSeconds)) {
    ADD_FAILURE() << "still running after " << kDeadlineSeconds << " s; killed";
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, &status_, 0);
    reaped_ = true;
  }
  Result result;
  result.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
  result.signal = WIFSIGNALED(status_) ? WTERMSIG(status_) : 0;
  result.out = read_file(out_path_);
  result.err = read_file(err_path_);
  return result;
}

Result run(const Workplace& workplace,
           const std::vector<std::string>& args,
           const Environment& environment) {
  return Process(workplace, args, environment).wait();
}

std::vector<pid_t> children(pid_t parent, const std::string& executable) {
  std::vector<pid_t> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string pid = entry.path().filename().string();
    if (pid.find_first_not_of("0123456789") != std::string::npos) {
      continue;
    }
    const auto fields = process_fields(pid);
    if (fields.size() > 1 && fields[0] != "Z" && fields[1] == std::to_string(parent) &&
        executable_name(pid) == executable) {
      found.push_back(std::stoi(pid));
    }
  }
  return found;
}

bool is_alive(pid_t pid) {
  const auto fields = process_fields(std::to_string(pid));
  return !fields.empty() && fields[0] != "Z";
}

std::string missing_nvrtc(const Workplace& workplace) {
  workplace.write("probe.cu", "extern \"C\" __global__ void probe() {}\n");
  const Result result = run(workplace, {"disasm", "probe.cu"});
  return result.exit_code == 3 ? "nothing can be compiled here: " + result.err : std::string();
}

} // namespace coulomb::e2e
