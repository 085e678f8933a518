// SPDX-License-Identifier: Apache-2.0
#include "hw/cupti/counter_problem.hpp"

namespace coulomb::hw {
namespace {

struct Meaning {
  int code; ///< CUptiResult; its values are part of CUPTI's stable interface
  CounterObstacle obstacle;
  const char* message;
  const char* hint;
};

constexpr const char* kOtherMachine =
    "times are measured without counters; for counters use a GPU that is passed through whole";

constexpr Meaning kMeanings[] = {
    {26, CounterObstacle::busy, "another profiler holds the GPU's performance counters",
     "end it (ncu, nsys, dcgm: `dcgmi profile --pause`), then measure again"},
    {27, CounterObstacle::unsupported_chip,
     "this GPU or this configuration of it has no range profiler",
     "it takes a GPU of compute capability 7.5 or newer; times are measured without counters"},
    {33, CounterObstacle::virtualised, "CUPTI does not profile this virtual GPU", kOtherMachine},
    {35, CounterObstacle::privileges,
     "the driver does not let this user read performance counters (ERR_NVGPUCTRPERM)",
     "run as root (in a container: --cap-add SYS_ADMIN), or open the counters to all users: put "
     "\"options nvidia NVreg_RestrictProfilingToAdminUsers=0\" into "
     "/etc/modprobe.d/nvidia-profiling.conf, then reload the nvidia modules or reboot; "
     "https://developer.nvidia.com/ERR_NVGPUCTRPERM"},
    {40, CounterObstacle::privileges,
     "the host does not let this virtual GPU read performance counters (ERR_NVGPUCTRPERM)",
     "the host's administrator can enable profiling for the vGPU (enable_profiling=1)"},
    {41, CounterObstacle::virtualised,
     "confidential computing is on, which forbids performance counters", kOtherMachine},
    {42, CounterObstacle::unsupported_chip, "CUPTI does not profile mining processors (CMP)",
     "times are measured without counters"},
    {43, CounterObstacle::virtualised,
     "CUPTI does not profile this MIG instance: its counters are shared",
     "measure on a GPU without MIG, or on an instance of the whole GPU"},
    {44, CounterObstacle::unsupported_chip, "CUPTI does not profile GPUs joined by SLI",
     "turn SLI off"},
    {45, CounterObstacle::virtualised, "CUPTI does not profile under WSL with this driver",
     "update the Windows driver and allow counters to all users in its control panel"},
    {46, CounterObstacle::unsupported_chip, "this CUPTI does not know the GPU's chip",
     "install a CUDA Toolkit as new as the GPU, or point COULOMB_CUPTI at its libcupti.so"},
};

} // namespace

CounterProblem counter_problem_of(int code, const std::string& call, const std::string& name) {
  for (const Meaning& m : kMeanings) {
    if (m.code == code) {
      return {m.obstacle, fmt::format("{} ({}: {})", m.message, call, name), m.hint};
    }
  }
  return {CounterObstacle::failed, fmt::format("{} failed: {}", call, name),
          "times are measured without counters; a libcupti newer than the driver is a usual cause: "
          "point COULOMB_CUPTI at the one of the driver's own CUDA version"};
}

CounterProblem built_without_range_profiler() {
  return {CounterObstacle::no_headers,
          "built without the range profiler's headers (CUDA 12.6 or newer): times only",
          "install CUDA 12.6 or newer, set CUDA_HOME, then configure and build again"};
}

} // namespace coulomb::hw
