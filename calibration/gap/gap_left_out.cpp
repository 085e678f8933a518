// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/gap_left_out.hpp"

#include "calibration/statistics.hpp"

#include <cmath>
#include <map>

namespace coulomb::calibration {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Rows = std::vector<Index>;

constexpr double kKept[] = {0.7, 0.5, 0.3, 0.2, 0.1, 0.05}; ///< of a shared amplitude
constexpr double kNinety = 1.6449;  ///< 90 % of a normal distribution lie within +- so many sd
constexpr std::size_t kEnough = 20; ///< observations of a pair that can tell their 90th percentile

/// What all observations but some say of those.
struct LeftOut {
  VectorXd residuals;
  VectorXd variances; ///< noise included, doubted as much as in the fit
};

/// Predicts rows from all others by blocks of the inverse covariance (Rasmussen and Williams,
/// eq. 5.12, for more than one row).
class LeavingOut {
public:
  LeavingOut(const GapTargets& targets, const GapHyperparameters& h)
      : inverse_(inverse_covariance(targets, h)), alpha_(inverse_ * targets.values) {}

  [[nodiscard]] LeftOut operator()(const Rows& rows) const {
    const auto n = static_cast<Index>(rows.size());
    const MatrixXd covariance =
        MatrixXd(inverse_(rows, rows)).llt().solve(MatrixXd::Identity(n, n));
    return {covariance * alpha_(rows), covariance.diagonal()};
  }

private:
  MatrixXd inverse_;
  VectorXd alpha_;
};

std::map<int, Rows> rows_by_pair(const GapPoints& points) {
  std::map<int, Rows> rows;
  for (Index i = 0; i < points.size(); ++i) {
    rows[points.pair[static_cast<std::size_t>(i)]].push_back(i);
  }
  return rows;
}

/// Rows of one pair that have the same inputs: most often the same machine code.
std::vector<Rows> same_inputs(const GapPoints& points, const Rows& rows) {
  std::map<std::vector<double>, Rows> groups;
  for (const Index r : rows) {
    const VectorXd inputs = points.inputs.row(r);
    groups[{inputs.begin(), inputs.end()}].push_back(r);
  }
  std::vector<Rows> out;
  for (auto& [inputs, group] : groups) {
    out.push_back(std::move(group));
  }
  return out;
}

GapHyperparameters damped(GapHyperparameters h, Sharing sharing, double kept) {
  for (std::size_t p = 0; p < kGapParts.size(); ++p) {
    for (std::size_t own = 0; own < kGapParts.size(); ++own) {
      if (kGapParts[p].sharing == sharing && kGapParts[own].sharing == Sharing::pair &&
          kGapParts[own].basis == kGapParts[p].basis) {
        double& shared = h.amplitudes[static_cast<Index>(p)];
        double& pair = h.amplitudes[static_cast<Index>(own)];
        pair = std::sqrt(pair * pair + shared * shared * (1.0 - kept * kept));
        shared *= kept;
      }
    }
  }
  return h;
}

} // namespace

double left_out_error(const GapTargets& targets, const GapHyperparameters& h) {
  const LeavingOut leaving_out(targets, h);
  const auto pairs = rows_by_pair(targets.points);
  double sum = 0.0;
  for (const auto& [pair, rows] : pairs) {
    sum += leaving_out(rows).residuals.cwiseAbs().mean();
  }
  return sum / static_cast<double>(pairs.size());
}

GapHyperparameters damp_sharing(const GapTargets& targets, const GapHyperparameters& h) {
  GapHyperparameters best = h;
  if (rows_by_pair(targets.points).size() < 2) {
    return best;
  }
  double least = left_out_error(targets, best);
  for (const Sharing sharing : {Sharing::all, Sharing::board, Sharing::spec}) {
    const GapHyperparameters undamped = best;
    for (const double kept : kKept) {
      const GapHyperparameters tried = damped(undamped, sharing, kept);
      if (const double error = left_out_error(targets, tried); error < least) {
        least = error;
        best = tried;
      }
    }
  }
  return best;
}

VectorXd deviation_factors(const GapTargets& targets, const GapHyperparameters& h) {
  const LeavingOut leaving_out(targets, h);
  const VectorXd doubted = targets.noise_variances(h);
  VectorXd factors = VectorXd::Ones(h.noises.size());
  std::vector<double> known;
  const auto pairs = rows_by_pair(targets.points);
  for (const auto& [pair, rows] : pairs) {
    std::vector<double> off;
    for (const Rows& group : same_inputs(targets.points, rows)) {
      const LeftOut out = leaving_out(group);
      for (Index i = 0; i < out.residuals.size(); ++i) {
        const Index row = group[static_cast<std::size_t>(i)];
        const double undoubted = out.variances[i] - doubted[row] * (1.0 - targets.trust[row]);
        off.push_back(std::abs(out.residuals[i]) / std::sqrt(undoubted));
      }
    }
    if (off.size() >= kEnough) {
      factors[pair] = std::max(1.0, *quantile(off, 0.9) / kNinety);
      known.push_back(factors[pair]);
    }
  }
  for (const auto& [pair, rows] : pairs) {
    if (rows.size() < kEnough) {
      factors[pair] = mean(known).value_or(1.0);
    }
  }
  return factors;
}

} // namespace coulomb::calibration
