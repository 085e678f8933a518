// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/text.hpp"
#include "campaign.hpp"
#include "generator.hpp"

#include <boost/program_options.hpp>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <string>

namespace {

namespace po = boost::program_options;

/// ctest's exit code for "not run here" (SKIP_RETURN_CODE).
constexpr int kSkipped = 77;

int fuzz(const po::variables_map& given) {
  coulomb::fuzz::CampaignOptions options;
  options.seed = given["seed"].as<std::uint64_t>();
  options.first = given["first"].as<std::uint64_t>();
  options.programs = given["programs"].as<std::uint64_t>();
  options.jobs = given["jobs"].as<unsigned>();
  options.shrink_limit = given["shrink"].as<std::size_t>();
  options.seconds = given["seconds"].as<double>();
  options.strict = given.count("strict") != 0;
  if (given.count("plant") != 0) {
    options.host_options = {"-DFUZZ_PLANT"};
  }
  const auto start = std::chrono::steady_clock::now();
  const auto result = coulomb::fuzz::run_campaign(options, [&](std::uint64_t done) {
    fmt::print(stderr, "{} of {} programs\n", done, options.programs);
  });
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  for (const auto& difference : result.differences) {
    fmt::print("{}\n", describe(difference, options.seed));
  }
  std::uint64_t not_modelled = 0;
  for (const auto& [message, count] : result.unsupported) {
    fmt::print("not modelled, {} programs: {}\n", count, message);
    not_modelled += count;
  }
  fmt::print("{} programs of seed {} in {:.1f} s: {} differences, {} not modelled\n",
             result.programs, options.seed, elapsed.count(), result.differences.size(),
             not_modelled);
  return result.differences.empty() ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  po::options_description options("coulomb_fuzz: random CUDA programs, simulator against g++");
  auto add = options.add_options();
  add("help", "this text");
  add("seed", po::value<std::uint64_t>()->default_value(1), "of all programs");
  add("first", po::value<std::uint64_t>()->default_value(0), "index of the first program");
  add("programs", po::value<std::uint64_t>()->default_value(100), "how many");
  add("jobs", po::value<unsigned>()->default_value(1), "threads");
  add("shrink", po::value<std::size_t>()->default_value(5), "differences to shrink");
  add("seconds", po::value<double>()->default_value(0), "start no batch after these; 0: no limit");
  add("strict", "an instruction that is not modelled counts as a difference");
  add("plant", "a wrong __popc on the host: the fuzzer must find it");
  add("print", po::value<std::uint64_t>(), "print the program of this index and stop");
  try {
    po::variables_map given;
    po::store(po::parse_command_line(argc, argv, options), given);
    po::notify(given);
    if (given.count("help") != 0) {
      std::printf("Usage: coulomb_fuzz [options]\n");
      for (const auto& option : options.options()) {
        std::printf("  %-22s %s\n", option->format_name().c_str(), option->description().c_str());
      }
      return 0;
    }
    if (given.count("print") != 0) {
      const auto program = coulomb::fuzz::generate(given["seed"].as<std::uint64_t>(),
                                                   given["print"].as<std::uint64_t>());
      fmt::print("{}", program.render("k"));
      return 0;
    }
    return fuzz(given);
  } catch (const coulomb::EnvironmentError& e) {
    fmt::print(stderr, "skipped: {}\n", e.what());
    return kSkipped;
  } catch (const coulomb::Error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return e.exit_code();
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
