// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/launch_output.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace coulomb::cli {

/// The kernel that a SPEC and its options mean.
struct ChosenKernel {
  kernel::TunableSpec spec; ///< of no parameters if it is one launch: .cu, .cubin, .toml
  bool tunable = false;     ///< a T1 file or a kernel of Coulomb's own
  std::vector<kernel::ExpectedOutput> expected;
  std::vector<kernel::OutputFile> outputs;
};

/// Options that describe one launch of a kernel of the user's own, its outputs and what they are
/// compared with.
[[nodiscard]] boost::program_options::options_description describe_launch_options();

/// How --arg and --symbol are written: a part of `run --help`.
[[nodiscard]] std::string launch_grammar();

/// Reads SPEC (.cu, .cubin, launch .toml, T1 .json, or a kernel's name) and the launch options.
/// Throws UserError: an option that does not go with this kind of SPEC, a malformed argument, an
/// output or oracle that names no argument.
[[nodiscard]] ChosenKernel choose_kernel(const std::string& spec,
                                         const boost::program_options::variables_map& values);

} // namespace coulomb::cli
