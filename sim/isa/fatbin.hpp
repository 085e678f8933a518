// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coulomb::isa {

enum class FatbinKind : std::uint16_t { ptx = 1, cubin = 2, lto_ir = 8 };

enum class FatbinCompression { none, lz4, zstd, encrypted };

/// One image of a fatbin. `stored` are views into the bytes that were parsed.
struct FatbinEntry {
  FatbinKind kind = FatbinKind::cubin; ///< also values that have no name here
  std::uint32_t architecture = 0;      ///< 80 for sm_80 or compute_80
  std::string name;                    ///< source file, if the toolkit noted it (-lineinfo, -g)
  FatbinCompression compression = FatbinCompression::none;
  std::span<const std::uint8_t> stored;
  std::uint64_t bytes = 0; ///< of the image when it is expanded

  /// "cubin for sm_80 (a.cu)", "PTX for compute_90".
  [[nodiscard]] std::string text() const;
};

/// The container in which nvcc puts the images of one source for several architectures: one or more
/// of {magic 0xBA55ED50, version, header size, size, entries}, alone in a file or in the section
/// .nv_fatbin of a host object or program. Layout worked out from what fatbinary 13.0 writes with
/// and without compression.
class Fatbin {
public:
  /// Whether `bytes` begin like a fatbin, or like a 64-bit ELF file of another machine than CUDA's.
  [[nodiscard]] static bool recognises(std::span<const std::uint8_t> bytes);

  /// `bytes` must outlive the entries. Throws UserError naming `origin`: a damaged container, a
  /// host file without one.
  static Fatbin parse(std::span<const std::uint8_t> bytes, const std::string& origin);

  [[nodiscard]] const std::vector<FatbinEntry>& entries() const { return entries_; }
  /// The image, expanded. Throws UserError for a damaged one, UnsupportedError for a compression
  /// other than LZ4; the hint says how to make one without.
  [[nodiscard]] std::vector<std::uint8_t> image(const FatbinEntry& entry) const;

private:
  void read_containers(std::span<const std::uint8_t> bytes);
  /// One container at `start`; returns the offset behind it.
  std::uint64_t read_container(std::span<const std::uint8_t> bytes, std::uint64_t start);
  /// One entry at `start`, which must end by `end`; returns the offset behind it.
  std::uint64_t
  read_entry(std::span<const std::uint8_t> bytes, std::uint64_t start, std::uint64_t end);

  std::string origin_;
  std::vector<FatbinEntry> entries_;
};

} // namespace coulomb::isa
