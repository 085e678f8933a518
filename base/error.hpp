// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <stdexcept>
#include <string>

namespace coulomb {

/// A failure with a message for its reader and, where there is one, the next step to take.
/// `kind` is the word that `--json` prints; `exit_code` is the process exit code it maps to.
class Error : public std::runtime_error {
public:
  Error(std::string kind, int exit_code, const std::string& message, std::string hint)
      : std::runtime_error(message), kind_(std::move(kind)), hint_(std::move(hint)),
        exit_code_(exit_code) {}
  [[nodiscard]] const std::string& kind() const { return kind_; }
  [[nodiscard]] const std::string& hint() const { return hint_; }
  [[nodiscard]] int exit_code() const { return exit_code_; }

private:
  std::string kind_;
  std::string hint_;
  int exit_code_;
};

/// The user's input is wrong: says what, where, what was found, what is allowed. Exit code 2.
class UserError : public Error {
public:
  explicit UserError(const std::string& message, std::string hint = {})
      : Error("input", 2, message, std::move(hint)) {}
};

/// Something outside is missing (NVRTC, a GPU, a permission); the hint is the fix. Exit code 3.
class EnvironmentError : public Error {
public:
  explicit EnvironmentError(const std::string& message, std::string hint = {})
      : Error("environment", 3, message, std::move(hint)) {}
};

/// An honest limit of the model: names kernel, pc and instruction text. Exit code 4.
class UnsupportedError : public Error {
public:
  explicit UnsupportedError(const std::string& message, std::string hint = {})
      : Error("unsupported", 4, message, std::move(hint)) {}
};

/// Our bug. Exit code 70.
class InternalError : public Error {
public:
  explicit InternalError(const std::string& message) : Error("internal", 70, message, {}) {}
};

namespace detail {
[[noreturn]] void
check_failed(const char* condition, const char* file, int line, const std::string& message);
} // namespace detail
} // namespace coulomb

/// Stays on in release builds. Usage: COULOMB_CHECK(a < b, "queue {} overflows at {}", name,
/// cycle).
#define COULOMB_CHECK(condition, ...)                                                              \
  do {                                                                                             \
    if (!(condition)) [[unlikely]] {                                                               \
      ::coulomb::detail::check_failed(#condition, __FILE__, __LINE__, ::fmt::format(__VA_ARGS__)); \
    }                                                                                              \
  } while (false)
