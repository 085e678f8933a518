// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/gap/gap_fit.hpp"

namespace coulomb::calibration {

/// How well the observations of one board and spec are predicted from those of the others alone:
/// mean of |error of log(silicon/simulated)|, averaged over the pairs of board and spec, so that a
/// large table counts as much as a small one. Not their density: that rewards a model for being
/// less unsure even where its correction is worse than none. Needs at least two pairs.
[[nodiscard]] double left_out_error(const GapTargets& targets,
                                    const GapHyperparameters& hyperparameters);

/// The marginal likelihood of a few tables hardly tells what they share from what each has for
/// itself. So the parts that all share, that a board shares and that a spec shares are, one after
/// the other, believed only as far as left_out_error() falls: the rest of their variance goes to
/// the part of board and spec. Within a pair nothing changes. As it is with fewer than two pairs.
[[nodiscard]] GapHyperparameters damp_sharing(const GapTargets& targets,
                                              const GapHyperparameters& hyperparameters);

/// By GapPoints::pair, [pairs]: factor on deviations, at least 1, with which 90 % of the pair's own
/// observations, each predicted from all others, lie where a normal distribution has them. Rows of
/// the same inputs are left out together. A pair of too few observations to tell has the mean of
/// the others.
[[nodiscard]] Eigen::VectorXd deviation_factors(const GapTargets& targets,
                                                const GapHyperparameters& hyperparameters);

} // namespace coulomb::calibration
