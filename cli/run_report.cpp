// SPDX-License-Identifier: Apache-2.0
#include "cli/run_report.hpp"

#include "base/text.hpp"
#include "cli/run_power.hpp"
#include "cli/stall_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace coulomb::cli {
namespace {

constexpr std::size_t kStallLines = 6;
constexpr double kBarWidth = 30.0;

std::string line(std::string_view name, std::string_view value, std::string_view note = {}) {
  std::string text = fmt::format("  {:<21} {:<19}", name, value);
  text += note;
  text.erase(text.find_last_not_of(' ') + 1);
  return text + '\n';
}

std::string percent(double fraction) {
  return fmt::format("{:.1f} %", 100.0 * fraction);
}

std::string time_text(double ms) {
  return ms >= 1.0 ? fmt::format("{:.3f} ms", ms) : fmt::format("{:.2f} us", 1000.0 * ms);
}

std::string extent(const Dim3& d) {
  return fmt::format("{} x {} x {}", with_thousands(d.x), with_thousands(d.y), with_thousands(d.z));
}

std::string whole(double value) {
  return with_thousands(static_cast<std::uint64_t>(std::llround(std::max(value, 0.0))));
}

std::string stall_text(const std::map<std::string, double>& stalls) {
  std::vector<std::pair<double, std::string>> shares;
  for (const auto& [reason, share] : stalls) {
    shares.emplace_back(share, stall_words(reason));
  }
  std::ranges::stable_sort(shares, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text = "\n  where the cycles went (warp-cycles, sum = 100 %)\n";
  double other = 0.0;
  std::size_t others = 0;
  const auto add = [&](double share, const std::string& words) {
    std::string bar;
    for (int i = 0; i < static_cast<int>(std::lround(kBarWidth * share)); ++i) {
      bar += "█";
    }
    text += fmt::format("    {:<28} {:>5.1f} %{}{}\n", words, 100.0 * share,
                        bar.empty() ? "" : "  ", bar);
  };
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (i < kStallLines) {
      add(shares[i].first, shares[i].second);
    } else if (shares[i].first > 0.0) {
      other += shares[i].first;
      ++others;
    }
  }
  if (others > 0) {
    add(other, fmt::format("other ({} reason{})", others, others == 1 ? "" : "s"));
  }
  return text;
}

std::string throughput_text(const eval::SimOutcome& s, const config::GpuConfig& gpu) {
  const auto counter = [&](const char* name) {
    const auto it = s.counters.find(name);
    return it == s.counters.end() ? 0.0 : it->second;
  };
  std::string text;
  const double dram = counter("dram__bytes_read.sum") + counter("dram__bytes_write.sum");
  const double peak = gpu.dram.channels * gpu.dram.channel_gbps;
  const double gbps = dram / (s.time_ms * 1e6);
  text += line("DRAM throughput", fmt::format("{:.1f} GB/s", gbps),
               peak > 0.0 ? fmt::format("{} of peak", percent(gbps / peak)) : "");
  text += line("warp instructions", whole(counter("smsp__inst_executed.sum")),
               fmt::format("{:.2f} per SM and cycle", s.ipc));
  return text;
}

std::string check_text(const eval::OutputCheck& check) {
  if (!check.checked) {
    return line("result check", "not made", check.reference);
  }
  std::string compared = with_thousands(check.compared) + " elements compared";
  // A named oracle is what a shipped kernel always has; anything else is worth its words.
  if (!check.reference.empty() && !check.reference.starts_with("oracle ")) {
    compared += " with " + check.reference;
  }
  if (!check.passed) {
    return line("result check", "FAILED", compared + "; " + check.first_difference);
  }
  return line("result check", "passed",
              fmt::format("{}, max relative error {:.1e}", compared, check.max_rel_error));
}

std::string fidelity_text(const eval::SimOutcome& s) {
  return fmt::format("{} of {} CTAs on {} SM{}", with_thousands(s.ctas_simulated),
                     with_thousands(s.ctas_total), with_thousands(s.sms), s.sms == 1 ? "" : "s");
}

std::string occupancy_text(const eval::SimOutcome& s, const config::GpuConfig& gpu) {
  return line(
      "occupancy", fmt::format("{} warps/SM", s.occupancy.warps_per_sm),
      fmt::format("{} of {}, {} CTAs/SM, limited by {}",
                  percent(s.occupancy.warps_per_sm / std::max(1.0, double(gpu.sm.max_warps))),
                  gpu.sm.max_warps, s.occupancy.ctas_per_sm, s.occupancy.limiter));
}

double instruction_rate(const eval::SimOutcome& s) {
  return s.model_s > 0.0 ? static_cast<double>(s.warp_insts) / s.model_s : 0.0;
}

std::string host_text(const search::Evaluation& e) {
  return fmt::format(
      "\nhost       compile {:.2f} s   simulation {:.2f} s   {} warp instructions/s   {} MiB\n",
      e.compile_s, e.sim.wall_s, whole(instruction_rate(e.sim)),
      with_thousands(e.sim.peak_rss_bytes >> 20));
}

std::string expected_error_text(const calibration::ExpectedError& expected) {
  return line("expected error",
              expected.median ? fmt::format("{} median", percent(*expected.median)) : "not known",
              expected.note());
}

/// Rung "functional": what was executed; there is no time.
std::string functional_text(const search::Evaluation& e, const config::GpuConfig& gpu) {
  const eval::SimOutcome& s = e.sim;
  std::string text = "\n";
  text += line("executed", s.rung,
               fmt::format("{} of {} CTAs, not timed", with_thousands(s.ctas_simulated),
                           with_thousands(s.ctas_total)));
  text += line("warp instructions", with_thousands(s.warp_insts),
               whole(instruction_rate(s)) + " per second of one core");
  text += occupancy_text(s, gpu);
  text += check_text(s.output_check);
  return text + host_text(e);
}

/// What the kernel printed, the findings of checks, the files that were written.
std::string extras_text(const RunReport& report, const search::Evaluation& e) {
  std::string text;
  if (!e.sim.printed.empty()) {
    text += "\nprinted by the kernel\n" + e.sim.printed;
    text += e.sim.printed.ends_with('\n') ? "" : "\n";
  }
  if (!e.sim.findings.empty()) {
    text += fmt::format("\nfindings ({})\n", with_thousands(e.sim.findings.size()));
    for (const eval::Finding& f : e.sim.findings) {
      text += "  " + eval::finding_text(f) + '\n';
    }
  }
  const bool ran = e.status == eval::EvalStatus::ok || e.status == eval::EvalStatus::wrong_result;
  for (const kernel::OutputFile& o : report.outputs) {
    if (ran) {
      text += fmt::format("output     {} in {}\n", o.argument, o.path);
    }
  }
  return text;
}

std::string
timing_text(const RunReport& report, const search::Evaluation& e, const config::GpuConfig& gpu) {
  const eval::SimOutcome& s = e.sim;
  std::string text = "\n";
  text += line("time", time_text(s.time_ms), whole(s.cycles) + " SM cycles");
  if (report.expected_error) {
    text += expected_error_text(*report.expected_error);
  }
  text += line("launch overhead", time_text(s.launch_overhead_ms), "not in the time");
  text += throughput_text(s, gpu);
  text += occupancy_text(s, gpu);
  text += run_power_text(*run_power(s, gpu), gpu);
  text += check_text(s.output_check);
  text += line("simulated", s.rung, fidelity_text(s));
  if (report.cache_state != "warm") {
    text += line("caches", report.cache_state, "L2 and TLBs at launch");
  }
  text += stall_text(s.stalls);
  text += report.explanation;
  return text + host_text(e);
}

} // namespace

