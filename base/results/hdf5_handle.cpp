// SPDX-License-Identifier: Apache-2.0
#include "base/results/hdf5_handle.hpp"

#include "base/error.hpp"

namespace coulomb::results {
namespace {

herr_t keep_reason(unsigned, const H5E_error2_t* entry, void* data) {
  // Walking upwards starts at the innermost call, which knows the reason.
  auto& reason = *static_cast<std::string*>(data);
  if (reason.empty() && entry->desc != nullptr) {
    reason = entry->desc;
  }
  return 0;
}

[[noreturn]] void throw_hdf5(const std::string& what) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, &reason);
  throw EnvironmentError(fmt::format("HDF5 cannot {}: {}", what,
                                     reason.empty() ? std::string("no reason given") : reason),
                         "check the path, the disk's free space and the permissions");
}

} // namespace

Hdf5Handle::Hdf5Handle(hid_t id, Closer closer, const std::string& what)
    : id_(id), closer_(closer) {
  if (id < 0) {
    throw_hdf5(what);
  }
}

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
  if (this != &other) {
    reset();
    id_ = std::exchange(other.id_, H5I_INVALID_HID);
    closer_ = other.closer_;
  }
  return *this;
}

void Hdf5Handle::close(const std::string& what) {
  const hid_t id = std::exchange(id_, H5I_INVALID_HID);
  if (id >= 0) {
    check_hdf5(closer_(id), what);
  }
}

void Hdf5Handle::reset() noexcept {
  if (id_ >= 0) {
    closer_(id_);
    id_ = H5I_INVALID_HID;
  }
}

void check_hdf5(herr_t status, const std::string& what) {
  if (status < 0) {
    throw_hdf5(what);
  }
}

QuietHdf5::QuietHdf5() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietHdf5::~QuietHdf5() {
  H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

} // namespace coulomb::results
