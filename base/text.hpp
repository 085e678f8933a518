// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb {

/// The candidate nearest to `word` by edit distance, if near enough to be a slip; else empty.
[[nodiscard]] std::string nearest(std::string_view word,
                                  const std::vector<std::string>& candidates);
/// ` (did you mean "x"?)` or an empty string.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& candidates);
/// Whole file; throws UserError naming the path when it cannot be read.
[[nodiscard]] std::string read_file(const std::string& path);
/// Writes to a temporary file beside `path`, fsyncs, renames: readers see the old or the new file,
/// whole.
void write_file_atomically(const std::string& path, std::string_view contents);
/// 1234567 -> "1,234,567".
[[nodiscard]] std::string with_thousands(std::uint64_t value);
/// Directory of the running executable; the workers lie beside it.
[[nodiscard]] std::string executable_dir();
/// Where kernels/, configs/ and data/ are: $COULOMB_HOME, else beside the build, else the source
/// tree.
[[nodiscard]] std::string home_dir();
/// A path as it is written into results: what lies below home_dir() relative to it, so that results
/// do not depend on where the installation is; any other as it is.
[[nodiscard]] std::string recorded_path(const std::string& path);

} // namespace coulomb
