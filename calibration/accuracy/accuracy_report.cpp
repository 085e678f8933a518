// SPDX-License-Identifier: Apache-2.0
#include "calibration/accuracy/accuracy_report.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace coulomb::calibration {
namespace {

using Times = std::vector<std::optional<double>>;

/// In the order of AccuracySubject.
constexpr std::array<SubjectText, 7> kSubjects = {{
    {"simulator", "The simulator alone", "none",
     "Times as simulated. Model parameters that were fitted to silicon are marked in the GPU "
     "files."},
    {"fitted", "Calibrated, fitted", "fitted",
     "The gap model predicts the very configurations it was fitted to: no accuracy claim."},
    {"held_out_configuration", "Calibrated, configurations held out", "held out",
     "The gap model never saw the configuration on any board, nor another one with the same "
     "machine "
     "code."},
    {"held_out_kernel", "Calibrated, kernel held out", "held out",
     "The gap model never saw the kernel on any board."},
    {"held_out_board", "Calibrated, board held out", "held out",
     "The gap model never saw the board with any kernel."},
    {"stored_fitted", "Stored model, fitted", "fitted",
     "Configurations that the stored gap model was fitted to: no accuracy claim."},
    {"stored_held_out", "Stored model, held out", "held out",
     "Configurations that the stored gap model never saw."},
}};

std::string group_name(const Observation& o) {
  return fmt::format("{} {}", o.board, o.spec);
}

/// Positions of the observations by board and specification.
std::map<std::string, std::vector<std::size_t>>
by_board_and_spec(const std::vector<Observation>& observations) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    groups[group_name(observations[i])].push_back(i);
  }
  return groups;
}

AccuracyTable table_of(AccuracySubject subject,
                       const std::vector<Observation>& observations,
                       const Times& times,
                       const BootstrapSettings& bootstrap) {
  AccuracyTable table{subject, {}};
  for (const auto& [name, group] : by_board_and_spec(observations)) {
    std::vector<double> silicon;
    std::vector<double> predicted;
    std::vector<double> noise;
    for (const std::size_t i : group) {
      if (times[i]) {
        silicon.push_back(observations[i].silicon_ms);
        predicted.push_back(*times[i]);
        noise.push_back(observations[i].silicon_noise);
      }
    }
    if (!silicon.empty()) {
      const Observation& first = observations[group.front()];
      table.rows.push_back(
          {first.board, first.spec, accuracy_figures(silicon, predicted, noise, bootstrap, name)});
    }
  }
  return table;
}

Times present(const std::vector<double>& times) {
  return {times.begin(), times.end()};
}

Times simulated_times(const std::vector<Observation>& observations) {
  Times times;
  for (const Observation& o : observations) {
    times.emplace_back(o.sim_ms);
  }
  return times;
}

std::vector<AccuracyScatter> scatters_of(const std::vector<Observation>& observations,
                                         const Times& held_out) {
  std::vector<AccuracyScatter> all;
  for (const auto& [name, group] : by_board_and_spec(observations)) {
    AccuracyScatter s{
        observations[group.front()].board, observations[group.front()].spec, {}, {}, {}};
    for (const std::size_t i : group) {
      s.silicon_ms.push_back(observations[i].silicon_ms);
      s.simulated_ms.push_back(observations[i].sim_ms);
    }
    const bool calibrated = !held_out.empty() && std::all_of(group.begin(), group.end(),
                                                             [&](auto i) { return held_out[i]; });
    for (const std::size_t i : calibrated ? group : std::vector<std::size_t>{}) {
      s.calibrated_ms.push_back(*held_out[i]);
    }
    all.push_back(std::move(s));
  }
  return all;
}

/// Builds a report; what several parts need is computed once.
class Builder {
public:
  Builder(const std::vector<Observation>& observations,
          const KernelIdentity& identity,
          const AccuracyRequest& request)
      : observations_(observations), identity_(identity), request_(request) {}

  void add_tables(AccuracyReport& report) {
    add(report, AccuracySubject::simulator, simulated_times(observations_));
    if (request_.calibrate) {
      step("fitted");
      add(report, AccuracySubject::fitted,
          present(request_.calibrate(observations_, observations_)));
      add(report, AccuracySubject::held_out_configuration, configuration_held_out());
      step("each kernel held out");
      add(report, AccuracySubject::held_out_kernel, held_out(HeldOut::kernel));
      step("each board held out");
      add(report, AccuracySubject::held_out_board, held_out(HeldOut::board));
    }
    if (request_.stored != nullptr) {
      add_stored(report);
    }
  }

