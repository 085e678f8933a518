// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/cubin.hpp"
#include "sim/isa/encoder.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
#include <zlib.h>

namespace coulomb::isa {
namespace {

struct CorpusWord {
  std::uint32_t pc = 0;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::string text;
};

std::string unzip(const std::string& path) {
  std::string text;
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) {
    return text;
  }
  std::vector<char> buffer(1 << 16);
  for (int count = 0;
       (count = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  gzclose(file);
  return text;
}

/// Lines: architecture, pc, low half, high half, text; tab-separated.
std::vector<CorpusWord> read_corpus() {
  std::istringstream lines(unzip(std::string(COULOMB_SOURCE_DIR) + "/data/sass/corpus.tsv.gz"));
  std::vector<CorpusWord> words;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') {
      continue;
    }
    std::istringstream fields(line);
    std::string architecture;
    CorpusWord word;
    fields >> architecture >> std::hex >> word.pc >> word.low >> word.high;
    std::getline(fields >> std::ws, word.text);
    words.push_back(word);
  }
  return words;
}

TEST(Disassembler, AgreesWithTheReferenceOnEveryWordOfTheCorpus) {
  const std::vector<CorpusWord> words = read_corpus();
  ASSERT_GT(words.size(), 4000u);
  std::size_t equal = 0;
  for (const CorpusWord& word : words) {
    const std::string text = disassemble(decode(word.low, word.high, word.pc, "corpus"));
    EXPECT_EQ(text, word.text);
    equal += text == word.text ? 1 : 0;
  }
  std::cout << equal << " of " << words.size() << " words agree\n";
  EXPECT_EQ(equal, words.size());
}

TEST(Encoder, RebuildsEveryWordOfTheCorpus) {
  for (const CorpusWord& word : read_corpus()) {
    const EncodedWord again = encode(decode(word.low, word.high, word.pc, "corpus"));
    EXPECT_EQ(again, (EncodedWord{word.low, word.high})) << word.text;
  }
}

bool same_operands_present(const Instruction& a, const Instruction& b) {
  for (unsigned i = 0; i < a.operand_count; ++i) {
    if ((a.operands[i].kind == OperandKind::absent) !=
        (b.operands[i].kind == OperandKind::absent)) {
      return false;
    }
  }
  return true;
}

TEST(Encoder, WritesAllFieldsOfOneWordOverAnotherOfTheSameRow) {
  std::map<std::uint16_t, Instruction> previous;
  std::size_t pairs = 0;
  for (const CorpusWord& word : read_corpus()) {
    const Instruction wanted = decode(word.low, word.high, word.pc, "corpus");
    const auto base = previous.find(wanted.row);
    if (base != previous.end() && same_operands_present(base->second, wanted)) {
      Instruction mixed = wanted;
      mixed.low = base->second.low;
      mixed.high = base->second.high;
      const EncodedWord encoded = encode(mixed);
      const Instruction got = decode(encoded.low, encoded.high, word.pc, "corpus");
      EXPECT_EQ(disassemble(got), disassemble(wanted));
      EXPECT_EQ(got.operands, wanted.operands) << word.text;
      EXPECT_EQ(got.modifiers, wanted.modifiers) << word.text;
      EXPECT_EQ(got.control, wanted.control) << word.text;
      ++pairs;
    }
    previous[wanted.row] = wanted;
  }
  EXPECT_GT(pairs, 3000u);
}

} // namespace
} // namespace coulomb::isa
