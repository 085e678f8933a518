// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fake_gpu/cupti/metrics.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace coulomb::fake::cupti {

// The blobs that CUPTI hands to its caller and takes back. Callers must not look inside; these
// begin with a mark, so that a wrong or an unfilled one is noticed.

/// What collecting a set of metrics takes.
struct ConfigImage {
  std::uint64_t mark = kMark;
  std::size_t passes = 0;
  std::size_t metrics = 0;
  static constexpr std::uint64_t kMark = 0x434f4e464947;
};

/// What was collected.
struct CounterImage {
  std::uint64_t mark = kMark;
  std::size_t ranges = 0; ///< that were decoded
  Work work;              ///< of the first pass
  static constexpr std::uint64_t kMark = 0x434f554e54;
};

template <class Image>
[[nodiscard]] std::optional<Image> read_image(const void* from, std::size_t size) {
  Image image;
  if (from == nullptr || size < sizeof image) {
    return std::nullopt;
  }
  std::memcpy(&image, from, sizeof image);
  return image.mark == Image::kMark ? std::optional(image) : std::nullopt;
}

/// False if there is no room.
template <class Image>
[[nodiscard]] bool write_image(const Image& image, void* to, std::size_t size) {
  if (to == nullptr || size < sizeof image) {
    return false;
  }
  std::memcpy(to, &image, sizeof image);
  return true;
}

} // namespace coulomb::fake::cupti
