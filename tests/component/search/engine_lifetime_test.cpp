// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_catalogue.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "engine_fake_worker.hpp"
#include "search/engine/evaluator.hpp"

#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

// A search that is resumed when nothing is left: the flow graph must be idle before it goes. One of
// some hundred crashed.
TEST(EvaluatorLifetime, OneThatNeverEvaluatedGoesQuietly) {
  const testing::FakeWorkers fakes;
  EvaluatorOptions options;
  options.jobs = 1;
  options.worker_dir = fakes.dir();
  const auto spec = kernel::find_spec("saxpy");
  const auto gpu = config::load_gpu("a100-pcie-40gb").config;
  for (int i = 0; i < 300; ++i) {
    const Evaluator evaluator(spec, gpu, options);
    EXPECT_FALSE(evaluator.cancelled());
  }
}

} // namespace
} // namespace coulomb::search
