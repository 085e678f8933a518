// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/line_table.hpp"

#include "base/random.hpp"
#include "base/text.hpp"
#include "sim/isa/cubin.hpp"
#include "sim/isa/elf_reader.hpp"
#include "tests/unit/isa/line_sections.hpp"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace coulomb::isa {
namespace {

using testing::ElementsAre;
using testing::StartsWith;
struct Loaded {
  std::string absent;
  KernelImage kernel;

  [[nodiscard]] std::vector<std::string> places() const {
    std::vector<std::string> all;
    for (std::uint32_t pc = 0; pc < 8 * kInstructionBytes; pc += kInstructionBytes) {
      all.push_back(source_place(kernel, pc));
    }
    return all;
  }
};

Loaded load(const LineSections& lines) {
  const Bytes bytes = cubin_with(lines);
  const LineTable table = LineTable::read(ElfReader(bytes, "k.cubin"));
  Loaded loaded;
  loaded.absent = table.absent();
  loaded.kernel.name = "k";
  table.fill(loaded.kernel);
  return loaded;
}

TEST(LineTable, GivesTheLineOfEachInstruction) {
  LineSections lines;
  lines.start().add(line_by(4)).add(kCopy).add(kNext).add(kNext).add(line_by(-2)).add(kCopy);
  lines.add({242}).add(kEnd); // special opcode: one instruction and three lines on
  const Loaded loaded = load(lines);
  EXPECT_EQ(loaded.absent, "");
  EXPECT_THAT(loaded.places(), ElementsAre("k.cu:5", "k.cu:5", "k.cu:3", "k.cu:6", "", "", "", ""));
  EXPECT_THAT(loaded.kernel.files, ElementsAre("/src/k.cu"));
}

TEST(LineTable, TheLastOfSeveralRowsForOneInstructionCounts) {
  LineSections lines;
  lines.start().add(kCopy).add(line_by(8)).add(kCopy).add(kEnd);
  EXPECT_EQ(load(lines).places()[0], "k.cu:9");
}

TEST(LineTable, LeadsFromAnInlinedFunctionToItsCallers) {
  LineSections lines;
  put_text(lines.names, "_Z5outerf"); // at 1
  put_text(lines.names, "_Z4polyf");  // at 11
  lines.start().add(line_by(8)).add(kCopy).add(kNext);
  lines.add(file(2)).add(inlined(1, 1)).add(line_by(-2)).add(kCopy); // row 2: h.cuh:7
  lines.add(inlined(2, 11)).add(line_by(-4)).add(kCopy).add(kNext);  // row 3: h.cuh:3
  lines.add(file(1)).add(inlined(0, 0)).add(line_by(7)).add(kCopy).add(kEnd);
  const Loaded loaded = load(lines);
  EXPECT_THAT(loaded.places(), ElementsAre("k.cu:9", "h.cuh:3", "k.cu:10", "", "", "", "", ""));
  const std::vector<SourceFrame> frames = source_stack(loaded.kernel, 0x10);
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(frames[0].function, "_Z4polyf");
  EXPECT_EQ(frames[0].file, "/src/inc/h.cuh");
  EXPECT_EQ(frames[0].line, 3U);
  EXPECT_EQ(frames[1].function, "_Z5outerf");
  EXPECT_EQ(frames[1].line, 7U);
  EXPECT_EQ(frames[2].function, "");
  EXPECT_EQ(frames[2].file, "/src/k.cu");
  EXPECT_EQ(frames[2].line, 9U);
  EXPECT_EQ(source_stack(loaded.kernel, 0x20).size(), 1U);
}

TEST(LineTable, AnInlinedCallRefersToRowsOfItsOwnSequence) {
  LineSections lines;
  lines.start().add(line_by(1)).add(kCopy).add(kEnd);
  lines.start().add(line_by(19)).add(kCopy).add(kNext);
  lines.add(inlined(1, 0)).add(line_by(20)).add(kCopy).add(kEnd);
  const Loaded loaded = load(lines);
  const std::vector<SourceFrame> frames = source_stack(loaded.kernel, 0x10);
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[0].line, 40U);
  EXPECT_EQ(frames[0].function, "") << "the name at 0 of .debug_str is empty";
  EXPECT_EQ(frames[1].line, 20U);
}

TEST(LineTable, PassesOverOpcodesThatSayNothingAboutLines) {
  LineSections lines;
  lines.start().add({5, 0x83, 0x01, 6, 7}).add({0, 4, 0x81, 1, 2, 3}).add(line_by(4)).add(kCopy);
  lines.add({9, 16, 0}).add(line_by(1)).add(kCopy).add(kEnd);
  EXPECT_THAT(load(lines).places(), ElementsAre("k.cu:5", "k.cu:6", "", "", "", "", "", ""));
}

