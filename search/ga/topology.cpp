// SPDX-License-Identifier: Apache-2.0
#include "search/ga/topology.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <array>
#include <fmt/ranges.h>

namespace coulomb::search {
namespace {

struct Shape {
  std::string_view name;
  /// Is there a way from island `a` to another island `b`, of `n`?
  bool (*joins)(std::size_t a, std::size_t b, std::size_t n);
};

constexpr std::array kShapes = {
    Shape{"ring", [](std::size_t a, std::size_t b, std::size_t n) { return (a + 1) % n == b; }},
    Shape{"star", [](std::size_t a, std::size_t b, std::size_t) { return a == 0 || b == 0; }},
    Shape{"complete", [](std::size_t, std::size_t, std::size_t) { return true; }},
    Shape{"none", [](std::size_t, std::size_t, std::size_t) { return false; }},
};

} // namespace

std::vector<std::string> topology_names() {
  std::vector<std::string> names;
  for (const Shape& shape : kShapes) {
    names.emplace_back(shape.name);
  }
  return names;
}

std::shared_ptr<const Topology> make_topology(const std::string& name, std::size_t islands) {
  for (const Shape& shape : kShapes) {
    if (shape.name != name) {
      continue;
    }
    auto topology = std::make_shared<Topology>(islands);
    for (std::size_t a = 0; a < islands; ++a) {
      for (std::size_t b = 0; b < islands; ++b) {
        if (a != b && shape.joins(a, b, islands)) {
          boost::add_edge(a, b, *topology);
        }
      }
    }
    return topology;
  }
  throw UserError(
      fmt::format("there is no topology \"{}\"{}", name, did_you_mean(name, topology_names())),
      fmt::format("one of: {}", fmt::join(topology_names(), ", ")));
}

} // namespace coulomb::search
