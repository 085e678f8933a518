// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/gpu/footprint.hpp"

#include "sim/functional/cta_runner.hpp"
#include "sim/timing/mem/dram_channel.hpp"
#include "sim/timing/types.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
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
    ++instructions;
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

  std::uint64_t instructions = 0;
  std::unordered_set<std::uint64_t> read;
  std::unordered_set<std::uint64_t> written;
};

double sectors_of(const BufferFootprint& b) {
  return static_cast<double>(b.bytes) / kSectorBytes;
}

/// Of the sectors that a CTA touches first, the share that another has brought in: `size` sectors
/// come in once and are asked for `asked` times.
double brought_by_others(double size, double asked) {
  return asked > size ? 1.0 - size / asked : 0.0;
}

/// What a grid wants L2 to hold.
struct Needs {
  double sectors = 0.0;
  double copies = 0.0; ///< sectors of which a far partition reads a copy
  double l2_sectors = 0.0;

  Needs(const config::GpuConfig& gpu,
        const std::vector<BufferFootprint>& buffers,
        std::uint64_t grid_ctas) {
    // Hashing into finite sets loses part of the capacity to conflicts before it is full.
    constexpr double kUsable = 0.9;
    l2_sectors = kUsable * gpu.l2.slices * gpu.l2.slice_size / kSectorBytes;
    const auto ctas = static_cast<double>(grid_ctas);
    for (const auto& b : buffers) {
      const double size = sectors_of(b);
      sectors += std::min(size, ctas * (b.read_sectors + b.written_sectors));
      const double read = std::min(size, ctas * b.read_sectors);
      if (gpu.l2.partitions > 1 && read > 0.0) {
        // A reader is in any partition with equal chance; each far one that has any holds a copy.
        const double readers = std::max(1.0, ctas * b.read_sectors / size);
        const double elsewhere = 1.0 - 1.0 / gpu.l2.partitions;
        copies += read * (gpu.l2.partitions - 1) * (1.0 - std::pow(elsewhere, readers));
      }
    }
  }
};

/// Without time; stores stay until the memory is restored.
TouchedSectors touched_by(const functional::ExecutableKernel& kernel,
                          functional::GlobalMemory& memory,
                          std::uint64_t cta,
                          std::uint64_t instruction_limit) {
  TouchedSectors touched;
  functional::CtaRunner runner(kernel, memory, &touched);
  try {
    runner.run(cta, instruction_limit);
  } catch (const functional::KernelFault&) {
    // Endless, or a fault: what it touched so far has to do. The timed run is what judges the
    // kernel.
  }
  return touched;
}

std::unordered_set<std::uint64_t> lines_of(const TouchedSectors& touched) {
  std::unordered_set<std::uint64_t> lines;
  for (const auto* set : {&touched.read, &touched.written}) {
    for (const std::uint64_t sector : *set) {
      lines.insert(sector / kSectorsPerLine);
    }
  }
  return lines;
}

/// Adds `part` for each of the sectors to its buffer.
void count(const std::unordered_set<std::uint64_t>& sectors,
           double part,
           std::vector<BufferFootprint>& buffers,
           double BufferFootprint::*member) {
  for (const std::uint64_t sector : sectors) {
    const auto buffer = std::find_if(buffers.begin(), buffers.end(), [&](const auto& b) {
      return sector * kSectorBytes >= b.base && sector * kSectorBytes < b.base + b.bytes;
    });
    if (buffer != buffers.end()) {
      (*buffer).*member += part;
    }
  }
}

double neighbour_share(const config::GpuConfig& gpu,
                       const TouchedSectors& cta,
                       const TouchedSectors& next_cta) {
  const std::uint64_t lines_per_row =
      std::uint64_t{gpu.dram.row_bytes} / kLineBytes * gpu.dram.channels;
  const std::uint64_t lines_per_stretch = mem::stretch_lines(gpu);
  std::unordered_set<std::uint64_t> next_rows;
  for (const std::uint64_t line : lines_of(next_cta)) {
    next_rows.insert(line / lines_per_row);
  }
  std::unordered_map<std::uint64_t, std::uint64_t> stretches; // lines that the CTA touches
  for (const std::uint64_t line : lines_of(cta)) {
    ++stretches[line / lines_per_stretch];
  }
  double sum = 0.0;
  for (const auto& [stretch, lines] : stretches) {
    if (next_rows.count(stretch * lines_per_stretch / lines_per_row) > 0) {
      sum += 1.0 - static_cast<double>(lines) / static_cast<double>(lines_per_stretch);
    }
  }
  return stretches.empty() ? 0.0 : sum / static_cast<double>(stretches.size());
}

} // namespace

