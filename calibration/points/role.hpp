// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/provenance.hpp"
#include "calibration/points/measurement_plan.hpp"
#include "calibration/points/published_point.hpp"

namespace coulomb::calibration::points {

/// What a point says about the model when it passes.
enum class Role {
  echo,  ///< nothing: the value is an entry of the GPU file, or a formula of entries
  set,   ///< the executed path returns what was put in: the same source set the parameter
  check, ///< the model meets a figure that it was not given
};
[[nodiscard]] const char* to_string(Role role);

/// `keys` of `plan` are the parameters that the value is about; the point is `set` if the
/// provenance of one of them names one of the point's sources (through `sources`).
[[nodiscard]] Role classify(const PublishedPoint& point,
                            const PointPlan& plan,
                            bool echo,
                            const config::ProvenanceMap& provenance,
                            const std::map<std::string, std::vector<std::string>>& sources);

/// The source keys of a text such as "CPG;GPUB (19.1 of 19.5 TFLOP/s)": words of capitals and
/// digits that begin a part.
[[nodiscard]] std::vector<std::string> source_keys(const std::string& text);

} // namespace coulomb::calibration::points
