// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Test doubles of libcuda, libnvidia-ml and libcupti. They are built by the tests, found by the
/// loader through LD_LIBRARY_PATH, and never installed: nothing of the product links or names them.
///
///   BUILD/fake_gpu/libcuda.so.1, BUILD/fake_gpu/libnvidia-ml.so.1   targets fake_cuda, fake_nvml
///   BUILD/fake_cupti/libcupti.so.13 (COULOMB_CUPTI must name it)    target fake_cupti
/// The target fake_gpus builds all of them, the last only where CUPTI's headers are. NVIDIA's own
/// libcupti on the fake driver still has its catalogue of metrics; to profile, it refuses
/// (cuptiProfilerInitialize answers 999).
///
/// The fake driver runs kernels: it executes the cubin's SASS with Coulomb's own executor, in
/// simulated device memory. Only its clock is made up. As with a real driver, a launch answers at
/// once; what went wrong in the kernel is answered by the next call that waits for it.
///
/// Every option is an environment variable, read at a library's first call (the faults again when
/// they change). A value that means nothing ends the process (SIGABRT) with a line on standard
/// error: a test with a slip in its options must not pass.
///
/// Boards (all three libraries)
///   FAKE_GPU=a100-sxm4-40gb   the board: a100-sxm4-40gb (default), rtx-3090, or h100-pcie, which
///                             runs no cubin that the executor knows ("wrong architecture")
///   FAKE_GPU_COUNT=1          how many; 0: cuInit answers 100, as a driver without a device does
///
/// Faults (one list for each library)
///   FAKE_CUDA_FAIL, FAKE_NVML_FAIL, FAKE_CUPTI_FAIL = entries separated by commas
///     cuMemAlloc_v2=2         every call answers 2
///     cuMemAlloc_v2=2@3       the 3rd call only
///     cuMemAlloc_v2=2@3+      the 3rd and all later ones
///     cuLaunchKernel=hang@5   the 5th call never returns
///     cuInit=crash            the call raises SIGSEGV
///     any=hang@40             counts the calls of all functions
///   The answer is a number or one of the library's words:
///     cuda   oom (2), ecc (214), illegal (700), timeout (702), lost (46 DEVICE_UNAVAILABLE)
///     nvml   permission (4), unsupported (3), lost (15), unloaded (9), timeout (10)
///     cupti  privileges (35), unsupported (27), virtual (33), busy (26)
///   A function that the library does not export is refused. CUDA's 214, 700, 702, 710 and 714 to
///   719 stick: every later call that needs a working device answers the same until the process
///   ends, while questions about the board are still answered. 701 does not stick, nor does it on a
///   GPU. NVML's 15 sticks.
///   Counts are per process. Where there are several processes:
///   FAKE_GPU_PROCESS=NAME     faults and logs only where the executable file has that name (NVRTC
///                             calls cuInit too, where it finds a driver)
///   FAKE_GPU_ONCE=FILE        one fault in all: the first makes FILE, and where it exists there is
///                             no other, so that a worker that is started again goes on well
///   FAKE_CUDA_LOG, FAKE_NVML_LOG, FAKE_CUPTI_LOG = file to which each call appends its name; the
///     driver also writes lines "# ..." that say why a kernel faulted
///
/// Driver
///   FAKE_CUDA_DRIVER_VERSION=13000   what cuDriverGetVersion answers
///   FAKE_CUDA_MEMORY=BYTES    size of device memory (default: the board's)
///   FAKE_CUDA_EXECUTE=all     first: a launch of the same function, arguments, grid, block and
///                             shared memory as before only advances the clock. Device memory stays
///                             as it is: for tests where a repetition changes nothing
///   FAKE_CUDA_CTAS=N          executes only the first N CTAs of a launch; its time is scaled up
///   FAKE_CUDA_WATCHDOG=N      a launch that deadlocks, or executes N warp instructions, ends with
///                             702, and the attribute "kernel execution timeout" is 1. Without it a
///                             deadlock makes the next call that waits hang, as on a GPU
///
/// Clock (of the events; virtual, the same in every run)
///   A launch takes (2.2 us + warp instructions / rate) * scale * jitter; a copy bytes / 20 GB/s.
///   Events are stamped in steps of 1.024 us. A time is known once the caller has waited for it.
///   FAKE_CUDA_RATE=R          warp instructions per second (default: 2 per SM and clock)
///   FAKE_CUDA_TIME_SCALE=1    factor on every launch
///   FAKE_CUDA_FIRST_US=30     what the first launch of a function takes longer
///   FAKE_CUDA_JITTER=1        0: none. Else the scale of the right tail: median +0.17 %, one in a
///                             hundred launches +3.6 %, one in ten thousand +40 %
///   FAKE_CUDA_SLOW=F@N        launches from the N-th on take F times as long (a throttled clock)
///   FAKE_CUDA_SEED=1          of the jitter
///   FAKE_CUDA_REAL_TIME=0     a call that waits really takes that part of the virtual time since
///                             the last one (1: all of it), for tests of sensors and deadlines
///
/// NVML. A list answers one value a reading, and begins again at its end.
///   FAKE_NVML_CLOCKS=1410,1395   SM clock, MHz (default: the board's boost clock); held within the
///                             locked clocks
///   FAKE_NVML_MEMORY_CLOCK=N  MHz, a list
///   FAKE_NVML_TEMPERATURE=35  degrees Celsius, a list
///   FAKE_NVML_POWER=55000,250000,0.2   milliwatts at first, in the end, and the time constant in
///                             seconds of the rise from the first reading on (real time)
///   FAKE_NVML_THROTTLE=8@10   bits of the throttle reasons: BITS[@N], separated by commas, each
///                             from the N-th reading on; BITS may be hexadecimal (0x40)
///   FAKE_NVML_UTILIZATION=0   per cent, a list
///   FAKE_NVML_PERSISTENCE=on  on or off
///   FAKE_NVML_STATE=FILE      where locked clocks are kept: "locked MIN MAX\n" or "unlocked\n".
///                             Like a GPU's, they outlive the process that locked them
///
/// CUPTI. Knows GA100, GA102 and GH100; every metric that is spelled like one (unit__name.rollup).
/// In a process with the fake driver the instructions, time and cycles of a range are those of its
/// launches; other values are made of the metric's name, the same in every run.
///   FAKE_CUPTI_PASSES=3       passes that any set of metrics needs
///   FAKE_CUPTI_VALUES=metric=12.5,...   values of some metrics
///   FAKE_CUPTI_UNKNOWN=m1,m2  metrics that the chip does not have
///   FAKE_CUPTI_UNSUPPORTED=vgpu   what cuptiProfilerDeviceSupported finds in the way:
///                             architecture, sli, vgpu, confidential, cmp or wsl
namespace coulomb::fake {

/// Value of an environment variable; `fallback` where it is not set or empty.
[[nodiscard]] std::string option(const char* name, const std::string& fallback = {});
/// The same as a number; anything else ends the process.
[[nodiscard]] double option_number(const char* name, double fallback);
/// Numbers separated by commas.
[[nodiscard]] std::vector<double> option_numbers(const char* name,
                                                 const std::vector<double>& fallback);

/// A whole text as a number (decimal, or hexadecimal after 0x); anything else ends the process with
/// a line that names `where`.
[[nodiscard]] double number_of(std::string_view text, std::string_view where);
/// Parts between `separator`s, without empty ones.
[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);

/// Ends the process: the options of a test make no sense.
[[noreturn]] void refuse_option(std::string_view name, std::string_view problem);

} // namespace coulomb::fake
