// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/hdf5_handle.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Reads datasets back through the plain C API.
namespace coulomb::search::hdf5_reading {

inline results::Hdf5Handle open(const std::string& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open " + path};
}

inline results::Hdf5Handle dataset(hid_t file, const std::string& name) {
  return {H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "open " + name};
}

inline std::size_t elements(hid_t set) {
  const results::Hdf5Handle space(H5Dget_space(set), H5Sclose, "get a space");
  return static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id()));
}

inline std::vector<std::size_t> extent(hid_t file, const std::string& name) {
  const auto set = dataset(file, name);
  const results::Hdf5Handle space(H5Dget_space(set.id()), H5Sclose, "get a space");
  std::vector<hsize_t> sizes(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.id())));
  H5Sget_simple_extent_dims(space.id(), sizes.data(), nullptr);
  return {sizes.begin(), sizes.end()};
}

template <typename T>
std::vector<T> read(hid_t file, const std::string& name, hid_t type) {
  const auto set = dataset(file, name);
  std::vector<T> values(elements(set.id()));
  results::check_hdf5(H5Dread(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                      "read " + name);
  return values;
}

inline std::vector<std::int64_t> read_integers(hid_t file, const std::string& name) {
  return read<std::int64_t>(file, name, H5T_NATIVE_INT64);
}

inline std::vector<double> read_doubles(hid_t file, const std::string& name) {
  return read<double>(file, name, H5T_NATIVE_DOUBLE);
}

inline std::vector<std::string> read_texts(hid_t file, const std::string& name) {
  const auto set = dataset(file, name);
  const results::Hdf5Handle type(H5Dget_type(set.id()), H5Tclose, "get a type");
  const std::size_t size = H5Tget_size(type.id());
  std::string bytes(elements(set.id()) * size, '\0');
  results::check_hdf5(H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()),
                      "read " + name);
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    texts.emplace_back(bytes.substr(at, size).c_str());
  }
  return texts;
}

inline std::string read_attribute(hid_t file, const std::string& object, const char* name) {
  const results::Hdf5Handle attribute(
      H5Aopen_by_name(file, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
      "open an attribute");
  const results::Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose, "get a type");
  std::string text(H5Tget_size(type.id()), '\0');
  results::check_hdf5(H5Aread(attribute.id(), type.id(), text.data()), "read an attribute");
  return text.c_str();
}

} // namespace coulomb::search::hdf5_reading