Footprint probe_footprint(const config::GpuConfig& gpu,
                          const functional::ExecutableKernel& kernel,
                          functional::GlobalMemory& memory,
                          const WorkProfile& work,
                          std::uint64_t instruction_limit) {
  const std::uint64_t last = work.ctas - 1;
  Footprint footprint;
  for (const auto& a : memory.allocations()) {
    footprint.buffers.push_back({a.base, a.bytes, 0.0, 0.0});
  }
  // Interior CTAs stand for the grid; edge CTAs may skip work.
  const std::uint64_t middle = std::min(work.ctas / 2 + kernel.grid().x / 2, last);
  const auto probe = [&](std::uint64_t cta) {
    return touched_by(kernel, memory, work.id(std::min(cta, last)), instruction_limit);
  };
  std::vector<TouchedSectors> probes;
  probes.push_back(probe(middle));
  if (work.ctas > 8) {
    probes.push_back(probe(work.ctas / 4 + kernel.grid().x / 3));
    footprint.neighbour_share = neighbour_share(gpu, probes.front(), probe(middle + 1));
  }
  const double part = 1.0 / static_cast<double>(probes.size());
  for (const TouchedSectors& touched : probes) {
    footprint.instructions += part * static_cast<double>(touched.instructions);
    count(touched.read, part, footprint.buffers, &BufferFootprint::read_sectors);
    count(touched.written, part, footprint.buffers, &BufferFootprint::written_sectors);
  }
  memory.restore();
  return footprint;
}

CacheOutlook cache_outlook(const config::GpuConfig& gpu,
                           const Footprint& footprint,
                           std::uint64_t grid_ctas,
                           bool whole_chip,
                           const std::string& cache_state) {
  const std::vector<BufferFootprint>& buffers = footprint.buffers;
  const Needs needs(gpu, buffers, grid_ctas);
  const bool warm = cache_state == "warm";
  CacheOutlook outlook;
  outlook.neighbour_share = footprint.neighbour_share;
  outlook.fits_l2 = needs.sectors < needs.l2_sectors;
  outlook.writes_reach_dram = !outlook.fits_l2;
  const bool copies_fit = needs.sectors + needs.copies < needs.l2_sectors;
  double room = cache_state == "host-copy" ? needs.l2_sectors : 0.0;
  std::vector<mem::ReuseEstimate::Range> ranges(buffers.size());
  for (std::size_t i = buffers.size(); i-- > 0;) { // what was copied last is there longest
    const BufferFootprint& b = buffers[i];
    mem::ReuseEstimate::Range& r = ranges[i];
    r.first_line = b.base / kLineBytes;
    r.last_line = (b.base + std::max<std::uint64_t>(b.bytes, 1) - 1) / kLineBytes;
    const double asked = static_cast<double>(grid_ctas) * b.read_sectors;
    if (!whole_chip) { // else every CTA runs, so the tags know
      r.resident = brought_by_others(sectors_of(b), asked);
      r.copied = brought_by_others(sectors_of(b), asked / gpu.l2.partitions);
    }
    const double kept = std::min(sectors_of(b), room);
    room -= kept;
    r.resident = std::max(r.resident, sectors_of(b) > 0.0 ? kept / sectors_of(b) : 0.0);
    if (warm && outlook.fits_l2) {
      r.resident = 1.0;
      r.copied = copies_fit ? 1.0 : r.copied;
    }
  }
  outlook.reuse = mem::ReuseEstimate(std::move(ranges));
  return outlook;
}

} // namespace coulomb::timing::gpu
