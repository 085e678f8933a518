// SPDX-License-Identifier: Apache-2.0
// k14 hashes and checksums.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>
#include <bit>

namespace coulomb::kernels_test {
namespace {

using std::size_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 kTable[16] = {0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 1, 2,  3,  4,
                            5,          6,          7,          8,          9, 10, 11, 12};

void md5ish(Problem& p) {
  const auto in = p.integers<u32>(16 * 32);
  std::vector<u32> want;
  for (size_t t = 0; t < 32; ++t) {
    u32 s[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    for (unsigned i = 0; i < 64; ++i) {
      const auto [a, b, c, d] = s;
      const u32 f[4] = {(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)};
      const unsigned g[4] = {i, (5 * i + 1) & 15U, (3 * i + 5) & 15U, (7 * i) & 15U};
      const u32 sum = a + f[i / 16] + kTable[i & 15U] + in[t * 16 + g[i / 16]];
      s[0] = d;
      s[3] = c;
      s[2] = b;
      s[1] = b + std::rotl(sum, static_cast<int>((i * 7 + 5) & 31U));
    }
    want.insert(want.end(), std::begin(s), std::end(s));
  }
  p.input(in);
  p.output(std::vector<u32>(want.size(), 0), want);
}

void sha256ish(Problem& p) {
  const auto in = p.integers<u32>(16 * 32);
  std::vector<u32> want;
  for (size_t t = 0; t < 32; ++t) {
    std::vector<u32> w;
    for (size_t i = 0; i < 16; ++i) {
      w.push_back(__builtin_bswap32(in[t * 16 + i]));
    }
    for (size_t i = 16; i < 64; ++i) {
      const u32 a = w[i - 15];
      const u32 b = w[i - 2];
      w.push_back(w[i - 16] + (std::rotl(a, 25) ^ std::rotl(a, 14) ^ (a >> 3)) + w[i - 7] +
                  (std::rotl(b, 15) ^ std::rotl(b, 13) ^ (b >> 10)));
    }
    u32 s[8];
    for (u32 i = 0; i < 8; ++i) {
      s[i] = 0x6a09e667U * (i + 1);
    }
    for (size_t i = 0; i < 64; ++i) {
      const u32 e = s[4];
      const u32 a = s[0];
      const u32 t1 = s[7] + (std::rotl(e, 26) ^ std::rotl(e, 21) ^ std::rotl(e, 7)) +
                     ((e & s[5]) ^ (~e & s[6])) + (i < 16 ? kTable[i] : 0) + w[i];
      const u32 t2 = (std::rotl(a, 30) ^ std::rotl(a, 19) ^ std::rotl(a, 10)) +
                     ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
      std::copy_backward(s, s + 7, s + 8);
      s[4] += t1;
      s[0] = t1 + t2;
    }
    want.insert(want.end(), std::begin(s), std::end(s));
  }
  p.input(in);
  p.output(std::vector<u32>(want.size(), 0), want);
}

void keccak_round(u64* s, unsigned round) {
  u64 c[5];
  for (size_t i = 0; i < 5; ++i) {
    c[i] = s[i] ^ s[i + 5] ^ s[i + 10] ^ s[i + 15] ^ s[i + 20];
  }
  for (size_t i = 0; i < 25; ++i) {
    s[i] ^= c[(i + 4) % 5] ^ std::rotl(c[(i + 1) % 5], 1);
  }
  for (size_t i = 0; i < 25; ++i) {
    s[i] = std::rotl(s[i], static_cast<int>((i * 7 + 1) % 64));
  }
  for (size_t row = 0; row < 25; row += 5) {
    u64 old[5];
    std::copy(s + row, s + row + 5, old);
    for (size_t i = 0; i < 5; ++i) {
      s[row + i] = old[i] ^ (~old[(i + 1) % 5] & old[(i + 2) % 5]);
    }
  }
  s[0] ^= 0x8000000080008008ULL + round;
}

void keccakish(Problem& p) {
  const auto state = p.integers<u64>(25 * 32);
  auto want = state;
  for (size_t t = 0; t < 32; ++t) {
    for (unsigned r = 0; r < 5; ++r) {
      keccak_round(want.data() + 25 * t, r);
    }
  }
  p.output(state, want);
  p.value(5);
}

void crc_table(Problem& p) {
  constexpr size_t kBytes = 20;
  std::vector<u32> table(256);
  for (u32 i = 0; i < 256; ++i) {
    u32 c = i;
    for (int bit = 0; bit < 8; ++bit) {
      c = (c & 1U) != 0 ? 0xedb88320U ^ (c >> 1) : c >> 1;
    }
    table[i] = c;
  }
  const auto data = p.integers<std::uint8_t>(kBytes * 32);
  std::vector<u32> want;
  for (size_t t = 0; t < 32; ++t) {
    u32 c = ~0U;
    for (size_t i = 0; i < kBytes; ++i) {
      c ^= data[t * kBytes + i];
      for (int bit = 0; bit < 8; ++bit) {
        c = (c & 1U) != 0 ? 0xedb88320U ^ (c >> 1) : c >> 1;
      }
    }
    want.push_back(~c);
  }
  p.input(data);
  p.output(std::vector<u32>(32, 0), want);
  p.value(static_cast<int>(kBytes));
  p.input(table);
}

constexpr const char* kFile = "k14_hash_bits.cu";

constexpr KernelCase kCases[] = {
    {kFile, "md5ish", {1}, {32}, 0, md5ish},
    {kFile, "sha256ish", {1}, {32}, 0, sha256ish},
    {kFile, "keccakish", {1}, {32}, 0, keccakish},
    {kFile, "crc_table", {1}, {32}, 0, crc_table},
};

} // namespace

std::span<const KernelCase> hash_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
