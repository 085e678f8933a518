// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/expression_program.hpp"

#include "base/error.hpp"
#include "base/kernel/expression_code.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coulomb::kernel {
namespace {

enum class Outcome : std::uint8_t { no, yes, failed };

/// Rounds towards minus infinity; false on division by zero and overflow.
bool floor_divide(std::int64_t a, std::int64_t b, std::int64_t& out) {
  if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) {
    return false;
  }
  out = a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
  return true;
}

bool modulo(std::int64_t a, std::int64_t b, std::int64_t& out) {
  if (b == 0) {
    return false;
  }
  const std::int64_t r = b == -1 ? 0 : a % b;
  out = r != 0 && (r < 0) != (b < 0) ? r + b : r;
  return true;
}

/// False on overflow, and for a negative exponent, whose result is no integer.
bool power(std::int64_t base, std::int64_t exponent, std::int64_t& out) {
  bool fine = exponent >= 0;
  out = 1;
  while (exponent > 0 && fine) {
    fine = (exponent & 1) == 0 || !__builtin_mul_overflow(out, base, &out);
    exponent >>= 1;
    fine = fine && (exponent == 0 || !__builtin_mul_overflow(base, base, &base));
  }
  return fine;
}

bool shift_left(std::int64_t a, std::int64_t by, std::int64_t& out) {
  if (by < 0 || by > 63) {
    return false;
  }
  out = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << by);
  return (out >> by) == a;
}

bool element(const std::vector<std::int64_t>& table, std::int64_t at, std::int64_t& out) {
  const auto size = static_cast<std::int64_t>(table.size());
  if (at >= size || at < -size) {
    return false;
  }
  out = table[static_cast<std::size_t>(at < 0 ? at + size : at)];
  return true;
}

bool run_integer(const ExpressionCode& code, const Instruction& i, Cell* frame) {
  const std::int64_t a = frame[i.a].integer;
  std::int64_t& out = frame[i.out].integer;
  if (i.op == Opcode::in_sorted_i) {
    out = std::binary_search(code.tables[i.b].begin(), code.tables[i.b].end(), a) ? 1 : 0;
    return true;
  }
  if (i.op == Opcode::element_i) {
    return element(code.tables[i.b], a, out);
  }
  const std::int64_t b = frame[i.b].integer;
  switch (i.op) {
  case Opcode::add_i:
    return !__builtin_add_overflow(a, b, &out);
  case Opcode::subtract_i:
    return !__builtin_sub_overflow(a, b, &out);
  case Opcode::multiply_i:
    return !__builtin_mul_overflow(a, b, &out);
  case Opcode::floor_divide_i:
    return floor_divide(a, b, out);
  case Opcode::modulo_i:
    return modulo(a, b, out);
  case Opcode::power_i:
    return power(a, b, out);
  case Opcode::and_i:
    out = a & b;
    return true;
  case Opcode::or_i:
    out = a | b;
    return true;
  case Opcode::xor_i:
    out = a ^ b;
    return true;
  case Opcode::shift_left_i:
    return shift_left(a, b, out);
  case Opcode::shift_right_i:
    out = b < 0 || b > 63 ? 0 : a >> b;
    return b >= 0 && b <= 63;
  case Opcode::equal_i:
    out = a == b ? 1 : 0;
    return true;
  case Opcode::not_equal_i:
    out = a != b ? 1 : 0;
    return true;
  case Opcode::less_i:
    out = a < b ? 1 : 0;
    return true;
  case Opcode::less_equal_i:
    out = a <= b ? 1 : 0;
    return true;
  case Opcode::min_i:
    out = std::min(a, b);
    return true;
  case Opcode::max_i:
    out = std::max(a, b);
    return true;
  case Opcode::invert_i:
    out = ~a;
    return true;
  case Opcode::not_i:
    out = a == 0 ? 1 : 0;
    return true;
  default: // abs_i
    out = a < 0 && a != std::numeric_limits<std::int64_t>::min() ? -a : a;
    return out >= 0;
  }
}

bool to_integer(double d, std::int64_t& out) {
  if (!(d > -0x1p63 && d < 0x1p63)) {
    return false;
  }
  out = static_cast<std::int64_t>(d);
  return true;
}

double floor_modulo(double a, double b) {
  const double r = std::fmod(a, b);
  return r != 0.0 && (r < 0.0) != (b < 0.0) ? r + b : r;
}

