// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "base/results/silicon_table.hpp"
#include "calibration/validation.hpp"

#include <functional>
#include <string>

namespace coulomb::calibration::testing {

/// A table of `ran` rows of 1, 2, 3, ... ms in a scrambled order, then `compile_failed` and
/// `launch_invalid` rows. Parameter x of a row that ran is its time in ms; x of a failing row is 0.
inline results::SiliconTable
synthetic_table(std::size_t ran, std::size_t compile_failed, std::size_t launch_invalid) {
  results::SiliconTable table;
  table.path = "dir/synthetic.csv.gz";
  table.metadata.path = "dir/synthetic.toml";
  table.metadata.gpu = "a100-pcie-40gb";
  table.metadata.spec = "saxpy";
  table.metadata.sm_clock_mhz = 765.0;
  table.metadata.memory_clock_mhz = 1215.0;
  table.metadata.parameters = {"x"};
  const auto add = [&](eval::EvalStatus status, std::int64_t x) {
    results::SiliconRow row;
    row.row = table.rows.size();
    row.status = status;
    row.parameters = kernel::Configuration({{"x", x}});
    if (status == eval::EvalStatus::ok) {
      row.time_ms = static_cast<double>(x);
    }
    table.rows.push_back(row);
  };
  for (std::size_t i = 0; i < ran; ++i) {
    add(eval::EvalStatus::ok,
        static_cast<std::int64_t>(i * 7 % ran) + 1); // ran not a multiple of 7
  }
  for (std::size_t i = 0; i < compile_failed; ++i) {
    add(eval::EvalStatus::compile_failed, 0);
  }
  for (std::size_t i = 0; i < launch_invalid; ++i) {
    add(eval::EvalStatus::launch_invalid, 0);
  }
  return table;
}

/// Simulates by a function of the row's x.
inline SimulateAll simulator(std::function<Simulated(double x)> model) {
  return [model = std::move(model)](const auto& configurations, const auto& done) {
    for (std::size_t i = configurations.size(); i-- > 0;) { // any order is allowed
      done(i, model(static_cast<double>(std::get<std::int64_t>(*configurations[i].find("x")))));
    }
  };
}

inline Simulated timed(double ms) {
  Simulated s;
  s.status = eval::EvalStatus::ok;
  s.time_ms = ms;
  s.compile_s = 0.5;
  s.simulation_s = 0.25;
  s.warp_insts = 1000;
  return s;
}

inline Simulated refused(eval::EvalStatus status, const std::string& message) {
  Simulated s;
  s.status = status;
  s.message = message;
  return s;
}

inline ValidationSubject subject() {
  return {.spec = "saxpy",
          .gpu = "a100-pcie-40gb",
          .sm_clock_mhz = 765.0,
          .memory_clock_mhz = 1215.0,
          .fitted = false,
          .fidelity = "sampled, 1 SM",
          .command = "coulomb validate --spec saxpy"};
}

/// what() of the Error that the action throws.
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

} // namespace coulomb::calibration::testing
