// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/global_memory.hpp"

#include "base/error.hpp"
#include "sim/functional/device_heap.hpp"
#include "sim/functional/executor.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <sys/mman.h>
#include <utility>

namespace coulomb::functional {
namespace {
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kFirstAddress = 0x0000000700000000ULL;
/// Distance between allocations and their alignment: the size of a GPU page.
constexpr std::uint64_t kGap = 2ULL << 20;
constexpr std::uint64_t kHeapAddress = 0x0000000500000000ULL;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Zero pages straight from the kernel: untouched ones cost no memory.
class Pages {
public:
  explicit Pages(std::uint64_t bytes) : bytes_(std::max(round_up(bytes, kPage), kPage)) {
    void* p = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
      throw EnvironmentError(fmt::format("cannot reserve {} bytes for a device buffer", bytes_),
                             "raise the address-space limit (ulimit -v)");
    }
    data_ = static_cast<std::uint8_t*>(p);
  }
  ~Pages() {
    if (data_ != nullptr) {
      ::munmap(data_, bytes_);
    }
  }
  Pages(Pages&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  Pages& operator=(Pages&&) = delete;
  [[nodiscard]] std::uint8_t* data() const { return data_; }

private:
  std::uint8_t* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

/// What belongs to an allocation besides its public description.
struct Backing {
  explicit Backing(std::uint64_t bytes)
      : contents(bytes), stored(bytes / 8 + 8), pages(bytes / kPage + 1) {}
  Pages contents;
  Pages stored;                                       ///< bit per byte
  std::vector<std::unique_ptr<std::uint8_t[]>> pages; ///< pristine copies of stored-to pages
  std::vector<std::uint32_t> dirty;                   ///< indices of pages with stores
};

void mark_bits(std::uint8_t* bits, std::uint64_t first, std::uint64_t count) {
  while (count != 0 && (first & 7) != 0) {
    bits[first >> 3] |= static_cast<std::uint8_t>(1U << (first & 7));
    ++first;
    --count;
  }
  std::memset(bits + (first >> 3), 0xff, count >> 3);
  first += count & ~std::uint64_t{7};
  if ((count & 7) != 0) {
    bits[first >> 3] |= static_cast<std::uint8_t>((1U << (count & 7)) - 1);
  }
}

bool any_bit(const std::uint8_t* bits, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t i = first; i < first + count; ++i) {
    if ((bits[i >> 3] >> (i & 7) & 1) != 0) {
      return true;
    }
  }
  return false;
}
} // namespace

struct GlobalMemory::Impl {
  std::vector<Allocation> allocations; ///< in order of allocation
  std::vector<std::unique_ptr<Backing>> backings;
  std::uint64_t next = kFirstAddress;
  std::size_t last = 0; ///< index of the allocation that the last access hit
  DeviceHeap heap;
  std::string printed;
  std::uint64_t dropped = 0; ///< characters of device printf that did not fit
  std::uint64_t runtime_calls = 0;

