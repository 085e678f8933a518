// SPDX-License-Identifier: Apache-2.0
#include "hw/toolchain/compiler.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "hw/toolchain/host_headers.hpp"
#include "hw/toolchain/kernel_cache.hpp"
#include "hw/toolchain/machine_code.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <utility>

namespace coulomb::toolchain {
namespace {

using eval::CompileOutcome;
using eval::CompileRequest;
using eval::EvalStatus;

void check_request(const CompileRequest& request) {
  const std::string& arch = request.architecture;
  const bool fine = arch.size() >= 5 && arch.starts_with("sm_") &&
                    std::all_of(arch.begin() + 3, arch.end(),
                                [](unsigned char c) { return std::isdigit(c) != 0; });
  if (!fine) {
    throw UserError(fmt::format("unknown architecture \"{}\"", arch), "one of: sm_80, sm_86");
  }
}

/// Instantiations and qualified names exist in a cubin only if NVRTC is asked for them.
bool needs_name_expression(const std::string& kernel_name) {
  return kernel_name.find('<') != std::string::npos || kernel_name.find("::") != std::string::npos;
}

NvrtcJob job_of(const CompileRequest& request, const SourceClosure& sources, const Nvrtc& nvrtc) {
  NvrtcJob job;
  job.source = sources.text;
  job.name = sources.name;
  // Line information lets stalls be shown beside source lines; the machine code stays the same
  // (tested).
  job.options = {"--gpu-architecture=" + request.architecture, "-lineinfo"};
  job.options.insert(job.options.end(), request.options.begin(), request.options.end());
  job.options.push_back("-I" + sources.directory);
  const auto toolkit = nvrtc.include_options();
  job.options.insert(job.options.end(), toolkit.begin(), toolkit.end());
  if (needs_name_expression(request.kernel_name)) {
    job.name_expression = request.kernel_name;
  }
  return job;
}

std::string no_kernel_message(const CompileRequest& request,
                              const SourceClosure& sources,
                              const std::vector<std::string>& symbols) {
  if (symbols.empty()) {
    return fmt::format("{}: no kernel \"{}\": the file has none with these options", sources.name,
                       request.kernel_name);
  }
  if (request.kernel_name.empty()) {
    return fmt::format("{}: the file has {} kernels, and none is named; it has: {}", sources.name,
                       symbols.size(), fmt::join(symbols, ", "));
  }
  return fmt::format("{}: no kernel \"{}\"{}; the file has: {}", sources.name, request.kernel_name,
                     did_you_mean(request.kernel_name, symbols), fmt::join(symbols, ", "));
}

/// The symbol that an unnamed kernel means: the only one, or none.
std::string entry_of(const CompileRequest& request, const std::vector<std::string>& symbols) {
  if (request.kernel_name.empty()) {
    return symbols.size() == 1 ? symbols.front() : std::string();
  }
  return find_symbol(symbols, request.kernel_name);
}

CompileOutcome rejected(const NvrtcResult& result) {
  CompileOutcome outcome;
  outcome.status = EvalStatus::compile_failed;
  outcome.message = first_error(result.log);
  if (outcome.message.empty()) {
    outcome.message = result.error;
  }
  if (outcome.message.find("host function") != std::string::npos) {
    outcome.message +=
        " (only device code is compiled: fence host code with #ifndef __CUDACC_RTC__)";
  }
  return outcome;
}

} // namespace

std::string first_error(const std::string& log) {
  std::string first;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    std::string line = log.substr(begin, end - begin);
    begin = end + 1;
    // "x.cu(3): error: ...", "x.cu(3): catastrophic error: ...", "nvrtc: error: ...", "ptxas error
    // : ..."
    if (line.find("error:") != std::string::npos || line.starts_with("ptxas error") ||
        line.starts_with("ptxas fatal")) {
      return line;
    }
    if (first.empty()) {
      first = std::move(line);
    }
  }
  return first;
}

Compiler::Compiler(ToolchainPaths paths) : paths_(std::move(paths)), stored_(paths_.stored_dir) {}

const Nvrtc& Compiler::nvrtc() {
  if (!nvrtc_) {
    nvrtc_.emplace(paths_);
  }
  return *nvrtc_;
}

