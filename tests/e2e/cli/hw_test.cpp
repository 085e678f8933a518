// SPDX-License-Identifier: Apache-2.0
// Measuring on a GPU that is not there: the driver, NVML and CUPTI are stand-ins that execute the
// machine code and fail where a test says so (tests/support/fake_gpu/options.hpp).
#include "tests/e2e/cli/hw_support.hpp"

#include "base/text.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

TEST(HwWithoutADriver, TheDoctorSaysWhatIsMissingAndTheFix) {
  const Workplace workplace;
  const Result result = run(workplace, {"hw", "doctor"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.out, HasSubstr("FAIL  driver               no NVIDIA driver: cannot load the "
                                    "CUDA driver library; looked for libcuda.so.1"));
  EXPECT_THAT(result.out, HasSubstr("fix  install NVIDIA's driver (470 or newer"));
}

TEST(HwWithoutADriver, MeasuringOnADeviceIsAnEnvironmentErrorThatNamesReplay) {
  const Workplace workplace;
  const Result result = run(workplace, {"hw", "measure", "saxpy"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("--device replay:TABLE"));
}

TEST_F(Hw, TheDoctorListsWhatItFound) {
  const Result result =
      run(workplace, {"hw", "doctor"},
          with_gpu({{"FAKE_NVML_PERSISTENCE", "off"}, {"FAKE_NVML_UTILIZATION", "63"}}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("device 0   NVIDIA A100-SXM4-40GB   sm_80   108 SMs"));
  EXPECT_THAT(result.out, HasSubstr("ok    device memory        written and read back"));
  EXPECT_THAT(result.out, HasSubstr("warn  persistence mode     off"));
  EXPECT_THAT(result.out, HasSubstr("warn  load                 63 % busy"));
  EXPECT_THAT(result.out, HasSubstr("ok    GPU file             a100-sxm4-40gb"));
}

TEST_F(Hw, ADriverThatCrashesIsAFindingNotACrash) {
  const Result result =
      run(workplace, {"hw", "doctor"}, with_gpu({{"FAKE_CUDA_FAIL", "cuInit=crash"}}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.out, HasSubstr("the device worker killed by signal 11 (SIGSEGV)"));
}

TEST_F(Hw, AMachineWithoutDevicesSaysSo) {
  const Result result = run(workplace, {"hw", "doctor"}, with_gpu({{"FAKE_GPU_COUNT", "0"}}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.out, HasSubstr("the driver finds no GPU"));
}

TEST_F(Hw, AMeasurementIsCheckedAndBecomesATableThatValidateReads) {
  const std::string file = workplace.path("measured.json");
  const Result result = measure_saxpy(workplace, with_gpu(), {"--out", file});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("output 65536 elements right"));
  EXPECT_THAT(result.out, HasSubstr("SM 1410 MHz"));
  const Json saved = Json::parse(read_file(file));
  EXPECT_EQ(saved.at("gpu"), "a100-sxm4-40gb");
  EXPECT_EQ(saved.at("device").at("driver_version").get<std::string>().empty(), false);
  EXPECT_EQ(saved.at("kernels").at(0).at("rows").size(), 1U);
  const Json report = run(workplace, {"validate", "--silicon", file, "--json"}).json();
  EXPECT_EQ(report.at("gpu"), "a100-sxm4-40gb");
  EXPECT_EQ(report.at("rows").size(), 1U);
}

TEST_F(Hw, RowsAreAddedToAFileButNotOfAnotherBoard) {
  const std::string file = workplace.path("measured.json");
  EXPECT_EQ(measure_saxpy(workplace, with_gpu(), {"--out", file}).exit_code, 0);
  EXPECT_EQ(measure_saxpy(workplace, with_gpu(), {"--out", file}).exit_code, 0);
  EXPECT_EQ(Json::parse(read_file(file)).at("kernels").at(0).at("rows").size(), 2U);
  const Result other =
      measure_saxpy(workplace, with_gpu({{"FAKE_GPU", "rtx-3090"}}), {"--out", file});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("holds measurements of another board"));
}

TEST_F(Hw, AnIllegalAddressCostsOneConfiguration) {
  const Result result =
      measure_saxpy(workplace, with_gpu({{"FAKE_CUDA_FAIL", "cuLaunchKernel=illegal@3"}}));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, HasSubstr("crashed      cuLaunchKernel: CUDA_ERROR_ILLEGAL_ADDRESS"));
  EXPECT_THAT(result.out, HasSubstr("--functional --check memory"));
}

TEST_F(Hw, TooLittleDeviceMemoryIsALaunchThatCannotBe) {
  const Result result =
      measure_saxpy(workplace, with_gpu({{"FAKE_CUDA_FAIL", "cuMemAlloc_v2=oom@2"}}));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, HasSubstr("launch_invalid cuMemAlloc of 67,108,864 bytes: "
                                    "CUDA_ERROR_OUT_OF_MEMORY"));
}

TEST_F(Hw, TheWatchdogOfADisplayIsATimeoutWithItsReason) {
  const Result result =
      measure_saxpy(workplace, with_gpu({{"FAKE_CUDA_FAIL", "cuEventSynchronize=timeout@2"}}));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, HasSubstr("timeout      cuEventSynchronize"));
  EXPECT_THAT(result.out, HasSubstr("a display's watchdog"));
}

