// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace coulomb::functional {

/// One device buffer. Stored-to pages keep a pristine copy, so that the buffer can be restored, and
/// a bit per byte says what was stored, so that only elements that simulated CTAs wrote are
/// compared.
struct Allocation {
  std::string name;
  std::uint64_t base = 0; ///< virtual address, 512-byte aligned
  std::uint64_t bytes = 0;
  std::uint8_t* data = nullptr;
  bool writable = true;
};

/// The device's global memory: a few allocations at fixed virtual addresses with unmapped gaps
/// between them. Accesses outside any allocation throw KernelFault. Not thread-safe: one per
/// simulation.
class GlobalMemory {
public:
  GlobalMemory();
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// Maps `bytes` zero bytes; same order of calls gives the same addresses. Returns the virtual
  /// address.
  std::uint64_t allocate(const std::string& name, std::uint64_t bytes);
  /// The same at a given page-aligned address; throws InternalError where that overlaps an
  /// allocation.
  void allocate_at(const std::string& name, std::uint64_t address, std::uint64_t bytes);
  /// Sets initial contents; not counted as a store of the kernel.
  void initialise(std::uint64_t address, std::span<const std::uint8_t> contents);
  void clear(); ///< frees every allocation
  /// Frees the one that begins at `address`; throws InternalError if there is none. Its addresses
  /// are not given again.
  void release(std::uint64_t address);

  [[nodiscard]] const std::vector<Allocation>& allocations() const;
  [[nodiscard]] const Allocation* find(std::uint64_t address) const;

  /// Host pointer for `bytes` at `address`; throws KernelFault naming address and nearest
  /// allocation.
  [[nodiscard]] const std::uint8_t* read(std::uint64_t address, std::uint32_t bytes) const;
  /// Same for a store: saves the pages that were not yet stored to, marks the bytes as stored.
  [[nodiscard]] std::uint8_t* write(std::uint64_t address, std::uint32_t bytes);

  /// The stores of one warp to one writable allocation: lane l of `mask` stores `bytes` (a power of
  /// two up to 16) at the aligned `offsets[l]`, all inside. Returns the allocation's data, for the
  /// caller to write to.
  [[nodiscard]] std::uint8_t* write_lanes(const Allocation& allocation,
                                          std::span<const std::uint32_t, 32> offsets,
                                          std::uint32_t mask,
                                          std::uint32_t bytes);

  /// The allocation that holds `address` or lies closest to it; null if there is none.
  [[nodiscard]] const Allocation* nearest(std::uint64_t address) const;
  /// What is wrong with an access of `bytes` at `address`, for a message: names the nearest
  /// allocation.
  [[nodiscard]] std::string describe(std::uint64_t address, std::uint32_t bytes) const;

  /// Device-side malloc: address of a fresh block (contents are what was there before), 0 if the
  /// heap of DeviceHeap::kBytes is full. The heap is mapped at the first call.
  [[nodiscard]] std::uint64_t heap_allocate(std::uint64_t bytes);
  /// False if no block in use begins there.
  [[nodiscard]] bool heap_free(std::uint64_t address);

  /// Device-side printf. Keeps the first kPrintfBytes; on a GPU the buffer of that size
  /// (cudaLimitPrintfFifoSize) would keep the last ones.
  void print(const std::string& text);
  static constexpr std::size_t kPrintfBytes = std::size_t{1} << 20;
  /// What was printed since the last restore; a line at its end says how much was dropped.
  [[nodiscard]] std::string printed() const;

  /// Counts the calls that print text, or take from the heap or give back.
  [[nodiscard]] std::uint64_t runtime_calls() const;

  /// Undoes every store since the last restore (or initialise); heap and printed text are empty
  /// again.
  void restore();
  /// Indices of the elements of `element_bytes` of that allocation of which any byte was stored,
  /// ascending.
  [[nodiscard]] std::vector<std::uint64_t> stored_elements(const Allocation& allocation,
                                                           std::uint32_t element_bytes) const;
  /// Pristine contents of a stored-to allocation (as before the kernel ran).
  [[nodiscard]] std::vector<std::uint8_t> pristine(const Allocation& allocation) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace coulomb::functional
