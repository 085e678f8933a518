// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/types.hpp"

#include <cstdint>

namespace coulomb::timing {

enum class MessageKind : std::uint8_t {
  load,   ///< answered with the sectors
  store,  ///< data travels with the request; no answer
  atomic, ///< read-modify-write at the L2 slice; answered
};

/// One transfer of sectors of one 128-byte line between an SM, the crossbar, an L2 slice and a DRAM
/// channel. It is the payload of our TLM sockets. `ready` is the cycle at which the receiver has
/// it; it is always later than the cycle of sending, so that the order in which components tick
/// within a cycle cannot matter.
struct MemoryMessage {
  std::uint64_t line = 0; ///< address / 128
  Cycle ready = 0;
  std::uint32_t sm = 0;
  std::uint32_t slice = 0;
  std::uint32_t sequence = 0; ///< order of sending, breaks ties of `ready`
  std::uint32_t tag = 0;      ///< of an atomic: returned with the answer
  MessageKind kind = MessageKind::load;
  std::uint8_t sectors = 0; ///< bit per 32-byte sector
  bool far = false;         ///< the slice is in the other partition
};

/// Where messages go: the next component's input, or a TLM socket that leads there.
class MessageSink {
public:
  virtual ~MessageSink() = default;
  virtual void deliver(const MemoryMessage& message) = 0;
};

} // namespace coulomb::timing
