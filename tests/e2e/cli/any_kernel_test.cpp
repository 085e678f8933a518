// SPDX-License-Identifier: Apache-2.0
// A user's own kernel: .cu, .cubin and launch .toml, files in and out, and what they are compared
// with.
#include "base/npy.hpp"
#include "base/text.hpp"
#include "tests/e2e/cli/specs.hpp"

#include <cstring>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

constexpr const char* kSource = R"(
struct Box { float lo[3]; float hi[3]; };
__constant__ float weights[4];
__device__ int counter = 5;
extern "C" __global__ void shift(const float* x, float* y, int n, Box box) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = FACTOR * x[i] + weights[i % 4] + box.hi[2];
    atomicAdd(&counter, 1);
  }
}
)";

template <class T>
std::vector<T> elements_of(const Workplace& workplace, const std::string& name) {
  const NpyArray array = read_npy(workplace.path(name));
  std::vector<T> elements(array.count());
  EXPECT_EQ(array.data.size(), elements.size() * sizeof(T));
  std::memcpy(elements.data(), array.data.data(), array.data.size());
  return elements;
}

template <class T>
void write_elements(const Workplace& workplace,
                    const std::string& name,
                    const std::string& dtype,
                    const std::vector<T>& elements) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(elements.data());
  workplace.write(name, npy_file(dtype, {elements.size()}, {bytes, elements.size() * sizeof(T)}));
}

class AnyKernel : public testing::Test {
protected:
  void SetUp() override {
    COULOMB_NEEDS_NVRTC(workplace);
    workplace.write("shift.cu", kSource);
  }

