// SPDX-License-Identifier: Apache-2.0
#include "search/report/search_page.hpp"

#include "base/results/html/elements.hpp"
#include "base/results/html/page.hpp"
#include "base/results/html/text.hpp"
#include "base/text.hpp"
#include "search/report/convergence.hpp"
#include "search/report/coordinates.hpp"
#include "search/report/front_section.hpp"
#include "search/report/importance_section.hpp"
#include "search/store/search_summary.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <optional>
#include <tuple>

namespace coulomb::search {
namespace {

using eval::EvalStatus;
using html::format_number;

/// What every section tells of.
struct View {
  const SearchRecords& records;
  const SearchPageInput& input;
  SearchSummary summary;
  Ranking ranking;
  Measure measure;                 ///< the first objective
  std::optional<std::size_t> best; ///< position
  TimeUnit unit;                   ///< of all times

  [[nodiscard]] bool by_time() const { return ranking.scorer().by_time(); }
  [[nodiscard]] bool has_front() const { return ranking.scorer().count() > 1; }
};

View view_of(const SearchRecords& records, const SearchPageInput& input) {
  View view{.records = records,
            .input = input,
            .summary = summarise(records.evaluations),
            .ranking = Ranking(records),
            .measure = {},
            .best = {},
            .unit = {}};
  view.measure = measure_of(records, view.ranking);
  if (const auto best = view.ranking.best(1); !best.empty()) {
    view.best = best.front();
    view.unit = time_unit(records.evaluations[best.front()].time_ms);
  }
  return view;
}
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

html::Tile best_tile(const View& view) {
  if (view.has_front()) {
    return {with_thousands(view.ranking.front().size()),
            fmt::format("configurations on the front of {}",
                        fmt::join(view.ranking.scorer().names(), " and "))};
  }
  return view.by_time() ? html::Tile{view.measure.text(*view.best), "the best time"}
                        : html::Tile{format_number(view.measure.values[*view.best], 5),
                                     "the best value of " + view.measure.name};
}

std::string head(const View& view) {
  const auto& [records, input, summary] = std::tie(view.records, view.input, view.summary);
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
  if (view.best) {
    tiles.push_back(best_tile(view));
    if (view.by_time()) {
      tiles.push_back(gain_tile(records, records.evaluations[*view.best], view.unit));
    }
  }
  const std::uint64_t failed = summary.evaluations - summary.ok();
  tiles.push_back({with_thousands(summary.evaluations),
                   fmt::format("evaluations, {} of them failed", with_thousands(failed))});
  tiles.push_back({with_thousands(summary.unique),
                   fmt::format("of {} valid configurations", with_thousands(header.space_size))});
  return out + html::tiles(tiles);
}

std::string best_section(const View& view) {
  const auto& records = view.records;
  if (!view.best) {
    return html::paragraph(records.evaluations.empty()
                               ? "No evaluation is finished yet."
                               : "None: every configuration failed. The causes are below.");
  }
  const auto& best = records.evaluations[*view.best];
  html::Facts facts;
  for (const auto& [name, value] : best.configuration.entries()) {
    facts.emplace_back(name, kernel::to_text(value));
  }
  return html::paragraph(fmt::format("Candidate {}{}, {}:", best.id,
                                     best.origin.empty() ? "" : ", proposed by " + best.origin,
                                     view.by_time()
                                         ? view.measure.text(*view.best)
                                         : view.ranking.text(*view.best) + "; it takes " +
                                               time_text(best.time_ms, view.unit))) +
         html::facts(facts) +
         html::paragraph(records.header.silicon.empty()
                             ? "This repeats it, with every figure of the run:"
                             : "It was measured, not simulated. This simulates it:") +
         html::code_block(view.input.best_command);
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

std::string objectives_text(const ObjectiveSettings& settings) {
  std::string text = fmt::format("{}", fmt::join(settings.objectives, ", "));
  if (settings.objectives.front() == kReward) {
    text += fmt::format(": {} at the start, {} at the end", to_text(settings.reward.start),
                        to_text(settings.reward.end));
  }
  return text;
}

std::string strategy_text(const SearchHeader& h) {
  std::string text =
      fmt::format("{}, seed {}, {} proposals out at a time", h.strategy, h.seed, h.lookahead);
  if (h.fence) {
    text += fmt::format(", fence {}", *h.fence);
  }
  return h.islands > 1 ? text + fmt::format(", {} islands ({})", h.islands, h.topology) : text;
}

std::string provenance_section(const View& view) {
  const auto& [records, input, summary] = std::tie(view.records, view.input, view.summary);
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
              {"simulated", h.silicon.empty() ? fidelity_text(h.fidelity) : ""},
              {"measured",
               h.silicon.empty()
                   ? ""
                   : fmt::format("recorded measurements of {}; nothing was simulated", h.silicon)},
              {"searched, too", fmt::format("{}", fmt::join(h.gpu_genes, "; "))},
              {"objectives", objectives_text(h.objectives)},
              {"strategy", strategy_text(h)},
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
         html::remark(h.silicon.empty()
                          ? "Times are the simulator's, of the kernel alone at the stated SM "
                            "clock; the launch is not in them."
                          : "Times are recorded measurements of that table: no simulator has had "
                            "a part in them, so no fidelity is stated.");
}

std::string table_section(const View& view) {
  const auto& summary = view.summary;
  if (!view.best) {
    return html::paragraph("No configuration has run.");
  }
  const std::string more =
      summary.ok() > kBestRows
          ? fmt::format("The {} best of {} that ran; coulomb search export has them all.",
                        kBestRows, with_thousands(summary.ok()))
          : fmt::format("All {} that ran.", with_thousands(summary.ok()));
  return html::remark(more +
                      (view.has_front() ? fmt::format(" The front, {}, comes first.",
                                                      view.ranking.front().size())
                                        : "") +
                      " A click on a heading sorts by it.") +
         html::to_html(
             best_table(view.records, view.ranking, view.unit, kBestRows, view.input.stall_words));
}

} // namespace

std::string search_page(const SearchRecords& records, const SearchPageInput& input) {
  const View view = view_of(records, input);
  const Measure& measure = view.measure;
  const bool front = view.has_front();
  html::Page page(fmt::format("Search of {} on {}", records.header.spec, records.header.gpu));
  page.add(head(view));
  page.section(front ? "The first on the front" : "The best configuration", best_section(view));
  if (!records.evaluations.empty()) {
    if (front && view.best) {
      page.section("The front", front_section(records, view.ranking));
    }
    page.section(front ? "How the first objective went" : "How the search went",
                 convergence_section(records, measure));
    page.section("Which parameters matter",
                 importance_section(parameter_importance(records, measure)));
    page.section("What the best ones have in common", coordinates_section(records, measure));
    page.section("The best configurations", table_section(view));
    page.section("What became of the evaluations", html::to_html(status_table(records)));
    page.section("What proposed them", html::to_html(origin_table(records, measure)));
  }
  page.section("How it was made", provenance_section(view));
  return page.text();
}

} // namespace coulomb::search
