// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/expression_lexer.hpp"

#include "base/error.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <string_view>

namespace coulomb::kernel {
namespace {

// Longest first, so that "**" is not read as two "*".
constexpr std::array<std::string_view, 26> kSymbols = {
    "**", "//", "==", "!=", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%",
    "<",  ">",  "(",  ")",  "[",  "]",  ",",  "&",  "|", "^", "~", ":", "."};

bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

[[noreturn]] void fail(const std::string& text, std::size_t at, const std::string& what) {
  throw UserError(fmt::format("expression \"{}\", column {}: {}", text, at + 1, what));
}

Token number(const std::string& text, std::size_t& at) {
  Token token;
  token.column = at + 1;
  const char* begin = text.data() + at;
  const char* end = text.data() + text.size();
  const char* stop = begin;
  while (stop < end && is_digit(*stop)) {
    ++stop;
  }
  const bool exponent = stop < end && (*stop == 'e' || *stop == 'E');
  if ((stop < end && *stop == '.') || exponent) {
    token.kind = TokenKind::real;
    const auto result = std::from_chars(begin, end, token.real);
    if (result.ec != std::errc{}) {
      fail(text, at, "number out of range");
    }
    stop = result.ptr;
  } else {
    token.kind = TokenKind::integer;
    if (std::from_chars(begin, stop, token.integer).ec != std::errc{}) {
      fail(text, at, "number does not fit in 64 bits");
    }
  }
  at = static_cast<std::size_t>(stop - text.data());
  if (at < text.size() && is_name_part(text[at])) {
    fail(text, at, fmt::format("\"{}\" right after a number", text[at]));
  }
  return token;
}

Token quoted(const std::string& text, std::size_t& at) {
  const std::size_t close = text.find(text[at], at + 1);
  if (close == std::string::npos) {
    fail(text, at, fmt::format("no closing {}", text[at]));
  }
  Token token{TokenKind::string, text.substr(at + 1, close - at - 1), 0, 0.0, at + 1};
  at = close + 1;
  return token;
}

} // namespace

std::vector<Token> tokenize(const std::string& text) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
    } else if (is_digit(c) || (c == '.' && at + 1 < text.size() && is_digit(text[at + 1]))) {
      tokens.push_back(number(text, at));
    } else if (is_name_start(c)) {
      const std::size_t begin = at;
      // A metric's name has dots: dram__bytes.sum.
      while (at < text.size() &&
             (is_name_part(text[at]) ||
              (text[at] == '.' && at + 1 < text.size() && is_name_start(text[at + 1])))) {
        ++at;
      }
      tokens.push_back({TokenKind::name, text.substr(begin, at - begin), 0, 0.0, begin + 1});
    } else if (c == '\'' || c == '"') {
      tokens.push_back(quoted(text, at));
    } else {
      std::string_view found;
      for (const auto symbol : kSymbols) {
        if (std::string_view(text).substr(at).starts_with(symbol)) {
          found = symbol;
          break;
        }
      }
      if (found.empty()) {
        fail(text, at, fmt::format("unexpected character \"{}\"", c));
      }
      tokens.push_back({TokenKind::symbol, std::string(found), 0, 0.0, at + 1});
      at += found.size();
    }
  }
  tokens.push_back({TokenKind::end, "", 0, 0.0, text.size() + 1});
  return tokens;
}

} // namespace coulomb::kernel
