// SPDX-License-Identifier: Apache-2.0
#include "base/results/hdf5_writer.hpp"

#include "base/error.hpp"
#include "base/results/hdf5_handle.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace coulomb::results {
namespace {

constexpr hsize_t kChunkRows = 4096;
constexpr unsigned kDeflateLevel = 4;

Hdf5Handle text_type(std::size_t bytes) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "copy the text type");
  check_hdf5(H5Tset_size(type.id(), std::max<std::size_t>(bytes, 1)), "set a text's length");
  check_hdf5(H5Tset_cset(type.id(), H5T_CSET_UTF8), "set a text's character set");
  check_hdf5(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "set a text's padding");
  return type;
}

void write_attribute(hid_t object, const char* name, const std::string& text) {
  const Hdf5Handle type = text_type(text.size());
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, "create a scalar space");
  const Hdf5Handle attribute(
      H5Acreate2(object, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
      fmt::format("create attribute {}", name));
  // An empty text still has one (zero) byte to write.
  check_hdf5(H5Awrite(attribute.id(), type.id(), text.c_str()),
             fmt::format("write attribute {}", name));
}

struct DatasetSpec {
  std::string name;
  std::string unit;
  std::string description;
  std::vector<hsize_t> extent = {}; ///< empty: a scalar
  hid_t file_type = H5I_INVALID_HID;
  hid_t memory_type = H5I_INVALID_HID;
};

