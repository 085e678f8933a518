// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/types.hpp"

#include <cstdint>

namespace coulomb::timing {

enum class MessageKind : std::uint8_t {
  load,   ///< answered with the sectors
  store,  ///< data travels with the request; the answer says that L2 has it
  atomic, ///< read-modify-write at the L2 slice; answered with the sectors if it has a tag
};

/// Which way a transfer goes. On a chip with two L2 partitions a load that misses its own
/// partition's copy goes on to the line's home and comes back the same way.
enum class Hop : std::uint8_t {
  direct,  ///< between an SM and the slice that it talks to
  to_home, ///< from that slice to the slice of the other partition where the line lives
  to_copy, ///< and back
};

/// One transfer of sectors of one 128-byte line between an SM, the crossbar, an L2 slice and a DRAM
/// channel. It is the payload of our TLM sockets. `ready` is the cycle at which the receiver has
/// it; it is always later than the cycle of sending. Receivers handle messages by `ready`, then by
/// `order`, so that the order in which components tick cannot matter.
struct MemoryMessage {
  std::uint64_t line = 0; ///< address / 128
  Cycle ready = 0;
  std::uint32_t sm = 0;
  std::uint32_t slice = 0;
  std::uint64_t order = 0; ///< sender in the upper half, its running number in the lower
  std::uint32_t tag = 0;   ///< of an atomic: returned with the answer
  MessageKind kind = MessageKind::load;
  std::uint8_t sectors = 0; ///< bit per 32-byte sector
  Hop hop = Hop::direct;
  bool far : 1 = false; ///< the line's home is not in the SM's partition
  /// Of an atomic: lanes that want one address, at most, 1 to 32; 0 counts as 1. A bit field, so
  /// that messages, which lie in queues by the thousand, keep their size.
  std::uint8_t same_address : 7 = 0;

  /// A store, or an atomic whose result nobody wants: the answer says that L2 has it, without data.
  [[nodiscard]] bool only_acknowledged() const {
    return kind == MessageKind::store || (kind == MessageKind::atomic && tag == 0);
  }
};

static_assert(sizeof(MemoryMessage) == 40);

/// Gives a component's messages their `order`.
class MessageOrder {
public:
  explicit MessageOrder(std::uint32_t sender) : next_(std::uint64_t{sender} << 32U) {}
  std::uint64_t take() { return next_++; }

private:
  std::uint64_t next_;
};

/// Where messages go: the next component's input, or a TLM socket that leads there.
class MessageSink {
public:
  virtual ~MessageSink() = default;
  virtual void deliver(const MemoryMessage& message) = 0;
};

} // namespace coulomb::timing