TEST(LineTable, IsAbsentWithAReasonWithoutLineInformation) {
  LineSections lines;
  lines.has_table = false;
  const Loaded loaded = load(lines);
  EXPECT_EQ(loaded.absent, "compiled without -lineinfo");
  EXPECT_TRUE(loaded.kernel.lines.empty());
  EXPECT_EQ(source_place(loaded.kernel, 0), "");
  EXPECT_TRUE(source_stack(loaded.kernel, 0).empty());
}

TEST(LineTable, IgnoresASequenceThatNoRelocationTiesToASection) {
  LineSections lines;
  lines.start().add(kCopy).add(kEnd);
  lines.program_starts.clear();
  EXPECT_EQ(load(lines).absent, ".debug_line has no lines of a code section");
}

TEST(LineTable, SaysWhyADamagedTableIsIgnored) {
  struct Case {
    std::string reason;
    std::function<void(LineSections&)> damage;
  };
  const std::vector<Case> cases = {
      {"DWARF version 5 (2 to 4 are read)", [](LineSections& l) { l.version = 5; }},
      {"file 3 of 2 is referred to", [](LineSections& l) { l.add(file(3)).add(kCopy); }},
      {"line -3", [](LineSections& l) { l.add(line_by(-4)).add(kCopy); }},
      {"an inlined call from row 2 of 1", [](LineSections& l) { l.add(kCopy).add(inlined(2, 0)); }},
      {"a row ends at 0x90; it begins at 0x0 of 0x80 bytes of .text.k",
       [](LineSections& l) {
         l.add(kCopy).add({2, 0x80, 1}).add(kEnd);
       }},
      {"200 bytes are needed",
       [](LineSections& l) {
         l.add({0, 0xc8, 1, 0x80});
       }},
      {"a number of more than 64 bits",
       [](LineSections& l) {
         l.add({2});
         l.add(Bytes(11, 0xff));
       }},
  };
  for (const Case& c : cases) {
    LineSections lines;
    lines.start();
    c.damage(lines);
    const Loaded loaded = load(lines);
    EXPECT_THAT(loaded.absent, StartsWith("k.cubin: .debug_line at ")) << c.reason;
    EXPECT_THAT(loaded.absent, testing::HasSubstr(c.reason));
    EXPECT_THAT(loaded.absent, testing::EndsWith("; the file is damaged")) << c.reason;
    EXPECT_TRUE(loaded.kernel.lines.empty());
  }
}

TEST(LineTable, NeverCrashesOnDamagedBytes) {
  LineSections lines;
  put_text(lines.names, "_Z4polyf");
  for (int sequence = 0; sequence < 4; ++sequence) {
    lines.start().add(line_by(8)).add(kCopy).add(kNext);
    lines.add(file(2)).add(inlined(1, 1)).add(line_by(-2)).add(kCopy).add(kEnd);
  }
  std::uint64_t program_offset = 0;
  const Bytes table = lines.table(program_offset);
  const Bytes whole = cubin_with(lines);
  const auto at = std::search(whole.begin(), whole.end(), table.begin(), table.end());
  ASSERT_NE(at, whole.end());
  const auto start = static_cast<std::size_t>(at - whole.begin());
  RandomStream random(1, "flip bytes of a line table");
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    Bytes bytes = whole;
    for (int flip = 0; flip < 3; ++flip) {
      bytes[start + random.below(table.size())] = static_cast<std::uint8_t>(random.next());
    }
    const LineTable read = LineTable::read(ElfReader(bytes, "k.cubin"));
    KernelImage kernel;
    kernel.name = "k";
    read.fill(kernel);
    for (std::uint32_t pc = 0; pc < 16 * kInstructionBytes; pc += kInstructionBytes) {
      static_cast<void>(source_stack(kernel, pc));
    }
    refused += read.absent().empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 1000);
}

TEST(LineTable, OfACubinWithoutOneLeavesTheCodeAlone) {
  const Cubin cubin =
      Cubin::load(std::string(COULOMB_SOURCE_DIR) + "/tests/unit/isa/cubins/features_sm80.cubin");
  EXPECT_EQ(cubin.no_lines, "compiled without -lineinfo");
  EXPECT_EQ(source_place(cubin.kernels.front(), 0), "");
}

} // namespace
} // namespace coulomb::isa
