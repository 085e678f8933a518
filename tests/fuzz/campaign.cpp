// SPDX-License-Identifier: Apache-2.0
#include "campaign.hpp"

#include "generator.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <stdexcept>
#include <stdlib.h>
#include <thread>

namespace coulomb::fuzz {
namespace {

constexpr std::uint64_t kBatch = 25; ///< programs in one translation unit

/// A directory that goes when this does.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "coulomb-fuzz-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("cannot make the directory " + pattern);
    }
    path_ = pattern;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

private:
  std::string path_;
};

const char* verdict_text(Verdict verdict) {
  switch (verdict) {
  case Verdict::agree:
    return "both sides agree";
  case Verdict::differ:
    return "outputs differ";
  case Verdict::fault:
    return "the executor faults";
  default:
    return "not modelled";
  }
}

/// The part of "kernel k1, pc 0x40: LDL: bit 32 is not modelled (word ...)" that programs share.
std::string what_is_missing(const std::string& message) {
  const std::size_t pc = message.find(", pc 0x");
  const std::size_t colon = pc == message.npos ? message.npos : message.find(": ", pc);
  const std::size_t begin = colon == message.npos ? 0 : colon + 2;
  return message.substr(begin, message.find(" (word") - begin);
}

/// What the threads of a campaign share.
class Campaign {
public:
  Campaign(const CampaignOptions& options, const std::function<void(std::uint64_t)>& progress)
      : options_(options), progress_(progress), next_(options.first) {}

  void work() {
    try {
      const TemporaryDirectory directory;
      Runner runner({options_.seed, options_.host_options, directory.path()});
      for (auto batch = take(); !batch.empty(); batch = take()) {
        const int architecture = architecture_of(batch.front().index);
        commit(runner, batch, architecture, runner.run(batch, architecture));
      }
    } catch (...) { // handed to the caller's thread
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
  }

  CampaignResult finish() {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
    std::sort(result_.differences.begin(), result_.differences.end(),
              [](const Difference& a, const Difference& b) { return a.index < b.index; });
    return std::move(result_);
  }

private:
  /// The next programs, all of one architecture; none when the campaign is over.
  std::vector<Program> take() {
    const std::lock_guard lock(mutex_);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    std::vector<Program> batch;
    if (failure_ || (options_.seconds > 0 && elapsed.count() > options_.seconds)) {
      return batch;
    }
    const std::uint64_t end =
        std::min(options_.first + options_.programs, (next_ / kBatch + 1) * kBatch);
    for (; next_ < end; ++next_) {
      batch.push_back(generate(options_.seed, next_));
    }
    return batch;
  }

  void commit(Runner& runner,
              const std::vector<Program>& batch,
              int architecture,
              std::vector<Outcome> outcomes) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (outcomes[i].verdict == Verdict::unsupported && !options_.strict) {
        const std::lock_guard lock(mutex_);
        ++result_.unsupported[what_is_missing(outcomes[i].details.front())];
      } else if (outcomes[i].verdict != Verdict::agree) {
        add_difference(runner, batch[i], architecture, std::move(outcomes[i]));
      }
    }
    const std::lock_guard lock(mutex_);
    result_.programs += batch.size();
    progress_(result_.programs);
  }

  void add_difference(Runner& runner, const Program& program, int architecture, Outcome outcome) {
    Difference difference{program.index, architecture, outcome, false, {}};
    {
      const std::lock_guard lock(mutex_);
      difference.shrunk = shrunk_ < options_.shrink_limit;
      shrunk_ += difference.shrunk ? 1 : 0;
    }
    if (difference.shrunk) {
      difference.smallest =
          shrink(program, std::move(outcome), [&](std::span<const Program> programs) {
            return runner.run(programs, architecture);
          });
    }
    const std::lock_guard lock(mutex_);
    result_.differences.push_back(std::move(difference));
  }

  const CampaignOptions& options_;
  const std::function<void(std::uint64_t)>& progress_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::uint64_t next_;
  std::size_t shrunk_ = 0;
  CampaignResult result_;
  std::exception_ptr failure_;
};

} // namespace

int architecture_of(std::uint64_t index) {
  return index / kBatch % 2 == 0 ? 80 : 86;
}

CampaignResult run_campaign(const CampaignOptions& options,
                            const std::function<void(std::uint64_t)>& progress) {
  Campaign campaign(options, progress);
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < options.jobs; ++i) {
    others.emplace_back([&campaign] { campaign.work(); });
  }
  campaign.work();
  others.clear(); // joins
  return campaign.finish();
}

std::string describe(const Difference& difference, std::uint64_t seed) {
  std::string out = fmt::format("program {} of seed {} (sm_{}): {}\n", difference.index, seed,
                                difference.architecture, verdict_text(difference.outcome.verdict));
  for (const std::string& line : difference.outcome.details) {
    out += "  " + line + '\n';
  }
  if (difference.shrunk) {
    const Shrunk& s = difference.smallest;
    out += fmt::format("shrunk to {} statements ({} tried), block {}x{}, grid {}:\n",
                       s.program.steps.statements(), s.tried, s.program.width, s.program.height,
                       s.program.ctas);
    for (const std::string& line : s.outcome.details) {
      out += "  " + line + '\n';
    }
    out += s.program.render("k");
  }
  return out;
}

} // namespace coulomb::fuzz
