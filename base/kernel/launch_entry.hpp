// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/toml_file.hpp"
#include "base/kernel/argument.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::kernel {

/// The keys of a file that begin with this are macros for the compiler.
inline constexpr std::string_view kDefinePrefix = "define.";

/// One [[argument]] or [[symbol]] of a launch .toml, as it is written there.
struct LaunchEntry {
  bool symbol = false;
  std::string name;
  std::string type;
  std::string count; ///< expression
  std::string fill;
  std::string value;
  std::string output_path;
  std::string expected_path;
  std::vector<std::uint64_t> shape;
  double tolerance = -1.0;
  bool allow_nan = false;
  bool by_value = false;
  bool output = false;
};

/// Reads a table; nothing if it is wrong, which is then among `problems`. Throws UserError for an
/// array of tables of another name.
[[nodiscard]] std::optional<LaunchEntry>
read_launch_entry(const config::TomlFile::Group& group, std::vector<config::TomlProblem>& problems);

/// The argument it describes, the `position`-th; relative paths begin in `folder`. Throws
/// UserError.
[[nodiscard]] Argument
argument_of(const LaunchEntry& entry, std::size_t position, const std::string& folder);

/// `; did you mean "x"?`, or the list of the `known` keys.
[[nodiscard]] std::string unknown_key(const std::string& key,
                                      const std::vector<std::string>& known);

// What settings of launch files hold; each throws UserError with what is expected.

[[nodiscard]] const std::string& text_of(const config::TomlSetting& setting);
/// A list; `example` shows one.
[[nodiscard]] const std::vector<std::string>& texts_of(const config::TomlSetting& setting,
                                                       const char* example);
[[nodiscard]] bool flag_of(const config::TomlSetting& setting);
/// A number, or an expression in quotes.
[[nodiscard]] const std::string& expression_of(const config::TomlSetting& setting);
/// The value of a macro: 1 or 0 for a flag, so that #if can use it.
[[nodiscard]] std::string define_value(const config::TomlSetting& setting);

} // namespace coulomb::kernel
