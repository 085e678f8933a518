// SPDX-License-Identifier: Apache-2.0
#include "kernel_harness.hpp"

#include "base/error.hpp"

#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::functional::test {
namespace {
using ::testing::AllOf;
using ::testing::HasSubstr;

class ControlKernels : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Architecture,
                         ControlKernels,
                         ::testing::Values(80, 86),
                         [](const auto& p) { return "sm" + std::to_string(p.param); });

TEST_P(ControlKernels, FunctionPointersCallPerLane) {
  KernelHarness h("control", GetParam(), "function_pointers");
  std::vector<int> which(64);
  std::vector<int> x(64);
  for (int i = 0; i < 64; ++i) {
    which[i] = i * i % 3;
    x[i] = i - 20;
  }
  const auto dw = h.buffer("which", which);
  const auto dx = h.buffer("x", x);
  h.arguments(dw, dx).run({1, 1, 1}, {64, 1, 1});
  const auto got = h.read<int>(dx, 64);
  for (int i = 0; i < 64; ++i) {
    const int y = which[i] == 0 ? 2 * x[i] : which[i] == 1 ? x[i] * x[i] : -x[i];
    EXPECT_EQ(got[i], y + 1) << i;
  }
}

TEST_P(ControlKernels, RecursionKeepsAStackPerLane) {
  KernelHarness h("control", GetParam(), "recursion");
  std::vector<std::uint32_t> x(32);
  for (std::uint32_t i = 0; i < 32; ++i) {
    x[i] = i % 12;
  }
  const auto dx = h.buffer("x", x);
  h.arguments(dx).run({1, 1, 1}, {32, 1, 1});
  const std::uint32_t fibonacci[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(h.read<std::uint32_t>(dx, 32)[i], fibonacci[i % 12]) << i;
  }
}

TEST_P(ControlKernels, CollectivesExchangeBetweenLanes) {
  KernelHarness h("control", GetParam(), "collectives");
  std::vector<std::uint32_t> x(32);
  for (std::uint32_t i = 0; i < 32; ++i) {
    x[i] = (i * 53 + 11) % 256;
  }
  const auto dx = h.buffer("x", x);
  const auto out = h.buffer("out", std::vector<std::uint32_t>(320));
  h.arguments(dx, out).run({1, 1, 1}, {32, 1, 1});
  const auto o = h.read<std::uint32_t>(out, 320);
  std::uint32_t odd = 0;
  std::uint32_t odd_two = 0;
  std::uint32_t sum = 0;
  std::uint32_t highest = 0;
  for (std::uint32_t i = 0; i < 32; ++i) {
    odd |= (x[i] & 1) << i;
    odd_two |= ((x[i] & 3) == 3 ? 1U : 0U) << i;
    sum += x[i];
    highest = std::max(highest, x[i]);
  }
  for (std::uint32_t i = 0; i < 32; ++i) {
    std::uint32_t same = 0;
    for (std::uint32_t j = 0; j < 32; ++j) {
      same |= ((x[j] & 7) == (x[i] & 7) ? 1U : 0U) << j;
    }
    const std::uint32_t* r = &o[10 * i];
    EXPECT_EQ(r[0], odd);
    EXPECT_EQ(r[1], (highest > 250 ? 1U : 0U) + 2);
    EXPECT_EQ(r[2], x[(i + 5) & 31]);
    EXPECT_EQ(r[3], i >= 3 ? x[i - 3] : x[i]);
    EXPECT_EQ(r[4], i % 16 + 2 < 16 ? x[i + 2] : x[i]);
    EXPECT_EQ(r[5], x[i ^ 7]);
    EXPECT_EQ(r[6], same);
    EXPECT_EQ(r[7], sum);
    EXPECT_EQ(r[8], highest);
    EXPECT_EQ(r[9], (x[i] & 1) != 0 ? odd_two : 0);
  }
}

TEST_P(ControlKernels, AsynchronousCopiesFillSharedMemory) {
  KernelHarness h("control", GetParam(), "async_pipeline");
  std::vector<float> in(5 * 64 * 4);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<float>(i);
  }
  const auto din = h.buffer("in", in);
  const auto dout = h.buffer("out", std::vector<float>(256));
  h.arguments(din, dout, 5).run({1, 1, 1}, {64, 1, 1});
  const auto out = h.read<float>(dout, 256);
  for (std::size_t t = 0; t < 64; ++t) {
    for (std::size_t c = 0; c < 4; ++c) {
      float sum = 0;
      for (std::size_t k = 0; k < 5; ++k) {
        sum += in[(k * 64 + 63 - t) * 4 + c];
      }
      ASSERT_EQ(out[4 * t + c], sum) << t;
    }
  }
}

