// SPDX-License-Identifier: Apache-2.0
#include "hw/toolchain/stored_update.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/kernel/tunable_spec.hpp"
#include "base/text.hpp"
#include "hw/toolchain/compiler.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace coulomb::toolchain {
namespace {

namespace fs = std::filesystem;

StoredCubin stored_of(const WantedCubin& wanted,
                      const eval::CompileOutcome& outcome,
                      const std::string& bytes) {
  StoredCubin cubin;
  cubin.key = content_key(wanted.request,
                          collect_sources(wanted.request.source_path, wanted.request.options));
  cubin.file = wanted.file;
  cubin.kernel_name = wanted.request.kernel_name;
  cubin.architecture = wanted.request.architecture;
  cubin.options = wanted.request.options;
  cubin.checksum = hash128_hex(bytes);
  cubin.cubin_hash = outcome.cubin_hash;
  cubin.entry_name = outcome.entry_name;
  cubin.log = outcome.log;
  cubin.compile_s = outcome.compile_s;
  return cubin;
}

void remove_unwanted(const std::string& directory, const std::vector<StoredCubin>& kept) {
  for (const auto& file : fs::directory_iterator(directory)) {
    const bool is_kept = std::any_of(kept.begin(), kept.end(), [&](const StoredCubin& c) {
      return c.file == file.path().filename().string();
    });
    if (file.path().extension() == ".cubin" && !is_kept) {
      fs::remove(file.path());
    }
  }
}

} // namespace

std::vector<WantedCubin> wanted_cubins(const std::string& home) {
  const std::string path = home + "/data/cubins/wanted.json";
  std::vector<WantedCubin> wanted;
  try {
    const auto list = nlohmann::json::parse(read_file(path));
    for (const auto& entry : list.at("cubins")) {
      const auto name = entry.at("spec").get<std::string>();
      const auto spec = kernel::TunableSpec::load(home + "/kernels/" + name + "/" + name + ".json");
      int number = 0;
      for (const auto& assignments : entry.at("configurations")) {
        const auto configuration = spec.configuration(assignments.get<std::vector<std::string>>());
        for (const auto& architecture : list.at("architectures")) {
          const auto arch = architecture.get<std::string>();
          wanted.push_back({fmt::format("{}-{}-{}.cubin", name, arch, number),
                            eval::compile_request(spec, configuration, arch)});
        }
        ++number;
      }
    }
  } catch (const nlohmann::json::exception& e) {
    throw UserError(fmt::format("{} is not a list of wanted cubins: {}", path, e.what()));
  }
  return wanted;
}

std::vector<std::string> update_stored_cubins(const std::string& home) {
  const std::string directory = home + "/data/cubins";
  ToolchainPaths paths = ToolchainPaths::from_environment();
  // The old stored cubins must not answer for the new ones.
  paths.stored_dir.clear();
  Compiler compiler(paths);
  std::vector<StoredCubin> stored;
  std::vector<std::string> lines;
  for (const auto& wanted : wanted_cubins(home)) {
    const auto outcome = compiler.compile(wanted.request);
    if (outcome.status != eval::EvalStatus::ok) {
      throw UserError(fmt::format("cannot store {}: {}", wanted.file, outcome.message));
    }
    const std::string bytes = read_file(outcome.cubin_path);
    write_file_atomically(directory + "/" + wanted.file, bytes);
    stored.push_back(stored_of(wanted, outcome, bytes));
    lines.push_back(
        fmt::format("{}: {} bytes, code {}", wanted.file, bytes.size(), outcome.cubin_hash));
  }
  write_file_atomically(directory + "/index.json",
                        StoredCubins::index_text(compiler.nvrtc().version(), stored));
  remove_unwanted(directory, stored);
  return lines;
}

} // namespace coulomb::toolchain
