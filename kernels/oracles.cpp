// SPDX-License-Identifier: Apache-2.0
#include "kernels/oracles.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "kernels/oracle_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace coulomb::kernels {
namespace {

struct OracleRow {
  const char* name;
  std::unique_ptr<Oracle> (*make)(const OracleInputs& inputs);
};
constexpr std::array<OracleRow, 6> kOracles = {{
    {"convolution", make_convolution_oracle},
    {"dedispersion", make_dedispersion_oracle},
    {"elementwise", make_elementwise_oracle},
    {"hgemm", make_hgemm_oracle},
    {"saxpy", make_saxpy_oracle},
    {"sgemm", make_sgemm_oracle},
}};

} // namespace

std::vector<std::string> oracle_names() {
  std::vector<std::string> names;
  for (const OracleRow& row : kOracles) {
    names.emplace_back(row.name);
  }
  return names;
}

std::unique_ptr<Oracle>
make_oracle(const std::string& name, const std::string& parameters_json, PristineBuffers buffers) {
  for (const OracleRow& row : kOracles) {
    if (name == row.name) {
      return row.make(OracleInputs(name, parameters_json, std::move(buffers)));
    }
  }
  const std::vector<std::string> names = oracle_names();
  throw UserError(fmt::format("unknown oracle \"{}\"{}; known: {}", name, did_you_mean(name, names),
                              fmt::join(names, ", ")));
}

double fp32_sum_tolerance(std::uint64_t summands) {
  const auto n = static_cast<double>(summands);
  return std::min(n, 8.0 * std::sqrt(n)) * 0x1.0p-24;
}

} // namespace coulomb::kernels
