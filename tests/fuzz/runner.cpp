// SPDX-License-Identifier: Apache-2.0
#include "runner.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "generator.hpp"
#include "sim/functional/cta_runner.hpp"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sys/wait.h>

namespace coulomb::fuzz {
namespace {

constexpr std::uint64_t kInstructionLimit = 20'000'000;
const char* const kSourceFolder = COULOMB_SOURCE_DIR "/tests/fuzz";
using HostKernel =
    void (*)(const FzInput*, FzOutput*, FzAccumulators*, const FzConstants*, std::uint32_t);

struct CloseLibrary {
  void operator()(void* library) const { ::dlclose(library); }
};

/// g++ at work on the batch, while NVRTC is too.
class HostCompilation {
public:
  HostCompilation(const std::string& source,
                  const std::string& library,
                  const std::vector<std::string>& options)
      : pipe_(::popen(fmt::format("{} -std=c++20 -O1 -ffp-contract=off -fno-strict-aliasing -w "
                                  "-shared -fPIC -I'{}' {} -x c++ '{}' -o '{}' 2>&1",
                                  COULOMB_FUZZ_CXX,
                                  kSourceFolder,
                                  fmt::join(options, " "),
                                  source,
                                  library)
                          .c_str(),
                      "r")) {
    COULOMB_CHECK(pipe_ != nullptr, "the host compiler could not be started");
  }
  HostCompilation(const HostCompilation&) = delete;
  HostCompilation& operator=(const HostCompilation&) = delete;
  ~HostCompilation() {
    if (pipe_ != nullptr) {
      ::pclose(pipe_);
    }
  }
  /// Waits for it. Throws InternalError with what it said.
  void finish() {
    std::string log;
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe_)) {
      log.append(buffer, n);
    }
    const int status = ::pclose(pipe_);
    pipe_ = nullptr;
    if (status != 0) {
      throw InternalError("the host compiler refused a generated program:\n" + log.substr(0, 4000));
    }
  }

private:
  std::FILE* pipe_;
};

std::string compile_device(const toolchain::Nvrtc& nvrtc, const std::string& text, int sm) {
  const toolchain::NvrtcResult result =
      nvrtc.compile({.source = text,
                     .name = "fuzz.cu",
                     .options = {fmt::format("--gpu-architecture=sm_{}", sm), "--fmad=false",
                                 "--std=c++17", fmt::format("-I{}", kSourceFolder), "-w"},
                     .name_expression = {}});
  if (result.verdict != toolchain::NvrtcVerdict::ok) {
    throw InternalError(fmt::format("NVRTC refused a generated program: {}\n{}", result.error,
                                    result.log.substr(0, 4000)));
  }
  return result.cubin;
}

template <class T>
std::span<const std::uint8_t> bytes_of(const T& value) {
  return {reinterpret_cast<const std::uint8_t*>(&value), sizeof value};
}

/// The program on the simulator's functional executor.
Result simulate(const Program& program,
                const isa::Cubin& cubin,
                const std::string& name,
                std::uint64_t seed) {
  functional::GlobalMemory memory;
  const std::uint64_t count = std::uint64_t{program.ctas} * program.threads();
  const std::uint64_t in = memory.allocate("in", sizeof(FzInput));
  memory.initialise(in, bytes_of(generate_input(seed, program.index)));
  const std::uint64_t out = memory.allocate("out", count * sizeof(FzOutput));
  const std::uint64_t acc = memory.allocate("acc", sizeof(FzAccumulators));
  memory.initialise(acc, bytes_of(generate_accumulators(seed, program.index)));

  const isa::KernelImage& image = cubin.kernel(name);
  std::vector<std::uint8_t> parameters(image.parameter_bytes);
  const FzConstants constants = generate_constants(seed, program.index);
  const void* const values[] = {&in, &out, &acc, &constants};
  for (std::size_t i = 0; i < 4; ++i) {
    const isa::KernelParameter& p = image.parameters.at(i);
    std::memcpy(parameters.data() + p.offset, values[i], p.size);
  }
  functional::ExecutableKernel kernel(cubin, image, {program.ctas, 1, 1},
                                      {program.width, program.height, 1}, 0, parameters, 84);
  functional::CtaRunner runner(kernel, memory);
  for (std::uint64_t cta = 0; cta < program.ctas; ++cta) {
    runner.run(cta, kInstructionLimit);
  }
  Result result;
  result.threads.resize(count);
  for (std::size_t t = 0; t < count; ++t) {
    std::memcpy(&result.threads[t], memory.read(out + t * sizeof(FzOutput), sizeof(FzOutput)),
                sizeof(FzOutput));
  }
  std::memcpy(&result.accumulators, memory.read(acc, sizeof(FzAccumulators)),
              sizeof(FzAccumulators));
  return result;
}

/// The program on this machine.
Result execute(const Program& program, HostKernel kernel, std::uint64_t seed) {
  Result result;
  result.threads.resize(std::size_t{program.ctas} * program.threads());
  result.accumulators = generate_accumulators(seed, program.index);
  const FzInput in = generate_input(seed, program.index);
  const FzConstants constants = generate_constants(seed, program.index);
  for (std::uint32_t cta = 0; cta < program.ctas; ++cta) {
    kernel(&in, result.threads.data(), &result.accumulators, &constants, cta);
  }
  return result;
}

} // namespace

Runner::Runner(RunnerOptions options)
    : options_(std::move(options)), nvrtc_(toolchain::ToolchainPaths::from_environment()) {}

std::vector<Outcome> Runner::run(std::span<const Program> programs, int architecture) {
  // A name of its own for each library: dlopen knows a file that it has seen before.
  const std::string stem = fmt::format("{}/batch{}", options_.directory, batches_++);
  std::string text = "#include \"fuzz_device.hpp\"\n";
  for (std::size_t i = 0; i < programs.size(); ++i) {
    text += programs[i].render(fmt::format("k{}", i));
  }
  write_file_atomically(stem + ".cu", text);
  HostCompilation host(stem + ".cu", stem + ".so", options_.host_options);
  const std::string device = compile_device(nvrtc_, text, architecture);
  host.finish();
  const std::unique_ptr<void, CloseLibrary> library(
      ::dlopen((stem + ".so").c_str(), RTLD_NOW | RTLD_LOCAL));
  COULOMB_CHECK(library != nullptr, "{}", ::dlerror());
  const isa::Cubin cubin = isa::Cubin::parse(
      {reinterpret_cast<const std::uint8_t*>(device.data()), device.size()}, "fuzz.cu");
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    outcomes.push_back(run_one(programs[i], fmt::format("k{}", i), cubin, library.get()));
  }
  std::filesystem::remove(stem + ".cu");
  std::filesystem::remove(stem + ".so");
  return outcomes;
}

Outcome Runner::run_one(const Program& program,
                        const std::string& name,
                        const isa::Cubin& cubin,
                        void* library) const {
  const auto host_kernel = reinterpret_cast<HostKernel>(::dlsym(library, name.c_str()));
  COULOMB_CHECK(host_kernel != nullptr, "{}", ::dlerror());
  try {
    const Result found = simulate(program, cubin, name, options_.seed);
    auto details = compare(found, execute(program, host_kernel, options_.seed));
    return {details.empty() ? Verdict::agree : Verdict::differ, std::move(details)};
  } catch (const functional::KernelFault& e) {
    return {Verdict::fault, {e.what()}};
  } catch (const UnsupportedError& e) {
    return {Verdict::unsupported, {e.what()}};
  }
}

} // namespace coulomb::fuzz
