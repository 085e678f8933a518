// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/cli/specs.hpp"

#include "base/text.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::StartsWith;
using Json = nlohmann::json;

const std::string kStoredCubin = COULOMB_SOURCE_DIR "/data/cubins/saxpy-sm_80-0.cubin";

std::string output_of(const Workplace& workplace, const std::vector<std::string>& args) {
  const Result result = run(workplace, args);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return result.out;
}

TEST(Help, ListsEveryCommandAndTheExitCodes) {
  const Workplace workplace;
  const std::string help = output_of(workplace, {"--help"});
  for (const char* command : {"run", "disasm", "kernels", "gpus", "config", "search", "validate"}) {
    EXPECT_THAT(help, HasSubstr(fmt::format(" {} ", command))) << command;
  }
  EXPECT_THAT(help, HasSubstr("0 fine, 1 a gate failed, 2 input, 3 environment"));
  EXPECT_EQ(output_of(workplace, {"help"}), help);
}

TEST(Help, IsPrintedWithExitCodeTwoWithoutACommand) {
  const Workplace workplace;
  const Result result = run(workplace, {});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, output_of(workplace, {"--help"}));
}

TEST(Help, OfEveryCommandSaysHowToUseIt) {
  const Workplace workplace;
  for (const char* command : {"run", "disasm", "kernels", "gpus", "config", "search", "validate"}) {
    EXPECT_THAT(output_of(workplace, {command, "--help"}),
                StartsWith(fmt::format("usage: coulomb {}", command)));
    EXPECT_EQ(output_of(workplace, {"help", command}), output_of(workplace, {command, "--help"}));
  }
}

TEST(Version, IsTheProjects) {
  const Workplace workplace;
  EXPECT_EQ(output_of(workplace, {"--version"}), "coulomb " COULOMB_VERSION "\n");
}

TEST(Gpus, AreListedWithTheSourcesOfTheirNumbers) {
  const Workplace workplace;
  const std::string text = output_of(workplace, {"gpus"});
  for (const char* id :
       {"a100-80gb-pcie", "a100-pcie-40gb", "a100-sxm4-40gb", "a100-sxm4-80gb", "a40", "rtx-3060",
        "rtx-3070", "rtx-3080", "rtx-3090", "rtx-a4000", "rtx-a6000"}) {
    EXPECT_THAT(text, HasSubstr(id));
  }
  const Json gpus = Json::parse(output_of(workplace, {"gpus", "--json"}))["gpus"];
  ASSERT_EQ(gpus.size(), 11U);
  for (const auto& gpu : gpus) {
    EXPECT_THAT(keys(gpu), IsSupersetOf({"id", "product", "chip", "architecture", "sms",
                                         "sm_clock_mhz", "l2_bytes", "memory_gbps", "parameters"}));
    EXPECT_GT(gpu["parameters"]["whitepaper"], 0);
  }
  EXPECT_EQ(gpus[1]["id"], "a100-pcie-40gb");
  EXPECT_EQ(gpus[1]["sms"], 108);
  EXPECT_EQ(gpus[1]["l2_bytes"], 40 << 20);
}

TEST(Kernels, AreListedWithTheSizeOfTheirSpaces) {
  const Workplace workplace;
  EXPECT_THAT(output_of(workplace, {"kernels"}), HasSubstr("convolution"));
  const Json kernels = Json::parse(output_of(workplace, {"kernels", "--json"}))["kernels"];
  std::map<std::string, int> sizes;
  for (const auto& kernel : kernels) {
    sizes[kernel["name"]] = kernel["valid_configurations"];
  }
  EXPECT_EQ(sizes["convolution"], 4362) << "as many as the rows of its recorded table";
  EXPECT_EQ(sizes["convolution_bat"], 6768);
  EXPECT_EQ(sizes["dedispersion"], 11130);
  EXPECT_EQ(sizes["saxpy"], 72);
}

