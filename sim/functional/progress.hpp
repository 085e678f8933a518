// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/executor.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::functional {

/// Whether it is time to watch for progress. `quiet`: instructions or cycles since a CTA last
/// started or ended. Nobody looks for the first `patience`; from then on, the first quarter of each
/// octave is watched: patience to 1.25 patience, 2 to 2.5, 4 to 5 ... So what watching costs stays
/// a fraction, and stretches grow until every warp has had its turns.
[[nodiscard]] bool watch_due(std::uint64_t quiet, std::uint64_t patience);
/// The `quiet` after this one at which watch_due() changes.
[[nodiscard]] std::uint64_t watch_changes_at(std::uint64_t quiet, std::uint64_t patience);

/// Proves that warps spin for ever. The rule is not one of time:
///
/// What a warp does next depends only on its state (registers, predicates, splits, barriers, local
/// memory) and on the memory that it reads. If its state is twice the same while no word of global
/// or shared memory, no CTA barrier and no heap has changed in between, it repeats that stretch for
/// as long as nothing changes, and the stretch itself changes nothing. If that holds of every warp
/// that is not at a barrier, all since the same last change, nothing can ever change: a deadlock.
///
/// States are compared by 64-bit hash, at taken branches. A warp that reads the clock or the global
/// timer is never taken to repeat itself. Stores count as a change unless they leave the word as it
/// is known to be, so a loop that stores and undoes is not recognised either: such kernels end at
/// the limit of the run.
class ProgressWatch {
public:
  ProgressWatch(const ExecutableKernel& kernel, const GlobalMemory& memory);

  /// All evidence is void: instructions were executed, or will be, that this does not see.
  /// `warps`: stepped() takes numbers below it.
  void restart(std::size_t warps);
  /// Something changed, and warps may have come or gone.
  void disturb() {
    ++version_;
    repeating_ = 0;
  }
  /// Warp `number` has executed the instruction at `pc`. Every instruction of every warp since
  /// restart() must come by.
  void stepped(std::size_t number,
               std::uint32_t pc,
               const WarpState& warp,
               const CtaState& cta,
               const StepResult& result);

  /// Warps that are known to repeat themselves until something changes.
  [[nodiscard]] std::size_t repeating() const { return repeating_; }
  /// "BRA 0x60 at pc 0x00a0 (k.cu:7), spins on LDG.E ... at global address 0x...": where the warp
  /// is and what it read last in the stretch that it repeats.
  [[nodiscard]] std::string
  describe(std::size_t number, const WarpState& warp, const CtaState& cta) const;

private:
  /// What is known about a warp. Cycles are found as Brent does: the saved state is replaced after
  /// 1, 2, 4 ... comparisons.
  struct Record {
    std::uint64_t saved = 0;   ///< hash of a state
    std::uint64_t version = 0; ///< of the memory when it was taken; 0: none
    std::uint64_t repeats = 0; ///< version for which the warp is known to repeat itself
    std::uint32_t comparisons = 0;
    std::uint32_t power = 1;
    std::uint32_t steps = 0; ///< since the last comparison
    std::uint32_t read_pc = 0;
    MemorySpace read_space = MemorySpace::none; ///< none: has read nothing since `saved`
    std::uint8_t read_bytes = 0;
    std::uint64_t read_address = 0; ///< of the first lane
  };
  /// What a word of memory was last seen to hold.
  struct Word {
    std::uint64_t key = 0; ///< 0: none
    std::uint32_t value = 0;
  };

  void accessed(Record& record, std::uint32_t pc, const CtaState& cta, const StepResult& result);
  void compare(Record& record, const WarpState& warp);
  [[nodiscard]] bool changes_word(std::uint64_t key, const std::uint8_t* at);
  [[nodiscard]] bool changes_memory(const CtaState& cta, const MemoryAccess& access);
  [[nodiscard]] std::uint64_t fingerprint(const WarpState& warp) const;
  [[nodiscard]] std::string read_text(const Record& record, const CtaState& cta) const;

  const ExecutableKernel& kernel_;
  const GlobalMemory& memory_;
  std::size_t state_bytes_ = 0;          ///< of the registers that the kernel uses
  std::uint32_t interval_ = 0;           ///< instructions of a warp between comparisons, at least
  std::vector<std::uint8_t> tells_time_; ///< index = pc / 16
  std::vector<Record> records_;
  std::vector<Word> words_; ///< direct-mapped
  std::uint64_t version_ = 1;
  std::uint64_t runtime_calls_ = 0; ///< as far as they are counted
  std::size_t repeating_ = 0;
};

} // namespace coulomb::functional
