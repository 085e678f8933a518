// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/systemc/clock_domain.hpp"
#include "sim/systemc/protocol.hpp"
#include "sim/timing/sm/streaming_multiprocessor.hpp"

#include <memory>

namespace coulomb::systemc {

/// A streaming multiprocessor with its port to the crossbar.
class SmModule final : public sc_core::sc_module,
                       public TickInterface,
                       private ResponseTarget,
                       private timing::MessageSink {
public:
  SmModule(sc_core::sc_module_name name,
           std::uint32_t clock_id,
           std::uint32_t sm,
           ClockDomain& clock)
      : sc_core::sc_module(name), clock_id_(clock_id), sm_(sm), clock_(clock) {
    socket.bind(static_cast<BackwardInterface&>(*this));
    clock_export.bind(static_cast<TickInterface&>(*this));
  }

  InitiatorSocket socket{"socket"};
  sc_core::sc_export<TickInterface> clock_export{"clock_export"};

  /// Starts afresh with a program.
  void prepare(const config::GpuConfig& config,
               const timing::sm::SmProgram& program,
               timing::sm::CtaSource& source) {
    unit_ = std::make_unique<timing::sm::StreamingMultiprocessor>(
        config, sm_, program, source, static_cast<timing::MessageSink&>(*this));
  }
  [[nodiscard]] const timing::sm::StreamingMultiprocessor& unit() const { return *unit_; }
  timing::Cycle tick(timing::Cycle now) override { return unit_->tick(now); }

private:
  void deliver(const timing::MemoryMessage& message) override { send_request(socket, message); }
  void response(const timing::MemoryMessage& message) override {
    unit_->deliver(message);
    clock_.wake(clock_id_, message.ready);
  }

  std::uint32_t clock_id_;
  std::uint32_t sm_;
  ClockDomain& clock_;
  std::unique_ptr<timing::sm::StreamingMultiprocessor> unit_;
};

} // namespace coulomb::systemc
