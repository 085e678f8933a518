// SPDX-License-Identifier: Apache-2.0
#include "hw/toolchain/nvrtc.hpp"

#include "base/error.hpp"
#include "hw/loader/shared_library.hpp"
#include "hw/toolchain/host_headers.hpp"

#include <filesystem>
#include <type_traits>

namespace coulomb::toolchain {
namespace {

namespace fs = std::filesystem;

// Result codes of NVRTC's documented, stable C interface that are told apart here.
constexpr int kSuccess = 0;
constexpr int kInvalidInput = 3;
constexpr int kInvalidOption = 5;
constexpr int kCompilation = 6;
constexpr int kBuiltinOperationFailure = 7;

constexpr const char* kFix =
    "run scripts/setup, or install the CUDA Toolkit (11.8 to 13.x; NVRTC is enough) and set "
    "CUDA_HOME, "
    "or point COULOMB_NVRTC at libnvrtc.so; without it only the stored kernels of data/cubins run";

NvrtcVerdict verdict_of(int code) {
  switch (code) {
  case kSuccess:
    return NvrtcVerdict::ok;
  case kInvalidInput:
  case kInvalidOption:
  case kCompilation:
    return NvrtcVerdict::rejected;
  case kBuiltinOperationFailure:
    return NvrtcVerdict::broken_toolkit;
  default:
    return NvrtcVerdict::internal_error;
  }
}

/// Headers lie in include/ next to or above lib64/ or targets/*/lib; Debian's packages use
/// /usr/include.
std::string find_include_dir(const std::string& library, const ToolchainPaths& paths) {
  std::vector<fs::path> places;
  fs::path dir = fs::path(library).parent_path();
  for (int up = 0; up < 3; ++up) {
    dir = dir.parent_path();
    places.push_back(dir / "include");
  }
  if (!paths.cuda_home.empty()) {
    places.push_back(fs::path(paths.cuda_home) / "include");
  }
  std::error_code ec;
  for (const auto& place : places) {
    if (fs::exists(place / "cuda_fp16.h", ec)) {
      return place.string();
    }
  }
  return {};
}

} // namespace

struct Nvrtc::Library {
  explicit Library(const ToolchainPaths& paths)
      : library(open(paths)), path(library.path_of("nvrtcVersion")) {
    resolve(get_version, "nvrtcVersion");
    resolve(create, "nvrtcCreateProgram");
    resolve(destroy, "nvrtcDestroyProgram");
    resolve(compile, "nvrtcCompileProgram");
    resolve(cubin_size, "nvrtcGetCUBINSize");
    resolve(cubin, "nvrtcGetCUBIN");
    resolve(log_size, "nvrtcGetProgramLogSize");
    resolve(log, "nvrtcGetProgramLog");
    resolve(add_name, "nvrtcAddNameExpression");
    resolve(lowered_name, "nvrtcGetLoweredName");
    resolve(error_string, "nvrtcGetErrorString");
    int major = 0;
    int minor = 0;
    if (get_version(&major, &minor) != kSuccess) {
      throw EnvironmentError(fmt::format("{} does not tell its version", path), kFix);
    }
    version = fmt::format("{}.{}", major, minor);
    include_dir = find_include_dir(path, paths);
  }

  static hw::SharedLibrary open(const ToolchainPaths& paths) {
    std::string why;
    if (auto library = hw::SharedLibrary::open(paths.nvrtc_candidates(), why)) {
      return *library;
    }
    throw EnvironmentError("cannot load NVRTC, the CUDA run-time compiler; " + why, kFix);
  }

  template <typename Function>
  void resolve(Function& function, const char* name) {
    function = library.function<std::remove_pointer_t<Function>>(name);
    if (function == nullptr) {
      throw EnvironmentError(
          fmt::format("{} has no function {}: not NVRTC 11.8 or newer", path, name), kFix);
    }
  }

