// SPDX-License-Identifier: Apache-2.0
#include "calibration/accuracy/kernel_identity.hpp"

#include "base/config/file_problems.hpp"
#include "base/config/toml_file.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>

namespace coulomb::calibration {
namespace {

using config::TomlScalar;
using config::TomlSetting;

constexpr const char* kKernel = "kernel";
constexpr std::string_view kFixed = "fixed.";

template <class Number>
Number number_of(const std::string& text) {
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

kernel::ParameterValue value_of(const TomlSetting& s) {
  switch (s.scalars.front()) {
  case TomlScalar::integer:
    return number_of<std::int64_t>(s.text);
  case TomlScalar::real:
    return number_of<double>(s.text);
  case TomlScalar::flag:
    return s.text == "true";
  case TomlScalar::text:
    return s.text;
  case TomlScalar::other:
    break;
  }
  throw UserError("allowed: a number, a truth value or a text");
}

} // namespace

KernelIdentity KernelIdentity::load(const std::string& path) {
  const config::TomlFile file = config::read_toml_file(path);
  config::FileProblems problems;
  KernelIdentity identity;
  identity.path_ = path;
  for (const TomlSetting& s : file.settings) {
    problems.guard(s.key, s.place, [&] {
      const std::size_t dot = s.key.find('.');
      if (dot == std::string::npos) {
        throw UserError(fmt::format("unknown key; a file of kernels holds tables [SPEC] with the "
                                    "keys {} and {}PARAMETER",
                                    kKernel, kFixed));
      }
      Specification& specification = identity.specifications_[s.key.substr(0, dot)];
      const std::string member = s.key.substr(dot + 1);
      if (member == kKernel) {
        if (s.scalars.front() != TomlScalar::text || s.text.empty()) {
          throw UserError("allowed: a text that is not empty");
        }
        specification.kernel = s.text;
      } else if (member.starts_with(kFixed)) {
        specification.fixed.emplace_back(member.substr(kFixed.size()), value_of(s));
      } else {
        throw UserError("unknown key" + did_you_mean(member, {kKernel, std::string(kFixed)}));
      }
    });
  }
  for (const auto& group : file.groups) {
    problems.add(group.name, "unknown key; a file of kernels holds no array of tables",
                 group.place);
  }
  for (const auto& [spec, specification] : identity.specifications_) {
    const std::string key = spec + '.' + kKernel;
    problems.require(!specification.kernel.empty(), key.c_str(), "is missing");
  }
  problems.throw_if_any(path, "configs/calibration/kernels.toml says what belongs in it");
  return identity;
}

std::string KernelIdentity::kernel_of(const std::string& spec) const {
  const auto found = specifications_.find(spec);
  return found == specifications_.end() ? spec : found->second.kernel;
}

std::string KernelIdentity::key(const std::string& spec,
                                const kernel::Configuration& configuration) const {
  auto entries = configuration.entries();
  if (const auto found = specifications_.find(spec); found != specifications_.end()) {
    for (const auto& fixed : found->second.fixed) {
      if (configuration.find(fixed.first) != nullptr) {
        throw UserError(fmt::format("{}: {}.{}{} is stated, but configurations of {} have a "
                                    "parameter {} themselves",
                                    path_, spec, kFixed, fixed.first, spec, fixed.first),
                        "take the line out");
      }
      entries.push_back(fixed);
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string key = kernel_of(spec) + ':';
  for (const auto& [name, value] : entries) {
    key += fmt::format(" {}={}", name, kernel::key_text(value));
  }
  return key;
}

std::string default_kernel_identity_path() {
  return home_dir() + "/configs/calibration/kernels.toml";
}

} // namespace coulomb::calibration