TEST_P(ControlKernels, AsynchronousCopiesReportBothSides) {
  KernelHarness h("control", GetParam(), "async_pipeline");
  const auto din = h.buffer("in", std::vector<float>(256));
  const auto dout = h.buffer("out", std::vector<float>(256));
  ExecutableKernel& kernel = h.arguments(din, dout, 1).prepare({1, 1, 1}, {64, 1, 1});
  struct Seen : Monitor {
    std::uint64_t base = 0;
    int copies = 0;
    std::vector<std::uint8_t> watched(const isa::KernelImage& image) override {
      std::vector<std::uint8_t> watch;
      for (const auto& in : image.code) {
        watch.push_back(in.opcode == isa::Opcode::LDGSTS_E ? kWatchAfter : kWatchNothing);
      }
      return watch;
    }
    void
    after(std::uint32_t, const WarpState& warp, const CtaState&, const StepResult& r) override {
      ++copies;
      EXPECT_EQ(r.access.space, MemorySpace::global);
      EXPECT_TRUE(r.access.async_copy && r.access.load && !r.access.store);
      EXPECT_TRUE(r.access.bypass_l1); // cp.async.cg
      EXPECT_EQ(r.access.bytes, 16);
      EXPECT_EQ(r.access.mask, 0xffffffffU);
      const std::uint32_t first = warp.warp_in_cta * 512;
      EXPECT_EQ(r.access.address[3], base + first + 48);
      EXPECT_EQ(r.access.shared_address[3], first + 48);
    }
  } seen;
  seen.base = din;
  CtaRunner runner(kernel, h.memory(), &seen);
  runner.run(0);
  EXPECT_EQ(seen.copies, 2);
}

TEST_P(ControlKernels, NamedBarriersPairProducersWithConsumers) {
  KernelHarness h("control", GetParam(), "producer_consumer");
  std::vector<int> in(6 * 64);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<int>(i * i % 101);
  }
  const auto din = h.buffer("in", in);
  const auto dout = h.buffer("out", std::vector<int>(64));
  h.arguments(din, dout, 6).run({1, 1, 1}, {128, 1, 1});
  for (std::size_t t = 0; t < 64; ++t) {
    int sum = 0;
    for (std::size_t r = 0; r < 6; ++r) {
      sum += in[r * 64 + t] * static_cast<int>(r + 1);
    }
    EXPECT_EQ(h.read<int>(dout, 64)[t], sum) << t;
  }
}

TEST_P(ControlKernels, BarriersReduceOverTheBlock) {
  KernelHarness h("control", GetParam(), "barrier_reductions");
  std::vector<int> x(80);
  int count = 0;
  for (int i = 0; i < 80; ++i) {
    x[i] = i % 9;
    count += x[i] > 3 ? 1 : 0;
  }
  x[77] = 1000; // in the partial warp
  count += 77 % 9 > 3 ? 0 : 1;
  const auto dx = h.buffer("x", x);
  const auto out = h.buffer("out", std::vector<int>(80));
  h.arguments(dx, out).run({1, 1, 1}, {80, 1, 1});
  EXPECT_EQ(h.read<int>(out, 80), std::vector<int>(80, count * 4 + 2 + 1));
}

TEST_P(ControlKernels, GenericPointersReachEverySpace) {
  KernelHarness h("control", GetParam(), "generic_pointers");
  std::vector<int> global(64);
  for (int i = 0; i < 64; ++i) {
    global[i] = 1000 * i;
  }
  const auto dg = h.buffer("global", global);
  const auto out = h.buffer("out", std::vector<int>(64));
  h.arguments(dg, out).run({1, 1, 1}, {64, 1, 1});
  std::vector<int> shared(64);
  for (int t = 0; t < 64; ++t) {
    shared[t] = 100 + t;
  }
  for (int t = 0; t < 64; t += 3) {
    ++shared[63 - t];
  }
  for (int t = 0; t < 64; ++t) {
    const int value = t % 3 == 0 ? shared[63 - t] : t % 3 == 1 ? 8 + (t & 3) : global[t] + 1;
    EXPECT_EQ(h.read<int>(out, 64)[t], value + shared[t]) << t;
  }
}

TEST_P(ControlKernels, ExitedLanesDoNotHoldUpABarrier) {
  KernelHarness h("control", GetParam(), "early_exit");
  const auto out = h.buffer("out", std::vector<int>(128));
  h.arguments(out, 40).run({1, 1, 1}, {128, 1, 1});
  std::vector<int> expected(128);
  for (int i = 0; i < 40; ++i) {
    expected[i] = i + 1;
  }
  EXPECT_EQ(h.read<int>(out, 128), expected);
}

