// SPDX-License-Identifier: Apache-2.0
#include "search/engine/prediction_store.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace coulomb::search {

PredictionStore::PredictionStore(const std::string& dir, const std::string& worker_executable)
    : dir_((std::filesystem::path(dir) / hash128_hex(read_file(worker_executable))).string()) {}

std::string PredictionStore::path(const std::string& key) const {
  return (std::filesystem::path(dir_) / key.substr(0, 2) / key).string();
}

std::optional<std::string> PredictionStore::find(const std::string& key) const {
  std::ifstream file(path(key), std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  std::ostringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  const std::size_t end = all.find('\n');
  // The first line is the answer's hash: a disk that lost a part must not become a time.
  if (end == std::string::npos || all.compare(0, end, hash128_hex(all.substr(end + 1))) != 0) {
    return std::nullopt;
  }
  ++hits_;
  return all.substr(end + 1);
}

void PredictionStore::keep(const std::string& key, const std::string& answer) noexcept {
  try {
    const std::string file = path(key);
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    write_file_atomically(file, hash128_hex(answer) + '\n' + answer);
  } catch (const std::exception& error) {
    const std::scoped_lock lock(mutex_);
    problem_ = problem_.empty() ? error.what() : problem_;
  }
}

std::string PredictionStore::problem() const {
  const std::scoped_lock lock(mutex_);
  return problem_;
}

} // namespace coulomb::search
