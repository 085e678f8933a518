// SPDX-License-Identifier: Apache-2.0
// The numbers that programs compute with.
#include "generator.hpp"

#include <bit>
#include <cmath>
#include <iterator>

namespace coulomb::fuzz {
namespace {

constexpr std::uint32_t kFloatEdges[] = {
    0x00000000U, 0x80000000U, 0x3f800000U, 0xbf800000U, 0x7f800000U, 0xff800000U, 0x7fffffffU,
    0x00000001U, 0x80000001U, 0x007fffffU, 0x00800000U, 0x7f7fffffU, 0xff7fffffU, 0x4b000000U,
    0x4f000000U, 0xcf000000U, 0x4f800000U, 0x5f000000U, 0x3f000000U, 0x40200000U, 0x34000000U};
constexpr std::uint64_t kDoubleEdges[] = {
    0x0000000000000000U, 0x8000000000000000U, 0x3ff0000000000000U, 0xbff0000000000000U,
    0x7ff0000000000000U, 0xfff0000000000000U, 0x7fffffffffffffffU, 0x0000000000000001U,
    0x800fffffffffffffU, 0x0010000000000000U, 0x7fefffffffffffffU, 0x41dfffffffc00000U,
    0x41e0000000000000U, 0xc1e0000000000000U, 0x41f0000000000000U, 0x43e0000000000000U,
    0x3fe0000000000000U, 0x4004000000000000U, 0x380fffffffffffffU, 0x47efffffe0000000U};

} // namespace

std::uint64_t edge_integer(RandomStream& random, unsigned bits) {
  const std::uint64_t mask = bits == 64 ? ~0ULL : (1ULL << bits) - 1;
  switch (random.below(6)) {
  case 0:
    return random.below(16);
  case 1:
    return (1ULL << random.below(bits)) - random.below(2);
  case 2:
    return (~random.below(16)) & mask;
  case 3:
    return ((1ULL << (bits - 1)) + random.below(3) - 1) & mask;
  default:
    return random.next() & mask;
  }
}

std::uint32_t edge_float(RandomStream& random) {
  switch (random.below(5)) {
  case 0:
    return kFloatEdges[random.below(std::size(kFloatEdges))];
  case 1:
    return std::bit_cast<std::uint32_t>(
        static_cast<float>(static_cast<int>(random.below(2001)) - 1000) / 4.0F);
  case 2:
    return std::bit_cast<std::uint32_t>(static_cast<float>(random.uniform() * 4.0 - 2.0));
  case 3:
    return static_cast<std::uint32_t>(random.below(0x01000000)); // subnormal, or nearly so
  default: {
    const auto bits = static_cast<std::uint32_t>(random.next());
    return std::isnan(std::bit_cast<float>(bits)) ? 0x7fffffffU : bits;
  }
  }
}

std::uint64_t edge_double(RandomStream& random) {
  switch (random.below(5)) {
  case 0:
    return kDoubleEdges[random.below(std::size(kDoubleEdges))];
  case 1:
    return std::bit_cast<std::uint64_t>(
        static_cast<double>(static_cast<int>(random.below(2001)) - 1000) / 8.0);
  case 2:
    return std::bit_cast<std::uint64_t>(random.uniform() * 4.0 - 2.0);
  case 3: // near the range of float and of the integers
    return std::bit_cast<std::uint64_t>(
        std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(320)) - 160));
  default: {
    const std::uint64_t bits = random.next();
    return std::isnan(std::bit_cast<double>(bits)) ? 0x7fffffffffffffffU : bits;
  }
  }
}

FzInput generate_input(std::uint64_t seed, std::uint64_t index) {
  RandomStream random(seed, "fuzz input", index);
  FzInput in{};
  for (int i = 0; i < 256; ++i) {
    in.u[i] = static_cast<u32>(edge_integer(random, 32));
    in.f[i] = std::bit_cast<float>(edge_float(random));
    in.w[i] = edge_integer(random, 64);
    in.d[i] = std::bit_cast<double>(edge_double(random));
  }
  return in;
}

FzConstants generate_constants(std::uint64_t seed, std::uint64_t index) {
  RandomStream random(seed, "fuzz constants", index);
  FzConstants k{};
  for (u32& p : k.p) {
    p = static_cast<u32>(edge_integer(random, 32));
  }
  for (f32& q : k.q) {
    q = std::bit_cast<float>(edge_float(random));
  }
  for (f64& r : k.r) {
    r = std::bit_cast<double>(edge_double(random));
  }
  return k;
}

FzAccumulators generate_accumulators(std::uint64_t seed, std::uint64_t index) {
  RandomStream random(seed, "fuzz accumulators", index);
  FzAccumulators acc{};
  for (int i = 0; i < 16; ++i) {
    acc.u[i] = static_cast<u32>(random.next());
    acc.i[i] = static_cast<s32>(random.next());
    acc.w[i] = random.next();
  }
  return acc;
}

} // namespace coulomb::fuzz
