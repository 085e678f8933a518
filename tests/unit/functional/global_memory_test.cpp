// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/global_memory.hpp"

#include "base/error.hpp"
#include "sim/functional/executor.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace coulomb::functional {
namespace {

std::string fault_of(const GlobalMemory& memory, std::uint64_t address, std::uint32_t bytes) {
  try {
    (void)memory.read(address, bytes);
  } catch (const KernelFault& fault) {
    return fault.what();
  }
  return {};
}

TEST(GlobalMemory, AddressesDependOnlyOnTheOrderOfCalls) {
  GlobalMemory a;
  GlobalMemory b;
  EXPECT_EQ(a.allocate("x", 100), b.allocate("y", 100));
  EXPECT_EQ(a.allocate("x", 5'000'000), b.allocate("y", 5'000'000));
  const auto third = a.allocate("z", 1);
  EXPECT_EQ(third, b.allocate("z", 1));
  EXPECT_EQ(third % 512, 0U);
  a.clear();
  EXPECT_TRUE(a.allocations().empty());
  EXPECT_EQ(a.allocate("x", 100), b.allocations()[0].base);
}

TEST(GlobalMemory, NewBuffersAreZeroAndSeparatedByGaps) {
  GlobalMemory memory;
  const auto x = memory.allocate("x", 4096);
  const auto y = memory.allocate("y", 4096);
  EXPECT_GE(y - x, 4096U + (1U << 20));
  EXPECT_EQ(*memory.read(x + 4095, 1), 0);
  EXPECT_EQ(memory.find(x + 4096), nullptr);
  EXPECT_EQ(memory.find(y)->name, "y");
}

TEST(GlobalMemory, AccessesOutsideNameTheNearestBuffer) {
  GlobalMemory memory;
  EXPECT_EQ(fault_of(memory, 0x10, 4), "4 bytes at global address 0x10: there are no buffers");
  const auto x = memory.allocate("x", 100);
  EXPECT_EQ(x, 0x700000000U);
  EXPECT_EQ(fault_of(memory, x + 96, 4), "");
  EXPECT_EQ(fault_of(memory, x + 100, 4), "4 bytes at global address 0x700000064: 0 bytes past the "
                                          "end of buffer x (100 bytes at 0x700000000)");
  EXPECT_EQ(fault_of(memory, x + 98, 4), "4 bytes at global address 0x700000062: across the end of "
                                         "buffer x (100 bytes at 0x700000000)");
  EXPECT_EQ(fault_of(memory, x - 8, 4), "4 bytes at global address 0x6fffffff8: 8 bytes before "
                                        "buffer x (100 bytes at 0x700000000)");
}

TEST(GlobalMemory, RestoreUndoesStoresOverPagesAndForgetsThem) {
  GlobalMemory memory;
  const auto x = memory.allocate("x", 20000);
  std::vector<std::uint8_t> initial(20000);
  for (std::size_t i = 0; i < initial.size(); ++i) {
    initial[i] = static_cast<std::uint8_t>(i * 7);
  }
  memory.initialise(x, initial);
  const Allocation& a = *memory.find(x);
  EXPECT_TRUE(memory.stored_elements(a, 4).empty());
  std::memset(memory.write(x + 4094, 4), 0xff, 4); // over a page boundary
  std::memset(memory.write(x + 19999, 1), 0xff, 1);
  EXPECT_EQ(memory.stored_elements(a, 4), (std::vector<std::uint64_t>{1023, 1024, 4999}));
  EXPECT_EQ(memory.stored_elements(a, 1),
            (std::vector<std::uint64_t>{4094, 4095, 4096, 4097, 19999}));
  EXPECT_EQ(memory.pristine(a), initial);
  memory.restore();
  EXPECT_TRUE(std::equal(initial.begin(), initial.end(), memory.read(x, 20000)));
  EXPECT_TRUE(memory.stored_elements(a, 1).empty());
  *memory.write(x, 1) = 3;
  EXPECT_EQ(memory.stored_elements(a, 1), (std::vector<std::uint64_t>{0}));
}

TEST(GlobalMemory, StoringTheSameValueCountsAsStored) {
  GlobalMemory memory;
  const auto x = memory.allocate("x", 64);
  std::memset(memory.write(x + 8, 16), 0, 16);
  EXPECT_EQ(memory.stored_elements(*memory.find(x), 8), (std::vector<std::uint64_t>{1, 2}));
}

TEST(GlobalMemory, ElementsMayStraddlePages) {
  GlobalMemory memory;
  const auto x = memory.allocate("x", 12 * 1000);
  *memory.write(x + 4095, 1) = 1; // element 341 covers bytes 4092..4103
  *memory.write(x + 4096, 1) = 1;
  EXPECT_EQ(memory.stored_elements(*memory.find(x), 12), (std::vector<std::uint64_t>{341}));
}

TEST(GlobalMemory, InitialiseAfterAStoreBecomesPristine) {
  GlobalMemory memory;
  const auto x = memory.allocate("x", 8);
  std::memset(memory.write(x, 8), 1, 8);
  const std::vector<std::uint8_t> four(4, 9);
  memory.initialise(x + 2, four);
  const Allocation& a = *memory.find(x);
  EXPECT_EQ(memory.stored_elements(a, 1), (std::vector<std::uint64_t>{0, 1, 6, 7}));
  memory.restore();
  const std::vector<std::uint8_t> expected = {0, 0, 9, 9, 9, 9, 0, 0};
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), memory.read(x, 8)));
}

TEST(GlobalMemory, OverlappingFixedAddressesAreOurBug) {
  GlobalMemory memory;
  memory.allocate_at("a", 0x10000, 4096);
  EXPECT_THROW(memory.allocate_at("b", 0x10fff, 10), InternalError);
}

TEST(GlobalMemory, AReleasedBufferIsGoneAndItsAddressesStayUnused) {
  GlobalMemory memory;
  const auto x = memory.allocate("x", 4096);
  const auto y = memory.allocate("y", 4096);
  *memory.write(y, 1) = 7;
  memory.release(x);
  EXPECT_EQ(memory.find(x), nullptr);
  EXPECT_EQ(fault_of(memory, x, 4),
            fmt::format("4 bytes at global address {:#x}: {} bytes before buffer y (4096 bytes at "
                        "{:#x})",
                        x, y - x, y));
  EXPECT_EQ(*memory.read(y, 1), 7);
  EXPECT_GT(memory.allocate("z", 4096), y);
  EXPECT_THROW(memory.release(x), InternalError);
  EXPECT_THROW(memory.release(y + 1), InternalError);
}

TEST(GlobalMemory, UntouchedGigabytesCostNothing) {
  GlobalMemory memory;
  const auto x = memory.allocate("x", 8ULL << 30);
  *memory.write(x + (7ULL << 30), 1) = 5;
  EXPECT_EQ(memory.stored_elements(*memory.find(x), 4), (std::vector<std::uint64_t>{7ULL << 28}));
}

} // namespace
} // namespace coulomb::functional
