// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/profile.hpp"

#include <boost/program_options.hpp>
#include <string>

namespace coulomb::cli {

/// Adds --vcd, --vcd-cycles and --vcd-mb.
void add_vcd_options(boost::program_options::options_description& options);

/// The waveform that is asked for; its path is absolute. Throws UserError for a range or a size
/// that is wrong, for options that lack --vcd, and for a file that cannot be written.
[[nodiscard]] eval::VcdRequest
read_vcd_options(const boost::program_options::variables_map& values);

/// What the report says about the waveform: whole lines, or nothing.
[[nodiscard]] std::string vcd_text(const std::string& path, const eval::VcdOutcome& vcd);

} // namespace coulomb::cli
