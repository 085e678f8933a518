// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/text.hpp"
#include "kernels/oracle_inputs.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace coulomb::kernels {
namespace {

/// A value, and the sum of the magnitudes of its summands.
struct Term {
  double value = 0.0;
  double magnitude = 0.0;
};

Term product(double value) {
  return {value, std::fabs(value)};
}
Term sum(double a, double b) {
  return {a + b, std::fabs(a) + std::fabs(b)};
}

/// `ulps`: units in the last place that the function may be wrong by, as NVIDIA documents it (CUDA
/// C++ programming guide, "Mathematical Functions": powf 4, tanhf 2, erff 2; division is exact to
/// half a unit), and half a unit for each other rounding.
struct Operation {
  const char* name;
  bool two_tensors;
  double ulps;
  Term (*apply)(double a, double b, double scalar);
};
constexpr std::array<Operation, 11> kOperations = {{
    {"add", true, 1.0, [](double a, double b, double s) { return sum(a, s * b); }},
    {"addu", false, 0.5, [](double a, double, double s) { return sum(a, s); }},
    {"mul", true, 0.5, [](double a, double b, double) { return product(a * b); }},
    {"mulu", false, 0.5, [](double a, double, double s) { return product(a * s); }},
    {"div", true, 0.5, [](double a, double b, double) { return product(a / b); }},
    {"divu", false, 0.5, [](double a, double, double s) { return product(a * s); }},
    {"pow", true, 4.0, [](double a, double b, double) { return product(std::pow(a, b)); }},
    {"powu", false, 4.0, [](double a, double, double s) { return product(std::pow(a, s)); }},
    {"tanh", false, 2.0, [](double a, double, double) { return product(std::tanh(a)); }},
    {"relu", false, 0.0, [](double a, double, double) { return product(std::fmax(a, 0.0)); }},
    {"gelu", false, 4.0,
     [](double a, double, double) {
       const double half = 0.5 * a;
       return sum(half, half * std::erf(a * std::numbers::sqrt2 / 2.0));
     }},
}};

const Operation& find_operation(const std::string& name) {
  std::vector<std::string> names;
  for (const Operation& o : kOperations) {
    if (name == o.name) {
      return o;
    }
    names.emplace_back(o.name);
  }
  throw UserError(fmt::format("oracle elementwise: unknown operation \"{}\"{}; known: {}", name,
                              did_you_mean(name, names), fmt::join(names, ", ")));
}

/// output[i] = operation(first[i], second[i] or scalar).
class ElementwiseOracle final : public Oracle {
public:
  explicit ElementwiseOracle(const OracleInputs& inputs)
      : operation_(find_operation(inputs.text("operation"))),
        count_(static_cast<std::uint64_t>(inputs.integer("elements"))),
        scalar_(inputs.floats("scalar", 1)[0]), first_(inputs.floats("first", count_)) {
    if (operation_.two_tensors) {
      second_ = inputs.floats("second", count_);
    }
  }

  void expected(const std::string& argument,
                std::span<const std::uint64_t> elements,
                std::span<double> value,
                std::span<double> magnitude) const override {
    COULOMB_CHECK(argument == "output", "elementwise does not write \"{}\"", argument);
    COULOMB_CHECK(elements.empty() || elements.back() < count_, "{}[{}] is outside {} elements",
                  argument, elements.back(), count_);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto a = static_cast<double>(first_[elements[i]]);
      const double b = operation_.two_tensors ? static_cast<double>(second_[elements[i]]) : 0.0;
      const Term term = operation_.apply(a, b, static_cast<double>(scalar_));
      value[i] = term.value;
      magnitude[i] = term.magnitude;
    }
  }

  /// A unit in the last place is at most 2^-23 of the value.
  [[nodiscard]] double tolerance() const override { return operation_.ulps * 0x1.0p-23; }

private:
  const Operation& operation_;
  std::uint64_t count_;
  float scalar_;
  std::span<const float> first_;
  std::span<const float> second_;
};

} // namespace

std::unique_ptr<Oracle> make_elementwise_oracle(const OracleInputs& inputs) {
  return std::make_unique<ElementwiseOracle>(inputs);
}

} // namespace coulomb::kernels
