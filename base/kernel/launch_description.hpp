// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/dim3.hpp"
#include "base/kernel/argument.hpp"
#include "base/kernel/launch_output.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::kernel {

/// One launch of one kernel, as its user describes it: on the command line, or in a launch .toml.
struct LaunchDescription {
  std::string source; ///< .cu file, absolute; empty if `cubin` is given
  std::string cubin;  ///< .cubin file, absolute: nothing is compiled
  std::string origin; ///< the file that names the launch, for messages and reports
  std::string entry;  ///< __global__ function; empty: the only one that the module has
  std::optional<Dim3> grid;
  std::optional<Dim3> block;
  std::uint32_t shared_bytes = 0;   ///< dynamic shared memory
  std::vector<std::string> options; ///< of the compiler, -D included
  std::vector<Argument> arguments;  ///< parameters in order, then module variables
  std::vector<ExpectedOutput> expected;
  std::vector<OutputFile> outputs;
};

/// `text` cut at the commas that are outside brackets.
[[nodiscard]] std::vector<std::string> split_axes(const std::string& text);

/// The extent that `text` writes, "64", "64,8" or "64,8,2": expressions of constants. `what` names
/// it in messages. Throws UserError.
[[nodiscard]] Dim3 parse_extent(const std::string& text, const std::string& what);

/// The argument of that name; throws UserError with the names there are.
[[nodiscard]] const Argument& find_argument(const std::vector<Argument>& arguments,
                                            const std::string& name);

/// Throws UserError if the shape of an output file does not have the argument's elements, or if its
/// folder is not there.
void check_shape(const OutputFile& output, const Argument& argument);

/// Adds the files of arguments marked as outputs that have none yet: NAME.npy.
void add_marked_outputs(LaunchDescription& launch);

/// A tunable kernel of no parameters: its one configuration is this launch. Throws UserError: no
/// grid or block, two arguments of one name, an expected or written output that is no argument, or
/// one that is passed by value.
[[nodiscard]] TunableSpec make_spec(const LaunchDescription& launch);

} // namespace coulomb::kernel
