// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/launch_description.hpp"

#include "base/error.hpp"
#include "base/kernel/argument_text.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

namespace coulomb::kernel {
namespace {

void check_names(const std::vector<Argument>& arguments) {
  std::set<std::string> names;
  for (const Argument& a : arguments) {
    if (!names.insert(a.name).second) {
      throw UserError(fmt::format("two arguments are called \"{}\"", a.name),
                      "give each a name of its own: NAME:TYPE[COUNT]=FILL");
    }
  }
}

/// Whatever is read back must be a buffer or a variable of the module.
void check_readable(const std::vector<Argument>& arguments, const std::string& name) {
  const Argument& a = find_argument(arguments, name);
  if (!a.vector && a.constant_symbol.empty()) {
    throw UserError(fmt::format("\"{}\" is passed by value: the kernel cannot change it", name),
                    "outputs are buffers, TYPE[COUNT], and __device__ variables");
  }
}

void set_axes(std::string (&texts)[3], const Dim3& extent) {
  texts[0] = std::to_string(extent.x);
  texts[1] = std::to_string(extent.y);
  texts[2] = std::to_string(extent.z);
}

} // namespace

std::vector<std::string> split_axes(const std::string& text) {
  std::vector<std::string> axes(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' ? 1 : 0;
    depth -= c == ')' || c == ']' ? 1 : 0;
    if (c == ',' && depth == 0) {
      axes.emplace_back();
    } else {
      axes.back() += c;
    }
  }
  return axes;
}

Dim3 parse_extent(const std::string& text, const std::string& what) {
  const std::vector<std::string> axes = split_axes(text);
  if (axes.size() > 3) {
    throw UserError(
        fmt::format("{} is \"{}\": {} extents; allowed: 1 to 3", what, text, axes.size()));
  }
  std::uint32_t extents[3] = {1, 1, 1};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::uint64_t n = parse_count(axes[i], fmt::format("{}, axis {}", what, "xyz"[i]));
    if (n > std::numeric_limits<std::int32_t>::max()) {
      throw UserError(fmt::format("{}, axis {} is {}; allowed: 1 to {}", what, "xyz"[i], n,
                                  std::numeric_limits<std::int32_t>::max()));
    }
    extents[i] = static_cast<std::uint32_t>(n);
  }
  return {extents[0], extents[1], extents[2]};
}

const Argument& find_argument(const std::vector<Argument>& arguments, const std::string& name) {
  std::vector<std::string> names;
  for (const Argument& a : arguments) {
    if (a.name == name) {
      return a;
    }
    names.push_back(a.name);
  }
  throw UserError(fmt::format("no argument is called \"{}\"{}; there are: {}", name,
                              did_you_mean(name, names),
                              names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

void check_shape(const OutputFile& output, const Argument& argument) {
  const std::uint64_t elements = std::accumulate(output.shape.begin(), output.shape.end(),
                                                 std::uint64_t{1}, std::multiplies<>());
  if (!output.shape.empty() && elements != argument.count) {
    throw UserError(fmt::format("the shape ({}) of output \"{}\" has {} elements, not {}",
                                fmt::join(output.shape, ", "), argument.name, elements,
                                argument.count));
  }
  const auto folder = std::filesystem::path(output.path).parent_path();
  if (!std::filesystem::is_directory(folder)) {
    throw UserError(
        fmt::format("output \"{}\": there is no folder {}", argument.name, folder.string()));
  }
}

void add_marked_outputs(LaunchDescription& launch) {
  for (const Argument& a : launch.arguments) {
    const bool named = std::any_of(launch.outputs.begin(), launch.outputs.end(),
                                   [&](const OutputFile& o) { return o.argument == a.name; });
    if (a.output && !named) {
      const auto path = std::filesystem::absolute(a.name + ".npy");
      launch.outputs.push_back({a.name, path.lexically_normal().string(), {}});
    }
  }
}

TunableSpec make_spec(const LaunchDescription& launch) {
  if (!launch.grid || !launch.block) {
    throw UserError(
        fmt::format("{}: the launch has no {}", launch.origin, launch.grid ? "block" : "grid"),
        "e.g. --grid 64,1,1 --block 128, or grid = 64 in a launch .toml");
  }
  check_names(launch.arguments);
  for (const ExpectedOutput& e : launch.expected) {
    check_readable(launch.arguments, e.argument);
  }
  for (const OutputFile& o : launch.outputs) {
    check_readable(launch.arguments, o.argument);
  }
  TunableSpec spec;
  const std::string& file = launch.cubin.empty() ? launch.source : launch.cubin;
  spec.name = launch.entry.empty() ? std::filesystem::path(file).stem().string() : launch.entry;
  spec.kernel_name = launch.entry;
  spec.source_path = launch.source;
  spec.cubin_path = launch.cubin;
  spec.origin = launch.origin;
  spec.compiler_options = launch.options;
  set_axes(spec.sizes.local, *launch.block);
  set_axes(spec.sizes.global, *launch.grid);
  spec.sizes.shared_bytes = std::to_string(launch.shared_bytes);
  for (const Argument& a : launch.arguments) {
    spec.argument_templates.push_back({a, std::to_string(a.count), {}});
  }
  return spec;
}

} // namespace coulomb::kernel
