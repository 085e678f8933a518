// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/store/evaluation_record.hpp"
#include "search/whatif/study.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// What a change makes of a design, as ratios to what it is compared with.
struct Effect {
  double time = 1.0;
  double energy = 1.0;
  double power = 1.0;
  double area_mm2 = 0.0; ///< difference
};

/// One gene at another value than the baseline's, everything else as in the baseline.
struct SingleChange {
  std::string key;
  std::string value;
  std::optional<Effect> effect = {}; ///< nothing: such a design cannot be; `problem` says why
  std::string problem = {};
  /// Time or energy change by more than kExercised: the kernels notice it.
  bool exercised = false;
};
inline constexpr double kExercised = 5e-4;

/// Two genes that act together otherwise than the product of their single effects.
struct Interaction {
  SingleChange a;
  SingleChange b;
  Effect together;
  double beyond = 0.0; ///< ln of time together over the product of the single ones
};

/// What limits a kernel in a design.
struct KernelLimit {
  std::string kernel;
  std::string before = {}; ///< part of the chip, or "latency"
  std::string after = {};
  double busy_before = 0.0; ///< of that part, share of the time
  double busy_after = 0.0;
  double time = 1.0; ///< ratio to the baseline
  double sm_clock_mhz = 0.0;
  double power_w = 0.0;
};

/// Why a design is as it is: each of its changes taken back alone.
struct DesignReasons {
  EvaluationRecord design;
  Effect effect; ///< against the baseline
  std::vector<KernelLimit> kernels;
  std::vector<SingleChange> changes; ///< effect: the design over the one without this change
};

struct StudyAnalysis {
  EvaluationRecord baseline;
  std::vector<SingleChange> singles;     ///< by gene, in the order of their values
  std::vector<Interaction> interactions; ///< of the three genes that matter most
  std::vector<DesignReasons> designs;    ///< best first
};

/// Evaluates designs, given as all genes; answers in their order. An empty answer: interrupted.
using EvaluateDesigns =
    std::function<std::vector<EvaluationRecord>(const std::vector<kernel::Configuration>&)>;

[[nodiscard]] Effect effect_of(const EvaluationRecord& design, const EvaluationRecord& base);
/// The part of the chip that limits `kernel` in a design, by the rule of eval::character_of().
[[nodiscard]] std::pair<std::string, double> limiter_of(const EvaluationRecord& design,
                                                        const std::string& kernel);

/// Sensitivity around the baseline and reasons for `designs`, the chosen of the front. Nothing if
/// it was interrupted. Throws UserError if the baseline did not run: nothing can be compared then.
[[nodiscard]] std::optional<StudyAnalysis>
analyse_study(const Study& study,
              const kernel::Configuration& baseline,
              const std::vector<EvaluationRecord>& designs,
              const EvaluateDesigns& evaluate);

} // namespace coulomb::search
