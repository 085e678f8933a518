// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/step.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace coulomb::sanitizer {

/// What is wrong with an access to shared memory.
struct SharedHazard {
  enum class Kind : std::uint8_t {
    uninitialised,     ///< nothing was stored there since the CTA started
    read_after_write,  ///< another warp stored it, with no barrier between
    write_after_read,  ///< another warp read it, with no barrier between
    write_after_write, ///< another warp stored another value, with no barrier between
    unfinished_copy,   ///< an asynchronous copy to it was not waited for
  };
  Kind kind;
  int lane = 0;             ///< first lane that did it
  std::uint32_t offset = 0; ///< bytes from the begin of the CTA's shared memory
  std::uint32_t other_warp = 0;
  std::uint32_t other_pc = 0; ///< of the other access; meaningless for uninitialised
};

/// The first hazards of one access, of each check that may be asked for alone.
struct SharedHazards {
  std::optional<SharedHazard> race;
  std::optional<SharedHazard> uninitialised;

  /// Keeps `hazard` if it is the first of its check; fills in where it was.
  void add(std::optional<SharedHazard> hazard, int lane, std::uint32_t offset) {
    if (hazard) {
      auto& slot = hazard->kind == SharedHazard::Kind::uninitialised ? uninitialised : race;
      if (!slot) {
        hazard->lane = lane;
        hazard->offset = offset;
        slot = hazard;
      }
    }
  }
};

/// Who touched each element of one CTA's shared memory last, and which accesses a barrier has
/// ordered since. Time counts in intervals that end where a warp arrives at a barrier; an access of
/// warp w at interval t comes before all that warp v does now if t < ordered[v][w] (vector clocks,
/// as in C. Flanagan and S. Freund, FastTrack, PLDI 2009). Atomics on shared memory order what
/// their warps did before with what the next ones to touch the same word do after.
class SharedShadow {
public:
  /// `element_bytes`: 4, or 1 if the kernel accesses shared memory in smaller units than words.
  SharedShadow(std::uint32_t bytes, std::uint32_t element_bytes, std::uint32_t warps);

  /// What one warp instruction does to the `bytes` at `offset[lane]` of each lane of `mask`.
  struct Access {
    std::uint32_t warp = 0;
    std::uint32_t pc = 0;
    std::uint32_t mask = 0;
    std::uint32_t bytes = 4;
    std::span<const std::uint32_t, 32> offset;
  };
  /// `part_of_atomic`: the first read of a compare-and-swap loop, which does not race with other
  /// atomics. A vector is uninitialised if all of it is.
  SharedHazards load(const Access& access, bool part_of_atomic = false);
  /// `contents`: shared memory after the store; storing the same value twice is no hazard.
  SharedHazards store(const Access& access, const std::uint8_t* contents);
  SharedHazards atomic(const Access& access);
  /// mbarrier.arrive: an atomic whose word is read to wait for it.
  SharedHazards arrive(const Access& access);
  SharedHazards copy(const Access& access);

  void commit_copies(std::uint32_t warp); ///< cp.async.commit_group
  /// cp.async.wait_group: all but the last `pending` groups are complete.
  void wait_copies(std::uint32_t warp, std::uint32_t pending);

  void arrive(std::uint32_t warp, unsigned barrier, bool waits);
  /// The barrier has completed; `exited`: warps of the CTA that have finished.
  void complete(unsigned barrier, std::uint32_t exited);
  [[nodiscard]] bool has_arrivals(unsigned barrier) const {
    return arrivals_[barrier].members != 0;
  }

private:
  struct Element {
    std::uint32_t write_time = 0;  ///< 0: never
    std::uint32_t value = 0;       ///< written last, if the element is a word
    std::uint32_t copy_group = 0;  ///< asynchronous copy that wrote it; 0: none
    std::uint16_t write_index = 0; ///< pc / 16
    std::uint8_t writer = 0;
    bool atomic = false;
    bool mbarrier = false; ///< threads arrive here: who reads it synchronises
  };
  /// Of `plain_time_`: a read has to look at the element.
  static constexpr std::uint32_t kLookCloser = ~0U;
  /// Time of the last read in the upper half; below it the warps that read since the last write.
  /// Apart from the rest, because most loads find that nothing has changed: that has to be quick.
  using ReadState = std::uint64_t;
  struct Arrivals {
    std::uint32_t members = 0;
    std::uint32_t waiting = 0;
    std::array<std::uint32_t, 32> time{};
  };
  using Clock = std::array<std::uint32_t, 32>;

  template <class Visit>
  SharedHazards each_element(const Access& access, Visit visit);
  [[nodiscard]] std::uint32_t read_key(std::uint32_t warp) const {
    return (partial_order_ ? now_ : everyone_ + 1) << 5 | warp;
  }
  [[nodiscard]] std::uint32_t fresh_lanes(const Access& access) const;
  template <std::uint32_t Count>
  std::uint32_t read_settled(std::uint32_t lanes, const Access& access);
  void acquire(std::uint32_t index, std::uint32_t warp);
  [[nodiscard]] std::optional<SharedHazard> check_read(std::uint32_t index,
                                                       std::uint32_t warp) const;
  void record_read(std::uint32_t index, const Access& access);
  [[nodiscard]] bool ordered(std::uint32_t warp, std::uint32_t other, std::uint32_t time) const {
    return time < everyone_ || time < clock_[warp][other];
  }
  [[nodiscard]] bool readers_ordered(std::uint32_t warp, ReadState state) const;
  [[nodiscard]] std::optional<SharedHazard>
  check_write(std::uint32_t index, std::uint32_t warp, bool atomic) const;
  void record_write(std::uint32_t index, const Access& access);

  std::uint32_t shift_;
  std::vector<Element> elements_;
  std::vector<ReadState> reads_;
  std::vector<std::uint32_t> last_read_;  ///< read_key() of the last read; 0 after a write
  std::vector<std::uint16_t> read_index_; ///< pc / 16 of the last read
  std::vector<std::uint32_t> plain_time_; ///< write_time of what was simply stored, or kLookCloser
  std::uint32_t now_ = 1;
  std::uint32_t everyone_ = 0; ///< accesses before it are ordered before everything now
  /// True once warps were ordered by anything but barriers of the whole CTA; until then all
  /// accesses since the last one are unordered, whatever their time.
  bool partial_order_ = false;
  std::vector<Clock> clock_; ///< [warp][other]
  std::array<Arrivals, 16> arrivals_{};
  std::unordered_map<std::uint32_t, Clock> atomic_clock_; ///< by element
  std::vector<std::uint32_t> committed_, completed_;      ///< groups of copies of each warp
};

} // namespace coulomb::sanitizer
