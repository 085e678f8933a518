// SPDX-License-Identifier: Apache-2.0
#include "base/npy.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

namespace coulomb {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
/// Magic, two bytes of version, two or four of header length; then the header.
constexpr std::size_t kVersionAt = kMagic.size();
constexpr std::size_t kLengthAt = kVersionAt + 2;
/// The header is padded so that the data begin at a multiple of this.
constexpr std::size_t kAlignment = 64;

[[noreturn]] void refuse(const std::string& origin, const std::string& what) {
  throw UserError(fmt::format("{}: {}", origin, what),
                  "numpy.save(FILE, numpy.ascontiguousarray(ARRAY)) writes what can be read");
}

/// The text behind `'key':` in the header, a Python dictionary, or nothing.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::string quoted = fmt::format("'{}'", key);
  std::size_t at = header.find(quoted);
  if (at == std::string_view::npos) {
    return {};
  }
  at = header.find(':', at + quoted.size());
  if (at == std::string_view::npos) {
    return {};
  }
  at = header.find_first_not_of(' ', at + 1);
  return at == std::string_view::npos ? std::string_view{} : header.substr(at);
}

std::string read_dtype(std::string_view header, const std::string& origin) {
  const std::string_view text = value_of(header, "descr");
  const std::size_t end = text.size() < 2 ? std::string_view::npos : text.find('\'', 1);
  if (text.empty() || text.front() != '\'' || end == std::string_view::npos) {
    refuse(origin, "its dtype is structured or missing; a plain one such as '<f4' is needed");
  }
  std::string dtype(text.substr(1, end - 1));
  if (npy_element_bytes(dtype) == 0) {
    refuse(origin,
           fmt::format("dtype '{}' cannot be read; allowed: little-endian bool, integer and "
                       "floating-point types",
                       dtype));
  }
  return dtype;
}

std::vector<std::uint64_t> read_shape(std::string_view header, const std::string& origin) {
  const std::string_view text = value_of(header, "shape");
  const std::size_t end = text.find(')');
  if (text.empty() || text.front() != '(' || end == std::string_view::npos) {
    refuse(origin, "the header has no shape");
  }
  std::vector<std::uint64_t> shape;
  for (std::size_t at = 1; at < end;) {
    if (text[at] == ' ' || text[at] == ',') {
      ++at;
      continue;
    }
    std::uint64_t extent = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + end, extent);
    if (read.ec != std::errc{}) {
      refuse(origin, fmt::format("shape {} is no list of extents", text.substr(0, end + 1)));
    }
    shape.push_back(extent);
    at = static_cast<std::size_t>(read.ptr - text.data());
  }
  return shape;
}

/// Product of the extents; the largest number if it does not fit.
std::uint64_t volume(const std::vector<std::uint64_t>& shape) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t product = 1;
  for (const std::uint64_t extent : shape) {
    product = extent != 0 && product > kMost / extent ? kMost : product * extent;
  }
  return product;
}

std::size_t header_length(std::string_view bytes, std::size_t width) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < width; ++i) {
    length |= std::size_t{static_cast<unsigned char>(bytes[kLengthAt + i])} << (8 * i);
  }
  return length;
}

} // namespace

std::uint64_t NpyArray::count() const {
  return volume(shape);
}

std::uint32_t npy_element_bytes(const std::string& dtype) {
  std::uint32_t bytes = 0;
  if (dtype.size() < 3) {
    return 0;
  }
  const char* end = dtype.data() + dtype.size();
  const auto read = std::from_chars(dtype.data() + 2, end, bytes);
  const bool known = std::string_view("biufV").find(dtype[1]) != std::string_view::npos;
  const bool order = dtype[0] == '<' || dtype[0] == '|' || (dtype[0] == '>' && bytes == 1);
  return read.ec == std::errc{} && read.ptr == end && known && order && bytes <= 8 ? bytes : 0;
}

NpyArray parse_npy(std::string_view bytes, const std::string& origin) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kLengthAt + 4) {
    refuse(origin, "is no .npy file (its first bytes are not \\x93NUMPY)");
  }
  const int major = static_cast<unsigned char>(bytes[kVersionAt]);
  if (major < 1 || major > 3) {
    refuse(origin, fmt::format("has .npy format {}; 1 to 3 can be read", major));
  }
  const std::size_t width = major == 1 ? 2 : 4;
  const std::size_t begin = kLengthAt + width;
  const std::size_t length = header_length(bytes, width);
  if (length > bytes.size() - begin) {
    refuse(origin,
           fmt::format("is cut short: a header of {} bytes in {} bytes", length, bytes.size()));
  }
  const std::string_view header = bytes.substr(begin, length);
  NpyArray array;
  array.dtype = read_dtype(header, origin);
  array.shape = read_shape(header, origin);
  const bool several =
      std::count_if(array.shape.begin(), array.shape.end(), [](auto n) { return n > 1; }) > 1;
  if (value_of(header, "fortran_order").starts_with("True") && several) {
    refuse(origin, "is in Fortran order; C order is needed");
  }
  const std::string_view data = bytes.substr(begin + length);
  const std::uint32_t size = npy_element_bytes(array.dtype);
  if (data.size() % size != 0 || data.size() / size != array.count()) {
    refuse(origin,
           fmt::format("holds {} bytes of data; its shape ({}) of '{}' needs {} elements of "
                       "{} bytes",
                       data.size(), fmt::join(array.shape, ", "), array.dtype, array.count(),
                       size));
  }
  array.data.assign(data.begin(), data.end());
  return array;
}

NpyArray read_npy(const std::string& path) {
  return parse_npy(read_file(path), path);
}

std::string npy_file(const std::string& dtype,
                     const std::vector<std::uint64_t>& shape,
                     std::span<const std::uint8_t> data) {
  COULOMB_CHECK(volume(shape) * npy_element_bytes(dtype) == data.size(),
                "{} bytes for shape ({}) of {}", data.size(), fmt::join(shape, ", "), dtype);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                   dtype, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t unpadded = kLengthAt + 2 + header.size() + 1;
  header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  header += '\n';
  COULOMB_CHECK(header.size() <= 0xffff, "a .npy header of {} bytes", header.size());
  std::string file(kMagic);
  file += '\x01';
  file += '\x00';
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  file.append(reinterpret_cast<const char*>(data.data()), data.size());
  return file;
}

} // namespace coulomb
