// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/expression.hpp"
#include "search/store/evaluation_record.hpp"

#include <string>
#include <vector>

namespace coulomb::search {

/// One thing that a search makes small or large: `time` (of the kernel alone; always at fixed work,
/// the launch that the kernel's file states), or an expression over metrics in the syntax of
/// restrictions: `dram__bytes_read.sum / time_ms`; `max ` before it maximises.
class Objective {
public:
  /// Throws UserError for a syntax error, or what is no number or does not depend on a metric.
  static Objective parse(const std::string& text);

  /// As it was written.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Of an objective that is one word: "ms" of `time`, "mJ" of `energy`; else empty.
  [[nodiscard]] const char* unit() const;
  [[nodiscard]] bool maximised() const { return maximised_; }
  /// Names of the metrics that it reads.
  [[nodiscard]] std::vector<std::string> metrics() const { return expression_.names(); }
  /// Of an ok evaluation, in the objective's own sense. Throws UserError if it cannot be computed:
  /// a metric that the evaluation has not, a division by zero.
  [[nodiscard]] double value(const EvaluationRecord& record) const;
  /// The same with a sign that makes smaller better.
  [[nodiscard]] double cost(const EvaluationRecord& record) const {
    return maximised_ ? -value(record) : value(record);
  }

private:
  std::string name_;
  bool maximised_ = false;
  kernel::Expression expression_;
};

} // namespace coulomb::search
