// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/dim3.hpp"
#include "base/kernel/argument.hpp"
#include "base/kernel/configuration.hpp"
#include "base/kernel/expression.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coulomb::kernel {

/// How far two values of a parameter are apart, for a search.
enum class ParameterKind : std::uint8_t {
  ordered,     ///< by their places in the order of the values
  categorical, ///< any two are as far apart as any other two
  permutation, ///< by the swaps of neighbouring items that make one of the other
};

struct TunableParameter {
  std::string name;
  std::string type; ///< T1's word: int, uint, float, bool, string
  std::vector<ParameterValue> values;
  ParameterValue default_value;
  /// A permutation's values are all orders of its items, in lexicographic order of the items'
  /// places.
  ParameterKind kind = ParameterKind::ordered;
  bool gpu_key = false; ///< a key of the GPU file, not of the kernel: no macro is made of it
};

struct Restriction {
  std::string text;
  Expression expression;
};

/// A kernel launch with every number resolved for one configuration.
struct Launch {
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<Argument> arguments;
};

/// A tunable kernel as its T1 JSON file describes it (github.com/odgaard/TuningSchema), plus an
/// optional "Coulomb" object for what T1 has no word for: oracle, constant symbols, description.
class TunableSpec {
public:
  /// Reads and checks a T1 file. Throws UserError with line and column for malformed JSON, and with
  /// the nearest names for a restriction or size that uses an unknown parameter.
  static TunableSpec load(const std::string& path);
  static TunableSpec parse(const std::string& text, const std::string& origin);

  std::string name;        ///< benchmark name, e.g. "convolution"
  std::string kernel_name; ///< entry point, e.g. "convolution_kernel"
  std::string source_path; ///< the .cu file, absolute
  std::string cubin_path;  ///< if not empty: the machine code; the compiler is not asked
  std::string origin;      ///< path of the T1 file
  std::vector<std::string> compiler_options;
  std::vector<TunableParameter> parameters;
  std::vector<Restriction> restrictions;
  std::string oracle; ///< name in kernels/oracles.hpp; empty if none
  std::string description;
  std::vector<std::int64_t> problem_size;
  /// Further names that expressions may use, with their numbers.
  std::vector<std::pair<std::string, ParameterValue>> constants;
  /// If not empty: why no configuration can be compiled and launched. The space can be looked at.
  std::string cannot_launch;
  std::vector<std::string> warnings; ///< what was ignored when the file was read

  [[nodiscard]] const TunableParameter* find(const std::string& parameter) const;
  [[nodiscard]] Configuration default_configuration() const;
  /// Defaults overridden by name=value texts. Throws UserError: unknown name (did you mean), value
  /// that is not in the parameter's list (the list is shown).
  [[nodiscard]] Configuration configuration(const std::vector<std::string>& assignments) const;
  /// The first restriction that the configuration violates, or nothing.
  [[nodiscard]] std::optional<std::string> violated_restriction(const Configuration& c) const;
  /// Grid, block, shared memory and arguments of one configuration. Throws UserError if that cannot
  /// be.
  [[nodiscard]] Launch launch(const Configuration& c) const;
  /// Macro definitions for the compiler: every parameter as -DNAME=VALUE.
  [[nodiscard]] std::vector<std::string> macro_options(const Configuration& c) const;

  /// Expression texts, kept to be evaluated per configuration.
  struct Sizes {
    std::string local[3] = {"1", "1", "1"};
    std::string global[3] = {"1", "1", "1"};
    /// An axis that has grid divisors: grid = ceil(problem_size / product of divisors), as Kernel
    /// Tuner does; `global` is then not used.
    std::optional<std::vector<std::string>> grid_div[3];
    std::string global_size_type = "CUDA"; ///< CUDA: counts CTAs; OpenCL: counts threads
    std::string shared_bytes = "0";
  } sizes;
  struct ArgumentTemplate {
    Argument argument;
    std::string count_expression;
    /// If not empty: the fill's value (for a scalar, its value) as an expression of the parameters.
    std::string value_expression = {};
  };
  std::vector<ArgumentTemplate> argument_templates;

  /// Names that expressions may use, for messages: parameters, ProblemSize, constants.
  [[nodiscard]] std::vector<std::string> known_names() const;
  /// Every parameter of `c`, ProblemSize, constants, and the parameters' value lists (see
  /// Scope::lookup_list). Owns what it returns pointers to; does not refer to `c` or this spec
  /// afterwards.
  [[nodiscard]] Scope scope(const Configuration& c) const;

private:
  [[nodiscard]] Dim3 grid(const Scope& names, Dim3 block) const;
};

} // namespace coulomb::kernel
