// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/systemc/clock_domain.hpp"
#include "sim/systemc/protocol.hpp"
#include "sim/timing/mem/dram_channel.hpp"

#include <memory>

namespace coulomb::systemc {

/// A DRAM channel, shared by the L2 slices of its memory partition.
class DramModule final : public sc_core::sc_module,
                         public TickInterface,
                         private timing::MessageSink {
public:
  DramModule(sc_core::sc_module_name name,
             std::uint32_t clock_id,
             std::uint32_t slices,
             ClockDomain& clock)
      : sc_core::sc_module(name), from_slices("from_slices", slices), clock_id_(clock_id),
        clock_(clock) {
    for (std::uint32_t i = 0; i < slices; ++i) {
      inputs_.push_back(std::make_unique<Input>(*this, i));
      from_slices[i].bind(static_cast<ForwardInterface&>(*inputs_.back()));
    }
    clock_export.bind(static_cast<TickInterface&>(*this));
  }

  sc_core::sc_vector<TargetSocket> from_slices;
  sc_core::sc_export<TickInterface> clock_export{"clock_export"};

  void prepare(const config::GpuConfig& config,
               const timing::mem::MemoryShare& share,
               double neighbour_share) {
    unit_ = std::make_unique<timing::mem::DramChannel>(config, share, neighbour_share,
                                                       static_cast<timing::MessageSink&>(*this));
  }
  [[nodiscard]] const timing::mem::DramChannel& unit() const { return *unit_; }
  timing::Cycle tick(timing::Cycle now) override { return unit_->tick(now); }

private:
  /// Remembers which slice asked, so that the answer finds its socket.
  struct Input final : RequestTarget {
    Input(DramModule& m, std::uint32_t i) : module(m), index(i) {}
    void request(const timing::MemoryMessage& message) override {
      timing::MemoryMessage m = message;
      m.slice = index;
      module.unit_->deliver(m);
      module.clock_.wake(module.clock_id_, m.ready);
    }
    DramModule& module;
    std::uint32_t index;
  };

  void deliver(const timing::MemoryMessage& message) override {
    send_response(from_slices[message.slice], message);
  }

  std::uint32_t clock_id_;
  ClockDomain& clock_;
  std::vector<std::unique_ptr<Input>> inputs_;
  std::unique_ptr<timing::mem::DramChannel> unit_;
};

} // namespace coulomb::systemc
