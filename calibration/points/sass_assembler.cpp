// SPDX-License-Identifier: Apache-2.0
#include "calibration/points/sass_assembler.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "calibration/points/sass_operand.hpp"
#include "sim/isa/cubin.hpp"
#include "sim/isa/encoder.hpp"
#include "sim/isa/opcode_table.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

namespace coulomb::calibration::points {
namespace {

using isa::BitField;
using isa::Instruction;

constexpr int kControlFields = 5;
constexpr const char* kControlHint =
    "write it as coulomb disasm prints it: \"S04 - W0 R- B-1----\": stall, yield, counters set at "
    "write and at read, counters awaited";

/// Words of one blank each, without the semicolon and without what stands between comment marks.
std::string normal(const std::string& text) {
  std::istringstream words(text.substr(0, text.find(';')));
  std::string result;
  for (std::string word; words >> word;) {
    if (!word.starts_with("/*")) {
      result += (result.empty() ? "" : " ") + word;
    }
  }
  return result;
}

std::vector<std::string> split_operands(const std::string& text) {
  std::vector<std::string> operands;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    operands.push_back(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return operands;
}

/// An instruction's text, taken apart.
struct Wanted {
  std::string text;     ///< whole, normal form
  std::string mnemonic; ///< with its modifiers
  std::vector<std::string> operands;
  bool guard_negate = false;
  std::uint8_t guard = isa::kPredicateTrue;
};

Wanted take_apart(const std::string& text) {
  Wanted wanted;
  wanted.text = text;
  std::string rest = text;
  if (rest.starts_with('@')) {
    const std::size_t end = rest.find(' ');
    std::string guard = rest.substr(1, end == std::string::npos ? end : end - 1);
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
    wanted.guard_negate = guard.starts_with('!');
    guard.erase(0, (wanted.guard_negate ? 1 : 0) + (guard.find('U') != std::string::npos ? 1 : 0));
    wanted.guard = guard.size() == 2 && guard[1] >= '0' && guard[1] < '7'
                       ? static_cast<std::uint8_t>(guard[1] - '0')
                       : isa::kPredicateTrue;
  }
  const std::size_t blank = std::min(rest.find(' '), rest.size());
  wanted.mnemonic = rest.substr(0, blank);
  wanted.operands = split_operands(blank < rest.size() ? rest.substr(blank + 1) : "");
  return wanted;
}

/// Tries the ways to read a text as one opcode row until one prints as the text again.
class RowReader {
public:
  RowReader(const Wanted& wanted, const isa::Control& control, std::uint32_t pc, std::uint16_t row)
      : wanted_(wanted), row_(isa::opcode_row(row)) {
    instruction_.row = row;
    instruction_.opcode = row_.opcode;
    instruction_.pc = pc;
    instruction_.control = control;
    instruction_.guard = wanted.guard;
    instruction_.guard_negate = wanted.guard_negate;
    instruction_.operand_count = row_.operand_count;
    instruction_.low = row_.ones.low;
    instruction_.high = row_.ones.high;
  }

  std::optional<Instruction> read() {
    std::string_view rest = wanted_.mnemonic;
    rest.remove_prefix(isa::opcode_name(row_.opcode).size());
    if (modifiers(0, rest)) {
      return found_;
    }
    for (const std::string_view alias : {".MOV", ".IADD", ".SHL"}) {
      if (row_.imad_alias && rest.starts_with(alias) && modifiers(0, rest.substr(alias.size()))) {
        return found_;
      }
    }
    return std::nullopt;
  }

private:
  bool modifiers(unsigned i, std::string_view rest) {
    if (i == row_.modifier_count) {
      return rest.empty() && operands(0, 0);
    }
    const isa::ModifierField& field = isa::modifier_field(row_.modifiers[i]);
    const unsigned values = 1U << (field.field.width + field.high_field.width);
    for (unsigned value = 0; value < values; ++value) {
      const char* text = field.texts[value];
      if (text != nullptr && rest.starts_with(text)) {
        instruction_.modifiers[i] = static_cast<std::uint8_t>(value);
        if (modifiers(i + 1, rest.substr(std::string_view(text).size()))) {
          return true;
        }
      }
    }
    return false;
  }

  bool operands(unsigned i, std::size_t text) {
    if (i == row_.operand_count) {
      return text == wanted_.operands.size() && prints_as_wanted();
    }
    const isa::OperandField& field = isa::operand_field(row_.operands[i]);
    const auto go_on = [&](const std::optional<isa::Operand>& operand, bool there,
                           std::size_t next) {
      if (!operand) {
        return false;
      }
      set_condition(field, there);
      instruction_.operands[i] = *operand;
      return operands(i + 1, next);
    };
    if (text < wanted_.operands.size() &&
        go_on(parse_operand(wanted_.operands[text], field, instruction_.pc), true, text + 1)) {
      return true;
    }
    return go_on(unprinted_operand(field), true, text) ||
           (field.condition.width != 0 && go_on(isa::Operand{}, false, text));
  }

  /// Writes the field that says whether the operand is there. One that is a modifier's is
  /// overwritten by the encoder.
  void set_condition(const isa::OperandField& field, bool there) {
    if (field.condition.width == 0) {
      return;
    }
    const bool equal = there == field.condition_equal;
    const unsigned value = equal ? field.condition_value : field.condition_value == 0 ? 1U : 0U;
    store(field.condition, value);
    store(field.condition_high, value >> field.condition.width);
  }

  void store(BitField field, std::uint64_t value) {
    if (field.width == 0) {
      return;
    }
    std::uint64_t& half = field.position < 64 ? instruction_.low : instruction_.high;
    const std::uint64_t mask = (std::uint64_t{1} << field.width) - 1;
    const unsigned shift = field.position % 64;
    half = (half & ~(mask << shift)) | (value & mask) << shift;
  }

  bool prints_as_wanted() {
    try {
      const isa::EncodedWord word = isa::encode(instruction_);
      found_ = isa::decode(word.low, word.high, instruction_.pc, "line");
      return isa::disassemble(found_) == wanted_.text;
    } catch (const Error&) { // a value does not fit, or this form of the opcode is not modelled
      return false;
    }
  }

  const Wanted& wanted_;
  const isa::OpcodeRow& row_;
  Instruction instruction_;
  Instruction found_;
};

bool names_row(const std::string& mnemonic, const isa::OpcodeRow& row) {
  const std::string_view name = isa::opcode_name(row.opcode);
  return mnemonic.starts_with(name) &&
         (mnemonic.size() == name.size() || mnemonic[name.size()] == '.');
}

[[noreturn]] void refuse(const Wanted& wanted, bool known) {
  if (known) {
    throw UserError(
        fmt::format("\"{}\" is no form of its opcode", wanted.text),
        "write modifiers and operands in the order in which coulomb disasm prints them");
  }
  std::set<std::string> names;
  for (const auto& row : isa::opcode_rows()) {
    names.emplace(isa::opcode_name(row.opcode));
  }
  throw UserError(fmt::format("\"{}\": there is no opcode \"{}\"{}", wanted.text, wanted.mnemonic,
                              did_you_mean(wanted.mnemonic, {names.begin(), names.end()})));
}

std::optional<std::uint8_t> counter_of(const std::string& field, char letter) {
  if (field.size() != 2 || field[0] != letter) {
    return std::nullopt;
  }
  if (field[1] == '-') {
    return isa::kNoBarrier;
  }
  return field[1] >= '0' && field[1] <= '5'
             ? std::optional(static_cast<std::uint8_t>(field[1] - '0'))
             : std::nullopt;
}

std::optional<std::uint8_t> stall_of(const std::string& field) {
  const bool digits = field.size() == 3 && field[0] == 'S' && std::isdigit(field[1]) != 0 &&
                      std::isdigit(field[2]) != 0;
  const int stall = digits ? (field[1] - '0') * 10 + field[2] - '0' : 16;
  return stall < 16 ? std::optional(static_cast<std::uint8_t>(stall)) : std::nullopt;
}

/// "B0-2---": a place for each of the six counters.
std::optional<std::uint8_t> mask_of(const std::string& field) {
  if (field.size() != 7 || field[0] != 'B') {
    return std::nullopt;
  }
  std::uint8_t mask = 0;
  for (unsigned i = 0; i < 6; ++i) {
    const char c = field[i + 1];
    if (c != '-' && c != static_cast<char>('0' + i)) {
      return std::nullopt;
    }
    mask = static_cast<std::uint8_t>(mask | (c == '-' ? 0U : 1U << i));
  }
  return mask;
}

} // namespace

isa::Control parse_control(const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> fields;
  for (std::string word; words >> word;) {
    fields.push_back(word);
  }
  if (fields.size() != kControlFields) {
    throw UserError(
        fmt::format("\"{}\" is no scheduling control of {} fields", text, kControlFields),
        kControlHint);
  }
  const auto need = [&](std::size_t i, std::optional<std::uint8_t> value) {
    if (!value) {
      throw UserError(
          fmt::format("\"{}\" in \"{}\" is no field of the scheduling control", fields[i], text),
          kControlHint);
    }
    return *value;
  };
  isa::Control control;
  control.stall = need(0, stall_of(fields[0]));
  control.yield = need(1, fields[1] == "Y"   ? std::optional<std::uint8_t>(1)
                          : fields[1] == "-" ? std::optional<std::uint8_t>(0)
                                             : std::nullopt) != 0;
  control.write_barrier = need(2, counter_of(fields[2], 'W'));
  control.read_barrier = need(3, counter_of(fields[3], 'R'));
  control.wait_mask = need(4, mask_of(fields[4]));
  return control;
}

isa::Instruction assemble_line(const std::string& line, std::uint32_t pc) {
  const std::string text = normal(line);
  std::size_t end = 0;
  for (int i = 0; i < kControlFields; ++i) {
    end = std::min(text.find(' ', end), text.size());
    end += end < text.size() ? 1 : 0;
  }
  const isa::Control control = parse_control(text.substr(0, end));
  const Wanted wanted = take_apart(text.substr(end));
  bool known = false;
  for (std::uint16_t row = 0; row < isa::opcode_rows().size(); ++row) {
    if (!names_row(wanted.mnemonic, isa::opcode_row(row))) {
      continue;
    }
    known = true;
    if (const auto found = RowReader(wanted, control, pc, row).read()) {
      return *found;
    }
  }
  refuse(wanted, known);
}

} // namespace coulomb::calibration::points
