// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/text.hpp"
#include "calibration/points/sass_assembler.hpp"
#include "calibration/points/sass_program.hpp"
#include "sim/isa/cubin.hpp"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace coulomb::calibration::points {
namespace {

using testing::HasSubstr;
using testing::StrEq;

constexpr const char* kCubins = COULOMB_SOURCE_DIR "/data/cubins/";

/// A folder of program texts, gone at the end of the test.
class Programs {
public:
  Programs()
      : path_(std::filesystem::temp_directory_path() /
              ("points_sass_test_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Programs() { std::filesystem::remove_all(path_); }
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

private:
  std::filesystem::path path_;
};

std::string control_text(const isa::Control& control) {
  const auto counter = [](unsigned c) {
    return c == isa::kNoBarrier ? std::string("-") : std::to_string(c);
  };
  std::string text = fmt::format("S{:02} {} W{} R{} B", control.stall, control.yield ? "Y" : "-",
                                 counter(control.write_barrier), counter(control.read_barrier));
  for (unsigned i = 0; i < 6; ++i) {
    text += (control.wait_mask >> i & 1) != 0 ? std::to_string(i) : "-";
  }
  return text;
}

std::string listed(const SassProgram& program) {
  std::string text;
  for (const auto& instruction : program.code) {
    text += isa::disassemble(instruction) + "\n";
  }
  return text;
}

template <typename Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const UserError& e) {
    return e.what();
  }
  return "no error";
}

TEST(SassAssembler, WritesEveryInstructionOfTheStoredCubinsSoThatItPrintsAgain) {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(kCubins)) {
    if (file.path().extension() != ".cubin") {
      continue;
    }
    for (const auto& kernel : isa::Cubin::load(file.path()).kernels) {
      for (const auto& wanted : kernel.code) {
        const std::string text = isa::disassemble(wanted);
        if (text.find("HFMA2.MMA") != std::string::npos) { // packed-half immediates
          continue;
        }
        const auto found =
            assemble_line(control_text(wanted.control) + "  " + text + " ;", wanted.pc);
        EXPECT_EQ(isa::disassemble(found), text);
        EXPECT_EQ(found.control, wanted.control) << text;
        ++count;
      }
    }
  }
  EXPECT_GT(count, 500U);
}

TEST(SassAssembler, TakesAListingsLineAsItIs) {
  const auto found =
      assemble_line("S04 Y W0 R1 B0----5  /*0010*/  @!P0 LDG.E.64 R4, [R2.64+0x10] ;", 0x10);
  EXPECT_THAT(isa::disassemble(found), StrEq("@!P0 LDG.E.64 R4, [R2.64+0x10]"));
  EXPECT_EQ(found.control, (isa::Control{4, true, 0, 1, 0x21, 0}));
}

TEST(SassAssembler, MarksTheOperandsOfTheReuseCache) {
  const auto found = assemble_line("S01 - W- R- B------  FFMA R1, R2.reuse, R3, R4.reuse", 0);
  EXPECT_EQ(found.control.reuse, 0b101);
}

TEST(SassAssembler, RefusesWhatDoesNotPrintAsItWasWritten) {
  EXPECT_THAT(error_of([] { (void)assemble_line("S01 - W- R- B------  FFMA R1, R2", 0); }),
              StrEq("\"FFMA R1, R2\" is no form of its opcode"));
  EXPECT_THAT(error_of([] { (void)assemble_line("S01 - W- R- B------  FMA R1, R2, R3, R4", 0); }),
              HasSubstr("there is no opcode \"FMA\""));
  EXPECT_THAT(error_of([] { (void)assemble_line("S01 - W- R- B------  FADD R1, R2, R256", 0); }),
              StrEq("\"FADD R1, R2, R256\" is no form of its opcode"));
}

TEST(SassAssembler, NamesTheControlFieldThatIsNone) {
  EXPECT_THAT(error_of([] { (void)parse_control("S16 - W- R- B------"); }),
              StrEq("\"S16\" in \"S16 - W- R- B------\" is no field of the scheduling control"));
  EXPECT_THAT(error_of([] { (void)parse_control("S01 - W6 R- B------"); }), HasSubstr("\"W6\""));
  EXPECT_THAT(error_of([] { (void)parse_control("S01 - W- R- B-0----"); }),
              HasSubstr("\"B-0----\""));
  EXPECT_THAT(error_of([] { (void)parse_control("S01 -"); }),
              StrEq("\"S01 -\" is no scheduling control of 5 fields"));
}