  /// Empty if nothing is calibrated.
  const Times& configuration_held_out() {
    if (request_.calibrate && configuration_held_out_.empty()) {
      step("configurations held out");
      configuration_held_out_ = held_out(HeldOut::configuration);
    }
    return configuration_held_out_;
  }

  std::vector<Transfer> transfer(const std::string& from, const std::string& to) {
    const Times& both = configuration_held_out();
    Times one;
    if (request_.calibrate) {
      step(fmt::format("from {} to {}", from, to));
      one = transferred_times(observations_, from, to, identity_, request_.held_out,
                              request_.calibrate);
    }
    return transfers(observations_, from, to, identity_, both, one, request_.bootstrap);
  }

private:
  void step(const std::string& what) const {
    if (request_.progress) {
      request_.progress(what);
    }
  }

  [[nodiscard]] Times held_out(HeldOut what) const {
    return held_out_times(observations_, what, identity_, request_.held_out, request_.calibrate);
  }

  void add(AccuracyReport& report, AccuracySubject subject, const Times& times) const {
    AccuracyTable table = table_of(subject, observations_, times, request_.bootstrap);
    if (!table.rows.empty()) {
      report.tables.push_back(std::move(table));
    }
  }

  void add_stored(AccuracyReport& report) const {
    const auto predicted = request_.stored->predict({}, observations_);
    Times seen(observations_.size());
    Times unseen(observations_.size());
    for (std::size_t i = 0; i < observations_.size(); ++i) {
      (request_.stored->saw(observations_[i]) ? seen : unseen)[i] = predicted.at(i);
    }
    add(report, AccuracySubject::stored_fitted, seen);
    add(report, AccuracySubject::stored_held_out, unseen);
  }

  const std::vector<Observation>& observations_;
  const KernelIdentity& identity_;
  const AccuracyRequest& request_;
  Times configuration_held_out_;
};

/// Kernels by board.
std::map<std::string, std::set<std::string>>
kernels_by_board(const std::vector<Observation>& observations, const KernelIdentity& identity) {
  std::map<std::string, std::set<std::string>> all;
  for (const Observation& o : observations) {
    all[o.board].insert(identity.kernel_of(o.spec));
  }
  return all;
}

bool share_a_kernel(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& kernel) { return b.contains(kernel); });
}

} // namespace

const SubjectText& text_of(AccuracySubject subject) {
  return kSubjects[static_cast<std::size_t>(subject)];
}

AccuracyReport accuracy_report(const std::vector<Observation>& observations,
                               const KernelIdentity& identity,
                               const AccuracyRequest& request) {
  AccuracyReport report;
  report.held_out = request.held_out;
  report.bootstrap = request.bootstrap;
  Builder builder(observations, identity, request);
  builder.add_tables(report);
  const auto boards = kernels_by_board(observations, identity);
  for (const auto& [from, kernels_from] : boards) {
    for (const auto& [to, kernels_to] : boards) {
      if (from != to && share_a_kernel(kernels_from, kernels_to)) {
        auto found = builder.transfer(from, to);
        std::move(found.begin(), found.end(), std::back_inserter(report.transfers));
      }
    }
  }
  report.scatters = scatters_of(observations, builder.configuration_held_out());
  return report;
}

std::vector<Transfer> board_transfers(const std::vector<Observation>& observations,
                                      const std::string& from,
                                      const std::string& to,
                                      const KernelIdentity& identity,
                                      const AccuracyRequest& request) {
  const auto boards = kernels_by_board(observations, identity);
  std::vector<std::string> names;
  for (const auto& [board, kernels] : boards) {
    names.push_back(board);
  }
  for (const std::string& board : {from, to}) {
    if (!boards.contains(board)) {
      throw UserError(fmt::format("no observations of a board \"{}\"{}; there are those of: {}",
                                  board, did_you_mean(board, names), fmt::join(names, ", ")));
    }
  }
  if (from == to || !share_a_kernel(boards.at(from), boards.at(to))) {
    throw UserError(from == to ? fmt::format("a transfer from {} to itself compares nothing", from)
                               : fmt::format("no kernel was observed on both {} and {}: {} and {}",
                                             from, to, fmt::join(boards.at(from), ", "),
                                             fmt::join(boards.at(to), ", ")),
                    "configs/calibration/kernels.toml says which specifications are one kernel");
  }
  return Builder(observations, identity, request).transfer(from, to);
}

} // namespace coulomb::calibration