std::string run_report_text(const RunReport& report,
                            const search::Evaluation& e,
                            const config::GpuConfig& gpu) {
  const eval::SimOutcome& s = e.sim;
  const std::string key = e.configuration.key();
  std::string text =
      fmt::format("kernel     {}{}{}\n", report.kernel, key.empty() ? "" : "   ", key);
  if (e.status != eval::EvalStatus::restricted) {
    text +=
        fmt::format("launch     grid {}   block {}", extent(e.launch.grid), extent(e.launch.block));
    if (s.ctas_total > 0) {
      text += fmt::format(
          "   {} registers/thread   {} bytes shared", s.registers,
          with_thousands(std::uint64_t{s.static_shared_bytes} + s.dynamic_shared_bytes));
      if (s.spill_bytes > 0) {
        text += fmt::format("   {} bytes spilled/thread", with_thousands(s.spill_bytes));
      }
    }
    text += '\n';
  }
  text += fmt::format("gpu        {}\n", report.gpu_line);
  if (s.cycles > 0.0) {
    text += timing_text(report, e, gpu);
  } else if (s.rung == "functional" && s.warp_insts > 0) {
    text += functional_text(e, gpu);
  } else {
    text += report.explanation; // where a kernel hung, for one
  }
  text += extras_text(report, e);
  text += fmt::format("reproduce  {}\n", report.reproduce);
  if (e.status == eval::EvalStatus::ok && !report.search.empty()) {
    text += fmt::format("next       change something: --param NAME=VALUE, --set sm.l1.size=\"256 "
                        "KiB\"; or search: {}\n",
                        report.search);
  }
  return text;
}

} // namespace coulomb::cli