TEST(Kernels, ShowOneOfThem) {
  const Workplace workplace;
  const std::string text = output_of(workplace, {"kernels", "show", "saxpy"});
  EXPECT_THAT(text, HasSubstr("block_size"));
  EXPECT_THAT(text, HasSubstr("elements_per_thread % vector_width == 0"));
  const Json j = Json::parse(output_of(workplace, {"kernels", "show", "saxpy", "--json"}));
  EXPECT_EQ(j["kernel_name"], "saxpy_kernel");
  EXPECT_EQ(j["default_launch"]["grid"], Json({16384, 1, 1}));
}

TEST(Config, ExplainsANumberAndItsSource) {
  const Workplace workplace;
  const std::string text =
      output_of(workplace, {"config", "explain", "sm.l1.size", "--gpu", "a100-pcie-40gb"});
  EXPECT_THAT(text, HasSubstr("L1 data cache and shared memory together, per SM"));
  EXPECT_THAT(text, HasSubstr("192 KiB"));
  EXPECT_THAT(text, HasSubstr("whitepaper: NVIDIA A100"));
  const Json j = Json::parse(output_of(
      workplace, {"config", "explain", "sm.l1.size", "--gpu", "a100-pcie-40gb", "--json"}));
  EXPECT_EQ(j["unit"], "bytes");
  ASSERT_EQ(j["values"].size(), 1U);
  EXPECT_EQ(j["values"][0]["value"], 196'608);
  EXPECT_EQ(j["values"][0]["provenance"]["kind"], "whitepaper");
}

TEST(Config, ExplainRefusesAnUnknownKey) {
  const Workplace workplace;
  const Result result = run(workplace, {"config", "explain", "sm.l1.sise"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("(did you mean \"sm.l1.size\"?)"));
}

TEST(Disasm, OfAStoredCubinIsSass) {
  const Workplace workplace;
  const std::string text = output_of(workplace, {"disasm", "--plain", kStoredCubin});
  EXPECT_THAT(text, StartsWith("// kernel saxpy_kernel   sm_80   18 registers   "));
  EXPECT_THAT(text, HasSubstr("\nMOV R1, c[0x0][0x28] ;\n"));
  EXPECT_THAT(text, HasSubstr("\nLDG.E.128 R8, [R2.64] ;\n"));
  EXPECT_THAT(text, HasSubstr("\nEXIT ;\n"));
}

TEST(Disasm, ShowsAddressesAndControlBitsUnlessPlain) {
  const Workplace workplace;
  const std::string text = output_of(workplace, {"disasm", kStoredCubin});
  EXPECT_THAT(text, HasSubstr("/*0000*/  MOV R1, c[0x0][0x28] ;\n"));
}

TEST(Disasm, OfACubinOfAnotherArchitectureIsRefused) {
  const Workplace workplace;
  std::string cubin = read_file(kStoredCubin);
  constexpr std::size_t kArchitecture = 49; // in e_flags of the ELF header of CUDA 13 and later
  ASSERT_EQ(cubin[kArchitecture], 80);
  cubin[kArchitecture] = 90;
  workplace.write("sm_90.cubin", cubin);
  const Result result = run(workplace, {"disasm", "sm_90.cubin"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("is built for sm_90; the simulator decodes sm_80 and sm_86\n"
                                    "  compile again with -arch=sm_80 or -arch=sm_86\n"));
}

TEST(Disasm, OfADamagedCubinSaysSo) {
  const Workplace workplace;
  workplace.write("half.cubin", read_file(kStoredCubin).substr(0, 500));
  const Result result = run(workplace, {"disasm", "half.cubin"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("half.cubin"));
}

TEST(Disasm, RefusesAFileOfAnotherKind) {
  const Workplace workplace;
  workplace.write("k.txt", "");
  const Result result = run(workplace, {"disasm", "k.txt"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "error: disasm: k.txt is no .cubin, .fatbin or .cu file\n"
                        "  usage: coulomb disasm FILE.cu|FILE.cubin|FILE.fatbin\n");
}

} // namespace
} // namespace coulomb::e2e
