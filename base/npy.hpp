// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb {

/// An array of a NumPy .npy file, elements in C order (last index fastest), little-endian.
/// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
struct NpyArray {
  std::string dtype; ///< as NumPy spells it: "<f4", "|u1", ...
  std::vector<std::uint64_t> shape;
  std::vector<std::uint8_t> data;

  [[nodiscard]] std::uint64_t count() const; ///< elements; 1 for an array of no dimensions
};

/// Bytes of one element of a dtype of kind b, i, u, f or V, such as 4 for "<f4"; 0 for any other
/// text.
[[nodiscard]] std::uint32_t npy_element_bytes(const std::string& dtype);

/// Reads format 1.0 to 3.0. Throws UserError naming the file: unreadable, no .npy file, cut short,
/// big-endian, structured or object dtype, Fortran order with more than one dimension.
[[nodiscard]] NpyArray read_npy(const std::string& path);
/// The same from the bytes of a file; `origin` names it in messages.
[[nodiscard]] NpyArray parse_npy(std::string_view bytes, const std::string& origin);

/// A file of format 1.0. Throws InternalError if `data` does not fit dtype and shape.
[[nodiscard]] std::string npy_file(const std::string& dtype,
                                   const std::vector<std::uint64_t>& shape,
                                   std::span<const std::uint8_t> data);

} // namespace coulomb
