// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/mem/shared_port.hpp"

#include <array>
#include <gtest/gtest.h>

namespace coulomb::timing::mem {
namespace {

constexpr double kCycles = 1.75; // a sector on the sample's part of the chip

/// Cycles until `count` services are done, with 64 on their way at any time.
Cycle stream(SharedPort& port, std::size_t count) {
  std::array<Cycle, 64> done{};
  for (std::size_t i = 0; i < count; ++i) {
    Cycle& oldest = done[i % done.size()];
    oldest = port.serve(oldest, Server::ticks(kCycles));
  }
  return done[(count - 1) % done.size()];
}

TEST(SharedPort, IsAServerWhenTheWholeChipIsSimulated) {
  SharedPort port(1.0);
  Server server;
  for (const Cycle now : {0U, 0U, 1U, 9U, 5000U, 5000U}) {
    EXPECT_EQ(port.serve(now, Server::ticks(kCycles)), server.serve(now, Server::ticks(kCycles)));
    EXPECT_EQ(port.free_at(now), server.free_at());
  }
}

TEST(SharedPort, ServesABurstAtTheRateOfTheChip) {
  SharedPort port(1.0 / 70); // 25 ticks of 1,024 a sector
  Cycle done = 0;
  for (int i = 0; i < 200; ++i) {
    done = port.serve(0, Server::ticks(kCycles));
  }
  EXPECT_EQ(done, 5U);
}

TEST(SharedPort, GivesAStreamItsPartOfTheChip) {
  SharedPort port(1.0 / 70);
  constexpr int kServices = 100'000;
  const Cycle cycles = stream(port, kServices);
  // What others have not yet asked for at the end is at most what they do in the spread.
  EXPECT_LE(cycles, kServices * kCycles + 2048);
  EXPECT_GE(cycles, kServices * kCycles - 2 * 2048);
}

TEST(SharedPort, IsFreeAgainOnceOthersWereServed) {
  SharedPort port(1.0 / 70);
  const Cycle end = stream(port, 1000);
  EXPECT_LE(port.free_at(end + 5000), end + 5000);
  EXPECT_EQ(port.serve(end + 5000, Server::ticks(kCycles)), end + 5001);
}

} // namespace
} // namespace coulomb::timing::mem
