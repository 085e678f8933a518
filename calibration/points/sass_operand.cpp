// SPDX-License-Identifier: Apache-2.0
#include "calibration/points/sass_operand.hpp"

#include <bit>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace coulomb::calibration::points {
namespace {

using isa::Operand;
using isa::OperandField;
using isa::OperandKind;

bool take_prefix(std::string_view& text, std::string_view prefix) {
  const bool found = text.starts_with(prefix);
  text.remove_prefix(found ? prefix.size() : 0);
  return found;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
  const bool found = text.ends_with(suffix);
  text.remove_suffix(found ? suffix.size() : 0);
  return found;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const long long value = std::strtoll(copy.c_str(), &end, 0);
  return copy.empty() || *end != '\0' ? std::nullopt : std::optional<std::int64_t>(value);
}

std::optional<double> parse_real(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  return copy.empty() || *end != '\0' ? std::nullopt : std::optional(value);
}

/// Number of "R7" or "UR4": `prefix`, then digits, or `named` for the last one ("RZ").
std::optional<std::uint8_t>
parse_index(std::string_view text, std::string_view prefix, char named, std::uint8_t value) {
  if (!take_prefix(text, prefix)) {
    return std::nullopt;
  }
  if (text.size() == 1 && text.front() == named) {
    return value;
  }
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  const auto number = parse_integer(text);
  return number && *number < value ? std::optional(static_cast<std::uint8_t>(*number))
                                   : std::nullopt;
}

std::optional<std::uint8_t> parse_register(std::string_view text) {
  return parse_index(text, "R", 'Z', isa::kRegisterZero);
}

std::optional<std::uint8_t> parse_uniform(std::string_view text) {
  return parse_index(text, "UR", 'Z', isa::kUniformZero);
}

/// Puts an index into the operand; false if there is none.
bool set_index(Operand& operand, std::optional<std::uint8_t> index) {
  operand.index = index.value_or(0);
  return index.has_value();
}

bool set_value(Operand& operand, std::optional<std::int64_t> value) {
  operand.value = value.value_or(0);
  return value.has_value();
}

bool parse_base(std::string_view part, Operand& operand) {
  operand.wide = take_suffix(part, ".64");
  take_suffix(part, ".U32");
  std::uint8_t scale = 1;
  for (const char* text : {".X4", ".X8", ".X16"}) {
    operand.scale = take_suffix(part, text) ? scale : operand.scale;
    ++scale;
  }
  return set_index(operand, parse_register(part));
}

/// "R2.64+UR4+0x10" of a memory operand, "R2+0x10" of a constant's index.
bool parse_address(std::string_view text, Operand& operand) {
  operand.index = isa::kRegisterZero;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('+'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    if (const auto uniform = parse_uniform(part)) {
      operand.has_uniform = true;
      operand.uniform = *uniform;
    } else if (part.starts_with('R')) {
      if (!parse_base(part, operand)) {
        return false;
      }
    } else if (!set_value(operand, parse_integer(part))) {
      return false;
    }
  }
  return true;
}

/// c[0x3][0x10], c[0x3][R2+0x10].
bool parse_constant(std::string_view text, Operand& operand) {
  const std::size_t close = text.find(']');
  if (!take_prefix(text, "c[") || !take_suffix(text, "]") || close == std::string_view::npos) {
    return false;
  }
  const auto bank = parse_integer(text.substr(0, close - 2));
  text.remove_prefix(close - 1);
  take_prefix(text, " ");
  if (!bank || !take_prefix(text, "[")) {
    return false;
  }
  operand.bank = static_cast<std::uint8_t>(*bank);
  return parse_address(text, operand) &&
         (operand.kind == OperandKind::constant_indexed ||
          std::exchange(operand.index, std::uint8_t{0}) == isa::kRegisterZero);
}

bool parse_named(std::string_view text, Operand& operand) {
  const bool special = operand.kind == OperandKind::special_register;
  for (unsigned i = 0; i < (special ? 256U : 32U); ++i) {
    const auto number = static_cast<std::uint8_t>(i);
    if (text ==
        (special ? isa::special_register_name(number) : isa::barrier_register_name(number))) {
      operand.index = number;
      return true;
    }
  }
  return !special && set_index(operand, parse_index(text, "B", '?', 16));
}

bool parse_body(std::string_view text,
                const OperandField& field,
                std::uint32_t pc,
                Operand& operand) {
  switch (operand.kind) {
  case OperandKind::reg:
    return set_index(operand, parse_register(text));
  case OperandKind::uniform_reg:
    return set_index(operand, parse_uniform(text));
  case OperandKind::predicate:
    if (field.uniform_file != 0 && text.starts_with('U')) {
      operand.kind = OperandKind::uniform_predicate;
      return parse_body(text, field, pc, operand);
    }
    return set_index(operand, parse_index(text, "P", 'T', isa::kPredicateTrue));
  case OperandKind::uniform_predicate:
    return set_index(operand, parse_index(text, "UP", 'T', isa::kPredicateTrue));
  case OperandKind::scoreboard:
    return set_index(operand, parse_index(text, "SB", '?', isa::kNoBarrier));
  case OperandKind::special_register:
  case OperandKind::convergence_barrier:
    return parse_named(text, operand);
  case OperandKind::memory:
    return take_prefix(text, "[") && take_suffix(text, "]") && parse_address(text, operand);
  case OperandKind::constant:
  case OperandKind::constant_indexed:
    return parse_constant(text, operand);
  case OperandKind::f32_immediate:
    if (const auto real = parse_real(text)) {
      return set_value(operand, std::bit_cast<std::uint32_t>(static_cast<float>(*real)));
    }
    return false;
  case OperandKind::f64_immediate:
    if (const auto real = parse_real(text)) {
      return set_value(operand, std::bit_cast<std::int64_t>(*real));
    }
    return false;
  case OperandKind::literal:
    return text == field.text;
  case OperandKind::f16x2_immediate:
  case OperandKind::absent:
    return false;
  default: // immediates, truth tables and targets are numbers
    if (!set_value(operand, parse_integer(text))) {
      return false;
    }
    operand.value += field.relative_text ? pc + isa::kInstructionBytes : 0;
    return true;
  }
}

/// Half or byte selector: the longest text that ends the operand, else the one that is empty.
void take_selector(std::string_view& text, const OperandField& field, Operand& operand) {
  std::size_t best = 0;
  for (unsigned i = 0; i < 1U << field.select.width; ++i) {
    const char* selector = field.select_texts[i];
    if (selector == nullptr) {
      continue;
    }
    const std::string_view suffix(selector);
    if (text.ends_with(suffix) && (suffix.size() > best || (best == 0 && suffix.empty()))) {
      best = suffix.size();
      operand.select = static_cast<std::uint8_t>(i);
    }
  }
  text.remove_suffix(best);
}

} // namespace

