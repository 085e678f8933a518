// SPDX-License-Identifier: Apache-2.0
#include "search/cluster/migrant_file.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace coulomb::search {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t kKept = 2; ///< files of an island

std::string text_of(const Migrants& migrants) {
  Json evaluations = Json::array();
  for (const EvaluationRecord& evaluation : migrants.evaluations) {
    evaluations.push_back(to_json(evaluation));
  }
  const Json json = {{"island", migrants.island},
                     {"sequence", migrants.sequence},
                     {"search", migrants.search},
                     {"evaluations", std::move(evaluations)}};
  const std::string body = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return hash128_hex(body) + "\n" + body;
}

/// Nothing if it is not whole.
std::optional<Migrants> migrants_from(const std::string& text) {
  const auto end = text.find('\n');
  if (end == std::string::npos || text.compare(0, end, hash128_hex(text.substr(end + 1))) != 0) {
    return std::nullopt;
  }
  const Json json = Json::parse(text.substr(end + 1));
  Migrants migrants{.island = json.at("island").get<std::uint64_t>(),
                    .sequence = json.at("sequence").get<std::uint64_t>(),
                    .search = json.at("search").get<std::string>(),
                    .evaluations = {}};
  for (const Json& evaluation : json.at("evaluations")) {
    migrants.evaluations.push_back(evaluation_from_json(evaluation));
  }
  return migrants;
}

std::optional<Migrants> read_migrants(const std::string& path) {
  try {
    return migrants_from(read_file(path));
  } catch (const Error&) {
    return std::nullopt; // gone since the directory was listed, or of a later release
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

} // namespace

MigrantDirectory::MigrantDirectory(const std::string& shared)
    : dir_((fs::path(shared) / "migrants").string()) {}

std::string MigrantDirectory::path(std::uint64_t island, std::uint64_t sequence) const {
  return (fs::path(dir_) / fmt::format("island-{}-{}.json", island, sequence)).string();
}

std::vector<std::uint64_t> MigrantDirectory::sequences(std::uint64_t island) const {
  const std::string prefix = fmt::format("island-{}-", island);
  std::vector<std::uint64_t> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(dir_, none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) {
      continue;
    }
    std::uint64_t sequence = 0;
    const char* const end = name.data() + name.size();
    const auto [at, error] = std::from_chars(name.data() + prefix.size(), end, sequence);
    if (error == std::errc() && std::string_view(at, static_cast<std::size_t>(end - at)) ==
                                    ".json") { // else it is still being written
      found.push_back(sequence);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::uint64_t MigrantDirectory::last_sequence(std::uint64_t island) const {
  const auto all = sequences(island);
  return all.empty() ? 0 : all.back();
}

std::optional<Migrants> MigrantDirectory::newest(std::uint64_t island,
                                                 const std::string& search) const {
  const auto all = sequences(island);
  for (auto sequence = all.rbegin(); sequence != all.rend(); ++sequence) {
    auto migrants = read_migrants(path(island, *sequence));
    if (migrants && migrants->search == search) {
      return migrants;
    }
  }
  return std::nullopt;
}

void MigrantDirectory::forget(std::uint64_t island) const {
  std::error_code ignored;
  for (const std::uint64_t sequence : sequences(island)) {
    fs::remove(path(island, sequence), ignored);
  }
}

void MigrantDirectory::publish(const Migrants& migrants) const {
  std::error_code error;
  fs::create_directories(dir_, error);
  if (error) {
    throw EnvironmentError(fmt::format("cannot make the directory {}: {}", dir_, error.message()));
  }
  write_file_atomically(path(migrants.island, migrants.sequence), text_of(migrants));
  const auto all = sequences(migrants.island);
  for (std::size_t i = 0; i + kKept < all.size(); ++i) {
    fs::remove(path(migrants.island, all[i]), error);
  }
}

} // namespace coulomb::search
