// SPDX-License-Identifier: Apache-2.0
#include "calibration/points/sass_program.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "calibration/points/sass_assembler.hpp"
#include "calibration/points/substitution.hpp"
#include "sim/isa/cubin.hpp"
#include "sim/isa/elf_reader.hpp"
#include "sim/isa/encoder.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace coulomb::calibration::points {
namespace {

using Values = std::map<std::string, std::string>;

constexpr std::uint64_t kMaxRounds = 1 << 14;
constexpr int kMaxNesting = 8;
/// The widest operand is a quad of registers, of which the text names the first.
constexpr unsigned kWidestOperand = 4;
constexpr std::string_view kRepeat = ".repeat";
constexpr const char* kNothing = "S01 - W- R- B------  NOP";

struct Line {
  std::string text;
  std::string where; ///< FILE:LINE
};

[[noreturn]] void fail(const Line& line, const std::string& what, const std::string& hint = {}) {
  throw UserError(fmt::format("{}: {}", line.where, what), hint);
}

std::string trimmed(std::string text) {
  text = text.substr(0, text.find("//"));
  const auto first = text.find_first_not_of(" \t\r");
  return first == std::string::npos
             ? ""
             : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<Line> read_lines(const std::string& path, const Values& values, int depth) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  std::istringstream text(read_file(path));
  std::vector<Line> lines;
  int number = 0;
  for (std::string row; std::getline(text, row);) {
    Line line{trimmed(row), fmt::format("{}:{}", name, ++number)};
    try {
      line.text = substitute(line.text, values);
    } catch (const UserError& e) {
      fail(line, e.what());
    }
    if (line.text.starts_with(".include ")) {
      if (depth == kMaxNesting) {
        fail(line, "files include each other");
      }
      const auto inner =
          read_lines(path.substr(0, path.find_last_of('/') + 1) + trimmed(line.text.substr(9)),
                     values, depth + 1);
      lines.insert(lines.end(), inner.begin(), inner.end());
    } else {
      std::istringstream parts(line.text);
      for (std::string part; std::getline(parts, part, ';');) {
        if (part = trimmed(part); !part.empty()) {
          lines.push_back({part, line.where});
        }
      }
    }
  }
  return lines;
}

std::size_t end_of_repeat(const std::vector<Line>& lines, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < lines.size(); ++i) {
    depth += lines[i].text.starts_with(kRepeat) ? 1 : lines[i].text == ".end" ? -1 : 0;
    if (depth == 0) {
      return i;
    }
  }
  fail(lines[begin], ".repeat without .end");
}

/// What follows ".repeat".
struct Rounds {
  std::uint64_t count = 0;
  std::string name;
  std::uint64_t first = 1;
  std::uint64_t step = 1;
};

Rounds parse_rounds(const Line& line) {
  std::istringstream words(line.text.substr(kRepeat.size()));
  Rounds rounds;
  if (!(words >> rounds.count) || rounds.count > kMaxRounds) {
    fail(line,
         fmt::format("\"{}\": the count of rounds must be from 0 to {}", line.text, kMaxRounds));
  }
  words >> rounds.name;
  for (std::uint64_t* number : {&rounds.first, &rounds.step}) {
    if (std::uint64_t given = 0; words >> given) {
      *number = given;
    }
  }
  return rounds;
}

std::vector<Line> repeat(const std::vector<Line>& lines) {
  std::vector<Line> result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].text == ".end") {
      fail(lines[i], ".end without .repeat");
    }
    if (!lines[i].text.starts_with(kRepeat)) {
      result.push_back(lines[i]);
      continue;
    }
    const std::size_t end = end_of_repeat(lines, i);
    const Rounds rounds = parse_rounds(lines[i]);
    for (std::uint64_t round = 0; round < rounds.count; ++round) {
      const std::uint64_t number = rounds.first + round * rounds.step;
      std::vector<Line> body(lines.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                             lines.begin() + static_cast<std::ptrdiff_t>(end));
      for (Line& line : body) {
        line.text =
            replace_all(line.text, fmt::format("{{{}}}", rounds.name), fmt::format("{}", number));
        line.text = replace_all(line.text, fmt::format("{{{}:x}}", rounds.name),
                                fmt::format("{:#x}", number));
      }
      const auto inner = repeat(body);
      result.insert(result.end(), inner.begin(), inner.end());
    }
    i = end;
  }
  return result;
}

