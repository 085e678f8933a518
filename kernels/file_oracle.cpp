// SPDX-License-Identifier: Apache-2.0
#include "kernels/file_oracle.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace coulomb::kernels {
namespace {

using kernel::ElementType;

constexpr double kWrong = std::numeric_limits<double>::max();

/// A 64-bit integer of either signedness.
struct Whole {
  bool negative = false;
  std::uint64_t bits = 0;
  bool operator==(const Whole&) const = default;
};

bool is_signed(ElementType type) {
  return type == ElementType::i8 || type == ElementType::i16 || type == ElementType::i32 ||
         type == ElementType::i64;
}

Whole whole_at(ElementType type, const std::uint8_t* at) {
  const std::uint32_t bytes = kernel::element_bytes(type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, bytes);
  const std::uint32_t shift = 64 - 8 * bytes;
  if (is_signed(type)) {
    bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << shift) >> shift);
  }
  return {is_signed(type) && bits >> 63 != 0, bits};
}

std::string whole_text(const Whole& w) {
  return w.negative ? std::to_string(static_cast<std::int64_t>(w.bits)) : std::to_string(w.bits);
}

/// The element type that a file of `dtype` has, to be compared with an argument of `type`; nothing
/// if they cannot be compared.
std::optional<ElementType> comparable(const std::string& dtype, ElementType type) {
  if (type == ElementType::bf16 && (dtype == "<u2" || dtype.substr(1) == "V2")) {
    return ElementType::bf16;
  }
  for (int i = 0; i < kernel::kElementTypeCount; ++i) {
    const auto candidate = static_cast<ElementType>(i);
    if (candidate != ElementType::bf16 && dtype == kernel::element_type_dtype(candidate) &&
        kernel::is_floating_point(candidate) == kernel::is_floating_point(type)) {
      return candidate;
    }
  }
  return std::nullopt;
}

} // namespace

double default_tolerance(ElementType type) {
  switch (type) {
  case ElementType::f32:
    return 1e-4;
  case ElementType::f16:
  case ElementType::bf16:
    return 1e-2;
  case ElementType::f64:
    return 1e-9;
  default:
    return 0.0;
  }
}

FileOracle::FileOracle(kernel::ExpectedOutput expected, const kernel::Argument& argument)
    : expected_(std::move(expected)), type_(argument.type), array_(read_npy(expected_.path)) {
  check_shape(argument);
  exact_ = expected_.tolerance < 0.0 && !kernel::is_floating_point(type_);
  tolerance_ = expected_.tolerance < 0.0 ? default_tolerance(type_) : expected_.tolerance;
  const kernel::ElementReader read = kernel::element_reader(file_type_);
  const std::uint32_t size = kernel::element_bytes(file_type_);
  double norm = 0.0; // hypot: squares of large doubles would overflow
  std::uint64_t finite = 0;
  for (std::uint64_t i = 0; i < array_.count(); ++i) {
    const double value = read(array_.data.data() + i * size);
    if (std::isfinite(value)) {
      norm = std::hypot(norm, value);
      ++finite;
    }
  }
  rms_ = finite == 0 ? 0.0 : norm / std::sqrt(static_cast<double>(finite));
}

void FileOracle::check_shape(const kernel::Argument& argument) {
  const auto type = comparable(array_.dtype, type_);
  if (!type) {
    throw UserError(fmt::format("{}: dtype '{}' cannot be compared with argument \"{}\" of {}",
                                expected_.path, array_.dtype, argument.name,
                                kernel::element_type_name(type_)),
                    kernel::is_floating_point(type_) ? "use float16, float32 or float64"
                                                     : "use an integer dtype");
  }
  file_type_ = *type;
  if (array_.count() != argument.count) {
    throw UserError(fmt::format("{} has {} elements, argument \"{}\" has {}", expected_.path,
                                array_.count(), argument.name, argument.count));
  }
}

FileOracle::Verdict FileOracle::compare(const std::uint8_t* found, std::uint64_t element) const {
  const std::uint8_t* at = array_.data.data() + element * kernel::element_bytes(file_type_);
  if (!kernel::is_floating_point(type_) && whole_at(type_, found) == whole_at(file_type_, at)) {
    return {0.0, true};
  }
  const double got = kernel::element_reader(type_)(found);
  const double want = kernel::element_reader(file_type_)(at);
  if (std::isnan(got) && std::isnan(want)) {
    return expected_.allow_nan ? Verdict{0.0, true} : Verdict{kWrong, false};
  }
  if (got == want && !exact_) {
    return {0.0, true};
  }
  const double error = std::fabs(got - want) / std::max(std::fabs(want), rms_);
  if (!(error < kWrong) || std::isinf(want)) {
    return {kWrong, false}; // NaN, infinity, or a difference where all expected ones are zero
  }
  return {error, !exact_ && error <= tolerance_};
}

std::string FileOracle::difference(const std::uint8_t* found, std::uint64_t element) const {
  const std::uint8_t* at = array_.data.data() + element * kernel::element_bytes(file_type_);
  if (!kernel::is_floating_point(type_)) {
    return fmt::format("{}[{}]: expected {}, found {}", expected_.argument, element,
                       whole_text(whole_at(file_type_, at)), whole_text(whole_at(type_, found)));
  }
  return fmt::format("{}[{}]: expected {:.9g}, found {:.9g}", expected_.argument, element,
                     kernel::element_reader(file_type_)(at), kernel::element_reader(type_)(found));
}

OutputComparison FileOracle::check(const std::vector<std::uint64_t>* stored,
                                   std::span<const std::uint8_t> contents) const {
  OutputComparison result;
  const std::uint32_t size = kernel::element_bytes(type_);
  COULOMB_CHECK(contents.size() == array_.count() * size, "{}: {} bytes, expected {} elements",
                expected_.argument, contents.size(), array_.count());
  const std::uint64_t count = stored == nullptr ? array_.count() : stored->size();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t element = stored == nullptr ? i : (*stored)[i];
    const std::uint8_t* found = contents.data() + element * size;
    const Verdict verdict = compare(found, element);
    result.max_rel_error = std::max(result.max_rel_error, verdict.error);
    if (!verdict.right && result.first_difference.empty()) {
      result.first_difference = difference(found, element);
    }
  }
  result.compared = count;
  if (count == 0) {
    result.first_difference = fmt::format("{}: nothing was stored", expected_.argument);
  }
  result.passed = result.first_difference.empty();
  return result;
}

} // namespace coulomb::kernels
