// SPDX-License-Identifier: Apache-2.0
#include "search/report/search_page.hpp"

#include "base/results/html/elements.hpp"
#include "base/results/html/page.hpp"
#include "base/results/html/text.hpp"
#include "base/text.hpp"
#include "search/report/convergence.hpp"
#include "search/report/coordinates.hpp"
#include "search/report/importance_section.hpp"
#include "search/store/search_summary.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace coulomb::search {
namespace {

using eval::EvalStatus;
using html::format_number;

std::string time_text(double time_ms, TimeUnit unit) {
  return fmt::format("{} {}", format_number(time_ms * unit.per_ms, 5), unit.name);
}

/// What the best is measured against.
html::Tile gain_tile(const SearchRecords& records, const EvaluationRecord& best, TimeUnit unit) {
  const auto& first = records.evaluations.front();
  if (first.status != EvalStatus::ok) {
    return {"no gain to state",
            fmt::format("the first evaluation failed: {}", eval::to_string(first.status))};
  }
  if (first.id == best.id) {
    return {"1 x", "the first evaluation is the best"};
  }
  return {fmt::format("{:.2f} x", first.time_ms / best.time_ms),
          fmt::format("as fast as the first evaluation, {}", time_text(first.time_ms, unit))};
}

std::string head(const SearchRecords& records,
                 const SearchSummary& summary,
                 const SearchPageInput& input,
                 TimeUnit unit) {
  const auto& header = records.header;
  std::string out = html::remark(
      fmt::format("A search by coulomb {}: strategy {}, seed {}, {} of {} evaluations, {}.",
                  header.version, header.strategy, header.seed, with_thousands(summary.evaluations),
                  with_thousands(header.budget), input.state));
  if (input.state == "running") {
    out += html::notice(fmt::format(
        "The search is running: this page shows what was finished at {}. Make it again for more.",
        input.generated));
  }
  if (!records.damage.empty()) {
    out += html::notice("The journal is damaged; what could be read is shown: " + records.damage);
  }
  std::vector<html::Tile> tiles;
  if (summary.best) {
    const auto& best = records.evaluations[*summary.best];
    tiles.push_back({time_text(best.time_ms, unit), "the best time"});
    tiles.push_back(gain_tile(records, best, unit));
  }
  const std::uint64_t failed = summary.evaluations - summary.ok();
  tiles.push_back({with_thousands(summary.evaluations),
                   fmt::format("evaluations, {} of them failed", with_thousands(failed))});
  tiles.push_back({with_thousands(summary.unique),
                   fmt::format("of {} valid configurations", with_thousands(header.space_size))});
  return out + html::tiles(tiles);
}

std::string best_section(const SearchRecords& records,
                         const SearchSummary& summary,
                         const SearchPageInput& input,
                         TimeUnit unit) {
  if (!summary.best) {
    return html::paragraph(records.evaluations.empty()
                               ? "No evaluation is finished yet."
                               : "None: every configuration failed. The causes are below.");
  }
  const auto& best = records.evaluations[*summary.best];
  html::Facts facts;
  for (const auto& [name, value] : best.configuration.entries()) {
    facts.emplace_back(name, kernel::to_text(value));
  }
  return html::paragraph(fmt::format("Candidate {}{}, {}:", best.id,
                                     best.origin.empty() ? "" : ", proposed by " + best.origin,
                                     time_text(best.time_ms, unit))) +
         html::facts(facts) + html::paragraph("This repeats it, with every figure of the run:") +
         html::code_block(input.best_command);
}

std::string fidelity_text(const eval::Fidelity& fidelity) {
  std::string text =
      fidelity.rung == "chip"
          ? "every SM and the whole grid"
          : fmt::format("sampled: {} SM{}, {}", fidelity.sms, fidelity.sms == 1 ? "" : "s",
                        fidelity.max_waves == 0
                            ? std::string("as many waves as the sampler chooses")
                            : fmt::format("{} waves", fidelity.max_waves));
  return text + "; caches at launch: " + fidelity.cache_state;
}

std::string provenance_section(const SearchRecords& records,
                               const SearchSummary& summary,
                               const SearchPageInput& input) {
  const auto& h = records.header;
  std::string last;
  for (const auto& e : records.evaluations) {
    last = std::max(last, e.finished);
  }
  std::string out = html::paragraph("The search was started with:") + html::code_block(h.command);
  if (!input.resume_command.empty()) {
    out += html::paragraph("This continues it:") + html::code_block(input.resume_command);
  }
  return out +
         html::facts(
             {{"version", "coulomb " + h.version},
              {"tuning space", fmt::format("{} ({}), hash {}; kernel source, hash {}", h.spec,
                                           h.spec_path, h.spec_hash, h.source_hash)},
              {"GPU", fmt::format("{}, configuration hash {}", h.gpu, h.gpu_hash)},
              {"changes to the GPU", fmt::format("{}", fmt::join(h.gpu_overrides, ", "))},
              {"simulated", fidelity_text(h.fidelity)},
              {"strategy", fmt::format("{}, seed {}, {} proposals out at a time", h.strategy,
                                       h.seed, h.lookahead)},
              {"started", h.started},
              {"last evaluation", last},
              {"sessions", fmt::format("{}, the latest with {} worker processes", records.sessions,
                                       records.last_jobs)},
              {"worker time",
               fmt::format("{:.1f} s compiling, {:.1f} s simulating ({} "
                           "simulations: equal machine code runs once)",
                           summary.compile_s, summary.sim_s, with_thousands(summary.simulations))},
              {"directory", input.dir},
              {"page made", input.generated}}) +
         html::remark("Times are the simulator's, of the kernel alone at the stated SM clock; the "
                      "launch is not in them.");
}

std::string table_section(const SearchRecords& records,
                          const SearchSummary& summary,
                          const SearchPageInput& input,
                          TimeUnit unit) {
  if (!summary.best) {
    return html::paragraph("No configuration has run.");
  }
  const std::string more =
      summary.ok() > kBestRows
          ? fmt::format("The {} fastest of {} that ran; coulomb search export has them all.",
                        kBestRows, with_thousands(summary.ok()))
          : fmt::format("All {} that ran.", with_thousands(summary.ok()));
  return html::remark(more + " A click on a heading sorts by it.") +
         html::to_html(best_table(records, unit, kBestRows, input.stall_words));
}

} // namespace

std::string search_page(const SearchRecords& records, const SearchPageInput& input) {
  const SearchSummary summary = summarise(records.evaluations);
  const TimeUnit unit =
      summary.best ? time_unit(records.evaluations[*summary.best].time_ms) : TimeUnit{};
  html::Page page(fmt::format("Search of {} on {}", records.header.spec, records.header.gpu));
  page.add(head(records, summary, input, unit));
  page.section("The best configuration", best_section(records, summary, input, unit));
  if (!records.evaluations.empty()) {
    page.section("How the search went", convergence_section(records, unit));
    page.section("Which parameters matter", importance_section(parameter_importance(records)));
    page.section("What the fast ones have in common", coordinates_section(records, unit));
    page.section("The fastest configurations", table_section(records, summary, input, unit));
    page.section("What became of the evaluations", html::to_html(status_table(records)));
    page.section("What proposed them", html::to_html(origin_table(records, unit)));
  }
  page.section("How it was made", provenance_section(records, summary, input));
  return page.text();
}

} // namespace coulomb::search
