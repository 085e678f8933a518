// SPDX-License-Identifier: Apache-2.0
#include "search/engine/launch_rules.hpp"

#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

config::GpuConfig gpu() {
  config::GpuConfig g;
  g.id = "test-gpu";
  g.sm.max_threads_per_cta = 1024;
  g.sm.shared.max_per_cta = 101376;
  return g;
}

kernel::Launch launch(Dim3 grid, Dim3 block) {
  kernel::Launch l;
  l.grid = grid;
  l.block = block;
  return l;
}

std::string violation(const kernel::Launch& l) {
  return launch_violation(l, gpu()).value_or("none");
}

TEST(LaunchRules, AllowsExactlyTheThreadsOfACta) {
  EXPECT_EQ(violation(launch({1, 1, 1}, {32, 32, 1})), "none");
  EXPECT_EQ(violation(launch({1, 1, 1}, {33, 32, 1})),
            "block 33 x 32 x 1 has 1,056 threads; at most 1,024 are allowed");
}

TEST(LaunchRules, LimitsEveryBlockDimension) {
  EXPECT_EQ(violation(launch({1, 1, 1}, {1, 1, 64})), "none");
  EXPECT_EQ(violation(launch({1, 1, 1}, {1, 1, 65})),
            "block dimension z is 65; 1 to 64 are allowed");
  EXPECT_EQ(violation(launch({1, 1, 1}, {32, 0, 1})),
            "block dimension y is 0; 1 to 1,024 are allowed");
}

TEST(LaunchRules, LimitsEveryGridDimension) {
  EXPECT_EQ(violation(launch({2147483647, 65535, 65535}, {1, 1, 1})), "none");
  EXPECT_EQ(violation(launch({2147483648, 1, 1}, {1, 1, 1})),
            "grid dimension x is 2,147,483,648; 1 to 2,147,483,647 are allowed");
  EXPECT_EQ(violation(launch({1, 65536, 1}, {1, 1, 1})),
            "grid dimension y is 65,536; 1 to 65,535 are allowed");
  EXPECT_EQ(violation(launch({1, 1, 65536}, {1, 1, 1})),
            "grid dimension z is 65,536; 1 to 65,535 are allowed");
  EXPECT_EQ(violation(launch({0, 1, 1}, {1, 1, 1})),
            "grid dimension x is 0; 1 to 2,147,483,647 are allowed");
}

TEST(LaunchRules, LimitsDynamicSharedMemoryByTheGpu) {
  auto l = launch({1, 1, 1}, {32, 1, 1});
  l.dynamic_shared_bytes = 101376;
  EXPECT_EQ(violation(l), "none");
  l.dynamic_shared_bytes = 101377;
  EXPECT_EQ(violation(l),
            "101,377 bytes of dynamic shared memory; at most 101,376 are allowed on test-gpu");
}

TEST(LaunchRules, LimitsTheArguments) {
  auto l = launch({1, 1, 1}, {32, 1, 1});
  kernel::Argument a;
  a.name = "data";
  a.count = 0;
  l.arguments = {a};
  EXPECT_EQ(violation(l),
            "argument data has 0 elements of 4 bytes; 1 to 21,474,836,480 are allowed");
  l.arguments[0].count = std::uint64_t{1} << 60;
  EXPECT_EQ(violation(l), "argument data has 1,152,921,504,606,846,976 elements of 4 bytes; 1 to "
                          "21,474,836,480 are allowed");
  l.arguments[0].count = 16;
  l.arguments.resize(512, l.arguments[0]);
  EXPECT_EQ(violation(l), "none");
  l.arguments.resize(513, l.arguments[0]);
  EXPECT_EQ(violation(l), "the kernel's parameters take 4,104 bytes; at most 4,096 are allowed");
}

} // namespace
} // namespace coulomb::search
