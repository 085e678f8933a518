// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/oracles.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coulomb::kernels {

/// What an oracle is made from: parameters and buffers, with checks that name what is missing.
class OracleInputs {
public:
  /// Throws UserError if `parameters_json` is not a JSON object with a "problem_size" list.
  OracleInputs(std::string oracle, const std::string& parameters_json, PristineBuffers buffers);

  /// A T1 parameter that must be an integer.
  [[nodiscard]] std::int64_t integer(const std::string& parameter) const;
  /// A T1 parameter that must be a text.
  [[nodiscard]] std::string text(const std::string& parameter) const;
  /// ProblemSize[axis], at least 1.
  [[nodiscard]] std::uint64_t problem_size(std::size_t axis) const;
  /// The floats of a buffer, at least `count` of them.
  [[nodiscard]] std::span<const float> floats(const std::string& argument,
                                              std::uint64_t count) const;
  /// The bits of the halves of a buffer, at least `count` of them.
  [[nodiscard]] std::span<const std::uint16_t> halves(const std::string& argument,
                                                      std::uint64_t count) const;
  /// The bytes of a buffer, at least `count` of them.
  [[nodiscard]] std::span<const std::uint8_t> bytes(const std::string& argument,
                                                    std::uint64_t count) const;

private:
  [[nodiscard]] std::span<const std::uint8_t> contents(const std::string& argument) const;
  /// The elements of a buffer, `what` in messages.
  template <class T>
  [[nodiscard]] std::span<const T>
  elements(const std::string& argument, std::uint64_t count, const char* what) const;

  std::string oracle_;
  std::map<std::string, std::int64_t> parameters_;
  std::map<std::string, std::string> texts_;
  std::vector<std::uint64_t> problem_size_;
  PristineBuffers buffers_;
};

/// Consecutive elements of one row of a matrix: columns [column, column + length).
struct ElementRun {
  std::uint64_t row = 0;
  std::uint64_t column = 0;
  std::size_t length = 0;
  std::size_t first = 0; ///< position of the run's first element in the list of elements
};

/// Cuts an ascending list of indices of a matrix with `width` columns into runs of at most
/// `longest`, none of which crosses a multiple of `longest` columns.
[[nodiscard]] std::vector<ElementRun>
runs_of(std::span<const std::uint64_t> elements, std::uint64_t width, std::size_t longest);

[[nodiscard]] std::unique_ptr<Oracle> make_convolution_oracle(const OracleInputs& inputs);
[[nodiscard]] std::unique_ptr<Oracle> make_dedispersion_oracle(const OracleInputs& inputs);
[[nodiscard]] std::unique_ptr<Oracle> make_elementwise_oracle(const OracleInputs& inputs);
[[nodiscard]] std::unique_ptr<Oracle> make_hgemm_oracle(const OracleInputs& inputs);
[[nodiscard]] std::unique_ptr<Oracle> make_sgemm_oracle(const OracleInputs& inputs);
[[nodiscard]] std::unique_ptr<Oracle> make_saxpy_oracle(const OracleInputs& inputs);

} // namespace coulomb::kernels
