// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_gpu/board.hpp"

#include "tests/support/fake_gpu/options.hpp"

#include <cstdio>
#include <fmt/format.h>

namespace coulomb::fake {
namespace {

constexpr int kKiB = 1024;
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr int kFirstBus = 0x07;
constexpr int kBusStep = 0x08;

constexpr Board kBoards[] = {
    {"a100-sxm4-40gb", "NVIDIA A100-SXM4-40GB", "GA100", 8, 0, 108, 1410, 1410, 1215, 5120,
     40960 * kKiB, 40536 * kMiB, 64, 32, 164 * kKiB, 163 * kKiB, 400'000},
    {"rtx-3090", "NVIDIA GeForce RTX 3090", "GA102", 8, 6, 82, 1695, 2100, 9751, 384, 6144 * kKiB,
     24268 * kMiB, 48, 16, 100 * kKiB, 99 * kKiB, 350'000},
    {"h100-pcie", "NVIDIA H100 PCIe", "GH100", 9, 0, 114, 1755, 1755, 1593, 5120, 51200 * kKiB,
     81079 * kMiB, 64, 32, 228 * kKiB, 227 * kKiB, 350'000},
};

} // namespace

const Board& chosen_board() {
  const std::string wanted = option("FAKE_GPU", kBoards[0].id);
  for (const Board& board : kBoards) {
    if (wanted == board.id) {
      return board;
    }
  }
  refuse_option("FAKE_GPU", fmt::format("there is no board {}", wanted));
}

int board_count() {
  return static_cast<int>(option_number("FAKE_GPU_COUNT", 1));
}

std::string pci_bus_id(int ordinal) {
  return fmt::format("0000:{:02x}:00.0", kFirstBus + kBusStep * ordinal);
}

int device_at(const std::string& text) {
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned device = 0;
  unsigned function = 0;
  if (std::sscanf(text.c_str(), "%x:%x:%x.%x", &domain, &bus, &device, &function) != 4) {
    return -1;
  }
  for (int i = 0; i < board_count(); ++i) {
    if (domain == 0 && bus == static_cast<unsigned>(kFirstBus + kBusStep * i) && device == 0 &&
        function == 0) {
      return i;
    }
  }
  return -1;
}

} // namespace coulomb::fake
