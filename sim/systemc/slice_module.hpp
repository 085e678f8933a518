// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/systemc/clock_domain.hpp"
#include "sim/systemc/protocol.hpp"
#include "sim/timing/mem/l2_slice.hpp"

#include <memory>

namespace coulomb::systemc {

/// An L2 slice: target of the crossbar, initiator towards its DRAM channel.
class SliceModule final : public sc_core::sc_module,
                          public TickInterface,
                          private RequestTarget,
                          private ResponseTarget {
public:
  SliceModule(sc_core::sc_module_name name,
              std::uint32_t clock_id,
              std::uint32_t slice,
              ClockDomain& clock)
      : sc_core::sc_module(name), clock_id_(clock_id), slice_(slice), clock_(clock),
        up_(from_crossbar), down_(to_dram) {
    from_crossbar.bind(static_cast<ForwardInterface&>(*this));
    to_dram.bind(static_cast<BackwardInterface&>(*this));
    clock_export.bind(static_cast<TickInterface&>(*this));
  }

  TargetSocket from_crossbar{"from_crossbar"};
  InitiatorSocket to_dram{"to_dram"};
  sc_core::sc_export<TickInterface> clock_export{"clock_export"};

  void prepare(const config::GpuConfig& config,
               const timing::mem::L2Slice::Spec& spec,
               const timing::mem::ReuseEstimate& reuse) {
    unit_ = std::make_unique<timing::mem::L2Slice>(config, spec, slice_, reuse, up_, down_);
  }
  [[nodiscard]] const timing::mem::L2Slice& unit() const { return *unit_; }
  timing::Cycle tick(timing::Cycle now) override { return unit_->tick(now); }

private:
  struct Up final : timing::MessageSink {
    explicit Up(TargetSocket& s) : socket(s) {}
    void deliver(const timing::MemoryMessage& message) override { send_response(socket, message); }
    TargetSocket& socket;
  };
  struct Down final : timing::MessageSink {
    explicit Down(InitiatorSocket& s) : socket(s) {}
    void deliver(const timing::MemoryMessage& message) override { send_request(socket, message); }
    InitiatorSocket& socket;
  };

  void request(const timing::MemoryMessage& message) override {
    unit_->deliver(message);
    clock_.wake(clock_id_, message.ready);
  }
  void response(const timing::MemoryMessage& message) override {
    unit_->dram_response(message);
    clock_.wake(clock_id_, message.ready);
  }

  std::uint32_t clock_id_;
  std::uint32_t slice_;
  ClockDomain& clock_;
  Up up_;
  Down down_;
  std::unique_ptr<timing::mem::L2Slice> unit_;
};

} // namespace coulomb::systemc