CompileOutcome Compiler::compile(const CompileRequest& request) {
  check_request(request);
  const SourceClosure sources = collect_sources(request.source_path, request.options);
  const std::string key = content_key(request, sources);
  std::optional<EnvironmentError> missing;
  try {
    (void)nvrtc();
  } catch (const EnvironmentError& e) {
    missing = e;
  }
  if (!sources.computed_include && (missing || nvrtc().version() == stored_.nvrtc_version())) {
    if (auto outcome = stored_.find(key)) {
      ++counters_.stored_hits;
      outcome->id = request.id;
      outcome->cache_hit = true;
      return *std::move(outcome);
    }
  }
  if (missing) {
    throw *missing;
  }
  CompileOutcome outcome = compile_cached(request, sources, key);
  outcome.id = request.id;
  return outcome;
}

CompileOutcome Compiler::compile_cached(const CompileRequest& request,
                                        const SourceClosure& sources,
                                        const std::string& key) {
  std::string with_headers = key + " nvrtc " + nvrtc().version();
  for (const HostHeader& header : host_headers()) {
    with_headers += header.text;
  }
  const std::string full_key = hash128_hex(with_headers);
  KernelCache cache(request.cache_dir.empty() ? paths_.cache_dir : request.cache_dir);
  const auto look_up = [&]() -> std::optional<CompileOutcome> {
    if (sources.computed_include) {
      return std::nullopt;
    }
    auto outcome = cache.find(full_key);
    if (outcome) {
      ++counters_.cache_hits;
      outcome->cache_hit = true;
    }
    return outcome;
  };
  if (auto outcome = look_up()) {
    return *std::move(outcome);
  }
  const auto lock = cache.lock(full_key);
  counters_.damaged += cache.damaged();
  // Another process may have compiled it while this one waited.
  if (auto outcome = look_up()) {
    return *std::move(outcome);
  }
  std::string cubin;
  CompileOutcome outcome = run_nvrtc(request, sources, cubin);
  // A header that is missing today may be installed tomorrow.
  const bool missing_header = outcome.log.find("cannot open source file") != std::string::npos;
  if (outcome.status != EvalStatus::crashed && !missing_header) {
    outcome.cubin_path = cache.store(full_key, outcome, cubin);
  }
  return outcome;
}

CompileOutcome Compiler::run_nvrtc(const CompileRequest& request,
                                   const SourceClosure& sources,
                                   std::string& cubin) {
  const auto start = std::chrono::steady_clock::now();
  NvrtcResult result = nvrtc().compile(job_of(request, sources, nvrtc()));
  ++counters_.compiled;
  CompileOutcome outcome;
  switch (result.verdict) {
  case NvrtcVerdict::broken_toolkit:
    throw EnvironmentError(
        fmt::format("{} does not work: {}: {}", nvrtc().path(), result.error,
                    first_error(result.log)),
        "install the CUDA Toolkit again, with libnvrtc-builtins beside libnvrtc");
  case NvrtcVerdict::internal_error:
    outcome.status = EvalStatus::crashed;
    outcome.message = fmt::format("NVRTC {} gave up: {}", nvrtc().version(), result.error);
    break;
  case NvrtcVerdict::rejected:
    outcome = rejected(result);
    break;
  case NvrtcVerdict::ok: {
    const auto symbols = kernel_symbols(result.cubin);
    outcome.entry_name =
        result.lowered_name.empty() ? entry_of(request, symbols) : result.lowered_name;
    outcome.cubin_hash = machine_code_hash(result.cubin, outcome.entry_name);
    outcome.status = outcome.cubin_hash.empty() ? EvalStatus::compile_failed : EvalStatus::ok;
    if (outcome.cubin_hash.empty()) {
      outcome.entry_name.clear();
      outcome.message = no_kernel_message(request, sources, symbols);
    }
    break;
  }
  }
  outcome.log = std::move(result.log);
  cubin = std::move(result.cubin);
  outcome.compile_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

CompileOutcome Compiler::compile_or_error(const CompileRequest& request) noexcept {
  CompileOutcome outcome;
  try {
    return compile(request);
  } catch (const Error& e) {
    outcome.message = e.what();
    outcome.error_kind = e.kind();
    outcome.error_hint = e.hint();
  } catch (const std::exception& e) {
    outcome.message = e.what();
    outcome.error_kind = "internal";
  }
  outcome.id = request.id;
  outcome.status = EvalStatus::crashed;
  return outcome;
}

} // namespace coulomb::toolchain
