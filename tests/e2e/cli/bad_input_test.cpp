// SPDX-License-Identifier: Apache-2.0
// Mistakes of the user: exit code 2, with and without --json, and a text that says what, where, and
// what would be right.
#include "tests/e2e/cli/specs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

/// Runs it twice, for people and for machines, and asserts that both say the same.
std::string input_error(const Workplace& workplace, Strings args) {
  const Result text = run(workplace, args);
  EXPECT_EQ(text.exit_code, 2) << text.err;
  EXPECT_EQ(text.out, "");
  args.emplace_back("--json");
  const Result machine = run(workplace, args);
  EXPECT_EQ(machine.exit_code, 2);
  EXPECT_EQ(machine.err, "");
  Json error = error_of(machine, "input");
  std::string expected = "error: " + error.value("message", "") + "\n";
  if (const std::string hint = error.value("hint", ""); !hint.empty()) {
    expected += "  " + hint + "\n";
  }
  EXPECT_EQ(text.err, expected);
  return text.err;
}

class BadInput : public testing::Test {
protected:
  void SetUp() override { write_small_saxpy(workplace); }

  [[nodiscard]] std::string run_error(const std::string& spec, const Strings& more = {}) const {
    Strings args = {"run", spec, "--gpu", kGpu};
    args.insert(args.end(), more.begin(), more.end());
    return input_error(workplace, args);
  }

  /// small.json with its restriction replaced.
  void write_restriction(const std::string& name, const std::string& expression) const {
    auto spec = shipped_spec("saxpy");
    spec["ConfigurationSpace"]["Conditions"][0]["Expression"] = expression;
    write_spec(workplace, name, spec, "saxpy");
  }

  Workplace workplace;
};

TEST_F(BadInput, MissingSpecFile) {
  EXPECT_EQ(run_error("missing.json"),
            "error: cannot read missing.json: No such file or directory\n");
}

TEST_F(BadInput, MissingSourceFile) {
  auto spec = shipped_spec("saxpy");
  spec["KernelSpecification"]["KernelFile"] = "absent.cu";
  workplace.write("nosource.json", spec.dump());
  const std::string error = run_error("nosource.json");
  EXPECT_THAT(error, HasSubstr("absent.cu"));
}

TEST_F(BadInput, UnknownKernel) {
  EXPECT_EQ(run_error("saxpi"),
            "error: unknown kernel \"saxpi\" (did you mean \"saxpy\"?); kernels: convolution, "
            "convolution_bat, dedispersion, elementwise, hgemm, saxpy, sgemm\n"
            "  name one of these, or give the path of a T1 .json file or a tuning .toml\n");
}

TEST_F(BadInput, MalformedJsonAtLineAndColumn) {
  workplace.write("malformed.json", "{\n  \"General\": {,}\n}\n");
  EXPECT_THAT(run_error("malformed.json"),
              HasSubstr("error: malformed.json:2:15: malformed JSON: "));
}

TEST_F(BadInput, JsonThatIsNoT1) {
  workplace.write("other.json", "{\"a\": 1}\n");
  EXPECT_THAT(run_error("other.json"), HasSubstr("other.json"));
}

TEST_F(BadInput, UnknownParameter) {
  EXPECT_EQ(run_error("small.json", {"--param", "blok_size=32"}),
            "error: kernel saxpy has no parameter \"blok_size\" (did you mean \"block_size\"?); it "
            "has: block_size, elements_per_thread, vector_width\n");
}

TEST_F(BadInput, ValueThatIsNotInTheList) {
  EXPECT_EQ(run_error("small.json", {"--param", "block_size=33"}),
            "error: block_size=33 is not a value of kernel saxpy; allowed: 32, 64, 128, 256, 512, "
            "1024\n");
}

TEST_F(BadInput, UnknownGpu) {
  const std::string error = input_error(workplace, {"run", "small.json", "--gpu", "a100-pcie-40g"});
  EXPECT_THAT(error, HasSubstr("error: unknown GPU \"a100-pcie-40g\" (did you mean "
                               "\"a100-pcie-40gb\"?); known: "));
  EXPECT_THAT(error, HasSubstr("rtx-3090"));
}

TEST_F(BadInput, UnknownConfigurationKey) {
  EXPECT_EQ(run_error("small.json", {"--set", "sm.l1.sise=3"}),
            "error: --set sm.l1.sise=3: unknown configuration key \"sm.l1.sise\" (did you mean "
            "\"sm.l1.size\"?)\n"
            "  all keys: coulomb config list; one key: coulomb config explain KEY\n");
}

