// SPDX-License-Identifier: Apache-2.0
#include "calibration/fit/fit_parameter.hpp"

#include "base/config/field.hpp"
#include "base/config/quantity.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace coulomb::calibration {
namespace {

constexpr std::array<std::string_view, 2> kFitted = {"fit", "assumption"};

/// The value of a field that is one number.
std::optional<double> number_of(const config::Field& field) {
  if (const auto* const* whole = std::get_if<std::uint32_t*>(&field.member)) {
    return static_cast<double>(**whole);
  }
  if (const auto* const* real = std::get_if<double*>(&field.member)) {
    return **real;
  }
  return std::nullopt;
}

void check_source(const config::ResolvedGpu& gpu, const std::string& key) {
  const auto found = gpu.provenance.find(key);
  const std::string kind = found == gpu.provenance.end() ? "user" : found->second.kind;
  if (std::find(kFitted.begin(), kFitted.end(), kind) != kFitted.end()) {
    return;
  }
  throw UserError(
      fmt::format("{} of {} is of kind \"{}\"{}; only values of kind \"fit\" and \"assumption\" "
                  "may be fitted",
                  key, gpu.config.id, kind,
                  found == gpu.provenance.end() ? "" : fmt::format(" ({})", found->second.source)),
      fmt::format("coulomb config explain {} --gpu {}", key, gpu.config.id));
}

/// One bound of a requested range, in the key's unit.
double bound(const std::string& text, config::Field field, const std::string& request) {
  if (const auto wrong = config::assign(field, text)) {
    throw UserError(
        fmt::format("--parameter {}: {}; found \"{}\"", request, *wrong, text),
        "a range is KEY=LOW:HIGH within the documented one: coulomb config explain KEY");
  }
  return *number_of(field);
}

/// To four digits: more than a fit can tell, and what stands in the file is what was simulated.
double rounded(double value) {
  const std::string text = fmt::format("{:.4g}", value);
  double out = value;
  (void)std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

} // namespace

double FitParameter::value_at(double position) const {
  if (position == position_of(start)) {
    return start; // and not what rounding makes of it on the way there and back
  }
  const double p = std::clamp(position, 0.0, 1.0);
  const double value = logarithmic ? low * std::pow(high / low, p) : low + p * (high - low);
  return std::clamp(whole ? std::round(value) : rounded(value), low, high);
}

double FitParameter::position_of(double value) const {
  const double position =
      logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return std::clamp(position, 0.0, 1.0);
}

std::string FitParameter::assignment(double value) const {
  return fmt::format("{}={}", key, value);
}

std::string FitParameter::text(double value) const {
  config::GpuConfig config;
  const config::Field field = config::field(config, key);
  const auto wrong = config::assign(field, fmt::to_string(value));
  COULOMB_CHECK(!wrong, "{} = {}: {}", key, value, *wrong);
  return config::format_value(field);
}

FitParameter fit_parameter(const config::ResolvedGpu& gpu, const std::string& request) {
  const std::size_t equals = request.find('=');
  FitParameter p;
  p.key = request.substr(0, equals);
  config::GpuConfig config = gpu.config;
  const config::Field field = config::field(config, p.key);
  check_source(gpu, p.key);
  const auto start = number_of(field);
  if (!start) {
    throw UserError(fmt::format("{} has no range to look in: it is {}, no single number", p.key,
                                config::format_value(field)),
                    "only keys with one number can be fitted");
  }
  p.start = *start;
  p.low = field.spec.min;
  p.high = field.spec.max;
  p.whole = std::holds_alternative<std::uint32_t*>(field.member);
  if (equals != std::string::npos) {
    const std::string range = request.substr(equals + 1);
    const std::size_t colon = range.find(':');
    if (colon == std::string::npos) {
      throw UserError(fmt::format("--parameter {}: allowed: KEY or KEY=LOW:HIGH", request));
    }
    p.low = bound(range.substr(0, colon), field, request);
    p.high = bound(range.substr(colon + 1), field, request);
  }
  if (!(p.low < p.high) || p.start < p.low || p.start > p.high) {
    throw UserError(fmt::format("--parameter {}: {} to {}; allowed: an ascending range that holds "
                                "the present value {}",
                                request, p.text(p.low), p.text(p.high), p.text(p.start)));
  }
  p.logarithmic = p.low > 0.0 && p.high >= kLogarithmicFrom * p.low;
  return p;
}

void check_present_values(const std::vector<FitParameter>& parameters,
                          const config::GpuConfig& other,
                          const std::string& table) {
  config::GpuConfig config = other;
  for (const FitParameter& p : parameters) {
    const double value = *number_of(config::field(config, p.key));
    if (value != p.start) {
      throw UserError(
          fmt::format("calibrate fit: {} was measured on {}, whose {} is {}, and not {} "
                      "as on the GPU that is fitted: a value for one is none for both",
                      table, other.id, p.key, p.text(value), p.text(p.start)),
          "hold out a table of another board, or fit another parameter");
    }
  }
}

} // namespace coulomb::calibration
