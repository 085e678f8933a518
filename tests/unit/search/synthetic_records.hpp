// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/store/search_store.hpp"

namespace coulomb::search {

inline SearchHeader synthetic_header() {
  SearchHeader h;
  h.version = "0.1.0";
  h.spec = "toy";
  h.spec_path = "kernels/toy/toy.json";
  h.spec_hash = "aa";
  h.source_hash = "bb";
  h.gpu = "a100-pcie-40gb";
  h.gpu_argument = "a100-pcie-40gb";
  h.gpu_overrides = {"sm.l1.size=192 KiB"};
  h.gpu_json = R"({"sm":{"l1":{"size":196608}},"sms":108})";
  h.gpu_hash = "cc";
  h.seed = 3;
  h.budget = 60;
  h.strategy = "ga";
  h.lookahead = 1;
  h.space_size = 100;
  h.parameters = {"block", "fast", "scale", "layout"};
  h.command = "coulomb search toy --gpu a100-pcie-40gb --seed 3";
  h.started = "2026-01-31T12:34:56Z";
  return h;
}

inline EvaluationRecord ok_record(std::uint64_t id, double time_ms) {
  EvaluationRecord r;
  r.id = id;
  r.origin = id == 0 ? "first" : "model";
  r.configuration = kernel::Configuration({{"block", static_cast<std::int64_t>(32 * (id + 1))},
                                           {"fast", id % 2 == 0},
                                           {"scale", 0.1},
                                           {"layout", std::string("row, \"major\"")}});
  r.status = eval::EvalStatus::ok;
  r.time_ms = time_ms;
  r.cycles = time_ms * 1.41e6;
  r.ipc = 1.25;
  r.registers = 40;
  r.counters = {{"sm__inst_executed.sum", 1e9 + 1.0}, {"dram__bytes.sum", 1.0 / 3.0}};
  r.stalls = {{"barrier", 0.75}};
  r.cubin_hash = "deadbeef";
  r.compiler_s = 0.5;
  r.compile_s = 0.25;
  r.sim_s = 2.0;
  r.finished = "2026-01-31T12:35:00Z";
  return r;
}

inline EvaluationRecord
failed_record(std::uint64_t id, eval::EvalStatus status, const std::string& message) {
  EvaluationRecord r = ok_record(id, 1.0);
  r.status = status;
  r.message = message;
  r.time_ms = r.cycles = r.ipc = r.sim_s = 0.0;
  r.registers = 0;
  r.counters.clear();
  r.stalls.clear();
  return r;
}

} // namespace coulomb::search