  hw::SharedLibrary library;
  std::string path;
  std::string version;
  std::string include_dir;
  int (*get_version)(int*, int*) = nullptr;
  int (*create)(void**, const char*, const char*, int, const char* const*, const char* const*) =
      nullptr;
  int (*destroy)(void**) = nullptr;
  int (*compile)(void*, int, const char* const*) = nullptr;
  int (*cubin_size)(void*, std::size_t*) = nullptr;
  int (*cubin)(void*, char*) = nullptr;
  int (*log_size)(void*, std::size_t*) = nullptr;
  int (*log)(void*, char*) = nullptr;
  int (*add_name)(void*, const char*) = nullptr;
  int (*lowered_name)(void*, const char*, const char**) = nullptr;
  const char* (*error_string)(int) = nullptr;
};

Nvrtc::Nvrtc(const ToolchainPaths& paths) : library_(std::make_unique<Library>(paths)) {}
Nvrtc::Nvrtc(Nvrtc&&) noexcept = default;
Nvrtc& Nvrtc::operator=(Nvrtc&&) noexcept = default;
Nvrtc::~Nvrtc() = default;

const std::string& Nvrtc::version() const {
  return library_->version;
}
const std::string& Nvrtc::path() const {
  return library_->path;
}
std::vector<std::string> Nvrtc::include_options() const {
  if (library_->include_dir.empty()) {
    return {};
  }
  const fs::path directory = library_->include_dir;
  std::vector<std::string> options{"-I" + directory.string()};
  std::error_code ec;
  if (fs::exists(directory / "cccl" / "cuda" / "std", ec)) {
    options.push_back("-I" + (directory / "cccl").string());
  }
  return options;
}

const std::string& Nvrtc::include_dir() const {
  return library_->include_dir;
}

namespace {

/// A two-call getter of NVRTC (size, then bytes) as a string; empty if either call fails.
std::string fetch(void* program, int (*size_of)(void*, std::size_t*), int (*get)(void*, char*)) {
  std::size_t size = 0;
  if (size_of(program, &size) != kSuccess || size == 0) {
    return {};
  }
  std::string bytes(size, '\0');
  return get(program, bytes.data()) == kSuccess ? bytes : std::string{};
}

} // namespace

NvrtcResult Nvrtc::compile(const NvrtcJob& job) const {
  const Library& lib = *library_;
  NvrtcResult result;
  const auto conclude = [&](int code) {
    result.verdict = verdict_of(code);
    result.error = code == kSuccess ? std::string{} : std::string{lib.error_string(code)};
    return code == kSuccess;
  };
  void* program = nullptr;
  std::vector<const char*> texts;
  std::vector<const char*> names;
  for (const HostHeader& header : host_headers()) {
    texts.push_back(header.text);
    names.push_back(header.name);
  }
  if (!conclude(lib.create(&program, job.source.c_str(), job.name.c_str(),
                           static_cast<int>(names.size()), texts.data(), names.data()))) {
    return result;
  }
  const auto destroy = [&lib](void* p) { lib.destroy(&p); };
  const std::unique_ptr<void, decltype(destroy)> owner(program, destroy);
  if (!job.name_expression.empty() &&
      !conclude(lib.add_name(program, job.name_expression.c_str()))) {
    return result;
  }
  std::vector<const char*> options;
  for (const auto& option : job.options) {
    options.push_back(option.c_str());
  }
  const bool compiled =
      conclude(lib.compile(program, static_cast<int>(options.size()), options.data()));
  result.log = fetch(program, lib.log_size, lib.log);
  while (!result.log.empty() && result.log.back() == '\0') {
    result.log.pop_back();
  }
  if (!compiled) {
    return result;
  }
  result.cubin = fetch(program, lib.cubin_size, lib.cubin);
  if (result.cubin.empty()) {
    result.verdict = NvrtcVerdict::internal_error;
    result.error = "no machine code came out";
    return result;
  }
  if (const char* lowered = nullptr;
      !job.name_expression.empty() &&
      conclude(lib.lowered_name(program, job.name_expression.c_str(), &lowered))) {
    result.lowered_name = lowered;
  }
  return result;
}

} // namespace coulomb::toolchain
