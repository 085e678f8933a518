// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace coulomb::eval {

/// The fate of one candidate. A fate is a value, never an exception that ends a search.
enum class EvalStatus : std::uint8_t {
  ok,
  restricted,
  compile_failed,
  compile_timeout,
  launch_invalid,
  unsupported,
  wrong_result,
  deadlock,
  timeout,
  crashed,
};
inline constexpr int kEvalStatusCount = 10;

/// "ok", "restricted", ... as printed in every JSON result.
[[nodiscard]] std::string_view to_string(EvalStatus status);
/// Throws UserError for an unknown word.
[[nodiscard]] EvalStatus status_from_string(std::string_view word);
/// T4's "invalidity" word: correct, constraints, compile, runtime, correctness, timeout.
[[nodiscard]] std::string_view t4_invalidity(EvalStatus status);

} // namespace coulomb::eval
