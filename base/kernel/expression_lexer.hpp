// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::kernel {

/// Kind of a token of an expression.
enum class TokenKind : std::uint8_t { integer, real, string, name, symbol, end };

/// A token with its 1-based column; `text` is the name, the symbol or the contents of the string.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;
  std::int64_t integer = 0;
  double real = 0.0;
  std::size_t column = 1;
};

/// Splits an expression; the last token is always `end`. Throws UserError with the column of a
/// character that starts no token, an unterminated string or a number that does not fit.
[[nodiscard]] std::vector<Token> tokenize(const std::string& text);

} // namespace coulomb::kernel