TEST_F(Hw, AKernelThatHangsIsKilledAtTheDeadline) {
  const Result result = measure_saxpy(
      workplace, with_gpu({{"FAKE_CUDA_FAIL", "cuEventSynchronize=hang@3"}}), {"--deadline", "4"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, HasSubstr("timeout      not finished after 4 s: the kernel hangs"));
}

TEST_F(Hw, ADeviceThatIsLostEndsTheMeasuring) {
  const Result result =
      measure_saxpy(workplace, with_gpu({{"FAKE_CUDA_FAIL", "cuMemAlloc_v2=ecc@1+"}}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("device 0 (NVIDIA A100-SXM4-40GB) is not usable after: "
                                    "cuMemAlloc"));
}

TEST_F(Hw, ThrottlingIsNoted) {
  const Result result = measure_saxpy(workplace, with_gpu({{"FAKE_NVML_THROTTLE", "0x40@1"}}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("note  the board throttled while it was measured: HW thermal "
                                    "slowdown"));
}

TEST_F(Hw, PowerIsReadBehindTheSensorsWindow) {
  const Json json = measure_saxpy(workplace, with_gpu({{"FAKE_NVML_POWER", "55000,250000,0.05"}}),
                                  {"--power", "0.6", "--json"})
                        .json();
  const Json& power = json.at("rows").at(0).at("outcome").at("power");
  EXPECT_EQ(power.at("window_ms"), 91.0); // data/power: rise time of an A100-SXM4-40GB
  EXPECT_GT(power.at("readings"), 10);
  EXPECT_GT(power.at("watts"), 200.0); // it began at 55 W
}

TEST_F(Hw, LockedClocksAreReleasedAtTheEnd) {
  const std::string state = workplace.path("clocks");
  const Result result =
      measure_saxpy(workplace, with_gpu({{"FAKE_NVML_STATE", state}}), {"--lock-clocks", "1095"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("SM 1095 MHz"));
  EXPECT_EQ(read_file(state), "unlocked\n");
}

TEST_F(Hw, LockedClocksAreReleasedAfterAKill) {
  const std::string state = workplace.path("clocks");
  Process process(
      workplace, {"hw", "measure", "saxpy", "--lock-clocks", "1095", "--deadline", "60"},
      with_gpu({{"FAKE_NVML_STATE", state}, {"FAKE_CUDA_FAIL", "cuLaunchKernel=hang@2"}}));
  ASSERT_TRUE(eventually(
      [&] { return std::filesystem::exists(state) && read_file(state) == "locked 1095 1095\n"; }));
  process.kill(SIGKILL);
  EXPECT_TRUE(eventually([&] { return read_file(state) == "unlocked\n"; }));
}

TEST_F(Hw, ClocksThatMayNotBeLockedAreAnEnvironmentError) {
  const Result result = measure_saxpy(
      workplace, with_gpu({{"FAKE_NVML_FAIL", "nvmlDeviceSetGpuLockedClocks=permission"}}),
      {"--lock-clocks", "1095"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("changing clocks needs root"));
}

TEST_F(Hw, AFileIsShownAsATable) {
  const std::string file = workplace.path("measured.json");
  EXPECT_EQ(measure_saxpy(workplace, with_gpu(), {"--out", file}).exit_code, 0);
  EXPECT_THAT(run(workplace, {"hw", "show", file}).out,
              ContainsRegex("saxpy +[0-9.]+ +\\[.*\\] .* right +block_size=256"));
}

TEST_F(Hw, ACheckOfTheMachineMeasuresAndPrintsOneTable) {
  const std::string out = workplace.path("check");
  const std::string command = "cd " + workplace.dir() + " && LD_LIBRARY_PATH=" + kFakeDriver +
                              " FAKE_CUDA_EXECUTE=first COULOMB_BUILD=" COULOMB_BINARY_DIR
                              " " COULOMB_SOURCE_DIR "/scripts/hw_check --kernel saxpy > " +
                              out + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(out);
  EXPECT_THAT(read_file(out), HasSubstr("hw_check: 2 of 2 measured and right"));
}

TEST_F(Hw, WithoutNvmlTimesAreMeasuredAndComparedAtTheGpuFilesClocks) {
  std::filesystem::create_directories(workplace.path("driver"));
  std::filesystem::create_symlink(kFakeDriver + "/libcuda.so.1",
                                  workplace.path("driver/libcuda.so.1"));
  const std::string file = workplace.path("measured.json");
  const Result result = measure_saxpy(
      workplace, {{"LD_LIBRARY_PATH", workplace.path("driver")}, {"FAKE_CUDA_EXECUTE", "first"}},
      {"--out", file});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("note  clocks, temperature and power are not known"));
  const Json report = run(workplace, {"validate", "--silicon", file, "--json"}).json();
  EXPECT_EQ(report.at("clock").at("sm_mhz"), 1410.0);
}

TEST_F(Hw, AnInterruptionKeepsWhatWasMeasured) {
  const std::string file = workplace.path("measured.json");
  const std::string log = workplace.path("calls");
  EXPECT_EQ(measure_saxpy(workplace, with_gpu(), {"--out", file}).exit_code, 0);
  Process process(workplace, {"hw", "measure", "saxpy", "--out", file, "--deadline", "60"},
                  with_gpu({{"FAKE_CUDA_FAIL", "cuLaunchKernel=hang@2"}, {"FAKE_CUDA_LOG", log}}));
  ASSERT_TRUE(eventually([&] {
    return std::filesystem::exists(log) &&
           read_file(log).find("cuEventElapsedTime") != std::string::npos;
  }));
  process.kill(SIGINT);
  const Result result = process.wait();
  EXPECT_EQ(result.exit_code, 128 + SIGINT) << result.err;
  EXPECT_THAT(result.out, HasSubstr("0 of 0 ok"));
  EXPECT_EQ(Json::parse(read_file(file)).at("kernels").at(0).at("rows").size(), 1U);
}

TEST_F(Hw, ArgumentsThatAreNotTheKernelsParametersAreRefused) {
  workplace.write("k.cu", "__global__ void k(float* x, int n) { if (n > 0) x[0] = n; }");
  const Result result = run(
      workplace, {"hw", "measure", "k.cu", "--grid", "1", "--block", "32", "--arg", "float[32]"},
      with_gpu());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("the kernel takes 2 parameters of 8, 4 bytes, the launch "
                                    "passes 1 of 8"));
}

TEST_F(Hw, AnArchitectureThatIsNotSimulatedIsCompiledForAndNoted) {
  // The stand-in executes no sm_90 code; that it was offered some is what matters here.
  const Json json =
      measure_saxpy(workplace, with_gpu({{"FAKE_GPU", "h100-pcie"}}), {"--json"}).json();
  const Json& outcome = json.at("rows").at(0).at("outcome");
  EXPECT_THAT(outcome.at("message").get<std::string>(), HasSubstr("cuModuleLoadData"));
  EXPECT_EQ(outcome.at("notes").at(0),
            "compiled for sm_90: not the machine code that is simulated (sm_80, sm_86)");
}

TEST_F(Hw, APlanRunsNothing) {
  const std::string log = workplace.path("calls");
  const Result result =
      measure_saxpy(workplace, with_gpu({{"FAKE_CUDA_LOG", log}}), {"--plan", "--sample", "5"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("5 configurations"));
  EXPECT_THAT(result.out, HasSubstr("Nothing was run."));
  EXPECT_THAT(read_file(log), Not(HasSubstr("cuLaunchKernel")));
}

TEST_F(Hw, WrongOptionsSayWhatIsAllowed) {
  EXPECT_THAT(measure_saxpy(workplace, with_gpu(), {"--cache-state", "hot"}).err,
              HasSubstr("--cache-state is \"hot\"; allowed: warm, cold"));
  EXPECT_THAT(measure_saxpy(workplace, with_gpu(), {"--sample", "-1"}).err,
              HasSubstr("--sample is -1; allowed: 1 to 1000000"));
  EXPECT_THAT(measure_saxpy(workplace, with_gpu(), {"--lock-clocks", "0"}).err,
              HasSubstr("--lock-clocks is 0; allowed: 1 to 10000"));
  EXPECT_THAT(measure_saxpy(workplace, with_gpu(), {"--out", "measured.txt"}).err,
              HasSubstr("a measurement file is called SOMETHING.json"));
  EXPECT_THAT(measure_saxpy(workplace, with_gpu(), {"--device", "first"}).err,
              HasSubstr("it must be a device's number, or replay:TABLE"));
  EXPECT_THAT(measure_saxpy(workplace, with_gpu(), {"--device", "3"}).err,
              HasSubstr("there is no device 3; there is 1: 0"));
}

} // namespace
} // namespace coulomb::e2e
