// SPDX-License-Identifier: Apache-2.0
#include "kernels/oracle_inputs.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace coulomb::kernels {

OracleInputs::OracleInputs(std::string oracle,
                           const std::string& parameters_json,
                           PristineBuffers buffers)
    : oracle_(std::move(oracle)), buffers_(std::move(buffers)) {
  const nlohmann::json object = nlohmann::json::parse(parameters_json, nullptr, false);
  if (!object.is_object()) {
    throw UserError(fmt::format("oracle {}: parameters are not a JSON object: {}", oracle_,
                                parameters_json.substr(0, 60)));
  }
  for (const auto& item : object.items()) {
    if (item.value().is_number_integer()) {
      parameters_[item.key()] = item.value().get<std::int64_t>();
    } else if (item.value().is_string()) {
      texts_[item.key()] = item.value().get<std::string>();
    }
  }
  const auto size = object.find("problem_size");
  if (size == object.end() || !size->is_array()) {
    throw UserError(
        fmt::format("oracle {}: parameters need \"problem_size\", a list of integers", oracle_));
  }
  for (const auto& extent : *size) {
    if (!extent.is_number_integer() || extent.get<std::int64_t>() < 1) {
      throw UserError(fmt::format("oracle {}: problem_size holds {}; allowed: integers from 1",
                                  oracle_, extent.dump()));
    }
    problem_size_.push_back(extent.get<std::uint64_t>());
  }
}

std::int64_t OracleInputs::integer(const std::string& parameter) const {
  const auto it = parameters_.find(parameter);
  if (it == parameters_.end()) {
    throw UserError(
        fmt::format("oracle {} needs the integer parameter \"{}\"", oracle_, parameter));
  }
  return it->second;
}

std::string OracleInputs::text(const std::string& parameter) const {
  const auto it = texts_.find(parameter);
  if (it == texts_.end()) {
    throw UserError(fmt::format("oracle {} needs the text parameter \"{}\"", oracle_, parameter));
  }
  return it->second;
}

std::uint64_t OracleInputs::problem_size(std::size_t axis) const {
  if (axis >= problem_size_.size()) {
    throw UserError(fmt::format("oracle {} needs problem_size[{}]; problem_size has {} numbers",
                                oracle_, axis, problem_size_.size()));
  }
  return problem_size_[axis];
}

std::span<const std::uint8_t> OracleInputs::contents(const std::string& argument) const {
  const auto it = buffers_.find(argument);
  if (it == buffers_.end()) {
    throw UserError(
        fmt::format("oracle {} needs the contents of argument \"{}\"", oracle_, argument));
  }
  return it->second;
}

std::span<const std::uint8_t> OracleInputs::bytes(const std::string& argument,
                                                  std::uint64_t count) const {
  const std::span<const std::uint8_t> found = contents(argument);
  if (found.size() < count) {
    throw UserError(fmt::format("oracle {}: argument \"{}\" has {} bytes, needed: {}", oracle_,
                                argument, found.size(), count));
  }
  return found;
}

template <class T>
std::span<const T>
OracleInputs::elements(const std::string& argument, std::uint64_t count, const char* what) const {
  const std::span<const std::uint8_t> bytes = contents(argument);
  if (bytes.size() / sizeof(T) < count) {
    throw UserError(fmt::format("oracle {}: argument \"{}\" has {} bytes, needed: {} {}", oracle_,
                                argument, bytes.size(), count, what));
  }
  COULOMB_CHECK(reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(T) == 0,
                "oracle {}: argument \"{}\" is not aligned", oracle_, argument);
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

std::span<const float> OracleInputs::floats(const std::string& argument,
                                            std::uint64_t count) const {
  return elements<float>(argument, count, "floats");
}

std::span<const std::uint16_t> OracleInputs::halves(const std::string& argument,
                                                    std::uint64_t count) const {
  return elements<std::uint16_t>(argument, count, "halves");
}

std::vector<ElementRun>
runs_of(std::span<const std::uint64_t> elements, std::uint64_t width, std::size_t longest) {
  std::vector<ElementRun> runs;
  for (std::size_t i = 0; i < elements.size();) {
    ElementRun run{elements[i] / width, elements[i] % width, 1, i};
    const std::uint64_t to_cut = longest - run.column % longest;
    const std::uint64_t most = std::min(to_cut, width - run.column);
    while (run.length < most && i + run.length < elements.size() &&
           elements[i + run.length] == elements[i] + run.length) {
      ++run.length;
    }
    i += run.length;
    runs.push_back(run);
  }
  return runs;
}

} // namespace coulomb::kernels
