// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/choices.hpp"
#include "base/config/gpu_config.hpp"
#include "sim/timing/types.hpp"

#include <array>
#include <cstdint>

namespace coulomb::timing::sm {

/// In the order of config::kBankMappings.
enum class BankMapping : std::uint8_t { modulo, asymmetric };

/// Which bank of a sub-core's register file a register lies in, and how fast a bank is.
/// `modulo`: register number modulo banks. `asymmetric`: of every sum(bank_shares) neighbouring
/// registers the first bank_shares[0] lie in bank 0, the next bank_shares[1] in bank 1, and so on:
/// a large bank beside small ones. With `bank_ports` the banks may have unequal ports, so that a
/// bank with a second port, which costs area, serves the larger share of the reads.
class RegisterBanks {
public:
  static constexpr std::uint32_t kMax = 16;

  explicit RegisterBanks(const config::RegisterFileConfig& config)
      : count_(config.banks < kMax ? config.banks : kMax) {
    for (std::uint32_t b = 0; b < count_; ++b) {
      ports_[b] = static_cast<std::uint8_t>(b < config.bank_ports.size() ? config.bank_ports[b]
                                                                         : config.read_ports);
    }
    const auto mapping = config::choice<BankMapping>(config::kBankMappings, config.bank_mapping);
    std::uint32_t bank = 0;
    std::uint32_t left = 0; // registers until the next bank's share begins
    for (std::uint32_t r = 0; r < of_.size(); ++r) {
      if (mapping == BankMapping::modulo) {
        of_[r] = static_cast<std::uint8_t>(r % count_);
        continue;
      }
      if (left == 0) {
        bank = r == 0 ? 0 : (bank + 1) % count_;
        left = config.bank_shares[bank];
      }
      of_[r] = static_cast<std::uint8_t>(bank);
      --left;
    }
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t of(std::uint8_t reg) const { return of_[reg]; }
  /// In which the bank delivers operands of so many parts together; `whole`: parts of one operand.
  [[nodiscard]] Cycle
  cycles(std::uint32_t bank, std::uint32_t parts, std::uint32_t whole = 1) const {
    return (parts + ports_[bank] * whole - 1U) / (ports_[bank] * whole);
  }

private:
  std::uint32_t count_;
  std::array<std::uint8_t, kMax> ports_{};
  std::array<std::uint8_t, 256> of_{};
};

} // namespace coulomb::timing::sm