  /// shift over 300 elements in 5 CTAs of 64; `more` is added.
  [[nodiscard]] static Strings shift(const Strings& more) {
    Strings args = {"run",      "shift.cu",
                    "--grid",   "5",
                    "--block",  "64",
                    "-D",       "FACTOR=2.0f",
                    "--arg",    "x:float[300]=sequence",
                    "--arg",    "y:float[300]=-1",
                    "--arg",    "n:int=290",
                    "--arg",    "box:value:float[6]=expr:i * 10",
                    "--symbol", "weights:float[4]=expr:i * 1000"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }

  [[nodiscard]] static std::vector<float> shifted() {
    std::vector<float> y(300, -1.0F);
    for (std::size_t i = 0; i < 290; ++i) {
      y[i] = static_cast<float>(2 * i + 1000 * (i % 4) + 50);
    }
    return y;
  }

  Workplace workplace;
};

TEST_F(AnyKernel, RunsFromItsSourceAndGivesItsOutputsBack) {
  const Result result =
      run(workplace, shift({"--functional", "--output", "y", "--shape", "y=15,20", "--symbol",
                            "counter:int", "--output", "counter=c.npy", "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_npy(workplace.path("y.npy")).shape, (std::vector<std::uint64_t>{15, 20}));
  EXPECT_EQ(elements_of<float>(workplace, "y.npy"), shifted());
  EXPECT_EQ(elements_of<std::int32_t>(workplace, "c.npy"), std::vector<std::int32_t>{295})
      << "a variable without a fill keeps what it was compiled with";
  Json j = result.json();
  EXPECT_EQ(j["kernel"], "shift");
  EXPECT_EQ(j["fidelity"]["rung"], "functional");
  EXPECT_EQ(j["fidelity"]["ctas_simulated"], 5);
  EXPECT_EQ(j["cycles"], nullptr);
  EXPECT_EQ(j["time_ms"], nullptr);
  EXPECT_GT(j["host"]["warp_insts"], 0);
  EXPECT_EQ(j["printed"], "");
  EXPECT_EQ(j["findings"], Json::array());
}

TEST_F(AnyKernel, IsTimedOnAGpuAndComparedWithAFile) {
  write_elements(workplace, "ref.npy", "<f4", shifted());
  const Result result =
      run(workplace, shift({"--entry", "shift", "--gpu", kGpu, "--chip", "--oracle", "y=ref.npy"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("kernel     shift\n"));
  EXPECT_THAT(result.out, HasSubstr("launch     grid 5 x 1 x 1   block 64 x 1 x 1"));
  EXPECT_THAT(result.out,
              HasSubstr("result check          passed             300 elements compared "
                        "with ref.npy, max relative error 0.0e+00"));
  EXPECT_THAT(result.out, HasSubstr("SM cycles"));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("coulomb search")));
}

TEST_F(AnyKernel, ThatDiffersFromItsFileIsAWrongResult) {
  auto y = shifted();
  y[7] += 1.0F;
  write_elements(workplace, "ref.npy", "<f4", y);
  const auto args = shift({"--functional", "--oracle", "y=ref.npy", "--json"});
  Json j;
  {
    const Result result = run(workplace, args);
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_EQ(result.err, "wrong_result: y[7]: expected 3065, found 3064\n");
    j = result.json();
  }
  EXPECT_EQ(j["status"], "wrong_result");
  EXPECT_EQ(j["output_check"]["first_difference"], "y[7]: expected 3065, found 3064");
  EXPECT_EQ(j["output_check"]["compared"], 300);
  auto loose = args;
  loose.insert(loose.end(), {"--tolerance", "0.001"});
  EXPECT_EQ(run(workplace, loose).exit_code, 0);
}

TEST_F(AnyKernel, RunsFromALaunchFile) {
  std::filesystem::create_directory(workplace.path("ref"));
  write_elements(workplace, "ref/y.npy", "<f4", shifted());
  workplace.write("launch.toml", R"(
source = "shift.cu"
grid = 5
block = [64, 1, 1]
define.FACTOR = "2.0f"
[[argument]]
name = "x"
type = "float"
count = 300
fill = "sequence"
[[argument]]
name = "y"
type = "float"
count = 300
fill = -1
expected = "ref/y.npy"
output = "found.npy"
[[argument]]
name = "n"
type = "int"
value = 290
[[argument]]
type = "float"
count = 6
by_value = true
fill = "expr:i * 10"
[[symbol]]
name = "weights"
type = "float"
count = 4
fill = "expr:i * 1000"
)");
  const Result result = run(workplace, {"run", "launch.toml", "--functional"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("executed              functional         5 of 5 CTAs, not "
                                    "timed"));
  EXPECT_THAT(result.out, HasSubstr("300 elements compared with ref/y.npy"));
  EXPECT_EQ(elements_of<float>(workplace, "found.npy"), shifted());
  const Result other = run(workplace, {"run", "launch.toml", "--functional", "--arg", "n:int=289"});
  EXPECT_EQ(other.err, "wrong_result: y[289]: expected 1628, found -1\n")
      << "an element that no CTA stored";
}

TEST_F(AnyKernel, RunsFirstCtasOnly) {
  const Result result =
      run(workplace, shift({"--functional", "--ctas", "2", "--output", "y", "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.json()["fidelity"]["ctas_simulated"], 2);
  const auto y = elements_of<float>(workplace, "y.npy");
  EXPECT_EQ(y[127], shifted()[127]);
  EXPECT_EQ(y[128], -1.0F);
}

TEST_F(AnyKernel, SaysWhatItsParametersAreWhenTheyDoNotFit) {
  const Result few =
      run(workplace, {"run", "shift.cu", "--functional", "--grid", "1", "--block", "32", "-D",
                      "FACTOR=1", "--arg", "x:float[32]", "--arg", "n:int=1"});
  EXPECT_EQ(few.exit_code, 4);
  EXPECT_EQ(few.err, "launch_invalid: kernel shift takes 4 parameters of 8, 8, 4, 24 bytes, the "
                     "launch passes 2: x float[32] (8), n int32 (4)\n");
}

TEST_F(AnyKernel, OfAnUnknownNameListsTheKernelsThereAre) {
  const Result result = run(workplace, shift({"--functional", "--entry", "shfit"}));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.err, "compile_failed: shift.cu: no kernel \"shfit\" (did you mean \"shift\"?); "
                        "the file has: shift\n");
}

TEST_F(AnyKernel, RefusesOptionsThatDoNotGoTogether) {
  const auto message = [&](const Strings& args) { return run(workplace, args).err; };
  EXPECT_THAT(message({"run", "saxpy", "--gpu", kGpu, "--grid", "4"}),
              HasSubstr("--grid goes with a .cu, .cubin or .toml file; saxpy describes its launch "
                        "itself"));
  EXPECT_THAT(message(shift({"--functional", "--chip"})),
              HasSubstr("--chip and --functional exclude each other"));
  EXPECT_THAT(message(shift({"--gpu", kGpu, "--ctas", "1"})),
              HasSubstr("--ctas goes with --functional"));
  EXPECT_THAT(message(shift({"--functional", "--oracle", "ref.npy"})),
              HasSubstr("--oracle names no argument, and there are 2 outputs: x, y"));
  EXPECT_THAT(
      message(shift({"--functional", "--output", "z"})),
      HasSubstr(
          "no argument is called \"z\" (did you mean \"x\"?); there are: x, y, n, box, weights"));
  EXPECT_THAT(message(shift({})), HasSubstr("no --gpu is given"));
  EXPECT_THAT(message({"run", "shift.cu", "--functional", "--block", "32"}),
              HasSubstr("shift.cu: the launch has no grid"));
}

TEST_F(AnyKernel, FindsWrongFilesBeforeItRuns) {
  workplace.write("short.npy", npy_file("<f4", {1}, std::vector<std::uint8_t>(4)));
  const auto message = [&](const Strings& more) {
    const Result result = run(workplace, shift(more));
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_THAT(message({"--functional", "--oracle", "y=short.npy"}),
              HasSubstr("short.npy has 1 elements, argument \"y\" has 300"));
  EXPECT_THAT(message({"--functional", "--oracle", "y=none.npy"}), HasSubstr("none.npy"));
  EXPECT_THAT(message({"--functional", "--output", "y", "--shape", "7,7"}),
              HasSubstr("the shape (7, 7) of output \"y\" has 49 elements, not 300"));
  EXPECT_THAT(message({"--functional", "--output", "y=no/such/y.npy"}),
              HasSubstr("output \"y\": there is no folder "));
  EXPECT_THAT(message({"--functional", "--arg", "z:float[3]=@short.npy"}),
              HasSubstr("short.npy has 1 elements, expected 3"));
}

TEST_F(AnyKernel, IsHeardWhenItPrints) {
  workplace.write("talk.cu", R"(
extern "C" __global__ void talk() {
  if (threadIdx.x == 1) printf("CTA %d of %d\n", blockIdx.x, gridDim.x);
}
)");
  const Strings args = {"run", "talk.cu", "--functional", "--grid", "2", "--block", "32"};
  EXPECT_THAT(run(workplace, args).out,
              HasSubstr("\nprinted by the kernel\nCTA 0 of 2\nCTA 1 of 2\n"));
  auto machine = args;
  machine.emplace_back("--json");
  EXPECT_EQ(run(workplace, machine).json()["printed"], "CTA 0 of 2\nCTA 1 of 2\n");
}

TEST_F(AnyKernel, OfATunableSpecIsExecutedWithoutNamingAGpu) {
  write_small_saxpy(workplace);
  const Result result = run(workplace, {"run", "small.json", "--functional", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  Json j = result.json();
  EXPECT_EQ(j["gpu"], "a100-pcie-40gb");
  EXPECT_EQ(j["output_check"]["compared"], 65'536);
  EXPECT_EQ(j["output_check"]["reference"], "oracle saxpy");
}

TEST(AnyCubin, RunsWithoutACompiler) {
  const Workplace workplace;
  const std::string saxpy = home_dir() + "/data/cubins/saxpy-sm_80-0.cubin";
  write_elements(workplace, "x.npy", "<f4", std::vector<float>(4096, 3.0F));
  write_elements(workplace, "ref.npy", "<f4", std::vector<float>(4096, 7.0F));
  const Strings args = {"run",
                        saxpy,
                        "--functional",
                        "--grid",
                        "4",
                        "--block",
                        "256",
                        "--arg",
                        "int=4096",
                        "--arg",
                        "float=2",
                        "--arg",
                        "x:float[4096]=@x.npy",
                        "--arg",
                        "y:output:float[4096]=1",
                        "--oracle",
                        "ref.npy"};
  const Result result = run(workplace, args, {{"COULOMB_NVRTC", "/nowhere"}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("4,096 elements compared with ref.npy"));
  EXPECT_EQ(elements_of<float>(workplace, "y.npy"), std::vector<float>(4096, 7.0F));
  auto wrong = args;
  wrong.insert(wrong.end(), {"--entry", "saxpi"});
  EXPECT_THAT(run(workplace, wrong).err,
              HasSubstr("launch_invalid: no kernel saxpi in the module"));
}

/// A T1 file without an oracle whose configurations of 64 threads store something else.
void write_buggy_spec(const Workplace& workplace) {
  auto spec = shipped_spec("saxpy");
  spec["General"]["BenchmarkName"] = "buggy";
  spec["ConfigurationSpace"] = Json::parse(R"({
    "TuningParameters": [{"Name": "block_size", "Type": "int", "Values": "[32, 64, 128]",
                          "Default": 32}],
    "Conditions": []})");
  auto& kernel = spec["KernelSpecification"];
  kernel["KernelName"] = "buggy";
  kernel["KernelFile"] = "buggy.cu";
  kernel["GlobalSize"]["X"] = "ProblemSize[0] // block_size";
  kernel["GridDivX"] = {"block_size"};
  kernel["ProblemSize"] = {4096};
  spec["Coulomb"].erase("Oracle");
  workplace.write("buggy.json", spec.dump(2));
  workplace.write("buggy.cu", R"(
extern "C" __global__ void buggy(int count, float alpha, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = alpha * x[i] + (block_size == 64 && i % 64 == 9 ? 100.0f : 0.0f);
}
)");
}

TEST_F(AnyKernel, WithoutAnOracleIsComparedWithItsDefaultConfiguration) {
  write_buggy_spec(workplace);
  const auto outcome = [&](const std::string& parameter) {
    return run(workplace, {"run", "buggy.json", "--gpu", kGpu, "--param", parameter, "--json"});
  };
  const Result right = outcome("block_size=128");
  EXPECT_EQ(right.exit_code, 0) << right.err;
  EXPECT_EQ(right.json()["output_check"]["reference"], "the default configuration's output");
  EXPECT_EQ(right.json()["output_check"]["passed"], true);
  const Result wrong = outcome("block_size=64");
  EXPECT_EQ(wrong.exit_code, 4);
  EXPECT_EQ(wrong.json()["status"], "wrong_result");
  EXPECT_THAT(wrong.err, testing::MatchesRegex(
                             "wrong_result: y\\[[0-9]+\\]: expected -?[0-9.]+, found [0-9.]+\n"));
  const Result itself = outcome("block_size=32");
  EXPECT_EQ(itself.exit_code, 0) << itself.err;
  EXPECT_EQ(itself.json()["output_check"]["checked"], false);
  EXPECT_EQ(itself.json()["output_check"]["reference"],
            "no oracle; the default configuration is itself the reference of the others");
}

TEST_F(AnyKernel, WithoutAnOracleIsSearchedWithTheSameReference) {
  write_buggy_spec(workplace);
  for (const char* jobs : {"1", "2"}) {
    const std::string out = std::string("runs") + jobs;
    const Result result = run(workplace, {"search", "buggy.json", "--gpu", kGpu, "--budget", "3",
                                          "--jobs", jobs, "--out", out});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("outputs are compared with the default configuration's "
                                      "output"));
    EXPECT_EQ(read_npy(workplace.path(out + "/reference/y.npy")).count(), 4096U);
  }
  const Json first = recorded_evaluations(workplace, "runs1");
  EXPECT_EQ(first, recorded_evaluations(workplace, "runs2"));
  int wrong = 0;
  for (const auto& evaluation : first) {
    wrong += evaluation["status"] == "wrong_result" ? 1 : 0;
  }
  EXPECT_EQ(wrong, 1);
}

} // namespace
} // namespace coulomb::e2e
