// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::config {

/// Where something stands in a text file, to be pointed at.
struct SourcePlace {
  std::uint32_t line = 0;   ///< from 1; 0 = nowhere in particular
  std::uint32_t column = 1; ///< first character, from 1
  std::uint32_t length = 1; ///< characters
  std::string line_text;
};

enum class TomlKind : std::uint8_t { number, text, flag, list, table, other };

/// What a scalar is written as: 1.0 is a real, whatever its text.
enum class TomlScalar : std::uint8_t { integer, real, text, flag, other };

/// One value of a TOML file under its full dotted key, as text: numbers in shortest form, lists as
/// "[1, 2]".
struct TomlSetting {
  std::string key;
  TomlKind kind = TomlKind::other;
  std::string text;
  std::vector<std::string> items; ///< elements of a list
  SourcePlace place;
  std::vector<TomlScalar> scalars = {}; ///< of a list: its elements; else one: the value itself
};

/// A TOML file taken apart: tables flattened to dotted keys, in the order of the lines.
/// Arrays of tables stay apart: `groups[i]` holds the settings of the i-th table, keys without
/// prefix.
struct TomlFile {
  struct Group {
    std::string name; ///< of the array of tables
    SourcePlace place;
    std::vector<TomlSetting> settings;
  };
  std::string path;
  std::vector<TomlSetting> settings;
  std::vector<Group> groups;
};

/// Reads and parses `path`.
/// Throws UserError when it cannot be read, or, pointing at the line, when it is not TOML.
[[nodiscard]] TomlFile read_toml_file(const std::string& path);

/// One mistake in a file: `key` is what it is about, `text` what is allowed.
struct TomlProblem {
  std::string key;
  std::string text;
  SourcePlace place;
};

/// All problems of one file as one message, each with line, column and a marker under the value:
///
///     sm.warp_slot
///      --> mine.toml:4:13
///      4 | warp_slot = 16
///        |             ~~ unknown key; did you mean "warp_slots"?
///     error: ...
///     2 errors in mine.toml.
[[nodiscard]] std::string format_problems(const std::string& path,
                                          std::vector<TomlProblem> problems);

} // namespace coulomb::config
