// SPDX-License-Identifier: Apache-2.0
#include "base/npy.hpp"

#include "base/error.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace coulomb {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::string message_of(const std::string& file) {
  try {
    (void)parse_npy(file, "a.npy");
  } catch (const UserError& e) {
    return e.what();
  }
  return "no error";
}

/// A file of format 1.0 with this header and data.
std::string file_of(const std::string& header, const std::string& data) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size());
  file += '\x00';
  return file + header + data;
}

TEST(Npy, WritesWhatNumpyWrites) {
  const float values[3] = {1.0F, -2.5F, 0.0F};
  Bytes data(sizeof values);
  std::memcpy(data.data(), values, sizeof values);
  // numpy.save of numpy.array([1, -2.5, 0], dtype='<f4')
  std::string expected("\x93NUMPY\x01\x00v\x00", 10);
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
  expected.append(128 - expected.size() - 1, ' ');
  expected += '\n';
  expected.append(reinterpret_cast<const char*>(data.data()), data.size());
  EXPECT_EQ(npy_file("<f4", {3}, data), expected);
}

TEST(Npy, ReadsBackWhatItWrites) {
  const Bytes data = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const NpyArray array = parse_npy(npy_file("<u2", {2, 3}, data), "a.npy");
  EXPECT_EQ(array.dtype, "<u2");
  EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(array.count(), 6U);
  EXPECT_EQ(array.data, data);
}

TEST(Npy, ReadsAScalarAndAnEmptyArray) {
  EXPECT_EQ(parse_npy(npy_file("|u1", {}, Bytes{7}), "a.npy").count(), 1U);
  EXPECT_EQ(parse_npy(npy_file("<f8", {0, 4}, {}), "a.npy").count(), 0U);
}

TEST(Npy, ReadsTheLongHeaderOfLaterFormats) {
  std::string file("\x93NUMPY\x02\x00\x3a\x00\x00\x00", 12);
  std::string header = "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }\n";
  ASSERT_EQ(header.size(), 0x3aU);
  EXPECT_EQ(parse_npy(file + header + "ab", "a.npy").data, (Bytes{'a', 'b'}));
}

TEST(Npy, RefusesWhatItCannotRead) {
  EXPECT_EQ(message_of("hello"), "a.npy: is no .npy file (its first bytes are not \\x93NUMPY)");
  EXPECT_EQ(
      message_of(file_of("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "abcd")),
      "a.npy: dtype '>f4' cannot be read; allowed: little-endian bool, integer and "
      "floating-point types");
  EXPECT_EQ(message_of(file_of("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}",
                               "abcd")),
            "a.npy: its dtype is structured or missing; a plain one such as '<f4' is needed");
  EXPECT_EQ(message_of(file_of("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }",
                               std::string(16, 'a'))),
            "a.npy: is in Fortran order; C order is needed");
  EXPECT_EQ(
      message_of(file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }", "ab")),
      "a.npy: holds 2 bytes of data; its shape (2, 2) of '<f4' needs 4 elements of 4 bytes");
  std::string cut = npy_file("<f4", {1}, Bytes{0, 0, 0, 0});
  cut.resize(20);
  EXPECT_EQ(message_of(cut), "a.npy: is cut short: a header of 118 bytes in 20 bytes");
}

TEST(Npy, RefusesAShapeWhoseProductDoesNotFit) {
  EXPECT_EQ(message_of(file_of("{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, "
                               "4294967296, 2), }",
                               "")),
            "a.npy: holds 0 bytes of data; its shape (4294967296, 4294967296, 2) of '|u1' needs "
            "18446744073709551615 elements of 1 bytes");
}

TEST(Npy, KnowsTheSizeOfEveryDtypeItReads) {
  EXPECT_EQ(npy_element_bytes("<f2"), 2U);
  EXPECT_EQ(npy_element_bytes("|b1"), 1U);
  EXPECT_EQ(npy_element_bytes("<V2"), 2U);
  EXPECT_EQ(npy_element_bytes(">u1"), 1U);
  EXPECT_EQ(npy_element_bytes(">i4"), 0U);
  EXPECT_EQ(npy_element_bytes("<U3"), 0U);
  EXPECT_EQ(npy_element_bytes("<f16"), 0U);
  EXPECT_EQ(npy_element_bytes(""), 0U);
}

} // namespace
} // namespace coulomb