/// Takes the labels out; offsets are those of the instruction behind each.
Values take_labels(std::vector<Line>& lines) {
  Values labels;
  std::vector<Line> instructions;
  for (const Line& line : lines) {
    if (!line.text.ends_with(':')) {
      instructions.push_back(line);
      continue;
    }
    const std::string name = line.text.substr(0, line.text.size() - 1);
    const std::size_t offset = instructions.size() * isa::kInstructionBytes;
    if (!labels.emplace(name, fmt::format("{:#x}", offset)).second) {
      fail(line, fmt::format("the label {} is there twice", name));
    }
  }
  lines = std::move(instructions);
  return labels;
}

/// A branch's last word may be a label.
std::string resolve(const std::string& text, const Values& labels) {
  const std::size_t blank = text.find_last_of(' ');
  const auto found =
      labels.find(blank == std::string::npos ? std::string{} : text.substr(blank + 1));
  return found == labels.end() ? text : text.substr(0, blank + 1) + found->second;
}

unsigned registers_of(const isa::Instruction& instruction) {
  unsigned registers = 0;
  for (unsigned i = 0; i < instruction.operand_count; ++i) {
    const isa::Operand& o = instruction.operands[i];
    const bool general = o.kind == isa::OperandKind::reg || o.kind == isa::OperandKind::memory ||
                         o.kind == isa::OperandKind::constant_indexed;
    if (general && o.index != isa::kRegisterZero) {
      registers = std::max(registers, o.index + kWidestOperand);
    }
  }
  return registers;
}

} // namespace

SassProgram load_program(const std::string& path, const Values& values) {
  std::vector<Line> lines = repeat(read_lines(path, values, 0));
  const Values labels = take_labels(lines);
  SassProgram program;
  program.origin = path;
  for (const Line& line : lines) {
    const auto pc = static_cast<std::uint32_t>(program.code.size()) * isa::kInstructionBytes;
    try {
      program.code.push_back(assemble_line(resolve(line.text, labels), pc));
    } catch (const UserError& e) {
      fail(line, e.what(), e.hint());
    }
    program.registers = std::max(program.registers, registers_of(program.code.back()));
  }
  return program;
}

std::string place_program(const std::string& bytes, const SassProgram& program) {
  const std::span<const std::uint8_t> view(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                           bytes.size());
  const isa::Cubin cubin = isa::Cubin::parse(view, program.origin);
  if (cubin.kernels.size() != 1) {
    throw UserError(fmt::format("{}: the cubin around it has {} kernels; allowed: one",
                                program.origin, cubin.kernels.size()));
  }
  const isa::KernelImage& kernel = cubin.kernels.front();
  if (program.code.size() > kernel.code.size() || program.registers > kernel.registers) {
    throw UserError(
        fmt::format("{}: {} instructions and {} registers; the kernel around it has {} and {}",
                    program.origin, program.code.size(), program.registers, kernel.code.size(),
                    kernel.registers),
        "raise ROOM or LIVE of its template");
  }
  const isa::ElfReader elf(view, program.origin);
  const auto offset =
      static_cast<std::size_t>(elf.find_section(".text." + kernel.name)->data.data() - view.data());
  const isa::Instruction nothing = assemble_line(kNothing, 0);
  std::string result = bytes;
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const isa::Instruction& instruction = i < program.code.size() ? program.code[i] : nothing;
    const std::array<std::uint64_t, 2> word{instruction.low, instruction.high};
    std::memcpy(result.data() + offset + i * isa::kInstructionBytes, word.data(), sizeof word);
  }
  return result;
}

} // namespace coulomb::calibration::points
