// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/fit/fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace coulomb::calibration::synthetic {

inline FitParameter
parameter(const std::string& key, double low, double high, double start, bool whole = true) {
  FitParameter p;
  p.key = key;
  p.low = low;
  p.high = high;
  p.start = start;
  p.whole = whole;
  return p;
}

/// 100 to 5000 us, each configuration with a different share of what the parameters change.
inline double work_us(std::size_t i) {
  return 100.0 + 4900.0 * static_cast<double>(i * 37 % 101) / 100.0;
}

/// Milliseconds of configuration i.
using Law = std::function<double(const std::vector<double>& values, std::size_t i)>;

/// A start of `values[0]` ns on top of the work.
inline double with_start(const std::vector<double>& values, std::size_t i) {
  return (work_us(i) + values[0] / 1000.0) / 1000.0;
}

/// with_start, and a step of `values[1]` ns that some configurations take more often.
inline double with_steps(const std::vector<double>& values, std::size_t i) {
  return with_start(values, i) + values[1] * static_cast<double>(i % 7) / 1e5;
}

/// `n` configurations of one table, whose silicon follows `law` with `truth`.
inline std::vector<FitCase> cases(std::size_t n, const Law& law, const std::vector<double>& truth) {
  std::vector<FitCase> out;
  for (std::size_t i = 0; i < n; ++i) {
    out.push_back({.kernel = "kernel",
                   .board = "board",
                   .table = "kernel_board",
                   .silicon_ms = law(truth, i),
                   .held_out = false});
  }
  return out;
}

/// A simulator that follows a law and remembers what it was asked.
class Simulator {
public:
  explicit Simulator(Law law) : law_(std::move(law)) {}

  struct Call {
    std::vector<double> values;
    std::vector<std::size_t> cases;
  };

  SimulateAt function() {
    return [this](const std::vector<double>& values,
                  const std::vector<std::size_t>& cases) -> std::optional<CaseTimes> {
      if (forbidden && forbidden(values)) {
        return std::nullopt;
      }
      calls.push_back({values, cases});
      CaseTimes times;
      for (const std::size_t i : cases) {
        if (untimed && untimed(values, i)) {
          times.emplace_back();
        } else {
          times.push_back(CaseTime{law_(values, i), code ? code(i) : std::string()});
        }
      }
      return times;
    };
  }

  std::size_t simulations() const {
    std::size_t n = 0;
    for (const Call& c : calls) {
      n += c.cases.size();
    }
    return n;
  }

  std::function<bool(const std::vector<double>&)> forbidden;
  std::function<bool(const std::vector<double>&, std::size_t)> untimed;
  std::function<std::string(std::size_t)> code;
  std::vector<Call> calls;

private:
  Law law_;
};

inline const FitRow* row_of(const FitReport& report, FitRole role) {
  const auto found = std::find_if(report.rows.begin(), report.rows.end(),
                                  [&](const FitRow& r) { return r.role == role; });
  return found == report.rows.end() ? nullptr : &*found;
}

} // namespace coulomb::calibration::synthetic