TEST_P(ControlKernels, LanesMayArriveAtABarrierApart) {
  KernelHarness h("control", GetParam(), "divergent_barrier");
  const auto out = h.buffer("out", std::vector<int>(64));
  h.arguments(out, 3).run({1, 1, 1}, {64, 1, 1});
  const auto value = [](int t) {
    int s = 3 * t;
    for (int i = 0; t % 2 == 1 && i < (t & 7); ++i) {
      s += 3 * i;
    }
    return s;
  };
  for (int t = 0; t < 64; ++t) {
    EXPECT_EQ(h.read<int>(out, 64)[t], value(63 - t) * (t % 2 == 1 ? 1 : 2)) << t;
  }
}

TEST_P(ControlKernels, GlobalAccessOutOfBoundsNamesEverything) {
  KernelHarness h("control", GetParam(), "out_of_bounds");
  const auto x = h.buffer("x", std::vector<float>(100));
  const std::string text = h.arguments(x, 70).fault({1, 1, 1}, {64, 1, 1});
  EXPECT_THAT(text,
              AllOf(HasSubstr("illegal access: 4 bytes at global address 0x700000190: 0 bytes "
                              "past the end of buffer x (400 bytes at 0x700000000)"),
                    HasSubstr("in kernel out_of_bounds at pc 0x00"), HasSubstr("STG.E"),
                    HasSubstr("CTA (0, 0, 0), warp 0, lane 30")));
}

TEST_P(ControlKernels, MisalignedAccessFaults) {
  KernelHarness h("control", GetParam(), "misaligned");
  const auto x = h.buffer("x", std::vector<char>(1024));
  const auto out = h.buffer("out", std::vector<int>(64));
  EXPECT_THAT(h.arguments(x, out).fault({1, 1, 1}, {32, 1, 1}),
              AllOf(HasSubstr("misaligned access: 4 bytes at global address 0x700000002 in kernel "
                              "misaligned at pc 0x00"),
                    HasSubstr("LDG.E"), HasSubstr("warp 0, lane 0")));
}

TEST_P(ControlKernels, SharedAccessOutOfBoundsFaults) {
  KernelHarness h("control", GetParam(), "shared_out_of_bounds");
  const auto out = h.buffer("out", std::vector<int>(64));
  EXPECT_EQ(h.arguments(out, 0).fault({1, 1, 1}, {64, 1, 1}, 256), "");
  EXPECT_THAT(h.arguments(out, 60).fault({1, 1, 1}, {64, 1, 1}, 256),
              AllOf(HasSubstr("illegal access: 4 bytes at shared address 0x100, outside the 256 "
                              "bytes of the CTA in kernel shared_out_of_bounds at pc 0x"),
                    HasSubstr("LDS"), HasSubstr("warp 0, lane 4")));
}

TEST_P(ControlKernels, TrapAbortsTheKernel) {
  KernelHarness h("control", GetParam(), "traps");
  const auto x = h.buffer("x", std::vector<int>{0, 1, 2, 3});
  EXPECT_THAT(h.arguments(x).fault({1, 1, 1}, {4, 1, 1}),
              AllOf(HasSubstr("trap in kernel traps at pc 0x"), HasSubstr("BPT.TRAP"),
                    HasSubstr("lane 3")));
}

TEST_P(ControlKernels, InstructionLimitEndsAnEndlessLoop) {
  KernelHarness h("control", GetParam(), "never_ends");
  const auto flag = h.buffer("flag", std::vector<int>(1));
  EXPECT_EQ(
      h.arguments(flag).fault({1, 1, 1}, {64, 1, 1}, 0, 5000),
      "instruction limit of 5000 warp instructions reached in kernel never_ends, CTA (0, 0, 0)");
}

TEST_P(ControlKernels, DeadlockAtBarriersIsReported) {
  KernelHarness h("control", GetParam(), "deadlock");
  const auto out = h.buffer("out", std::vector<int>(64));
  EXPECT_EQ(h.arguments(out).fault({1, 1, 1}, {64, 1, 1}),
            "deadlock in kernel deadlock, CTA (0, 0, 0): warp 0 at barrier 3 (1 of 2 warps "
            "arrived), warp 1 at barrier 4 (1 of 2 warps arrived)");
}

TEST_P(ControlKernels, LaunchShapeAndParametersAreChecked) {
  KernelHarness h("control", GetParam(), "traps");
  const auto message = [&](Dim3 grid, Dim3 block) {
    try {
      h.prepare(grid, block);
    } catch (const UserError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({1, 1, 1}, {1024, 1, 1}), "");
  EXPECT_EQ(message({1, 1, 1}, {1025, 1, 1}),
            "kernel traps: grid 1 x 1 x 1 with blocks of 1025 x 1 x 1 threads: a block has 1 to "
            "1024 threads, a grid at least 1 block");
  try {
    const ExecutableKernel kernel(h.cubin(), h.cubin().kernel("traps"), {1, 1, 1}, {32, 1, 1}, 0,
                                  {}, 1);
    FAIL();
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "kernel traps takes 8 bytes of parameters, not 0");
  }
}

} // namespace
} // namespace coulomb::functional::test