TEST(SassProgram, RepeatsIncludesAndNamesBranchTargets) {
  const Programs files;
  files.write("end.sass", "S05 - W- R- B------  EXIT // done\n");
  const auto path = files.write("p.sass", "// a comment\n"
                                          "LOOP:\n"
                                          "${FIRST}; S01 - W- R- B------ NOP\n"
                                          ".repeat 2 n 16 16\n"
                                          "S02 - W- R- B------  MOV R{n}, {n:x}\n"
                                          ".end\n"
                                          "S05 - W- R- B------  @P0 BRA LOOP\n"
                                          ".include end.sass\n");
  const auto program = load_program(path, {{"FIRST", "S01 - W- R- B------ FADD R4, R5, R6"}});
  EXPECT_THAT(listed(program), StrEq("FADD R4, R5, R6\nNOP\nMOV R16, 0x10\nMOV R32, 0x20\n"
                                     "@P0 BRA 0x0\nEXIT\n"));
  EXPECT_EQ(program.registers, 36U); // the quad that R32 may begin
}

TEST(SassProgram, AnErrorSaysWhichLine) {
  const Programs files;
  const auto fails = [&](const std::string& text) {
    return error_of([&] { (void)load_program(files.write("p.sass", text), {}); });
  };
  EXPECT_THAT(fails("S01 - W- R- B------  NOP\nS01 - W- R- B------  NOPE\n"),
              HasSubstr("p.sass:2: \"NOPE\": there is no opcode \"NOPE\""));
  EXPECT_THAT(fails("\n.repeat 3 n\n"), StrEq("p.sass:2: .repeat without .end"));
  EXPECT_THAT(fails(".end\n"), StrEq("p.sass:1: .end without .repeat"));
  EXPECT_THAT(fails(".repeat many\n.end\n"),
              StrEq("p.sass:1: \".repeat many\": the count of rounds must be from 0 to 16384"));
  EXPECT_THAT(fails("A:\nA:\n"), StrEq("p.sass:2: the label A is there twice"));
  EXPECT_THAT(fails("${STEP}\n"), StrEq("p.sass:1: \"${STEP}\": no value is called \"STEP\""));
  EXPECT_THAT(fails(".include p.sass\n"), HasSubstr("files include each other"));
}

TEST(SassProgram, TakesThePlaceOfAKernelsCode) {
  const Programs files;
  const auto program = load_program(files.write("p.sass", "S03 Y W- R- B------  MOV R2, 0x7\n"
                                                          "S05 - W- R- B------  EXIT\n"),
                                    {});
  const std::string bytes = read_file(std::string(kCubins) + "saxpy-sm_80-0.cubin");
  const std::string placed = place_program(bytes, program);
  ASSERT_EQ(placed.size(), bytes.size());
  const auto cubin = isa::Cubin::parse(
      {reinterpret_cast<const std::uint8_t*>(placed.data()), placed.size()}, "placed");
  const auto& code = cubin.kernels.at(0).code;
  EXPECT_THAT(isa::disassemble(code.at(0)), StrEq("MOV R2, 0x7"));
  EXPECT_EQ(code.at(0).control.stall, 3);
  EXPECT_THAT(isa::disassemble(code.at(1)), StrEq("EXIT"));
  EXPECT_THAT(isa::disassemble(code.back()), StrEq("NOP"));
}

TEST(SassProgram, ThatNeedsMoreThanTheKernelHasIsRefused) {
  const Programs files;
  const auto program =
      load_program(files.write("p.sass", ".repeat 3000\nS01 - W- R- B------  NOP\n.end\n"), {});
  const std::string bytes = read_file(std::string(kCubins) + "saxpy-sm_80-0.cubin");
  EXPECT_THAT(error_of([&] { (void)place_program(bytes, program); }),
              HasSubstr("p.sass: 3000 instructions and 0 registers; the kernel around it has "));
}

} // namespace
} // namespace coulomb::calibration::points