void write_dataset(hid_t group, const DatasetSpec& spec, const void* data) {
  const int rank = static_cast<int>(spec.extent.size());
  const Hdf5Handle space(rank == 0 ? H5Screate(H5S_SCALAR)
                                   : H5Screate_simple(rank, spec.extent.data(), nullptr),
                         H5Sclose, "create a space");
  const bool empty =
      std::any_of(spec.extent.begin(), spec.extent.end(), [](hsize_t n) { return n == 0; });
  const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create properties");
  if (rank > 0 && !empty) {
    std::vector<hsize_t> chunk = spec.extent;
    chunk[0] = std::min(chunk[0], kChunkRows);
    check_hdf5(H5Pset_chunk(properties.id(), rank, chunk.data()), "set the chunk");
    check_hdf5(H5Pset_shuffle(properties.id()), "set the shuffle filter");
    check_hdf5(H5Pset_deflate(properties.id(), kDeflateLevel), "set the compression");
    check_hdf5(H5Pset_fletcher32(properties.id()), "set the checksum");
  }
  const Hdf5Handle dataset(H5Dcreate2(group, spec.name.c_str(), spec.file_type, space.id(),
                                      H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                           H5Dclose, fmt::format("create dataset {}", spec.name));
  if (!empty) {
    check_hdf5(H5Dwrite(dataset.id(), spec.memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
               fmt::format("write dataset {}", spec.name));
  }
  write_attribute(dataset.id(), "unit", spec.unit);
  write_attribute(dataset.id(), "description", spec.description);
}

void write_values(hid_t group, DatasetSpec spec, const std::vector<std::int64_t>& values) {
  spec.file_type = H5T_STD_I64LE;
  spec.memory_type = H5T_NATIVE_INT64;
  write_dataset(group, spec, values.data());
}

void write_values(hid_t group, DatasetSpec spec, const std::vector<double>& values) {
  spec.file_type = H5T_IEEE_F64LE;
  spec.memory_type = H5T_NATIVE_DOUBLE;
  write_dataset(group, spec, values.data());
}

void write_values(hid_t group, DatasetSpec spec, const std::vector<std::string>& values) {
  std::size_t longest = 1;
  for (const auto& text : values) {
    longest = std::max(longest, text.size());
  }
  std::string padded(longest * values.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::memcpy(padded.data() + i * longest, values[i].data(), values[i].size());
  }
  const Hdf5Handle type = text_type(longest);
  spec.file_type = type.id();
  spec.memory_type = type.id();
  write_dataset(group, spec, padded.data());
}

Hdf5Handle create_group(hid_t file, const std::string& name) {
  return {H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          fmt::format("create group {}", name)};
}

/// What is said of each column of a matrix, as a dataset of texts beside it.
void write_column_texts(hid_t group,
                        const Hdf5Matrix& matrix,
                        const char* what,
                        const std::vector<std::string>& texts) {
  COULOMB_CHECK(texts.size() == matrix.columns.size(), "table {} has {} {} for {} columns",
                matrix.name, texts.size(), what, matrix.columns.size());
  write_values(group,
               {.name = fmt::format("{}_{}", matrix.name, what),
                .unit = "text",
                .description = fmt::format("{} of the columns of {}", what, matrix.name),
                .extent = {texts.size()}},
               texts);
}

void write_matrix(hid_t group, const Hdf5Matrix& matrix, std::size_t rows) {
  COULOMB_CHECK(matrix.values.size() == rows * matrix.columns.size(),
                "table {} has {} values, not {} x {}", matrix.name, matrix.values.size(), rows,
                matrix.columns.size());
  write_values(group,
               {.name = matrix.name,
                .unit = matrix.unit,
                .description = matrix.description,
                .extent = {rows, matrix.columns.size()}},
               matrix.values);
  write_column_texts(group, matrix, "names", matrix.columns);
  if (!matrix.column_units.empty()) {
    write_column_texts(group, matrix, "units", matrix.column_units);
  }
  if (!matrix.column_descriptions.empty()) {
    write_column_texts(group, matrix, "descriptions", matrix.column_descriptions);
  }
}

void write_contents(hid_t file, const Hdf5Snapshot& snapshot) {
  const Hdf5Handle meta = create_group(file, "meta");
  for (const auto& scalar : snapshot.meta) {
    const DatasetSpec spec{
        .name = scalar.name, .unit = scalar.unit, .description = scalar.description};
    std::visit(
        [&](const auto& v) {
          write_values(meta.id(), spec, std::vector<std::decay_t<decltype(v)>>{v});
        },
        scalar.value);
  }
  const Hdf5Handle table = create_group(file, snapshot.table);
  const std::size_t rows = snapshot.columns.empty() ? 0 : snapshot.columns.front().size();
  for (const auto& column : snapshot.columns) {
    COULOMB_CHECK(column.size() == rows, "column {} has {} rows, not {}", column.name,
                  column.size(), rows);
    const DatasetSpec spec{.name = column.name,
                           .unit = column.unit,
                           .description = column.description,
                           .extent = {rows}};
    std::visit([&](const auto& v) { write_values(table.id(), spec, v); }, column.values);
  }
  for (const auto& matrix : snapshot.matrices) {
    write_matrix(table.id(), matrix, rows);
  }
}

void flush_to_disk(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool flushed = fd >= 0 && ::fsync(fd) == 0;
  const int reason = errno;
  if (fd >= 0) {
    ::close(fd);
  }
  if (!flushed) {
    throw EnvironmentError(fmt::format("cannot flush {}: {}", path, std::strerror(reason)));
  }
}

} // namespace

std::size_t Hdf5Column::size() const {
  return std::visit([](const auto& v) { return v.size(); }, values);
}

void write_hdf5(const std::string& path, const Hdf5Snapshot& snapshot) {
  const QuietHdf5 quiet;
  const std::string temporary = fmt::format("{}.tmp.{}", path, ::getpid());
  try {
    Hdf5Handle file(H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                    fmt::format("create {}", temporary));
    write_contents(file.id(), snapshot);
    file.close(fmt::format("close {}", temporary));
    flush_to_disk(temporary);
    if (::rename(temporary.c_str(), path.c_str()) != 0) {
      throw EnvironmentError(fmt::format("cannot replace {}: {}", path, std::strerror(errno)));
    }
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

} // namespace coulomb::results
