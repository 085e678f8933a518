// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/compilation.hpp"

#include <string>
#include <vector>

namespace coulomb::toolchain {

/// A kernel source and the local headers it may include, for the cache key. Headers are found by
/// text, whatever the preprocessor would say: a header too many costs a compilation, one too few a
/// wrong result.
struct SourceClosure {
  struct Header {
    std::string name; ///< as written in the #include
    std::string text;
  };
  std::string text; ///< of the source file
  std::string name; ///< of the source file, without directory
  std::string directory;
  std::vector<Header> headers; ///< in order of first mention; toolkit headers are left out
  /// An #include whose name is a macro was seen: the headers cannot be known, so nothing may be
  /// cached.
  bool computed_include = false;
};

/// Looks for "x.h" beside the including file, then (as for <x.h>) in the -I directories of
/// `options`. Throws UserError if the source cannot be read.
[[nodiscard]] SourceClosure collect_sources(const std::string& source_path,
                                            const std::vector<std::string>& options);

/// Content key of a compilation but for the compiler's version: source, headers, kernel name,
/// options and architecture; no path of this machine but those in -I options. -D macros count after
/// the other options: where they stand among them makes no difference to the compiler (unless there
/// are -U options).
[[nodiscard]] std::string content_key(const eval::CompileRequest& request,
                                      const SourceClosure& sources);

} // namespace coulomb::toolchain
