// SPDX-License-Identifier: Apache-2.0
#include "cli/launch_options.hpp"

#include "base/error.hpp"
#include "base/kernel/argument_text.hpp"
#include "base/kernel/launch_file.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/kernel/tuning_file.hpp"
#include "cli/command_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using kernel::Argument;
using kernel::LaunchDescription;
using Strings = std::vector<std::string>;

/// Options that make no sense where a T1 file describes the launch.
constexpr std::array<const char*, 6> kOfOneLaunch = {"entry",  "grid", "block",
                                                     "shared", "arg",  "symbol"};

std::string absolute(const std::string& path) {
  if (path.empty()) {
    throw UserError("run: a file name is empty", "write NAME=FILE.npy");
  }
  return std::filesystem::absolute(path).lexically_normal().string();
}

std::string text(const po::variables_map& values, const char* name) {
  return values.count(name) > 0 ? values[name].as<std::string>() : std::string();
}

/// NAME=REST, or a REST alone.
std::pair<std::string, std::string> split_name(const std::string& word) {
  const std::size_t equals = word.find('=');
  return equals == std::string::npos ? std::pair(std::string(), word)
                                     : std::pair(word.substr(0, equals), word.substr(equals + 1));
}

Strings compiler_options(const po::variables_map& values) {
  Strings options = strings(values, "option");
  for (const std::string& definition : strings(values, "define")) {
    options.push_back("-D" + definition);
  }
  return options;
}

/// Replaces the argument of the same name, or adds one where `adding`.
void put(std::vector<Argument>& arguments, Argument argument, bool adding) {
  const auto same = std::find_if(arguments.begin(), arguments.end(),
                                 [&](const Argument& a) { return a.name == argument.name; });
  if (same != arguments.end() && !adding) {
    *same = std::move(argument);
    return;
  }
  if (!adding) {
    (void)kernel::find_argument(arguments, argument.name); // throws, with the names there are
  }
  arguments.push_back(std::move(argument));
}

void read_shape(const po::variables_map& values, LaunchDescription& launch) {
  if (values.count("grid") > 0) {
    launch.grid = kernel::parse_extent(text(values, "grid"), "--grid");
  }
  if (values.count("block") > 0) {
    launch.block = kernel::parse_extent(text(values, "block"), "--block");
  }
  if (const std::string shared = text(values, "shared"); !shared.empty()) {
    const std::uint64_t bytes = shared == "0" ? 0 : kernel::parse_count(shared, "--shared");
    if (bytes > std::numeric_limits<std::int32_t>::max()) {
      throw UserError(fmt::format("--shared is {} bytes; allowed: 0 to {}", bytes,
                                  std::numeric_limits<std::int32_t>::max()));
    }
    launch.shared_bytes = static_cast<std::uint32_t>(bytes);
  }
  if (values.count("entry") > 0) {
    launch.entry = text(values, "entry");
  }
}

LaunchDescription describe_launch(const std::string& spec, const po::variables_map& values) {
  const bool from_file = spec.ends_with(".toml");
  LaunchDescription launch;
  if (from_file) {
    launch = kernel::read_launch_file(spec);
  } else {
    launch.origin = spec;
    (spec.ends_with(".cubin") ? launch.cubin : launch.source) = absolute(spec);
  }
  read_shape(values, launch);
  const Strings options = compiler_options(values);
  if (!launch.cubin.empty() && !options.empty()) {
    throw UserError(
        fmt::format("run: {} is compiled already; -D and --option change nothing", launch.cubin),
        "give the .cu file instead");
  }
  launch.options.insert(launch.options.end(), options.begin(), options.end());
  std::size_t position = 0;
  for (const std::string& a : strings(values, "arg")) {
    put(launch.arguments, kernel::parse_argument_text(a, position++), !from_file);
  }
  for (const std::string& s : strings(values, "symbol")) {
    put(launch.arguments, kernel::parse_symbol_text(s), !from_file);
  }
  return launch;
}

/// The output that is meant where none is named.
std::string only_output(const std::vector<Argument>& arguments, const char* option) {
  Strings marked;
  Strings buffers;
  for (const Argument& a : arguments) {
    if (a.output) {
      marked.push_back(a.name);
    }
    if (a.vector && a.passed) {
      buffers.push_back(a.name);
    }
  }
  const Strings& choice = marked.empty() ? buffers : marked;
  if (choice.size() != 1) {
    throw UserError(fmt::format("run: {} names no argument, and there are {} outputs{}{}", option,
                                choice.size(), choice.empty() ? "" : ": ", fmt::join(choice, ", ")),
                    fmt::format("write {} NAME=...", option));
  }
  return choice.front();
}

void read_outputs(const po::variables_map& values,
                  const std::vector<Argument>& arguments,
                  std::vector<kernel::OutputFile>& outputs) {
  for (const std::string& word : strings(values, "output")) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string path = equals == std::string::npos ? name + ".npy" : word.substr(equals + 1);
    (void)kernel::find_argument(arguments, name);
    std::erase_if(outputs, [&](const auto& o) { return o.argument == name; });
    outputs.push_back({name, absolute(path), {}});
  }
  for (const std::string& word : strings(values, "shape")) {
    auto [name, extents] = split_name(word);
    if (name.empty() && outputs.size() == 1) {
      name = outputs.front().argument;
    }
    const auto output = std::find_if(outputs.begin(), outputs.end(),
                                     [&](const auto& o) { return o.argument == name; });
    if (output == outputs.end()) {
      throw UserError(fmt::format("run: --shape {} belongs to no --output", word),
                      "write --shape NAME=32,32 beside --output NAME");
    }
    output->shape.clear();
    for (std::size_t begin = 0; begin <= extents.size();) {
      const std::size_t end = std::min(extents.find(',', begin), extents.size());
      output->shape.push_back(kernel::parse_count(extents.substr(begin, end - begin), "--shape"));
      begin = end + 1;
    }
  }
}

