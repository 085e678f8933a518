// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/opcode_doc.hpp"

#include "base/error.hpp"
#include "sim/functional/lowering.hpp"
#include "sim/isa/cubin.hpp"
#include "tests/kernels/kernel_case.hpp"
#include "tests/kernels/kernel_runner.hpp"

#include <sstream>
#include <vector>
#include <zlib.h>

namespace coulomb::kernels_test {
namespace {

/// One opcode's forms: mnemonic with all modifiers.
struct OpcodeLine {
  std::set<std::string> forms;
  std::set<std::string> refused; ///< forms of which the lowering refuses a word
  unsigned words = 0;
};

std::string unzipped(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) {
    throw UserError("cannot read " + path);
  }
  std::string text;
  std::vector<char> buffer(1 << 16);
  for (int count = 0;
       (count = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  gzclose(file);
  return text;
}

/// "@!P0 IMAD.WIDE R4, R7" -> "IMAD.WIDE".
std::string form_of(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  if (word.starts_with('@')) {
    words >> word;
  }
  return word;
}

std::map<std::string, OpcodeLine> corpus_lines() {
  std::map<std::string, OpcodeLine> lines;
  for (int i = 0; i < isa::kOpcodeCount; ++i) {
    lines[std::string(isa::opcode_name(static_cast<isa::Opcode>(i)))];
  }
  std::istringstream corpus(unzipped(std::string(COULOMB_SOURCE_DIR) + "/data/sass/corpus.tsv.gz"));
  functional::RowPool pool;
  for (std::string line; std::getline(corpus, line);) {
    if (line.empty() || line.front() == '#') {
      continue;
    }
    std::istringstream fields(line);
    std::string architecture;
    std::uint32_t pc = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::string text;
    fields >> architecture >> std::hex >> pc >> low >> high;
    std::getline(fields >> std::ws, text);
    const isa::Instruction instruction = isa::decode(low, high, pc, "corpus");
    OpcodeLine& entry = lines[std::string(isa::opcode_name(instruction.opcode))];
    const std::string form = form_of(text);
    entry.forms.insert(form);
    ++entry.words;
    functional::MicroOp op;
    if (!functional::lower(instruction, pool, op)) {
      entry.refused.insert(form);
    }
  }
  return lines;
}

std::string modelled(const OpcodeLine& line) {
  if (line.forms.empty()) {
    return "no word in the corpus";
  }
  if (line.refused.empty()) {
    return "yes";
  }
  std::string text = line.refused.size() == line.forms.size() ? "no:" : "not:";
  for (const std::string& form : line.refused) {
    text += " `" + form + "`";
  }
  return text;
}

std::string proofs(const std::set<std::string>& kernels) {
  constexpr std::size_t kShown = 3;
  std::string text;
  std::size_t shown = 0;
  for (const std::string& kernel : kernels) {
    if (shown++ == kShown) {
      return text + fmt::format(" and {} more", kernels.size() - kShown);
    }
    text += (text.empty() ? "" : ", ") + kernel;
  }
  return text.empty() ? "-" : text;
}

/// Notes which opcodes a kernel executes.
class OpcodesSeen : public functional::Monitor {
public:
  OpcodesSeen(ExecutedOpcodes& executed, std::string kernel)
      : executed_(executed), kernel_(std::move(kernel)) {}
  [[nodiscard]] std::vector<std::uint8_t> watched(const isa::KernelImage& image) override {
    code_ = &image.code;
    return Monitor::watched(image);
  }
  void after(std::uint32_t pc,
             const functional::WarpState&,
             const functional::CtaState&,
             const functional::StepResult&) override {
    const auto& instruction = (*code_)[pc / isa::kInstructionBytes];
    executed_[std::string(isa::opcode_name(instruction.opcode))].insert(kernel_);
  }

private:
  ExecutedOpcodes& executed_;
  std::string kernel_;
  const std::vector<isa::Instruction>* code_ = nullptr;
};

} // namespace

ExecutedOpcodes executed_opcodes() {
  ExecutedOpcodes executed;
  for (const KernelCase& row : all_cases()) {
    if (row.refused != nullptr) {
      continue;
    }
    for (const char* architecture : {"sm_80", "sm_86"}) {
      Problem problem;
      row.oracle(problem);
      const auto watch = [&](const auto&, const auto&) {
        return std::make_unique<OpcodesSeen>(executed, row.entry);
      };
      static_cast<void>(run_and_compare({compiled(row.file, architecture), row.entry, row.grid,
                                         row.block, row.dynamic_shared_bytes},
                                        problem, watch));
    }
  }
  return executed;
}

std::string opcode_doc(const ExecutedOpcodes& executed) {
  const auto lines = corpus_lines();
  unsigned words = 0;
  std::size_t forms = 0;
  std::size_t refused = 0;
  std::string table;
  for (const auto& [opcode, line] : lines) {
    words += line.words;
    forms += line.forms.size();
    refused += line.refused.size();
    const auto found = executed.find(opcode);
    table += fmt::format("| `{}` | {} | {} | {} |\n", opcode, line.forms.size(), modelled(line),
                         proofs(found == executed.end() ? std::set<std::string>() : found->second));
  }
  return fmt::format(
      "# Instructions\n\n"
      "Made by `scripts/generate_opcode_doc.sh BUILD_DIR`; a test keeps it true. Do not edit.\n\n"
      "Forms are mnemonics with all their modifiers as the {} words of `data/sass/corpus.tsv.gz` "
      "show "
      "them: {} forms of {} opcodes.\nA form is modelled if the executor's lowering accepts every "
      "word of it: {} of {}. A kernel that runs into another form\nends with status `unsupported`, "
      "which names kernel, pc and instruction.\n\n"
      "The last column names kernels of `tests/kernels` that execute the opcode and whose every "
      "output element is\ncompared with an oracle on the CPU, for sm_80 or sm_86.\n\n"
      "| opcode | forms | modelled | proved by |\n| --- | ---: | --- | --- |\n{}",
      words, forms, lines.size(), forms - refused, forms, table);
}

std::string without_proofs(const std::string& document) {
  std::istringstream lines(document);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| `")) {
      line.resize(line.rfind(" | ", line.size() - 3));
    }
    out += line + "\n";
  }
  return out;
}

} // namespace coulomb::kernels_test
