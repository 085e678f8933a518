// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/coalescer.hpp"

#include "sim/timing/types.hpp"

#include <algorithm>
#include <bit>

namespace coulomb::timing::sm {
namespace {

void add(CoalescedAccess& out, std::uint64_t line, std::uint8_t sectors) {
  // Neighbouring lanes mostly touch the line of the lane before them.
  for (std::uint32_t i = out.line_count; i-- > 0;) {
    if (out.lines[i].line == line) {
      out.lines[i].sectors |= sectors;
      return;
    }
  }
  out.lines[out.line_count++] = {line, sectors};
}

void add_bytes(CoalescedAccess& out, std::uint64_t address, std::uint32_t bytes) {
  const std::uint64_t first = address / kSectorBytes;
  const std::uint64_t last = (address + bytes - 1) / kSectorBytes;
  for (std::uint64_t s = first; s <= last; ++s) {
    add(out, s / kSectorsPerLine, static_cast<std::uint8_t>(1U << (s % kSectorsPerLine)));
  }
}

std::uint32_t lanes_per_group(const functional::MemoryAccess& access,
                              const config::LsuConfig& lsu) {
  return std::clamp(lsu.bytes_per_cycle / std::max<std::uint32_t>(4, access.bytes), 1U, 32U);
}

/// Largest number of distinct words that the lanes of `mask` want from one bank.
template <typename AddressOf>
std::uint32_t bank_conflict_degree(std::uint32_t mask,
                                   std::uint32_t bytes,
                                   std::uint32_t banks,
                                   AddressOf&& address_of) {
  std::array<std::uint64_t, 128> word{};
  std::array<std::uint8_t, 32> bank_count{};
  std::uint32_t words = 0;
  std::uint32_t degree = 1;
  const std::uint32_t words_per_lane = bytes <= 4 ? 1 : bytes / 4;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const std::uint64_t first = address_of(std::countr_zero(m)) / 4;
    for (std::uint32_t k = 0; k < words_per_lane; ++k) {
      const std::uint64_t w = first + k;
      if (std::find(word.begin(), word.begin() + words, w) != word.begin() + words) {
        continue;
      }
      word[words++] = w;
      degree = std::max<std::uint32_t>(degree, ++bank_count[w % banks]);
    }
  }
  return degree;
}

/// Unit stride or broadcast, the overwhelmingly common cases: no conflict.
bool conflict_free(const functional::MemoryAccess& a) {
  if (a.mask != ~0U) {
    return false;
  }
  const std::uint64_t first = a.address[0];
  const std::uint64_t stride = a.address[1] - first;
  if (stride != 0 && (stride != a.bytes || a.bytes < 4)) {
    return false;
  }
  bool same = true;
  for (std::uint32_t l = 2; l < 32; ++l) {
    same &= a.address[l] == first + stride * l;
  }
  return same;
}

/// Lanes `distance` apart want the same address, if both are active.
bool pairs_agree(const functional::MemoryAccess& a, std::uint32_t distance) {
  bool same = true;
  for (std::uint32_t l = 0; l < 32; ++l) {
    const std::uint32_t other = l ^ distance;
    const bool both = (a.mask >> l & a.mask >> other & 1U) != 0;
    same &= !both || a.address[l] == a.address[other];
  }
  return same;
}

std::uint32_t data_passes(const functional::MemoryAccess& access,
                          std::uint32_t group,
                          const config::LsuConfig& lsu) {
  if (conflict_free(access)) {
    return 32 / group;
  }
  std::uint32_t passes = 0;
  for (std::uint32_t lane = 0; lane < 32; lane += group) {
    const std::uint32_t lanes = group == 32 ? ~0U : ((1U << group) - 1U) << lane;
    const std::uint32_t mask = access.mask & lanes;
    if (mask != 0) {
      passes += bank_conflict_degree(mask, access.bytes, lsu.banks, [&](int l) {
        return access.address[static_cast<std::size_t>(l)];
      });
    }
  }
  return std::max(1U, passes);
}

void finish(CoalescedAccess& out, const config::LsuConfig& lsu) {
  out.sector_count = 0;
  for (std::uint32_t i = 0; i < out.line_count; ++i) {
    out.sector_count += static_cast<std::uint32_t>(std::popcount(out.lines[i].sectors));
  }
  out.tag_passes = 1;
  if (out.line_count > 1) {
    std::array<std::uint8_t, 32> bank_count{};
    for (std::uint32_t i = 0; i < out.line_count; ++i) {
      const std::uint32_t bank = tag_bank(out.lines[i].line, lsu.tag_lines_per_cycle);
      out.tag_passes = std::max<std::uint32_t>(out.tag_passes, ++bank_count[bank]);
    }
  }
}

} // namespace

