// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/device_heap.hpp"

#include "sim/functional/global_memory.hpp"

#include <gtest/gtest.h>

namespace coulomb::functional {
namespace {

TEST(DeviceHeap, BlocksAreAlignedAndDisjoint) {
  DeviceHeap heap;
  EXPECT_EQ(heap.allocate(1), 0U);
  EXPECT_EQ(heap.allocate(17), 16U);
  EXPECT_EQ(heap.allocate(0), 48U);
  EXPECT_EQ(heap.allocate(16), 64U);
}

TEST(DeviceHeap, FreedNeighboursJoin) {
  DeviceHeap heap;
  const auto a = heap.allocate(DeviceHeap::kBytes / 2);
  const auto b = heap.allocate(DeviceHeap::kBytes / 2);
  EXPECT_EQ(heap.allocate(16), DeviceHeap::kBytes) << "it is full";
  EXPECT_TRUE(heap.free(b));
  EXPECT_TRUE(heap.free(a));
  EXPECT_EQ(heap.allocate(DeviceHeap::kBytes), 0U);
}

TEST(DeviceHeap, RefusesWhatItDidNotGive) {
  DeviceHeap heap;
  const auto a = heap.allocate(64);
  EXPECT_FALSE(heap.free(a + 16));
  EXPECT_TRUE(heap.free(a));
  EXPECT_FALSE(heap.free(a)) << "freed twice";
  EXPECT_EQ(heap.allocate(~std::uint64_t{0}), DeviceHeap::kBytes);
}

TEST(DeviceHeap, RestoringMemoryEmptiesHeapAndPrintedText) {
  GlobalMemory memory;
  const std::uint64_t first = memory.heap_allocate(100);
  ASSERT_NE(first, 0U);
  memory.print("hello\n");
  EXPECT_EQ(memory.printed(), "hello\n");
  memory.restore();
  EXPECT_EQ(memory.printed(), "");
  EXPECT_FALSE(memory.heap_free(first));
  EXPECT_EQ(memory.heap_allocate(100), first);
}

TEST(DeviceHeap, PrintedTextIsCutAtTheSizeOfTheBuffer) {
  GlobalMemory memory;
  memory.print(std::string(GlobalMemory::kPrintfBytes - 1, 'x'));
  memory.print("abc");
  EXPECT_EQ(memory.printed().substr(GlobalMemory::kPrintfBytes - 1),
            "a\n(2 more characters were printed)\n");
}

} // namespace
} // namespace coulomb::functional
