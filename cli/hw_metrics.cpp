// SPDX-License-Identifier: Apache-2.0
#include "cli/hw_metrics.hpp"

#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "hw/collectors/metric_set.hpp"
#include "hw/cupti/metric_catalogue.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;
using Strings = std::vector<std::string>;

/// What the command line asks about.
struct Question {
  std::string chip;
  Strings metrics;  ///< to be checked, each once
  Strings left_out; ///< of the set, those that it says the chip does not have
};

/// What CUPTI says to it.
struct Answer {
  std::string path;
  std::string version;
  std::vector<hw::MetricCheck> metrics;
  std::size_t known = 0;
  std::size_t passes = 0; ///< of the known ones together
};

po::options_description options_of() {
  po::options_description options;
  options.add_options()("set", po::value<std::string>(), "a set of configs/collectors")(
      "file", po::value<std::string>(), "a set of your own, a TOML file")(
      "chip", po::value<std::string>()->default_value("GA100"),
      "as CUPTI calls it")("metric", po::value<Strings>(),
                           "metric names")("json", "print JSON")("help,h", "print this help");
  return options;
}

Question question_of(const po::variables_map& values) {
  Question q;
  q.chip = values["chip"].as<std::string>();
  if (values.count("set") > 0 && values.count("file") > 0) {
    throw UserError("hw metrics: --set and --file exclude each other");
  }
  std::optional<hw::MetricSet> set;
  if (values.count("set") > 0) {
    set = hw::find_metric_set(values["set"].as<std::string>());
  } else if (values.count("file") > 0) {
    set = hw::load_metric_set(values["file"].as<std::string>());
  }
  Strings names = strings(values, "metric");
  if (set) {
    for (const hw::CollectedMetric& m : set->metrics) {
      (m.on(q.chip) ? names : q.left_out).push_back(m.metric);
    }
  }
  for (const std::string& name : names) {
    if (std::find(q.metrics.begin(), q.metrics.end(), name) == q.metrics.end()) {
      q.metrics.push_back(name);
    }
  }
  return q;
}

Answer ask(const Question& question) {
  const hw::MetricCatalogue catalogue;
  Answer answer;
  answer.path = catalogue.path();
  answer.version = catalogue.version();
  answer.metrics = catalogue.check(question.chip, question.metrics);
  Strings known;
  for (const hw::MetricCheck& m : answer.metrics) {
    if (m.known) {
      known.push_back(m.name);
    }
  }
  answer.known = known.size();
  answer.passes = catalogue.passes(question.chip, known);
  return answer;
}

Json json_of(const Question& question, const Answer& answer) {
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
  };
  Json metrics = Json::array();
  for (const hw::MetricCheck& m : answer.metrics) {
    Json entry = {{"metric", m.name}, {"known", m.known}};
    if (m.known) {
      entry["kind"] = hw::to_string(m.kind);
      entry["unit"] = text_or_null(m.unit);
      entry["counted_by"] = text_or_null(m.hw_unit);
      entry["description"] = text_or_null(m.description);
    } else {
      entry["problem"] = m.advice;
      entry["did_you_mean"] = text_or_null(m.suggestion);
    }
    metrics.push_back(std::move(entry));
  }
  return {{"chip", question.chip},
          {"cupti", {{"version", answer.version}, {"path", answer.path}}},
          {"metrics", std::move(metrics)},
          {"known", answer.known},
          {"unknown", answer.metrics.size() - answer.known},
          {"not_on_this_chip", question.left_out},
          {"passes", answer.passes}};
}

void print_text(const Question& question, const Answer& answer) {
  std::size_t width = 0;
  std::size_t unit_width = 7; // "UNKNOWN"
  for (const hw::MetricCheck& m : answer.metrics) {
    width = std::max(width, m.name.size());
    unit_width = std::max(unit_width, m.unit.size());
  }
  for (const hw::MetricCheck& m : answer.metrics) {
    if (m.known) {
      fmt::print("{:<{}}  {:<{}}  {}\n", m.name, width, m.unit.empty() ? "-" : m.unit, unit_width,
                 m.description);
    } else {
      fmt::print("{:<{}}  {:<{}}  {}{}\n", m.name, width, "UNKNOWN", unit_width, m.advice,
                 m.suggestion.empty() ? std::string{}
                                      : fmt::format("; did you mean \"{}\"?", m.suggestion));
    }
  }
  if (!question.left_out.empty()) {
    fmt::print("left out, by the set not on {}: {}\n", question.chip,
               fmt::join(question.left_out, ", "));
  }
  fmt::print(
      "\n{}: {} known, {} unknown; the known ones together take {} pass{} (CUPTI API {}, {})\n",
      question.chip, answer.known, answer.metrics.size() - answer.known, answer.passes,
      answer.passes == 1 ? "" : "es", answer.version, answer.path);
}

void print_sets(bool json) {
  Json sets = Json::array();
  for (const std::string& name : hw::metric_set_names()) {
    const hw::MetricSet set = hw::find_metric_set(name);
    if (json) {
      sets.push_back(
          {{"set", name}, {"metrics", set.metrics.size()}, {"description", set.description}});
    } else {
      fmt::print("{:<10} {:>3} metrics  {}\n", name, set.metrics.size(), set.description);
    }
  }
  if (json) {
    fmt::print("{}\n", Json{{"sets", sets}}.dump(2));
  } else {
    fmt::print("\nOne set on one chip: coulomb hw metrics --set NAME --chip GA102\n");
  }
}

} // namespace

int run_hw_metrics(const Strings& args) {
  const po::variables_map values = parse_options("hw metrics", args, options_of(), {"metric..."});
  if (values.count("help") > 0) {
    fmt::print("usage: coulomb hw metrics [--set NAME | --file F] [NAME...] [--chip GA100] "
               "[--json]\n\nWhether a chip has these CUPTI metrics, in which unit, and in how many "
               "passes they are collected together. Needs\nlibcupti (CUDA 12.6 or newer), but no "
               "GPU. Without names: the sets that there are. Exit code 2 if one is unknown.\n");
    return 0;
  }
  const bool json = values.count("json") > 0;
  const Question question = question_of(values);
  if (question.metrics.empty() && question.left_out.empty()) {
    print_sets(json);
    return 0;
  }
  const Answer answer = ask(question);
  if (json) {
    fmt::print("{}\n", json_of(question, answer).dump(2));
  } else {
    print_text(question, answer);
  }
  return answer.known == answer.metrics.size() ? 0 : 2;
}

} // namespace coulomb::cli
