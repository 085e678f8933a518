// SPDX-License-Identifier: Apache-2.0
#include "hw/toolchain/stored_cubins.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

namespace coulomb::toolchain {
namespace {

StoredCubin stored_from_json(const nlohmann::json& entry) {
  StoredCubin cubin;
  cubin.key = entry.at("key").get<std::string>();
  cubin.file = entry.at("file").get<std::string>();
  cubin.kernel_name = entry.at("kernel_name").get<std::string>();
  cubin.architecture = entry.at("architecture").get<std::string>();
  cubin.options = entry.at("options").get<std::vector<std::string>>();
  cubin.checksum = entry.at("checksum").get<std::string>();
  cubin.cubin_hash = entry.at("cubin_hash").get<std::string>();
  cubin.entry_name = entry.at("entry_name").get<std::string>();
  cubin.log = entry.at("log").get<std::string>();
  cubin.compile_s = entry.at("compile_s").get<double>();
  return cubin;
}

nlohmann::ordered_json stored_json(const StoredCubin& cubin) {
  return {{"file", cubin.file},
          {"kernel_name", cubin.kernel_name},
          {"architecture", cubin.architecture},
          {"options", cubin.options},
          {"key", cubin.key},
          {"checksum", cubin.checksum},
          {"cubin_hash", cubin.cubin_hash},
          {"entry_name", cubin.entry_name},
          {"log", cubin.log},
          {"compile_s", cubin.compile_s}};
}

} // namespace

StoredCubins::StoredCubins(std::string directory) : directory_(std::move(directory)) {
  const std::string path = directory_ + "/index.json";
  if (directory_.empty() || !std::filesystem::exists(path)) {
    return;
  }
  try {
    const auto index = nlohmann::json::parse(read_file(path));
    nvrtc_version_ = index.at("nvrtc").get<std::string>();
    for (const auto& entry : index.at("cubins")) {
      StoredCubin cubin = stored_from_json(entry);
      std::string key = cubin.key;
      entries_.emplace(std::move(key), std::move(cubin));
    }
  } catch (const nlohmann::json::exception& e) {
    throw UserError(fmt::format("{} is not an index of stored cubins: {}", path, e.what()),
                    "write it again with coulomb-compile-worker --store");
  }
}

std::optional<eval::CompileOutcome> StoredCubins::find(const std::string& key) const {
  const auto found = entries_.find(key);
  if (found == entries_.end()) {
    return std::nullopt;
  }
  const StoredCubin& cubin = found->second;
  const std::string path = directory_ + "/" + cubin.file;
  if (!std::filesystem::exists(path) || hash128_hex(read_file(path)) != cubin.checksum) {
    return std::nullopt;
  }
  eval::CompileOutcome outcome;
  outcome.status = eval::EvalStatus::ok;
  outcome.log = cubin.log;
  outcome.cubin_path = path;
  outcome.cubin_hash = cubin.cubin_hash;
  outcome.entry_name = cubin.entry_name;
  outcome.compile_s = cubin.compile_s;
  return outcome;
}

std::string StoredCubins::index_text(const std::string& nvrtc_version,
                                     const std::vector<StoredCubin>& cubins) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& cubin : cubins) {
    list.push_back(stored_json(cubin));
  }
  const nlohmann::ordered_json index = {{"nvrtc", nvrtc_version}, {"cubins", std::move(list)}};
  return index.dump(2) + "\n";
}

} // namespace coulomb::toolchain
