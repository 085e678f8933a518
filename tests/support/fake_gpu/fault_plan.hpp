// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::fake {

/// What a call has to do instead of its work.
struct Fault {
  enum class Action { answer, hang, crash };
  Action action = Action::answer;
  int result = 0; ///< of `answer`

  /// The result to answer; does not return where the call must hang or crash.
  [[nodiscard]] int carry_out() const;
};

/// Which calls of a test double fail, hang or crash, as a test asked for in an option (syntax:
/// options.hpp). The option is read again, and counts begin anew, when it changes.
class FaultPlan {
public:
  /// `functions`: those that the library exports. `words`: names of its results. An entry with
  /// another function or word ends the process.
  FaultPlan(const char* option,
            const std::vector<std::string>& functions,
            const std::map<std::string, int>& words);

  /// Counts a call; nothing where it is to do its work.
  [[nodiscard]] std::optional<Fault> next(std::string_view function);

private:
  struct Entry {
    std::string function; ///< "any": all of them
    Fault fault;
    std::uint64_t first = 1; ///< call numbers, from 1
    std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t calls = 0;
  };
  void read();
  [[nodiscard]] Entry parse(const std::string& text) const;

  const char* option_;
  std::vector<std::string> functions_;
  std::map<std::string, int> words_;
  std::string text_; ///< of the option, as it was read
  std::vector<Entry> entries_;
  std::string once_; ///< file that says that the one fault has been; empty: any number
};

/// File to which a test double appends a line for each call; does nothing where the option is not
/// set. Each line is written at once, so that a crash loses none.
class CallLog {
public:
  explicit CallLog(const char* option);
  void line(std::string_view text) const;

private:
  std::string path_;
};

} // namespace coulomb::fake
