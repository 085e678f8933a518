// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/finding.hpp"
#include "base/eval/profile.hpp"
#include "base/eval/status.hpp"
#include "base/kernel/launch_output.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::eval {

/// What L2 and the TLBs can hold when a kernel starts. L1, instruction and constant caches always
/// start empty.
/// - warm: what an identical launch just before left there; tuners and benchmarks relaunch.
/// - cold: nothing, as with Nsight Compute's --cache-control all.
/// - host-copy: what copies of every buffer from the host, in the order of the arguments, left in
///   L2; TLBs empty. Assumption: such copies pass through L2, and the last ones stay.
inline constexpr std::array<std::string_view, 3> kCacheStates = {"warm", "cold", "host-copy"};
/// `text` if it is one of them. Throws UserError (did you mean) that begins with `where`.
[[nodiscard]] std::string parse_cache_state(const std::string& text, const std::string& where);

/// How much of the chip one simulation covers, and what it starts from.
struct Fidelity {
  /// "sampled" (some SMs and a few waves), "chip" (every SM, the whole grid), or "functional" (the
  /// whole grid, executed without time: no cycles)
  std::string rung = "sampled";
  std::uint32_t sms = 1; ///< SMs simulated on rung "sampled", 1 to the chip's count
  std::uint32_t max_waves =
      0; ///< CTAs simulated per SM, in units of its occupancy; 0 = chosen by the sampler
  std::uint64_t ctas = 0;           ///< rung "functional": the first CTAs of the grid; 0 = all
  std::string cache_state = "warm"; ///< one of kCacheStates
  bool operator==(const Fidelity&) const = default;
};

/// Everything one simulation needs. Sent to coulomb-sim-worker as one JSON frame.
struct SimRequest {
  std::uint64_t id = 0;
  std::string cubin_path;
  std::string kernel_name; ///< empty: the only kernel of the cubin
  kernel::Launch launch;
  std::string gpu_json;          ///< resolved config::GpuConfig as JSON text
  std::string oracle;            ///< empty: outputs are not checked
  std::string oracle_parameters; ///< JSON object text: every T1 parameter and "problem_size"
  /// If not empty: outputs are compared with these files, and `oracle` is not used.
  std::vector<kernel::ExpectedOutput> expected;
  std::vector<kernel::OutputFile> outputs; ///< written after a run that came to its end
  std::vector<std::string> checks;         ///< of kCheckNames; rung "functional" only
  Fidelity fidelity;
  ProfileRequest profile;                    ///< timed rungs only
  std::uint64_t cycle_limit = 2'000'000'000; ///< per simulated SM; reached: status timeout
  std::uint64_t seed = 0;
};

struct Occupancy {
  std::uint32_t ctas_per_sm = 0;
  std::uint32_t warps_per_sm = 0;
  std::string limiter; ///< "registers", "shared memory", "warps", "CTA slots", "grid"
};

struct OutputCheck {
  bool checked = false;
  bool passed = false;
  double max_rel_error =
      0.0; ///< largest |simulated - expected| / sum of the magnitudes of the summands
  std::uint64_t compared = 0;   ///< elements that simulated CTAs stored
  std::string reference;        ///< with what: "oracle saxpy", "ref.npy"; or why it was not checked
  std::string first_difference; ///< "output_image[17]: expected 0.25, found 0.5"
};

/// What a simulation found. `status` says whether the numbers mean anything.
struct SimOutcome {
  std::uint64_t id = 0;
  EvalStatus status = EvalStatus::crashed;
  std::string message;
  std::uint32_t registers = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t spill_bytes = 0; ///< local memory per thread
  Occupancy occupancy;
  double cycles = 0.0;  ///< of the kernel alone, extrapolated to the whole grid; 0 if not timed
  double time_ms = 0.0; ///< cycles / SM clock
  double launch_overhead_ms = 0.0;
  double ipc = 0.0; ///< warp instructions per SM-cycle over active SMs
  std::map<std::string, double>
      counters; ///< NVIDIA metric name: value, extrapolated to the whole grid
  std::map<std::string, double> stalls;   ///< stall reason: share of warp-cycles, sums to 1
  std::map<std::string, double> code_mix; ///< static counts of the machine code: isa::code_mix()
  OutputCheck output_check;
  std::string printed;           ///< what the kernel printed (printf, assert)
  std::vector<Finding> findings; ///< of the checks that were asked for
  /// Every instruction that cost warp-cycles, in order of pc; empty if it was not asked for.
  std::vector<HotInstruction> hot;
  TimelineRecord timeline;
  VcdOutcome vcd;
  std::string rung;
  std::uint32_t sms = 0;
  std::uint64_t ctas_simulated = 0;
  std::uint64_t ctas_total = 0;
  double wall_s = 0.0;          ///< whole request: buffers, probe, model, output check
  double model_s = 0.0;         ///< of that, executing and timing instructions
  std::uint64_t warp_insts = 0; ///< simulated ones
  std::uint64_t peak_rss_bytes = 0;
};

/// What an oracle is told of a configuration: every parameter, and "problem_size".
[[nodiscard]] std::string oracle_parameters(const kernel::TunableSpec& spec,
                                            const kernel::Configuration& configuration);

[[nodiscard]] std::string to_json_text(const SimRequest& request);
[[nodiscard]] SimRequest sim_request_from_json(const std::string& text);
[[nodiscard]] std::string to_json_text(const SimOutcome& outcome);
[[nodiscard]] SimOutcome sim_outcome_from_json(const std::string& text);

} // namespace coulomb::eval
