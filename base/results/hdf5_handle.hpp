// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>
#include <string>
#include <utility>

namespace coulomb::results {

/// Owns one HDF5 identifier and closes it with the function of its kind.
class Hdf5Handle {
public:
  using Closer = herr_t (*)(hid_t);

  Hdf5Handle() = default;
  /// Takes `id`; throws EnvironmentError naming `what` (for example "create dataset
  /// /evaluations/id") and HDF5's own reason if it is negative.
  Hdf5Handle(hid_t id, Closer closer, const std::string& what);
  ~Hdf5Handle() { reset(); }
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), closer_(other.closer_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;

  [[nodiscard]] hid_t id() const { return id_; }
  /// Closes now and reports a failure, which a destructor could not: closing a file writes its last
  /// data.
  void close(const std::string& what);

private:
  void reset() noexcept;

  hid_t id_ = H5I_INVALID_HID;
  Closer closer_ = nullptr;
};

/// Throws EnvironmentError naming `what` and HDF5's own reason if `status` is negative.
void check_hdf5(herr_t status, const std::string& what);

/// While it lives, HDF5 does not print its error stack on stderr: failures are reported by
/// exceptions.
class QuietHdf5 {
public:
  QuietHdf5();
  ~QuietHdf5();
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

} // namespace coulomb::results
