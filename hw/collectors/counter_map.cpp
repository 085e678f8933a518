// SPDX-License-Identifier: Apache-2.0
#include "hw/collectors/counter_map.hpp"

#include <algorithm>

namespace coulomb::hw {

std::optional<ChipFamily> chip_family(std::string_view chip) {
  if (chip == "GA100") {
    return ChipFamily::ga100;
  }
  // GA10B, of the same digits, is Orin: compute capability 8.7, another memory system.
  if (chip.size() == 5 && chip.substr(0, 4) == "GA10" && chip[4] >= '2' && chip[4] <= '7') {
    return ChipFamily::ga10x;
  }
  return std::nullopt;
}

ChipFamily chip_family_of(std::uint32_t architecture) {
  return architecture == 80 ? ChipFamily::ga100 : ChipFamily::ga10x;
}

const CounterMapping* find_mapping(std::string_view counter, ChipFamily family) {
  for (const CounterMapping& row : counter_map()) {
    if (row.counter == counter && (row.family == ChipFamily::any || row.family == family)) {
      return &row;
    }
  }
  return nullptr;
}

namespace {

template <class Visit>
void visit_terms(const CounterTerms& terms, Visit visit) {
  for (const CounterTerm& term : terms) {
    if (!term.metric.empty()) {
      visit(term);
    }
  }
}

std::optional<double> sum_of(const CounterTerms& terms,
                             const std::map<std::string, double>& metrics) {
  double sum = 0.0;
  bool complete = true;
  visit_terms(terms, [&](const CounterTerm& term) {
    const auto it = metrics.find(std::string(term.metric));
    complete = complete && it != metrics.end();
    sum += it == metrics.end() ? 0.0 : term.weight * it->second;
  });
  return complete ? std::optional(sum) : std::nullopt;
}

} // namespace

std::vector<std::string> mapped_metrics(ChipFamily family) {
  std::vector<std::string> out;
  for (const CounterMapping& row : counter_map()) {
    if (row.family == ChipFamily::any || row.family == family) {
      const auto add = [&](const CounterTerm& term) { out.emplace_back(term.metric); };
      visit_terms(row.terms, add);
      visit_terms(row.over, add);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::optional<double> measured_counter(const CounterMapping& mapping,
                                       const std::map<std::string, double>& metrics) {
  if (!mapping.measurable()) {
    return std::nullopt;
  }
  const std::optional<double> value = sum_of(mapping.terms, metrics);
  if (!value || mapping.over[0].metric.empty()) {
    return value ? std::optional(mapping.scale * *value) : std::nullopt;
  }
  const std::optional<double> whole = sum_of(mapping.over, metrics);
  return whole && *whole != 0.0 ? std::optional(mapping.scale * *value / *whole) : std::nullopt;
}

std::optional<double> simulated_counter(const CounterMapping& mapping,
                                        const std::map<std::string, double>& counters) {
  double sum = 0.0;
  for (const std::string_view name : {mapping.counter, mapping.also[0], mapping.also[1]}) {
    if (name.empty()) {
      continue;
    }
    const auto it = counters.find(std::string(name));
    if (it == counters.end()) {
      return std::nullopt;
    }
    sum += it->second;
  }
  return sum;
}

std::map<std::string, double> measured_counters(ChipFamily family,
                                                const std::map<std::string, double>& metrics) {
  std::map<std::string, double> out;
  for (const CounterMapping& row : counter_map()) {
    if (row.family == ChipFamily::any || row.family == family) {
      if (const std::optional<double> value = measured_counter(row, metrics)) {
        out[std::string(row.counter)] = *value;
      }
    }
  }
  return out;
}

} // namespace coulomb::hw
