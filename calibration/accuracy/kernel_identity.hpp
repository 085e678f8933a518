// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/configuration.hpp"

#include <map>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// Which tunable specifications are the same kernel, and how a configuration of one is written in
/// the other: so that boards measured with different specifications can be compared.
class KernelIdentity {
public:
  /// Every specification is a kernel by itself.
  KernelIdentity() = default;
  /// Reads configs/calibration/kernels.toml or a file like it. Throws UserError that lists every
  /// problem, pointing at its line: unknown key (did you mean), missing `kernel`, a fixed value
  /// that is no number, truth value or text.
  static KernelIdentity load(const std::string& path);

  /// Name of the kernel that `spec` specifies.
  [[nodiscard]] std::string kernel_of(const std::string& spec) const;
  /// Equal for equal configurations of one kernel, whatever the specification and the order of
  /// their parameters: the kernel, then every parameter by name. Throws UserError if
  /// `configuration` has a parameter that the file says `spec` fixes.
  [[nodiscard]] std::string key(const std::string& spec,
                                const kernel::Configuration& configuration) const;

private:
  struct Specification {
    std::string kernel;
    std::vector<kernel::Configuration::Entry> fixed;
  };
  std::string path_;
  std::map<std::string, Specification> specifications_;
};

/// configs/calibration/kernels.toml of this installation.
[[nodiscard]] std::string default_kernel_identity_path();

} // namespace coulomb::calibration
