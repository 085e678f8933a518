// SPDX-License-Identifier: Apache-2.0
#include "base/eval/status.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <array>
#include <string>
#include <vector>

namespace coulomb::eval {
namespace {

struct Row {
  EvalStatus status;
  std::string_view word;
  std::string_view t4;
};

// T4 knows six fates. It has no word for a launch that cannot start, a limit of our model or a dead
// worker: "runtime" is what a tuner on silicon would have seen of them. A compiler that ran out of
// time made no code ("compile"); a kernel that never ends shows on silicon as a timeout.
constexpr std::array<Row, kEvalStatusCount> kRows = {{
    {EvalStatus::ok, "ok", "correct"},
    {EvalStatus::restricted, "restricted", "constraints"},
    {EvalStatus::compile_failed, "compile_failed", "compile"},
    {EvalStatus::compile_timeout, "compile_timeout", "compile"},
    {EvalStatus::launch_invalid, "launch_invalid", "runtime"},
    {EvalStatus::unsupported, "unsupported", "runtime"},
    {EvalStatus::wrong_result, "wrong_result", "correctness"},
    {EvalStatus::deadlock, "deadlock", "timeout"},
    {EvalStatus::timeout, "timeout", "timeout"},
    {EvalStatus::crashed, "crashed", "runtime"},
}};

const Row& row(EvalStatus status) {
  const auto index = static_cast<std::size_t>(status);
  COULOMB_CHECK(index < kRows.size() && kRows[index].status == status, "no status numbered {}",
                index);
  return kRows[index];
}

} // namespace

std::string_view to_string(EvalStatus status) {
  return row(status).word;
}

std::string_view t4_invalidity(EvalStatus status) {
  return row(status).t4;
}

EvalStatus status_from_string(std::string_view word) {
  std::vector<std::string> words;
  for (const Row& r : kRows) {
    if (r.word == word) {
      return r.status;
    }
    words.emplace_back(r.word);
  }
  throw UserError(fmt::format("unknown status \"{}\"{}", word, did_you_mean(word, words)),
                  fmt::format("one of: {}", fmt::join(words, ", ")));
}

} // namespace coulomb::eval