std::optional<Operand>
parse_operand(std::string text, const OperandField& field, std::uint32_t pc) {
  Operand operand;
  operand.kind = field.kind;
  operand.wide = field.wide;
  std::string_view rest = text;
  if (field.kind != OperandKind::literal && !take_suffix(rest, field.text)) {
    return std::nullopt;
  }
  if (field.select_texts != nullptr) {
    take_selector(rest, field, operand);
  }
  operand.reuse = take_suffix(rest, ".reuse");
  operand.invert = take_prefix(rest, "~");
  const bool predicate =
      field.kind == OperandKind::predicate || field.kind == OperandKind::uniform_predicate;
  operand.negate = field.negate != 0 && take_prefix(rest, predicate ? "!" : "-");
  if (field.absolute != 0 && take_prefix(rest, "|")) {
    operand.absolute = take_suffix(rest, "|");
  }
  return parse_body(rest, field, pc, operand) ? std::optional(operand) : std::nullopt;
}

std::optional<Operand> unprinted_operand(const OperandField& field) {
  Operand operand;
  operand.kind = field.kind;
  operand.wide = field.wide;
  switch (field.kind) {
  case OperandKind::reg:
    operand.index = isa::kRegisterZero;
    break;
  case OperandKind::uniform_reg:
    operand.index = isa::kUniformZero;
    break;
  case OperandKind::predicate:
  case OperandKind::uniform_predicate:
    operand.index = isa::kPredicateTrue;
    break;
  case OperandKind::immediate:
    if (field.hidden_value == isa::kNothingHidden) {
      return std::nullopt;
    }
    operand.value = field.hidden_value;
    return operand;
  case OperandKind::absolute_target:
    return field.show_zero ? std::nullopt : std::optional(operand);
  default:
    return std::nullopt;
  }
  return field.hide_default ? std::optional(operand) : std::nullopt;
}

} // namespace coulomb::calibration::points
