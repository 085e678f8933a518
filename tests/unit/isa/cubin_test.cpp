// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/text.hpp"
#include "sim/isa/cubin.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::isa {
namespace {

// The cubins are made from the .cu files beside them; tests/unit/isa/cubins/README.md says how.
std::string cubin_path(const std::string& name) {
  return std::string(COULOMB_SOURCE_DIR) + "/tests/unit/isa/cubins/" + name;
}

class FeatureCubin : public ::testing::TestWithParam<std::uint32_t> {
protected:
  [[nodiscard]] static Cubin load() {
    return Cubin::load(cubin_path("features_sm" + std::to_string(GetParam()) + ".cubin"));
  }
};

INSTANTIATE_TEST_SUITE_P(BothArchitectures, FeatureCubin, ::testing::Values(80u, 86u));

const ModuleSymbol& find(const std::vector<ModuleSymbol>& symbols, const std::string& name) {
  const auto found = std::find_if(symbols.begin(), symbols.end(),
                                  [&](const ModuleSymbol& symbol) { return symbol.name == name; });
  if (found == symbols.end()) {
    throw InternalError("no symbol " + name);
  }
  return *found;
}

TEST_P(FeatureCubin, KnowsItsArchitectureAndKernels) {
  const Cubin cubin = load();
  EXPECT_EQ(cubin.architecture, GetParam());
  EXPECT_EQ(cubin.kernels.size(), 10u);
  EXPECT_TRUE(cubin.unsupported_kernels.empty());
}

TEST_P(FeatureCubin, ReadsParametersInDeclarationOrder) {
  const Cubin cubin = load();
  const KernelImage& axpy = cubin.kernel("axpy");
  EXPECT_EQ(axpy.parameter_base, 0x160u);
  EXPECT_EQ(axpy.parameter_bytes, 29u);
  ASSERT_EQ(axpy.parameters.size(), 5u);
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected{
      {0, 4}, {8, 8}, {16, 8}, {24, 4}, {28, 1}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(axpy.parameters[i].offset, expected[i].first);
    EXPECT_EQ(axpy.parameters[i].size, expected[i].second);
  }
  EXPECT_EQ(axpy.constant0.size(), 0x160u + 29u);
  EXPECT_TRUE(std::all_of(axpy.constant0.begin(), axpy.constant0.end(),
                          [](std::uint8_t b) { return b == 0; }));
}

TEST_P(FeatureCubin, ReadsLaunchBoundsRegistersAndBarriers) {
  const Cubin cubin = load();
  EXPECT_EQ(cubin.kernel("axpy").max_threads, 128u);
  EXPECT_EQ(cubin.kernel("choose").max_threads, 0u);
  EXPECT_EQ(cubin.kernel("axpy").registers, 10u);
  EXPECT_EQ(cubin.kernel("axpy").barriers, 0u);
  EXPECT_EQ(cubin.kernel("reverse_tile").barriers, 1u);
  EXPECT_EQ(cubin.kernel("two_barriers").barriers, 5u);
}

TEST_P(FeatureCubin, ReadsSharedAndLocalSizes) {
  const Cubin cubin = load();
  EXPECT_EQ(cubin.kernel("reverse_tile").static_shared_bytes, 1024u);
  EXPECT_EQ(cubin.kernel("axpy").static_shared_bytes, 0u);
  EXPECT_EQ(cubin.kernel("local_array").local_bytes, 128u);
  EXPECT_EQ(cubin.kernel("axpy").local_bytes, 0u);
}

TEST_P(FeatureCubin, ReadsTheConstantVariables) {
  const Cubin cubin = load();
  ASSERT_EQ(cubin.constant3.size(), 64u);
  const ModuleSymbol& weights = find(cubin.constant_symbols, "weights");
  EXPECT_EQ(weights.size, 48u);
  EXPECT_EQ(weights.section, ".nv.constant3");
  EXPECT_EQ(find(cubin.constant_symbols, "limits").size, 16u);
  const std::vector<std::uint8_t> half{0, 0, 0, 0x3f};
  EXPECT_TRUE(std::equal(half.begin(), half.end(),
                         cubin.constant3.begin() + static_cast<long>(weights.offset)));
}

TEST_P(FeatureCubin, ReadsTheCompilersConstants) {
  const Cubin cubin = load();
  EXPECT_EQ(cubin.kernel("axpy").constant2.size(), 0u);
  EXPECT_EQ(cubin.kernel("scale_double").constant2.size(), 8u);
}

TEST_P(FeatureCubin, LaysInitialisedGlobalsBeforeZeroOnes) {
  const Cubin cubin = load();
  ASSERT_EQ(cubin.global_image.size(), 28u);
  const ModuleSymbol& counter = find(cubin.global_symbols, "counter");
  EXPECT_EQ(counter.offset, 24u);
  EXPECT_EQ(counter.size, 4u);
  EXPECT_EQ(counter.section, ".nv.global");
  const ModuleSymbol& table = find(cubin.global_symbols, "table");
  EXPECT_EQ(table.size, 16u);
  const std::vector<std::uint8_t> one{0, 0, 0x80, 0x3f};
  EXPECT_TRUE(std::equal(one.begin(), one.end(),
                         cubin.global_image.begin() + static_cast<long>(table.offset)));
}

TEST_P(FeatureCubin, RelocatesAddressesOfGlobals) {
  const Cubin cubin = load();
  EXPECT_EQ(cubin.constant4.size(), 24u);
  std::vector<std::uint64_t> targets;
  for (const AddressRelocation& relocation : cubin.constant4_relocations) {
    EXPECT_LE(relocation.offset + 8, cubin.constant4.size());
    targets.push_back(relocation.global_offset);
  }
  const std::uint64_t table = find(cubin.global_symbols, "table").offset;
  const std::uint64_t pointer = find(cubin.global_symbols, "table_pointer").offset;
  EXPECT_THAT(targets, ::testing::UnorderedElementsAre(24u, table, pointer));
  ASSERT_EQ(cubin.global_relocations.size(), 1u);
  EXPECT_EQ(cubin.global_relocations[0].offset, pointer);
  EXPECT_EQ(cubin.global_relocations[0].global_offset, table + 8) << "table + 2 floats";
}

TEST_P(FeatureCubin, ListsTheTargetsOfSwitchTables) {
  const Cubin cubin = load();
  const KernelImage& choose = cubin.kernel("choose");
  std::size_t branches = 0;
  for (const Instruction& instruction : choose.code) {
    if (instruction.opcode == Opcode::BRX) {
      ASSERT_TRUE(choose.indirect_targets.contains(instruction.pc));
      EXPECT_GE(choose.indirect_targets.at(instruction.pc).size(), 2u);
      EXPECT_EQ(instruction.operands[2].value, 0) << "the jump table holds section offsets";
      ++branches;
    }
  }
  EXPECT_EQ(choose.indirect_targets.size(), branches);
  EXPECT_EQ(branches, 3u);
}

TEST_P(FeatureCubin, DecodesTheWholeSection) {
  const Cubin cubin = load();
  for (const KernelImage& kernel : cubin.kernels) {
    ASSERT_FALSE(kernel.code.empty());
    EXPECT_EQ(kernel.code.size() % 8, 0u) << "padded to 128 bytes";
    for (std::size_t i = 0; i < kernel.code.size(); ++i) {
      EXPECT_EQ(kernel.code[i].pc, i * kInstructionBytes);
    }
  }
  const std::string first = disassemble(cubin.kernel("axpy").code[0]);
  EXPECT_THAT(first, ::testing::EndsWith("c[0x0][0x28]"))
      << "every kernel begins by loading the stack pointer";
}

TEST_P(FeatureCubin, FindsAKernelByItsPlainName) {
  const Cubin cubin = load();
  EXPECT_EQ(cubin.kernel("lonely").name, "_Z6lonelyPi");
  EXPECT_EQ(cubin.kernel("_Z6lonelyPi").name, "_Z6lonelyPi");
}

template <typename Failure>
std::string message_of(const Cubin& cubin, const std::string& name) {
  try {
    static_cast<void>(cubin.kernel(name));
  } catch (const Failure& error) {
    return error.what();
  }
  return "found";
}

TEST(Cubin, ListsTheInstancesThatAPlainNameFits) {
  const Cubin cubin = Cubin::load(cubin_path("features_sm80.cubin"));
  EXPECT_EQ(message_of<UserError>(cubin, "fill"),
            "kernel name fill fits 2 kernels: _Z4fillIdEvPT_S0_, _Z4fillIiEvPT_S0_");
}

TEST(Cubin, ListsTheKernelsWhenANameIsUnknown) {
  const Cubin cubin = Cubin::load(cubin_path("unsupported_sm80.cubin"));
  EXPECT_EQ(message_of<UserError>(cubin, "plane"),
            "no kernel plane in the module (did you mean \"plain\"?); it has: plain");
}

TEST(Cubin, KeepsTheKernelsThatDecodeAndSaysWhyOthersDoNot) {
  const Cubin cubin = Cubin::load(cubin_path("unsupported_sm80.cubin"));
  ASSERT_EQ(cubin.kernels.size(), 1u);
  EXPECT_EQ(cubin.kernels[0].name, "plain");
  const std::string message = message_of<UnsupportedError>(cubin, "textured");
  EXPECT_EQ(message.substr(0, message.find(" (word")),
            "kernel textured, pc 0x20: unknown opcode 0xb66");
}

TEST(Cubin, NamesTheFunctionsThatAKernelCallsOutsideTheModule) {
  const Cubin cubin = Cubin::load(cubin_path("printing_sm80.cubin"));
  ASSERT_EQ(cubin.kernels.size(), 1u);
  EXPECT_EQ(cubin.kernels[0].external_calls, std::vector<std::string>{"vprintf"});
  const auto linked =
      std::find_if(cubin.constant4_relocations.begin(), cubin.constant4_relocations.end(),
                   [](const AddressRelocation& r) { return r.external == "vprintf"; });
  EXPECT_NE(linked, cubin.constant4_relocations.end());
}

TEST(Cubin, ThrowsWhenNoKernelDecodes) {
  std::string bytes = read_file(cubin_path("printing_sm80.cubin"));
  const std::size_t at = bytes.find("\x4e\x73"); // LEPC R2
  ASSERT_NE(at, std::string::npos);
  bytes[at] = '\x66'; // 0xb66: a texture instruction
  bytes[at + 1] = '\x7b';
  try {
    static_cast<void>(
        Cubin::parse({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "test"));
    FAIL() << "loaded";
  } catch (const UnsupportedError& error) {
    EXPECT_THAT(error.what(),
                ::testing::StartsWith("kernel printing, pc 0xe0: unknown opcode 0xb66"));
  }
}

} // namespace
} // namespace coulomb::isa
