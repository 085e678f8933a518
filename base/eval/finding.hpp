// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/dim3.hpp"
#include "base/eval/json_fields.hpp"

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::eval {

/// Checks that a functional run can make besides its oracle's: `--check memory,race,...`.
inline constexpr std::array<std::string_view, 5> kCheckNames = {"memory", "race", "sync", "init",
                                                                "nan"};
/// The checks that `text` names, "memory,race" or "all", in the order of kCheckNames. Throws
/// UserError (did you mean).
[[nodiscard]] std::vector<std::string> parse_checks(const std::string& text);

/// Something a check found in a kernel; the same place is reported once, with its occurrences.
struct Finding {
  std::string check; ///< one of kCheckNames
  std::string message;
  std::string kernel;
  std::string file; ///< source file; empty if the cubin has no line table
  std::uint32_t line = 0;
  std::uint32_t pc = 0; ///< bytes from the kernel's begin
  Dim3 cta;             ///< index of the CTA that did it first
  Dim3 thread;          ///< index of the thread in it
  std::string space;    ///< "global", "shared", "local"; empty if it is no memory access
  std::uint64_t address = 0;
  std::string allocation; ///< name of the buffer, if there is one
  std::uint64_t occurrences = 1;
  bool operator==(const Finding&) const = default;
};

[[nodiscard]] nlohmann::json finding_json(const Finding& finding);
/// Throws UserError naming the field.
[[nodiscard]] Finding finding_from_json(const JsonFields& fields);
/// "race  kernel k  my.cu:12  pc 0x0120  CTA (0,0,0) thread (33,0,0): message".
[[nodiscard]] std::string finding_text(const Finding& finding);

} // namespace coulomb::eval
