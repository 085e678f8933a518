// SPDX-License-Identifier: Apache-2.0
// How many evaluations each search strategy needs on spaces whose every configuration was measured,
// beside what Kernel Tuner's need. Blind: nothing but the space is known. docs/search.md.
#include "base/results/csv.hpp"
#include "tests/bench/search_quality/variants.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <thread>

namespace coulomb::bench {
namespace {

namespace po = boost::program_options;

constexpr const char* kSpaces[] = {
    "convolution/convolution_A100-PCIE-40GB",   "convolution/convolution_RTX-A4000_2023-12",
    "bat_convolution/bat_convolution_RTX-3090", "bat_gemm/bat_gemm_RTX-3090_half",
    "dedispersion/dedispersion_A100-PCIE-40GB",
};

void print_heading() {
  fmt::print("{:<24} {:>6} {:>6}  {:>11} {:>11} {:>11} {:>11}  {:<36} {:>8} {:>8} {:>14}\n",
             "strategy", "P", "sd", "to 10 %", "5 %", "2 %", "1 %",
             "regret % at 10/20/50/100/200/500", "failed %", "us each", "s to 5 / 1 %");
}

void print_quality(const std::string& name, const Quality& q) {
  double variance = 0.0;
  for (const double s : q.scores) {
    variance += (s - q.score()) * (s - q.score()) / static_cast<double>(q.scores.size());
  }
  std::string within;
  for (std::size_t w = 0; w < kWithin.size(); ++w) {
    const double median = q.median(w);
    const std::string count = median > static_cast<double>(q.budget)
                                  ? fmt::format(">{}", q.budget)
                                  : fmt::format("{:.0f}", median);
    within += fmt::format(" {:>11}", fmt::format("{} ({:.0f} %)", count, 100.0 * q.reached(w)));
  }
  std::string regret;
  for (std::size_t r = 0; r < kRegretAt.size() && kRegretAt[r] <= q.budget; ++r) {
    regret += fmt::format("{}{:.1f}", r == 0 ? "" : "/", 100.0 * q.regret[r]);
  }
  fmt::print("{:<24} {:>6.2f} {:>6.2f} {}  {:<36} {:>8.0f} {:>8.0f} {:>14}\n", name, q.score(),
             std::sqrt(variance), within, regret, 100.0 * q.failed, 1e6 * q.seconds_per_candidate,
             fmt::format("{:.0f} / {:.0f}", q.median_seconds(1), q.median_seconds(3)));
  std::fflush(stdout);
}

void print_peers(const results::CsvTable& peers, const std::string& space) {
  for (const auto& row : peers.rows) {
    if (row[0] != space) {
      continue;
    }
    std::string within;
    for (std::size_t c = 4; c < 8; ++c) {
      within += fmt::format(" {:>11}", row[c]);
    }
    std::string regret;
    for (std::size_t c = 8; c < 14; ++c) {
      regret += fmt::format("{}{}", c == 8 ? "" : "/", row[c]);
    }
    fmt::print("{:<24} {:>6} {:>6} {}  {}\n", "kt: " + row[1], row[3], "", within, regret);
  }
}

/// Each variant's performance score and, seed by seed, how it differs from the first's.
void print_summary(const std::vector<Variant>& variants,
                   const std::map<std::string, std::vector<Quality>>& all) {
  fmt::print(
      "\nperformance score over the spaces: mean, lowest; difference to the first by pairs of "
      "seeds, standard error; seconds to 5 % as a ratio\n");
  const std::vector<Quality>* first = nullptr;
  for (const auto& variant : variants) {
    const auto measured = all.find(variant.name);
    if (measured == all.end()) {
      continue;
    }
    const auto& spaces = measured->second;
    const auto n = static_cast<double>(spaces.size());
    double mean = 0.0;
    double lowest = 1.0;
    for (const Quality& quality : spaces) {
      mean += quality.score() / n;
      lowest = std::min(lowest, quality.score());
    }
    fmt::print("{:<24} {:>6.3f} {:>6.2f}", variant.name, mean, lowest);
    if (first == nullptr) {
      first = &spaces;
    } else {
      const Paired paired = paired_difference(spaces, *first);
      fmt::print("  {:>+6.3f} +- {:.3f}  {:.2f}", paired.score, paired.score_error,
                 paired.seconds_ratio);
    }
    fmt::print("\n");
  }
}

int run(int argc, char** argv) {
  po::options_description options("Options");
  options.add_options()("seeds", po::value<std::size_t>()->default_value(50), "repetitions")(
      "budget", po::value<std::size_t>()->default_value(500), "evaluations of each")(
      "lookahead", po::value<std::uint64_t>()->default_value(1), "proposals out at a time")(
      "space", po::value<std::string>()->default_value(""), "only tables whose name has this")(
      "only", po::value<std::string>()->default_value(""), "only strategies whose name has this")(
      "ablation", "the default strategy's components instead of all strategies")(
      "threads", po::value<std::size_t>()->default_value(std::thread::hardware_concurrency()),
      "seeds at a time")("help,h", "print this help");
  po::variables_map values;
  po::store(po::parse_command_line(argc, argv, options), values);
  po::notify(values);
  if (values.count("help") > 0) {
    std::cout << "usage: coulomb_search_quality [options]\n" << options;
    return 0;
  }
  const auto lookahead = values["lookahead"].as<std::uint64_t>();
  const auto variants =
      values.count("ablation") > 0 ? ablation_variants(lookahead) : catalogue_variants(lookahead);
  const auto peers =
      results::read_csv(std::string(COULOMB_SOURCE_DIR) + "/data/search/kernel_tuner.csv");
  std::map<std::string, std::vector<Quality>> all; // by variant: of each space
  for (const std::string name : kSpaces) {
    if (name.find(values["space"].as<std::string>()) == std::string::npos) {
      continue;
    }
    const RecordedSpace recorded = load_recorded_space(name);
    fmt::print("\n{}: {} configurations, {} failed, optimum {:.4g} ms, score ends at {}\n", name,
               recorded.space.size(), recorded.space.size() - recorded.valid.size(),
               recorded.optimum(), budget_end(recorded));
    print_heading();
    for (const auto& variant : variants) {
      if (variant.name.find(values["only"].as<std::string>()) == std::string::npos) {
        continue;
      }
      const Quality quality =
          measure_quality(recorded, variant.make, values["seeds"].as<std::size_t>(),
                          values["budget"].as<std::size_t>(), values["threads"].as<std::size_t>());
      print_quality(variant.name, quality);
      all[variant.name].push_back(quality);
    }
    print_peers(peers, name);
  }
  print_summary(variants, all);
  return 0;
}

} // namespace
} // namespace coulomb::bench

int main(int argc, char** argv) {
  try {
    return coulomb::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "coulomb_search_quality: " << error.what() << '\n';
    return 2;
  }
}
