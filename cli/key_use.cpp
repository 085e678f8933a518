// SPDX-License-Identifier: Apache-2.0
#include "cli/key_use.hpp"

#include <array>

namespace coulomb::cli {
namespace {

enum class Basis { every_run, counted, untold };

/// Keys that begin with `prefix`; the longest prefix counts.
struct Rule {
  std::string_view prefix;
  Basis basis;
  std::array<std::string_view, 3> counters{};
};

constexpr std::string_view kGlobalLoads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view kGlobalStores = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
constexpr std::string_view kSharedLoads = "smsp__inst_executed_op_shared_ld.sum";
constexpr std::string_view kSharedStores = "smsp__inst_executed_op_shared_st.sum";
constexpr std::string_view kLsu = "sm__inst_executed_pipe_lsu.sum";
constexpr std::string_view kMio = "model__inst_executed_pipe_mio.sum";
constexpr std::string_view kL1Hits = "l1tex__t_sectors_lookup_hit.sum";
constexpr std::string_view kL1Misses = "l1tex__t_sectors_lookup_miss.sum";
constexpr std::string_view kL2Reads = "lts__t_sectors_op_read.sum";
constexpr std::string_view kL2Writes = "lts__t_sectors_op_write.sum";
constexpr std::string_view kL2Atomics = "lts__t_sectors_op_atom.sum";
constexpr std::string_view kDramReads = "dram__bytes_read.sum";
constexpr std::string_view kDramWrites = "dram__bytes_write.sum";

constexpr Rule kRules[] = {
    {"", Basis::every_run, {}},
    {"memory_clock_mhz", Basis::counted, {kDramReads, kDramWrites}},
    {"base_clock_mhz", Basis::untold, {}}, // what a board promises; no run runs at it by itself
    {"id", Basis::untold, {}},
    {"product", Basis::untold, {}},
    {"chip", Basis::untold, {}},
    {"sm.front_end.constant_", Basis::counted, {"model__imc_requests_lookup_miss.sum"}},
    {"sm.front_end.branch_latency",
     Basis::counted,
     {"smsp__warps_issue_stalled_branch_resolving.sum"}},
    {"sm.front_end.l1_icache_", Basis::counted, {"sm__icc_requests.sum"}},
    {"sm.front_end.l0_miss_latency", Basis::counted, {"sm__icc_requests.sum"}},
    {"sm.pipes.fma.", Basis::counted, {"sm__inst_executed_pipe_fma.sum"}},
    {"sm.pipes.imad.", Basis::counted, {"sm__inst_executed_pipe_fmaheavy.sum"}},
    {"sm.pipes.alu.", Basis::counted, {"sm__inst_executed_pipe_alu.sum"}},
    {"sm.pipes.half.", Basis::counted, {"sm__inst_executed_pipe_fp16.sum"}},
    {"sm.pipes.xu.", Basis::counted, {"sm__inst_executed_pipe_xu.sum"}},
    {"sm.pipes.fp64", Basis::counted, {"sm__inst_executed_pipe_fp64.sum"}},
    {"sm.pipes.uniform.", Basis::counted, {"sm__inst_executed_pipe_uniform.sum"}},
    {"sm.pipes.tensor.", Basis::counted, {"sm__inst_executed_pipe_tensor.sum"}},
    {"sm.lsu.", Basis::counted, {kLsu, kMio}},
    {"sm.lsu.tag_lines_per_cycle", Basis::counted, {kGlobalLoads, kGlobalStores}},
    {"sm.lsu.shared_latency_", Basis::counted, {kSharedLoads}},
    {"sm.lsu.banks", Basis::counted, {kSharedLoads, kSharedStores}},
    {"sm.lsu.shuffle_latency", Basis::counted, {kMio}},
    {"sm.lsu.store_release_", Basis::counted, {kGlobalStores}},
    {"sm.lsu.barrier_latency", Basis::counted, {"smsp__warps_issue_stalled_barrier.sum"}},
    {"sm.lsu.shared_uniform_latency_", Basis::counted, {kSharedLoads}},
    {"sm.lsu.shared_load_release", Basis::counted, {kSharedLoads}},
    {"sm.lsu.shared_store_release_", Basis::counted, {kSharedStores}},
    {"sm.lsu.uniform_store_release_", Basis::counted, {kGlobalStores, kSharedStores}},
    {"sm.lsu.constant_", Basis::untold, {}},
    {"sm.lsu.special_register_latency", Basis::untold, {}},
    {"sm.l1.", Basis::counted, {kL1Hits, kL1Misses, kGlobalStores}},
    {"sm.l1.hit_latency_", Basis::counted, {kL1Hits}},
    {"sm.l1.uniform_hit_latency_", Basis::counted, {kL1Hits}},
    {"sm.l1.miss_status_entries", Basis::counted, {kL1Misses}},
    {"sm.shared.", Basis::counted, {kSharedLoads, kSharedStores}},
    {"sm.shared.carveouts", Basis::counted, {kL1Hits, kL1Misses, kSharedLoads}}, // sizes L1 as well
    {"l2.", Basis::counted, {kL2Reads, kL2Writes, kL2Atomics}},
    {"dram.", Basis::counted, {kDramReads, kDramWrites}},
};

const Rule& rule_of(std::string_view key) {
  const Rule* best = &kRules[0];
  for (const Rule& r : kRules) {
    if (key.starts_with(r.prefix) && r.prefix.size() > best->prefix.size()) {
      best = &r;
    }
  }
  return *best;
}

} // namespace

KeyUse key_use(std::string_view key, const std::map<std::string, double>& counters) {
  const Rule& rule = rule_of(key);
  KeyUse use;
  if (rule.basis == Basis::every_run) {
    use.verdict = KeyUse::Verdict::exercised;
    return use;
  }
  if (rule.basis == Basis::untold) {
    return use;
  }
  for (const std::string_view name : rule.counters) {
    const auto found = counters.find(std::string(name));
    if (name.empty() || found == counters.end()) {
      continue;
    }
    if (use.verdict != KeyUse::Verdict::exercised) {
      use.verdict = found->second > 0.0 ? KeyUse::Verdict::exercised : KeyUse::Verdict::unused;
    }
    use.counters.push_back(name);
  }
  return use;
}

std::string_view to_string(KeyUse::Verdict verdict) {
  switch (verdict) {
  case KeyUse::Verdict::exercised:
    return "exercised";
  case KeyUse::Verdict::unused:
    return "unused";
  case KeyUse::Verdict::unknown:
    break;
  }
  return "unknown";
}

} // namespace coulomb::cli