std::uint32_t tag_bank(std::uint64_t line, std::uint32_t banks) {
  const std::uint64_t mixed = (line >> 5U) * 0x9e3779b97f4a7c15ULL;
  if (banks == 4) { // what all products have
    // Two bits for each of 32 lines: each bank eight times, as often for odd lines as for even
    // ones.
    constexpr std::uint64_t kOrder = 0x98c75be00b63e5d2ULL;
    const std::uint64_t place = (line & 31U) ^ (mixed >> 59U);
    return static_cast<std::uint32_t>((kOrder >> (2 * place)) & 3U);
  }
  return static_cast<std::uint32_t>(((line ^ (mixed >> 32U)) * 0xbf58476d1ce4e5b9ULL >> 40U) %
                                    banks);
}

void coalesce_global(const functional::MemoryAccess& access,
                     const config::LsuConfig& lsu,
                     CoalescedAccess& out) {
  out.line_count = 0;
  if (conflict_free(access) && access.address[1] != access.address[0]) {
    // One run of bytes: fill whole lines without looking at each lane.
    const std::uint64_t first = access.address[0] / kSectorBytes;
    const std::uint64_t last = (access.address[31] + access.bytes - 1) / kSectorBytes;
    for (std::uint64_t line = first / kSectorsPerLine; line <= last / kSectorsPerLine; ++line) {
      const std::uint64_t low = std::max(first, line * kSectorsPerLine) % kSectorsPerLine;
      const std::uint64_t high = std::min(last, line * kSectorsPerLine + 3) % kSectorsPerLine;
      const auto sectors = static_cast<std::uint8_t>(((2U << high) - 1U) & ~((1U << low) - 1U));
      out.lines[out.line_count++] = {line, sectors};
    }
  } else {
    for (std::uint32_t m = access.mask; m != 0; m &= m - 1) {
      add_bytes(out, access.address[static_cast<std::size_t>(std::countr_zero(m))], access.bytes);
    }
  }
  out.data_passes = data_passes(access, lanes_per_group(access, lsu), lsu);
  finish(out, lsu);
}

void coalesce_local(const functional::MemoryAccess& access,
                    std::uint64_t base_line,
                    const config::LsuConfig& lsu,
                    CoalescedAccess& out) {
  out.line_count = 0;
  const std::uint32_t words = access.bytes <= 4 ? 1 : access.bytes / 4U;
  for (std::uint32_t m = access.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
    for (std::uint32_t k = 0; k < words; ++k) {
      const std::uint64_t word = access.address[lane] / 4 + k;
      add(out, base_line + word, static_cast<std::uint8_t>(1U << (lane / 8)));
    }
  }
  // Interleaving puts lane l in bank l: one pass per word and distinct line.
  out.data_passes = std::max(1U, out.line_count);
  finish(out, lsu);
}

void count_same_address(const functional::MemoryAccess& access, CoalescedAccess& out) {
  std::array<std::uint8_t, 32> wanted{}; // by the first lane that wants the address
  for (std::uint32_t m = access.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
    std::uint32_t first = access.mask;
    while (access.address[static_cast<std::uint32_t>(std::countr_zero(first))] !=
           access.address[lane]) {
      first &= first - 1;
    }
    const std::uint8_t lanes = ++wanted[static_cast<std::uint32_t>(std::countr_zero(first))];
    const std::uint64_t line = access.address[lane] / kLineBytes;
    for (std::uint32_t i = 0; i < out.line_count; ++i) {
      if (out.lines[i].line == line) {
        out.lines[i].same_address = std::max(out.lines[i].same_address, lanes);
      }
    }
  }
}

std::uint32_t shared_passes(const functional::MemoryAccess& access, const config::LsuConfig& lsu) {
  const std::uint32_t group = lanes_per_group(access, lsu);
  const bool packed = access.load && !access.atomic && group < 32 &&
                      (pairs_agree(access, 1) || pairs_agree(access, 2));
  return data_passes(access, packed ? 2 * group : group, lsu);
}

std::uint32_t shared_atomic_passes(const functional::MemoryAccess& access,
                                   bool merges_lanes,
                                   const config::LsuConfig& lsu) {
  if (merges_lanes) {
    return data_passes(access, lanes_per_group(access, lsu), lsu);
  }
  const std::uint32_t group = lanes_per_group(access, lsu);
  std::uint32_t passes = 0;
  for (std::uint32_t first = 0; first < 32; first += group) {
    std::array<std::uint8_t, 128> lanes{};
    std::uint8_t most = 0;
    for (std::uint32_t lane = first; lane < first + group; ++lane) {
      if ((access.mask >> lane & 1U) != 0) {
        most = std::max(most, ++lanes[access.address[lane] / 4 % lsu.banks]);
      }
    }
    passes += most;
  }
  return std::max(1U, passes);
}

std::uint32_t conflict_free_passes(const functional::MemoryAccess& access,
                                   const config::LsuConfig& lsu) {
  const std::uint32_t group = lanes_per_group(access, lsu);
  std::uint32_t passes = 0;
  for (std::uint32_t lane = 0; lane < 32; lane += group) {
    const std::uint32_t lanes = group == 32 ? ~0U : ((1U << group) - 1U) << lane;
    passes += (access.mask & lanes) != 0 ? 1 : 0;
  }
  return std::max(1U, passes);
}

} // namespace coulomb::timing::sm