void read_expected(const po::variables_map& values,
                   const std::vector<Argument>& arguments,
                   std::vector<kernel::ExpectedOutput>& expected) {
  for (const std::string& word : strings(values, "oracle")) {
    auto [name, path] = split_name(word);
    name = name.empty() ? only_output(arguments, "--oracle") : name;
    (void)kernel::find_argument(arguments, name);
    std::erase_if(expected, [&, n = name](const auto& e) { return e.argument == n; });
    expected.push_back({name, absolute(path), -1.0, false, path});
  }
  if (values.count("tolerance") > 0) {
    const double tolerance = values["tolerance"].as<double>();
    if (!(tolerance >= 0.0) || !std::isfinite(tolerance)) {
      throw UserError(fmt::format("run: --tolerance is {}; it must be a number from 0", tolerance));
    }
    for (auto& e : expected) {
      e.tolerance = tolerance;
    }
  }
  for (auto& e : expected) {
    e.allow_nan = e.allow_nan || values.count("allow-nan") > 0;
  }
}

ChosenKernel choose_launch(const std::string& spec, const po::variables_map& values) {
  LaunchDescription launch = describe_launch(spec, values);
  read_outputs(values, launch.arguments, launch.outputs);
  kernel::add_marked_outputs(launch);
  read_expected(values, launch.arguments, launch.expected);
  return {kernel::make_spec(launch), false, launch.expected, launch.outputs};
}

ChosenKernel choose_tunable(const std::string& spec, const po::variables_map& values) {
  for (const char* option : kOfOneLaunch) {
    if (values.count(option) > 0) {
      throw UserError(fmt::format("run: --{} goes with a .cu, .cubin or .toml file; {} describes "
                                  "its launch itself",
                                  option, spec),
                      "--param NAME=VALUE sets a tunable parameter");
    }
  }
  ChosenKernel chosen{kernel::find_spec(spec), true, {}, {}};
  for (const std::string& warning : chosen.spec.warnings) {
    fmt::print(stderr, "warning: {}\n", warning);
  }
  const Strings options = compiler_options(values);
  chosen.spec.compiler_options.insert(chosen.spec.compiler_options.end(), options.begin(),
                                      options.end());
  std::vector<Argument> arguments;
  for (const auto& t : chosen.spec.argument_templates) {
    arguments.push_back(t.argument);
  }
  read_outputs(values, arguments, chosen.outputs);
  read_expected(values, arguments, chosen.expected);
  return chosen;
}

} // namespace

po::options_description describe_launch_options() {
  po::options_description options("A kernel of your own (.cu, .cubin, or a launch .toml)");
  auto add = options.add_options();
  add("entry", po::value<std::string>(), "__global__ function (default: the only one)");
  add("grid", po::value<std::string>(), "CTAs: X or X,Y,Z");
  add("block", po::value<std::string>(), "threads of a CTA: X or X,Y,Z");
  add("shared", po::value<std::string>(), "bytes of dynamic shared memory (default 0)");
  add("arg", po::value<Strings>()->composing(), "a parameter of the kernel, in order; see below");
  add("symbol", po::value<Strings>()->composing(),
      "NAME:TYPE[COUNT]=FILL: a __constant__ or __device__ variable");
  add("define,D", po::value<Strings>()->composing(), "NAME=VALUE: a macro for the compiler");
  add("option", po::value<Strings>()->composing(), "NVRTC option: --option=-std=c++17");
  add("output", po::value<Strings>()->composing(),
      "NAME[=FILE.npy]: write an argument or variable after the run");
  add("shape", po::value<Strings>()->composing(), "[NAME=]N,M,...: shape of the .npy file");
  add("oracle", po::value<Strings>()->composing(),
      "[NAME=]FILE.npy: what an output must hold after the run");
  add("tolerance", po::value<double>(),
      "R: |found - expected| <= R * max(|expected|, rms) (default: integers 0, float 1e-4, half "
      "1e-2, double 1e-9)");
  add("allow-nan", "NaN is right where it is expected");
  return options;
}

std::string launch_grammar() {
  return "\nArguments   [NAME:][value:|output:]TYPE[COUNT][=FILL] is a buffer, or with value: an "
         "array or struct\n"
         "            passed by value; [NAME:]TYPE=VALUE is a scalar\n"
         "  TYPE      int8 uint8 int16 uint16 int32 uint32 int64 uint64 half bfloat16 float double "
         "bool,\n"
         "            and char short int long uchar ushort uint ulong; float4[N] is float[4*N]\n"
         "  COUNT     a number or an expression, 1024*1024\n"
         "  FILL      NUMBER | zero | sequence | normal[:SEED[:SCALE]] | uniform[:SEED[:BELOW]] | "
         "random[:SEED]\n"
         "            | expr:EXPRESSION of i | @FILE.npy | @FILE.bin; none: zero\n";
}

ChosenKernel choose_kernel(const std::string& spec, const po::variables_map& values) {
  const bool one_launch = spec.ends_with(".cu") || spec.ends_with(".cubin") ||
                          (spec.ends_with(".toml") && !kernel::is_tuning_file(spec));
  return one_launch ? choose_launch(spec, values) : choose_tunable(spec, values);
}

} // namespace coulomb::cli