  [[nodiscard]] std::size_t locate(std::uint64_t address, std::uint64_t bytes) const {
    for (std::size_t i = 0; i < allocations.size(); ++i) {
      const Allocation& a = allocations[i];
      if (address >= a.base && bytes <= a.bytes && address - a.base <= a.bytes - bytes) {
        return i;
      }
    }
    return allocations.size();
  }
  [[nodiscard]] bool hit(std::uint64_t address, std::uint64_t bytes) const {
    if (last >= allocations.size()) {
      return false;
    }
    const Allocation& a = allocations[last];
    return address - a.base < a.bytes && bytes <= a.bytes - (address - a.base);
  }
  void
  save(Backing& backing, const Allocation& a, std::uint64_t first_page, std::uint64_t last_page);
};

void GlobalMemory::Impl::save(Backing& backing,
                              const Allocation& a,
                              std::uint64_t first_page,
                              std::uint64_t last_page) {
  for (std::uint64_t p = first_page; p <= last_page; ++p) {
    if (!backing.pages[p]) {
      backing.pages[p] = std::make_unique_for_overwrite<std::uint8_t[]>(kPage);
      std::memcpy(backing.pages[p].get(), a.data + p * kPage, kPage);
      backing.dirty.push_back(static_cast<std::uint32_t>(p));
    }
  }
}

GlobalMemory::GlobalMemory() : impl_(std::make_unique<Impl>()) {}
GlobalMemory::~GlobalMemory() = default;

std::uint64_t GlobalMemory::allocate(const std::string& name, std::uint64_t bytes) {
  const std::uint64_t address = impl_->next;
  allocate_at(name, address, bytes);
  impl_->next = round_up(address + std::max<std::uint64_t>(bytes, 1), kGap) + kGap;
  return address;
}

void GlobalMemory::allocate_at(const std::string& name,
                               std::uint64_t address,
                               std::uint64_t bytes) {
  for (const Allocation& a : impl_->allocations) {
    COULOMB_CHECK(address + bytes <= a.base || a.base + a.bytes <= address,
                  "buffer {} at {:#x} overlaps {}", name, address, a.name);
  }
  auto backing = std::make_unique<Backing>(bytes);
  Allocation a;
  a.name = name;
  a.base = address;
  a.bytes = bytes;
  a.data = backing->contents.data();
  impl_->allocations.push_back(std::move(a));
  impl_->backings.push_back(std::move(backing));
}

void GlobalMemory::initialise(std::uint64_t address, std::span<const std::uint8_t> contents) {
  if (contents.empty()) {
    return;
  }
  const std::size_t i = impl_->locate(address, contents.size());
  COULOMB_CHECK(i < impl_->allocations.size(), "initialising {}", describe(address, 1));
  const Allocation& a = impl_->allocations[i];
  Backing& backing = *impl_->backings[i];
  const std::uint64_t offset = address - a.base;
  std::memcpy(a.data + offset, contents.data(), contents.size());
  // Pages that were stored to: the new contents are pristine, and no longer count as stored.
  for (const std::uint32_t p : backing.dirty) {
    const std::uint64_t begin = std::max<std::uint64_t>(p * kPage, offset);
    const std::uint64_t end = std::min<std::uint64_t>((p + 1) * kPage, offset + contents.size());
    for (std::uint64_t b = begin; b < end; ++b) {
      backing.pages[p][b - p * kPage] = contents[b - offset];
      backing.stored.data()[b >> 3] &= static_cast<std::uint8_t>(~(1U << (b & 7)));
    }
  }
}

void GlobalMemory::clear() {
  impl_ = std::make_unique<Impl>();
}

void GlobalMemory::release(std::uint64_t address) {
  auto& allocations = impl_->allocations;
  const auto found = std::find_if(allocations.begin(), allocations.end(),
                                  [address](const Allocation& a) { return a.base == address; });
  COULOMB_CHECK(found != allocations.end(), "releasing {}", describe(address, 1));
  impl_->backings.erase(impl_->backings.begin() + (found - allocations.begin()));
  allocations.erase(found);
}

const std::vector<Allocation>& GlobalMemory::allocations() const {
  return impl_->allocations;
}

const Allocation* GlobalMemory::find(std::uint64_t address) const {
  if (!impl_->hit(address, 1)) {
    const std::size_t i = impl_->locate(address, 1);
    if (i == impl_->allocations.size()) {
      return nullptr;
    }
    impl_->last = i;
  }
  return &impl_->allocations[impl_->last];
}

const std::uint8_t* GlobalMemory::read(std::uint64_t address, std::uint32_t bytes) const {
  if (!impl_->hit(address, bytes)) [[unlikely]] {
    const std::size_t i = impl_->locate(address, bytes);
    if (i == impl_->allocations.size()) {
      throw KernelFault(describe(address, bytes));
    }
    impl_->last = i;
  }
  const Allocation& a = impl_->allocations[impl_->last];
  return a.data + (address - a.base);
}

std::uint8_t* GlobalMemory::write(std::uint64_t address, std::uint32_t bytes) {
  (void)read(address, bytes);
  const Allocation& a = impl_->allocations[impl_->last];
  if (!a.writable) {
    throw KernelFault(
        fmt::format("store of {} bytes to {:#x} in read-only buffer {}", bytes, address, a.name));
  }
  Backing& backing = *impl_->backings[impl_->last];
  const std::uint64_t offset = address - a.base;
  const std::uint64_t first_page = offset / kPage;
  const std::uint64_t last_page = (offset + std::max<std::uint32_t>(bytes, 1) - 1) / kPage;
  if (!backing.pages[first_page] || !backing.pages[last_page] || last_page - first_page > 1) {
    impl_->save(backing, a, first_page, last_page);
  }
  mark_bits(backing.stored.data(), offset, bytes);
  return a.data + offset;
}

std::uint8_t* GlobalMemory::write_lanes(const Allocation& allocation,
                                        std::span<const std::uint32_t, 32> offsets,
                                        std::uint32_t mask,
                                        std::uint32_t bytes) {
  const auto index = static_cast<std::size_t>(&allocation - impl_->allocations.data());
  Backing& backing = *impl_->backings[index];
  std::uint8_t* bits = backing.stored.data();
  const auto ones = static_cast<std::uint8_t>(bytes >= 8 ? 0xffU : (1U << bytes) - 1);
  for (; mask != 0; mask &= mask - 1) {
    const std::uint32_t offset = offsets[static_cast<std::size_t>(std::countr_zero(mask))];
    const std::uint64_t page = offset / kPage;
    if (!backing.pages[page]) [[unlikely]] {
      impl_->save(backing, allocation, page, page);
    }
    bits[offset >> 3] |= static_cast<std::uint8_t>(ones << (offset & 7));
    if (bytes == 16) {
      bits[(offset >> 3) + 1] = 0xff;
    }
  }
  return allocation.data;
}

namespace {
std::uint64_t distance_to(const Allocation& a, std::uint64_t address) {
  return address < a.base             ? a.base - address
         : address < a.base + a.bytes ? 0
                                      : address - (a.base + a.bytes);
}
} // namespace

const Allocation* GlobalMemory::nearest(std::uint64_t address) const {
  const auto found = std::min_element(impl_->allocations.begin(), impl_->allocations.end(),
                                      [address](const Allocation& a, const Allocation& b) {
                                        return distance_to(a, address) < distance_to(b, address);
                                      });
  return found == impl_->allocations.end() ? nullptr : &*found;
}

std::string GlobalMemory::describe(std::uint64_t address, std::uint32_t bytes) const {
  const Allocation* best = nearest(address);
  const std::string access = fmt::format("{} bytes at global address {:#x}", bytes, address);
  if (best == nullptr) {
    return access + ": there are no buffers";
  }
  const std::string buffer =
      fmt::format("buffer {} ({} bytes at {:#x})", best->name, best->bytes, best->base);
  const std::uint64_t best_distance = distance_to(*best, address);
  if (address < best->base) {
    return fmt::format("{}: {} bytes before {}", access, best_distance, buffer);
  }
  if (best_distance == 0 && address < best->base + best->bytes) {
    return fmt::format("{}: across the end of {}", access, buffer);
  }
  return fmt::format("{}: {} bytes past the end of {}", access, best_distance, buffer);
}

std::uint64_t GlobalMemory::heap_allocate(std::uint64_t bytes) {
  if (impl_->locate(kHeapAddress, 1) == impl_->allocations.size()) {
    allocate_at("device heap", kHeapAddress, DeviceHeap::kBytes);
  }
  ++impl_->runtime_calls;
  const std::uint64_t offset = impl_->heap.allocate(bytes);
  return offset == DeviceHeap::kBytes ? 0 : kHeapAddress + offset;
}

bool GlobalMemory::heap_free(std::uint64_t address) {
  ++impl_->runtime_calls;
  return address >= kHeapAddress && impl_->heap.free(address - kHeapAddress);
}

void GlobalMemory::print(const std::string& text) {
  ++impl_->runtime_calls;
  const std::size_t fits = std::min(text.size(), kPrintfBytes - impl_->printed.size());
  impl_->printed.append(text, 0, fits);
  impl_->dropped += text.size() - fits;
}

std::string GlobalMemory::printed() const {
  return impl_->dropped == 0 ? impl_->printed
                             : fmt::format("{}\n({} more characters were printed)\n",
                                           impl_->printed, impl_->dropped);
}

std::uint64_t GlobalMemory::runtime_calls() const {
  return impl_->runtime_calls;
}

void GlobalMemory::restore() {
  impl_->heap = DeviceHeap();
  impl_->printed.clear();
  impl_->dropped = 0;
  for (std::size_t i = 0; i < impl_->allocations.size(); ++i) {
    const Allocation& a = impl_->allocations[i];
    Backing& backing = *impl_->backings[i];
    for (const std::uint32_t p : backing.dirty) {
      std::memcpy(a.data + p * kPage, backing.pages[p].get(), kPage);
      std::memset(backing.stored.data() + p * (kPage / 8), 0, kPage / 8);
      backing.pages[p].reset();
    }
    backing.dirty.clear();
  }
}

std::vector<std::uint64_t> GlobalMemory::stored_elements(const Allocation& allocation,
                                                         std::uint32_t element_bytes) const {
  COULOMB_CHECK(element_bytes > 0, "elements of buffer {} have no size", allocation.name);
  const std::size_t i = impl_->locate(allocation.base, 1);
  COULOMB_CHECK(i < impl_->allocations.size(), "buffer {} is not mapped", allocation.name);
  const Backing& backing = *impl_->backings[i];
  std::vector<std::uint32_t> pages = backing.dirty;
  std::sort(pages.begin(), pages.end());
  std::vector<std::uint64_t> elements;
  std::uint64_t next = 0; // first element not yet looked at
  for (const std::uint32_t p : pages) {
    const std::uint64_t begin = std::max(next, p * kPage / element_bytes);
    const std::uint64_t end = ((p + 1) * kPage + element_bytes - 1) / element_bytes;
    for (std::uint64_t e = begin; e < end && e * element_bytes < allocation.bytes; ++e) {
      const std::uint64_t first = e * element_bytes;
      const std::uint64_t count = std::min<std::uint64_t>(element_bytes, allocation.bytes - first);
      if (any_bit(backing.stored.data(), first, count)) {
        elements.push_back(e);
      }
    }
    next = std::max(next, end);
  }
  return elements;
}

std::vector<std::uint8_t> GlobalMemory::pristine(const Allocation& allocation) const {
  const std::size_t i = impl_->locate(allocation.base, 1);
  COULOMB_CHECK(i < impl_->allocations.size(), "buffer {} is not mapped", allocation.name);
  const Allocation& a = impl_->allocations[i];
  std::vector<std::uint8_t> contents(a.data, a.data + a.bytes);
  const Backing& backing = *impl_->backings[i];
  for (const std::uint32_t p : backing.dirty) {
    const std::uint64_t begin = p * kPage;
    const std::uint64_t count = std::min<std::uint64_t>(kPage, a.bytes - begin);
    std::memcpy(contents.data() + begin, backing.pages[p].get(), count);
  }
  return contents;
}

} // namespace coulomb::functional
