// SPDX-License-Identifier: Apache-2.0
#include "base/config/field.hpp"

#include "base/config/describe.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace coulomb::config {
namespace {

/// Flattens the nested structs into dotted keys.
class FieldCollector {
public:
  template <class Member>
  void field(const FieldSpec& spec, Member& member) {
    found_.push_back({prefix_ + std::string(spec.name), spec, &member});
  }
  template <class Struct>
  void group(std::string_view name, Struct& member) {
    const std::size_t length = prefix_.size();
    prefix_.append(name).push_back('.');
    describe(*this, member);
    prefix_.resize(length);
  }
  [[nodiscard]] std::vector<Field> take() { return std::move(found_); }

private:
  std::string prefix_;
  std::vector<Field> found_;
};

} // namespace

std::vector<Field> fields(GpuConfig& config) {
  FieldCollector collector;
  describe(collector, config);
  return collector.take();
}

std::vector<std::string> keys() {
  GpuConfig config;
  std::vector<std::string> names;
  for (auto& f : fields(config)) {
    names.push_back(std::move(f.key));
  }
  return names;
}

Field field(GpuConfig& config, std::string_view key) {
  const std::vector<Field> all = fields(config);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Field& f) { return f.key == key; });
  if (found == all.end()) {
    throw UserError(
        fmt::format("unknown configuration key \"{}\"{}", key, did_you_mean(key, keys())),
        "all keys: coulomb config list");
  }
  return *found;
}

} // namespace coulomb::config
