// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace coulomb::cli {

/// Reads a command's options. `positional` names the options that words without a dash fill, one
/// each; a name that ends in "..." takes all that are left. Throws UserError: unknown option (did
/// you mean), value missing or of the wrong kind, a word too many.
[[nodiscard]] boost::program_options::variables_map
parse_options(const std::string& command,
              const std::vector<std::string>& args,
              const boost::program_options::options_description& options,
              const std::vector<std::string>& positional = {});

/// The values of an option that may be repeated; empty if it is not there.
[[nodiscard]] std::vector<std::string> strings(const boost::program_options::variables_map& values,
                                               const char* name);

/// "coulomb run convolution --set 'sm.l1.size=256 KiB'": a line that a shell reads back as these
/// words.
[[nodiscard]] std::string shell_line(const std::string& command,
                                     const std::vector<std::string>& args);

} // namespace coulomb::cli
