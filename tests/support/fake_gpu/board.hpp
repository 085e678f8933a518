// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace coulomb::fake {

/// What the test doubles answer about a board. Sources: NVIDIA's data sheets, and the table of
/// compute capabilities of the CUDA C++ Programming Guide.
struct Board {
  const char* id;   ///< value of FAKE_GPU
  const char* name; ///< as the driver spells it
  const char* chip; ///< as CUPTI calls it
  int major;
  int minor;
  int sms;
  unsigned clock_mhz;     ///< boost: what the driver answers as clock rate
  unsigned max_clock_mhz; ///< highest that can be set
  unsigned memory_clock_mhz;
  int bus_bits;
  int l2_bytes;
  std::uint64_t memory_bytes;
  int max_warps; ///< per SM
  int max_ctas;  ///< per SM
  int shared_per_sm;
  int shared_optin; ///< per CTA
  unsigned power_limit_mw;
};

/// The one that FAKE_GPU names; another name ends the process.
[[nodiscard]] const Board& chosen_board();
/// FAKE_GPU_COUNT.
[[nodiscard]] int board_count();
/// "0000:07:00.0": where device `ordinal` is plugged in.
[[nodiscard]] std::string pci_bus_id(int ordinal);
/// Device of that PCI address (with a domain of 4 or 8 digits, either case); -1: none.
[[nodiscard]] int device_at(const std::string& pci_bus_id);

} // namespace coulomb::fake