/// Real operands, integer result.
bool run_real_test(const Instruction& i, double a, double b, std::int64_t& out) {
  switch (i.op) {
  case Opcode::equal_r:
    out = a == b ? 1 : 0;
    return true;
  case Opcode::not_equal_r:
    out = a == b ? 0 : 1;
    return true;
  case Opcode::less_r:
    out = a < b ? 1 : 0;
    return true;
  case Opcode::less_equal_r:
    out = a <= b ? 1 : 0;
    return true;
  case Opcode::truth_r:
    out = a != 0.0 ? 1 : 0;
    return true;
  case Opcode::truncate_r:
    return to_integer(a, out);
  case Opcode::round_r:
    return to_integer(std::nearbyint(a), out);
  case Opcode::ceil_r:
    return to_integer(std::ceil(a), out);
  default: // floor_r
    return to_integer(std::floor(a), out);
  }
}

bool run_real(const Instruction& i, Cell* frame) {
  const double a = frame[i.a].real;
  const double b = frame[i.b].real;
  double& out = frame[i.out].real;
  switch (i.op) {
  case Opcode::to_real:
    out = static_cast<double>(frame[i.a].integer);
    return true;
  case Opcode::add_r:
    out = a + b;
    return true;
  case Opcode::subtract_r:
    out = a - b;
    return true;
  case Opcode::multiply_r:
    out = a * b;
    return true;
  case Opcode::divide_r:
    out = a / b;
    return b != 0.0;
  case Opcode::floor_divide_r:
    out = std::floor(a / b);
    return b != 0.0;
  case Opcode::modulo_r:
    out = floor_modulo(a, b);
    return b != 0.0;
  case Opcode::power_r:
    out = std::pow(a, b);
    return a != 0.0 || b >= 0.0;
  case Opcode::negate_r:
    out = -a;
    return true;
  case Opcode::min_r:
    out = b < a ? b : a;
    return true;
  case Opcode::max_r:
    out = b > a ? b : a;
    return true;
  case Opcode::abs_r:
    out = std::fabs(a);
    return true;
  default:
    return run_real_test(i, a, b, frame[i.out].integer);
  }
}

void run_text(const Instruction& i, Cell* frame) {
  const std::string& a = *frame[i.a].text;
  std::int64_t& out = frame[i.out].integer;
  if (i.op == Opcode::truth_s) {
    out = a.empty() ? 0 : 1;
    return;
  }
  const int c = a.compare(*frame[i.b].text);
  const bool holds = i.op == Opcode::equal_s       ? c == 0
                     : i.op == Opcode::not_equal_s ? c != 0
                     : i.op == Opcode::less_s      ? c < 0
                                                   : c <= 0;
  out = holds ? 1 : 0;
}

Outcome run(const ExpressionCode& code, const Cell* cells) {
  Cell frame[kMaxFrameCells];
  std::size_t n = 0;
  for (const std::size_t slot : code.slots) {
    frame[n++] = cells[slot];
  }
  std::copy(code.constants.begin(), code.constants.end(), frame + n);
  const std::size_t end = code.instructions.size();
  for (std::size_t at = 0; at < end; ++at) {
    const Instruction& i = code.instructions[at];
    bool fine = true;
    if (i.op > Opcode::fail) {
      if (i.op < Opcode::to_real) {
        fine = run_integer(code, i, frame);
      } else if (i.op < Opcode::equal_s) {
        fine = run_real(i, frame);
      } else {
        run_text(i, frame);
      }
    } else if (i.op == Opcode::copy) {
      frame[i.out] = frame[i.a];
    } else if (i.op == Opcode::fail) {
      fine = false;
    } else if (i.op == Opcode::jump || (frame[i.a].integer != 0) == (i.op == Opcode::jump_if)) {
      at = i.out - std::size_t{1};
    }
    if (!fine) {
      return Outcome::failed;
    }
  }
  return frame[code.result].integer != 0 ? Outcome::yes : Outcome::no;
}

} // namespace

ExpressionProgram::ExpressionProgram(Expression expression, const ExpressionInputs& inputs)
    : expression_(std::move(expression)), inputs_(&inputs),
      code_(compile_expression(expression_, inputs)) {
  for (const std::string& name : expression_.names()) {
    if (const auto slot = inputs.slot(name)) {
      slots_.push_back(*slot);
    }
  }
  std::sort(slots_.begin(), slots_.end());
  if (code_ != nullptr) {
    slots_ = code_->slots; // fewer, where max(p) stands for a constant
  }
}

bool ExpressionProgram::holds(const Cell* cells) const {
  const Outcome outcome = code_ == nullptr ? Outcome::failed : run(*code_, cells);
  return outcome == Outcome::failed ? expression_.evaluate_bool(inputs_->scope(cells))
                                    : outcome == Outcome::yes;
}

std::optional<bool> ExpressionProgram::try_holds(const Cell* cells) const {
  const Outcome outcome = code_ == nullptr ? Outcome::failed : run(*code_, cells);
  if (outcome != Outcome::failed) {
    return outcome == Outcome::yes;
  }
  try {
    return expression_.evaluate_bool(inputs_->scope(cells));
  } catch (const UserError&) {
    return std::nullopt;
  }
}

} // namespace coulomb::kernel
