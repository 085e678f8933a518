// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/gpu/footprint.hpp"

#include "sim/functional/cta_runner.hpp"
#include "sim/timing/types.hpp"

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace coulomb::timing::gpu {
namespace {

/// Sectors of global memory that a CTA reads and writes.
class TouchedSectors : public functional::Monitor {
public:
  void after(std::uint32_t,
             const functional::WarpState&,
             const functional::CtaState&,
             const functional::StepResult& result) override {
    const functional::MemoryAccess& a = result.access;
    if (a.space != functional::MemorySpace::global) {
      return;
    }
    auto& set = a.store && !a.load && !a.async_copy ? written : read;
    std::uint64_t previous = ~std::uint64_t{0};
    for (std::uint32_t m = a.mask; m != 0; m &= m - 1) {
      const std::uint64_t address = a.address[static_cast<std::size_t>(std::countr_zero(m))];
      const std::uint64_t last = (address + a.bytes - 1) / kSectorBytes;
      for (std::uint64_t s = address / kSectorBytes; s <= last; ++s) {
        if (s != previous) {
          set.insert(s);
          previous = s;
        }
      }
    }
  }

  std::unordered_set<std::uint64_t> read;
  std::unordered_set<std::uint64_t> written;
};

} // namespace

std::vector<BufferFootprint> probe_footprint(const functional::ExecutableKernel& kernel,
                                             functional::GlobalMemory& memory,
                                             const WorkProfile& work,
                                             std::uint64_t instruction_limit) {
  const std::uint64_t grid_ctas = work.ctas;
  std::vector<BufferFootprint> buffers;
  for (const auto& a : memory.allocations()) {
    buffers.push_back({a.base, a.bytes, 0.0, 0.0});
  }
  // Interior CTAs stand for the grid; edge CTAs may skip work.
  const std::uint64_t middle = grid_ctas / 2 + kernel.grid().x / 2;
  std::vector<std::uint64_t> probes = {std::min(middle, grid_ctas - 1)};
  if (grid_ctas > 8) {
    probes.push_back(std::min(grid_ctas / 4 + kernel.grid().x / 3, grid_ctas - 1));
  }
  for (const std::uint64_t cta : probes) {
    TouchedSectors touched;
    functional::CtaRunner runner(kernel, memory, &touched);
    try {
      runner.run(work.id(cta), instruction_limit);
    } catch (const functional::KernelFault&) {
      // Endless, or a fault: what it touched so far has to do. The timed run is what judges the
      // kernel.
    }
    const auto add = [&](const std::unordered_set<std::uint64_t>& set,
                         double BufferFootprint::*member) {
      for (const std::uint64_t sector : set) {
        for (auto& b : buffers) {
          if (sector * kSectorBytes >= b.base && sector * kSectorBytes < b.base + b.bytes) {
            b.*member += 1.0 / static_cast<double>(probes.size());
            break;
          }
        }
      }
    };
    add(touched.read, &BufferFootprint::read_sectors);
    add(touched.written, &BufferFootprint::written_sectors);
  }
  memory.restore();
  return buffers;
}

CacheOutlook cache_outlook(const config::GpuConfig& gpu,
                           const std::vector<BufferFootprint>& buffers,
                           std::uint64_t grid_ctas,
                           bool whole_chip,
                           bool warm) {
  CacheOutlook outlook;
  const auto ctas = static_cast<double>(grid_ctas);
  double total_sectors = 0.0;
  for (const auto& b : buffers) {
    const double size = static_cast<double>(b.bytes) / kSectorBytes;
    total_sectors += std::min(size, ctas * (b.read_sectors + b.written_sectors));
  }
  const double l2_sectors = static_cast<double>(gpu.l2.slices) * gpu.l2.slice_size / kSectorBytes;
  // Hashing into finite sets loses part of the capacity to conflicts before it is full.
  constexpr double kUsable = 0.9;
  outlook.fits_l2 = total_sectors < kUsable * l2_sectors;
  outlook.writes_reach_dram = !outlook.fits_l2;
  std::vector<mem::ReuseEstimate::Range> ranges;
  for (const auto& b : buffers) {
    const double size = static_cast<double>(b.bytes) / kSectorBytes;
    const double asked = ctas * b.read_sectors;
    double resident = asked > size ? 1.0 - size / asked : 0.0;
    if (whole_chip) {
      resident = 0.0; // every CTA runs, so the tags know
    }
    if (outlook.fits_l2 && warm) {
      resident = 1.0;
    }
    ranges.push_back({b.base / kLineBytes,
                      (b.base + std::max<std::uint64_t>(b.bytes, 1) - 1) / kLineBytes, resident});
  }
  outlook.reuse = mem::ReuseEstimate(std::move(ranges));
  return outlook;
}

} // namespace coulomb::timing::gpu
