// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "sim/isa/flow_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::isa {
namespace {

using ::testing::ElementsAre;

KernelImage feature_kernel(const std::string& name) {
  return Cubin::load(std::string(COULOMB_SOURCE_DIR) + "/tests/unit/isa/cubins/features_sm80.cubin")
      .kernel(name);
}

/// The block that holds the instruction at `pc`.
const BasicBlock& block_at(const FlowGraph& graph, std::uint32_t pc) {
  return graph.blocks()[graph.block_of(pc / kInstructionBytes)];
}

TEST(FlowGraph, SplitsAtAConditionalExit) {
  const FlowGraph graph(feature_kernel("axpy"));
  const BasicBlock& guard = graph.blocks()[0];
  EXPECT_EQ(guard.count, 8u);
  EXPECT_TRUE(guard.may_leave);
  EXPECT_THAT(guard.successors, ElementsAre(1u));
  EXPECT_FALSE(guard.post_dominator.has_value()) << "threads may end here";
  const BasicBlock& work = graph.blocks()[1];
  EXPECT_EQ(work.count, 9u);
  EXPECT_TRUE(work.may_leave);
  EXPECT_TRUE(work.successors.empty());
}

TEST(FlowGraph, KnowsThatThePaddingIsNotReached) {
  const FlowGraph graph(feature_kernel("axpy"));
  ASSERT_EQ(graph.blocks().size(), 4u);
  EXPECT_TRUE(graph.blocks()[1].reachable);
  EXPECT_FALSE(graph.blocks()[2].reachable) << "the branch to itself behind EXIT";
  EXPECT_FALSE(graph.blocks()[3].reachable) << "NOPs";
  EXPECT_TRUE(graph.loops().empty());
}

TEST(FlowGraph, FindsLoopsWithTheirBodies) {
  const FlowGraph graph(feature_kernel("local_array"));
  const std::vector<NaturalLoop> loops = graph.loops();
  ASSERT_EQ(loops.size(), 3u);
  for (const NaturalLoop& loop : loops) {
    EXPECT_EQ(loop.header, loop.latch);
    EXPECT_THAT(loop.blocks, ElementsAre(loop.header));
  }
  EXPECT_EQ(graph.blocks()[loops[0].header].first * kInstructionBytes, 0x5f0u);
}

TEST(FlowGraph, JoinsBranchesAtTheirPostDominator) {
  const FlowGraph graph(feature_kernel("local_array"));
  const BasicBlock& entry = graph.blocks()[0];
  ASSERT_EQ(entry.successors.size(), 2u);
  ASSERT_TRUE(entry.post_dominator.has_value());
  EXPECT_EQ(graph.blocks()[*entry.post_dominator].first * kInstructionBytes, 0x14d0u);
}

TEST(FlowGraph, FollowsSwitchTables) {
  const KernelImage choose = feature_kernel("choose");
  const FlowGraph graph(choose);
  const auto& [pc, targets] = *choose.indirect_targets.begin();
  const BasicBlock& dispatch = block_at(graph, pc);
  EXPECT_EQ(dispatch.successors.size(), 3u);
  for (const std::uint32_t target : targets) {
    EXPECT_THAT(dispatch.successors,
                ::testing::Contains(graph.block_of(target / kInstructionBytes)));
  }
}

TEST(FlowGraph, FindsALoopOfSeveralBlocks) {
  // 0x00 NOP / 0x10 @P0 BRA 0x30 / 0x20 NOP / 0x30 @!P0 BRA 0x10 / 0x40 EXIT
  constexpr std::uint64_t kNopHigh = 0x000fc00000000000;
  constexpr std::uint64_t kBranchHigh = 0x000fea0003800000;
  KernelImage kernel;
  kernel.name = "made";
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> words{
      {0x7918, kNopHigh},
      {0x0000001000000947, kBranchHigh},
      {0x7918, kNopHigh},
      {0xffffffd000008947, 0x000fea000383ffff},
      {0x794d, kBranchHigh}};
  for (const auto& [low, high] : words) {
    const auto pc = static_cast<std::uint32_t>(kernel.code.size()) * kInstructionBytes;
    kernel.code.push_back(decode(low, high, pc, kernel.name));
  }
  ASSERT_EQ(disassemble(kernel.code[1]), "@P0 BRA 0x30");
  ASSERT_EQ(disassemble(kernel.code[3]), "@!P0 BRA 0x10");
  const FlowGraph graph(kernel);
  ASSERT_EQ(graph.blocks().size(), 5u);
  ASSERT_EQ(graph.loops().size(), 1u);
  EXPECT_THAT(graph.loops()[0].blocks, ElementsAre(1u, 2u, 3u));
  EXPECT_EQ(graph.loops()[0].header, 1u);
  EXPECT_EQ(graph.loops()[0].latch, 3u);
  EXPECT_EQ(graph.blocks()[1].post_dominator, 3u);
}

template <typename Failure>
std::string complaint(const KernelImage& kernel) {
  try {
    const FlowGraph graph(kernel);
  } catch (const Failure& error) {
    return error.what();
  }
  return "built";
}

TEST(FlowGraph, RefusesABranchOutOfTheSection) {
  KernelImage kernel;
  kernel.name = "made";
  kernel.code.push_back(decode(0x0000001000000947, 0x000fea0003800000, 0, kernel.name));
  EXPECT_EQ(complaint<UserError>(kernel),
            "kernel made, pc 0x0: @P0 BRA 0x20 leaves the section of 0x10 bytes");
}

TEST(FlowGraph, RefusesAnIndirectBranchWithoutTargets) {
  KernelImage choose = feature_kernel("choose");
  choose.indirect_targets.clear();
  EXPECT_EQ(complaint<UnsupportedError>(choose),
            "kernel choose, pc 0xd0: BRX R2 -0xe0 has no list of targets in the cubin");
}

TEST(FlowGraph, IsEmptyForNoCode) {
  EXPECT_TRUE(FlowGraph(KernelImage{}).blocks().empty());
}

} // namespace
} // namespace coulomb::isa
