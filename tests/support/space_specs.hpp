// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/tunable_spec.hpp"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace coulomb::test {

inline kernel::TunableParameter integer_parameter(const std::string& name,
                                                  const std::vector<std::int64_t>& values) {
  kernel::TunableParameter p;
  p.name = name;
  p.type = "int";
  p.values.assign(values.begin(), values.end());
  p.default_value = p.values.front();
  return p;
}

inline void add_restriction(kernel::TunableSpec& spec, const std::string& text) {
  spec.restrictions.push_back({text, kernel::Expression::parse(text)});
}

/// A space of the shape of a tiled matrix multiplication: 163,840,000 points of the product, all
/// parameters joined by divisibility rules and bounds on threads and shared memory.
inline kernel::TunableSpec gemm_space() {
  kernel::TunableSpec spec;
  spec.origin = "gemm";
  const std::vector<std::int64_t> tiles = {16, 32, 48, 64, 96, 128, 192, 256};
  for (const char* name : {"m_tile", "n_tile"}) {
    spec.parameters.push_back(integer_parameter(name, tiles));
  }
  spec.parameters.push_back(integer_parameter("k_tile", {8, 16, 32, 64}));
  for (const char* name : {"m_threads", "n_threads", "m_load", "n_load"}) {
    spec.parameters.push_back(integer_parameter(name, {4, 8, 16, 32, 64}));
  }
  spec.parameters.push_back(integer_parameter("k_unroll", {1, 2, 4, 8}));
  for (const char* name : {"m_vector", "n_vector"}) {
    spec.parameters.push_back(integer_parameter(name, {1, 2, 4, 8}));
  }
  for (const char* name : {"a_shared", "b_shared", "m_stride", "n_stride"}) {
    spec.parameters.push_back(integer_parameter(name, {0, 1}));
  }
  for (const char* text : {"k_tile % k_unroll == 0",
                           "m_tile % (m_threads * m_vector) == 0",
                           "n_tile % (n_threads * n_vector) == 0",
                           "m_tile % (m_load * m_vector) == 0",
                           "n_tile % (n_load * n_vector) == 0",
                           "k_tile % ((m_threads * n_threads) / m_load) == 0",
                           "k_tile % ((m_threads * n_threads) / n_load) == 0",
                           "64 <= m_threads * n_threads <= 1024",
                           "a_shared or m_load == m_threads",
                           "b_shared or n_load == n_threads",
                           "m_stride == 0 or a_shared",
                           "n_stride == 0 or b_shared",
                           "4 * k_tile * (a_shared * m_tile + b_shared * n_tile) <= 49152",
                           "16 <= (m_tile // m_threads) * (n_tile // n_threads) <= 64",
                           "(m_threads * n_threads) % 128 == 0",
                           "m_vector * n_vector <= 8",
                           "(k_tile * m_tile) % (m_threads * n_threads * m_vector) == 0",
                           "(k_tile * n_tile) % (m_threads * n_threads * n_vector) == 0",
                           "k_tile // k_unroll <= 8",
                           "m_load * n_load <= 1024"}) {
    add_restriction(spec, text);
  }
  return spec;
}

/// `independent` parameters of ten values each, the first two joined by a restriction that half of
/// their choices satisfy.
inline kernel::TunableSpec independent_space(std::size_t independent) {
  kernel::TunableSpec spec;
  spec.origin = "independent";
  for (std::size_t i = 0; i < independent; ++i) {
    spec.parameters.push_back(
        integer_parameter(fmt::format("p{}", i), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  }
  add_restriction(spec, "(p0 + p1) % 2 == 0");
  return spec;
}

} // namespace coulomb::test
