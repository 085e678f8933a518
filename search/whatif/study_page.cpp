// SPDX-License-Identifier: Apache-2.0
#include "search/whatif/study_page.hpp"

#include "base/config/config_json.hpp"
#include "base/results/html/bar_chart.hpp"
#include "base/results/html/diverging_chart.hpp"
#include "base/results/html/elements.hpp"
#include "base/results/html/page.hpp"
#include "base/results/html/table.hpp"
#include "base/text.hpp"
#include "search/objective/ranking.hpp"
#include "search/report/front_section.hpp"
#include "search/whatif/design.hpp"
#include "sim/power/area.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace coulomb::search {
namespace {

using html::number_cell;
using html::text_cell;

double counter(const EvaluationRecord& record, const std::string& name) {
  const auto it = record.counters.find(name);
  return it == record.counters.end() ? 0.0 : it->second;
}

std::string percent(double ratio) {
  return fmt::format("{:+.1f} %", 100.0 * (ratio - 1.0));
}

std::string whole_percent(double share) {
  return fmt::format("{:.0f} %", 100.0 * share);
}

html::Cell effect_cell(double ratio) {
  return number_cell(ratio, percent(ratio));
}

std::string head(const Study& study, const SearchRecords& records, const StudyAnalysis& analysis) {
  const EvaluationRecord& base = analysis.baseline;
  std::string out = html::tiles(
      {{fmt::format("{:.4g} ms", base.time_ms), "baseline: mean time over the kernels"},
       {fmt::format("{:.4g} mJ", 1000.0 * counter(base, "model__energy.sum")), "its mean energy"},
       {fmt::format("{:.0f} W", counter(base, "model__power.avg")), "its highest power"},
       {fmt::format("{:.0f} mm2", counter(base, "model__area.mm2")), "its area"}});
  html::Facts facts = {{"baseline", study.gpu}};
  for (const StudyKernel& kernel : study.kernels) {
    facts.emplace_back("kernel", fmt::format("{}, weight {:.2f}", kernel.name, kernel.weight));
  }
  const StudyLimits& limits = study.limits;
  facts.emplace_back("area",
                     limits.area_mm2 ? fmt::format("at most {} mm2", *limits.area_mm2) : "");
  facts.emplace_back("power", limits.power_w ? fmt::format("at most {} W", *limits.power_w)
                                             : "at most the board's own limit");
  facts.emplace_back("temperature", limits.temperature_c
                                        ? fmt::format("at most {} C", *limits.temperature_c)
                                        : "at most the board's own slowdown");
  facts.emplace_back("designs",
                     fmt::format("{} evaluated of {}", with_thousands(records.evaluations.size()),
                                 with_thousands(records.header.space_size)));
  out += html::facts(facts);
  return out +
         html::remark(
             "Means are geometric, weighted by kernel. The limit of power is on what the board's "
             "sensor reads, watts here are true ones. Each kernel runs at the clock that the "
             "limits of power and temperature leave it. Areas are known to 10 % and changes of a "
             "block to 30 %; designs within 5 % of area or power are ties.");
}

std::string changes_table(const std::vector<SingleChange>& changes) {
  html::Table table;
  table.columns = {{"key", ""},          {"value", ""},       {"time", "", true},
                   {"energy", "", true}, {"power", "", true}, {"area", "mm2", true},
                   {"exercised", ""}};
  for (const SingleChange& change : changes) {
    if (!change.effect) {
      table.rows.push_back({text_cell(change.key), text_cell(change.value), text_cell("-"),
                            text_cell("-"), text_cell("-"), text_cell("-"),
                            html::long_text_cell(change.problem)});
      continue;
    }
    const Effect& e = *change.effect;
    table.rows.push_back({text_cell(change.key), text_cell(change.value), effect_cell(e.time),
                          effect_cell(e.energy), effect_cell(e.power),
                          number_cell(e.area_mm2, fmt::format("{:+.1f}", e.area_mm2)),
                          text_cell(change.exercised ? "yes" : "no")});
  }
  return html::to_html(table);
}

std::string design_section(const DesignReasons& reasons) {
  const Effect& e = reasons.effect;
  std::string out = html::paragraph(
      fmt::format("Against the baseline: time {}, energy {}, power {}, area {:+.1f} mm2.",
                  percent(e.time), percent(e.energy), percent(e.power), e.area_mm2));
  html::Table kernels;
  kernels.columns = {{"kernel", ""},      {"time", "", true},     {"limit before", ""},
                     {"limit after", ""}, {"clock", "MHz", true}, {"power", "W", true}};
  for (const KernelLimit& k : reasons.kernels) {
    kernels.rows.push_back(
        {text_cell(k.kernel), effect_cell(k.time),
         text_cell(fmt::format("{} ({} busy)", k.before, whole_percent(k.busy_before))),
         text_cell(fmt::format("{} ({} busy)", k.after, whole_percent(k.busy_after))),
         number_cell(k.sm_clock_mhz, fmt::format("{:.0f}", k.sm_clock_mhz)),
         number_cell(k.power_w, fmt::format("{:.0f}", k.power_w))});
  }
  out += html::to_html(kernels);
  if (reasons.changes.empty()) {
    return out + html::paragraph("It is the baseline.");
  }
  out += html::paragraph("Each of its changes, against the same design without it:");
  return out + changes_table(reasons.changes);
}

/// Of each gene the values that help and harm time most.
std::string tornado(const std::vector<SingleChange>& singles) {
  std::map<std::string, html::Span> spans;
  for (const SingleChange& change : singles) {
    if (!change.effect) {
      continue;
    }
    html::Span& span = spans.try_emplace(change.key, html::Span{.name = change.key}).first->second;
    const double delta = change.effect->time - 1.0;
    if (delta < span.low) {
      span.low = delta;
      span.low_note = change.value;
    }
    if (delta > span.high) {
      span.high = delta;
      span.high_note = change.value;
    }
  }
  html::DivergingChart chart;
  chart.description = "Change of the mean time by each gene alone, around the baseline";
  chart.title = "change of time [%], one gene at a time";
  for (auto& [key, span] : spans) {
    chart.spans.push_back(std::move(span));
  }
  std::ranges::stable_sort(chart.spans, [](const html::Span& a, const html::Span& b) {
    return a.high - a.low > b.high - b.low;
  });
  return html::to_html(chart);
}

std::string interactions_section(const std::vector<Interaction>& interactions) {
  if (interactions.empty()) {
    return {};
  }
  html::Table table;
  table.columns = {
      {"first", ""}, {"second", ""}, {"time together", "", true}, {"beyond the product", "", true}};
  for (const Interaction& pair : interactions) {
    table.rows.push_back({text_cell(pair.a.key + " = " + pair.a.value),
                          text_cell(pair.b.key + " = " + pair.b.value),
                          effect_cell(pair.together.time),
                          number_cell(pair.beyond, fmt::format("{:+.1f} %", 100.0 * pair.beyond))});
  }
  return html::paragraph("Pairs of the genes that matter most: what they do together beyond the "
                         "product of what each does alone.") +
         html::to_html(table);
}

std::string stall_section(const StudyAnalysis& analysis) {
  constexpr double kLeast = 0.005;
  html::Table table;
  table.columns = {{"stall reason", ""}, {"baseline", "%", true}};
  for (std::size_t d = 0; d < analysis.designs.size(); ++d) {
    table.columns.push_back({fmt::format("design {}", d + 1), "%", true});
  }
  for (const auto& [reason, share] : analysis.baseline.stalls) {
    std::vector<double> shares = {share};
    for (const DesignReasons& reasons : analysis.designs) {
      const auto it = reasons.design.stalls.find(reason);
      shares.push_back(it == reasons.design.stalls.end() ? 0.0 : it->second);
    }
    if (*std::ranges::max_element(shares) < kLeast) {
      continue;
    }
    std::vector<html::Cell> row = {text_cell(reason)};
    for (const double s : shares) {
      row.push_back(number_cell(s, fmt::format("{:.1f}", 100.0 * s)));
    }
    table.rows.push_back(std::move(row));
  }
  return html::paragraph("Share of warp-cycles, mean over the kernels.") + html::to_html(table);
}

config::GpuConfig
gpu_of(const Study& study, const config::GpuConfig& baseline, const EvaluationRecord& design) {
  return design_gpu(baseline, study.limits, design.configuration);
}

std::string
area_section(const Study& study, const SearchRecords& records, const StudyAnalysis& analysis) {
  const auto baseline = config::gpu_config_from_json(records.header.gpu_json);
  std::vector<power::AreaEstimate> areas = {
      power::estimate_area(gpu_of(study, baseline, analysis.baseline))};
  html::Table table;
  table.columns = {{"block", ""}, {"baseline", "mm2", true}};
  for (std::size_t d = 0; d < analysis.designs.size(); ++d) {
    areas.push_back(power::estimate_area(gpu_of(study, baseline, analysis.designs[d].design)));
    table.columns.push_back({fmt::format("design {}", d + 1), "mm2", true});
  }
  html::BarChart chart{"Area of the baseline by block", "share of the die", {}};
  for (std::size_t b = 0; b < power::kAreaBlocks.size(); ++b) {
    std::string name(power::kAreaBlocks[b]);
    std::ranges::replace(name, '_', ' ');
    chart.bars.push_back({name, areas.front().mm2[b] / areas.front().total_mm2,
                          fmt::format("{:.1f} mm2", areas.front().mm2[b])});
    std::vector<html::Cell> row = {text_cell(name)};
    for (const power::AreaEstimate& area : areas) {
      row.push_back(number_cell(area.mm2[b], fmt::format("{:.1f}", area.mm2[b])));
    }
    table.rows.push_back(std::move(row));
  }
  std::vector<html::Cell> total = {text_cell("whole die")};
  for (const power::AreaEstimate& area : areas) {
    total.push_back(number_cell(area.total_mm2,
                                fmt::format("{:.0f} +- {:.0f}", area.total_mm2, area.band_mm2)));
  }
  table.rows.push_back(std::move(total));
  return html::to_html(chart) + html::to_html(table);
}

std::string failures_section(const SearchRecords& records) {
  std::map<std::string, std::size_t> reasons;
  for (const EvaluationRecord& r : records.evaluations) {
    if (r.status != eval::EvalStatus::ok) {
      ++reasons[fmt::format("{}: {}", eval::to_string(r.status),
                            r.message.substr(0, r.message.find(':')))];
    }
  }
  if (reasons.empty()) {
    return html::paragraph("Every design that was tried could be built within the limits.");
  }
  html::Table table;
  table.columns = {{"why not", ""}, {"designs", "", true}};
  for (const auto& [reason, count] : reasons) {
    table.rows.push_back(
        {text_cell(reason), number_cell(static_cast<double>(count), with_thousands(count))});
  }
  return html::to_html(table);
}

} // namespace

std::string
study_page(const Study& study, const SearchRecords& records, const StudyAnalysis& analysis) {
  html::Page page("What if: " + study.name);
  page.add(head(study, records, analysis));
  const Ranking ranking(records);
  if (ranking.scorer().count() > 1) {
    page.section("The front", front_section(records, ranking));
  }
  for (std::size_t d = 0; d < analysis.designs.size(); ++d) {
    const EvaluationRecord& design = analysis.designs[d].design;
    page.section(fmt::format("Design {}", d + 1), html::code_block(design.configuration.key()) +
                                                      design_section(analysis.designs[d]));
  }
  page.section("Sensitivity around the baseline", tornado(analysis.singles) +
                                                      changes_table(analysis.singles) +
                                                      interactions_section(analysis.interactions));
  page.section("Where the cycles go", stall_section(analysis));
  page.section("Area", area_section(study, records, analysis));
  page.section("Designs that cannot be", failures_section(records));
  page.section("Again", html::code_block(records.header.command));
  return page.text();
}

} // namespace coulomb::search