TEST_F(BadInput, ConfigurationValueOutOfRange) {
  const std::string error = run_error("small.json", {"--set", "sm.l1.size=1 KiB"});
  EXPECT_THAT(error, HasSubstr("sm.l1.size"));
  EXPECT_THAT(error, HasSubstr("4 KiB to 16 MiB"));
}

TEST_F(BadInput, RestrictionOnAnUnknownParameter) {
  write_restriction("restricted", "elements_per_thread % vectr_width == 0");
  const std::string error = run_error("restricted.json");
  EXPECT_THAT(error, HasSubstr("restricted.json: ConfigurationSpace.Conditions[0].Expression"));
  EXPECT_THAT(error, HasSubstr("uses the unknown name \"vectr_width\" (did you mean "
                               "\"vector_width\"?)"));
}

TEST_F(BadInput, EmptySpace) {
  write_restriction("empty", "vector_width > 100");
  EXPECT_EQ(input_error(workplace, {"search", "empty.json", "--gpu", kGpu, "--out", "out"}),
            "error: empty.json: no configuration satisfies the restrictions; \"vector_width > "
            "100\" removed the most: 90 of 90\n"
            "  widen the parameters' values or correct this restriction\n");
}

TEST_F(BadInput, SmsAndChipTogether) {
  EXPECT_THAT(run_error("small.json", {"--sms", "2", "--chip"}),
              HasSubstr("run: --sms and --chip exclude each other"));
}

TEST_F(BadInput, MoreSmsThanTheGpuHas) {
  EXPECT_THAT(run_error("small.json", {"--sms", "109"}),
              HasSubstr("run: --sms is 109; a100-pcie-40gb has 108 SMs, allowed: 1 to 108"));
}

TEST_F(BadInput, FidelityOfASearchThatTheGpuCannotHave) {
  const Strings search = {"search", "small.json", "--gpu", kGpu, "--out", "out"};
  Strings too_many = search;
  too_many.insert(too_many.end(), {"--sms", "109"});
  EXPECT_EQ(input_error(workplace, too_many),
            "error: search: --sms is 109; a100-pcie-40gb has 108 SMs, allowed: 1 to 108\n");
  Strings both = search;
  both.insert(both.end(), {"--sms", "2", "--chip"});
  EXPECT_THAT(input_error(workplace, both),
              HasSubstr("search: --sms and --chip exclude each other"));
}

TEST_F(BadInput, NegativeSeed) {
  EXPECT_EQ(run_error("small.json", {"--seed", "-1"}),
            "error: run: --seed is -1; it must not be negative\n");
}

TEST_F(BadInput, AbbreviatedOption) {
  const Result result = run(workplace, {"gpus", "--js"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "error: gpus: unknown option --js (did you mean \"--json\"?)\n"
                        "  coulomb gpus --help lists the options\n");
}

TEST_F(BadInput, UnknownCommand) {
  EXPECT_EQ(input_error(workplace, {"serch"}), "error: unknown command \"serch\" (did you mean "
                                               "\"search\"?)\n  coulomb --help lists the "
                                               "commands\n");
}

TEST_F(BadInput, UnknownOption) {
  const std::string error = run_error("small.json", {"--parms", "block_size=32"});
  EXPECT_THAT(error, HasSubstr("run: unknown option --parms (did you mean \"--param\"?)"));
  EXPECT_THAT(error, HasSubstr("coulomb run --help lists the options"));
}

TEST_F(BadInput, MissingGpu) {
  EXPECT_EQ(input_error(workplace, {"run", "small.json"}),
            "error: run: no --gpu is given\n  coulomb gpus lists the GPUs there are\n");
}

TEST_F(BadInput, BudgetOfNothing) {
  EXPECT_EQ(input_error(workplace, {"search", "small.json", "--gpu", kGpu, "--budget", "0"}),
            "error: search: --budget is 0; allowed: 1 to 2147483647\n");
}

TEST_F(BadInput, GpuFileWithBrokenToml) {
  workplace.write("mine.toml", "extends = \"a100-pcie-40gb\"\n[sm\n");
  const std::string error = input_error(workplace, {"run", "small.json", "--gpu", "mine.toml"});
  EXPECT_THAT(error, HasSubstr("error: not valid TOML\n --> mine.toml:2:1\n 2 | [sm\n"));
}

} // namespace
} // namespace coulomb::e2e
