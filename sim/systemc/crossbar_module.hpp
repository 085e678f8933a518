// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/systemc/protocol.hpp"
#include "sim/timing/mem/crossbar.hpp"

#include <memory>

namespace coulomb::systemc {

/// The network between SMs and L2 slices, and between the slices of two partitions. It stamps
/// arrival times and forwards at once; it has no clock.
class CrossbarModule final : public sc_core::sc_module,
                             private RequestTarget,
                             private ResponseTarget {
public:
  CrossbarModule(sc_core::sc_module_name name, std::uint32_t sms, std::uint32_t slices)
      : sc_core::sc_module(name), from_sms("from_sms", sms), to_slices("to_slices", slices) {
    for (auto& socket : from_sms) {
      socket.bind(static_cast<ForwardInterface&>(*this));
    }
    for (auto& socket : to_slices) {
      socket.bind(static_cast<BackwardInterface&>(*this));
    }
  }

  sc_core::sc_vector<TargetSocket> from_sms;
  sc_core::sc_vector<InitiatorSocket> to_slices;

  void prepare(const config::GpuConfig& config, const timing::mem::MemoryShare& share) {
    network_ = std::make_unique<timing::mem::Crossbar>(config, share,
                                                       static_cast<std::uint32_t>(from_sms.size()));
  }

  [[nodiscard]] const timing::mem::Crossbar& network() const { return *network_; }

private:
  void request(const timing::MemoryMessage& message) override {
    const timing::MemoryMessage routed = network_->route_request(message);
    send_request(to_slices[routed.slice], routed);
  }
  void response(const timing::MemoryMessage& message) override {
    const timing::MemoryMessage routed = network_->route_response(message);
    if (routed.hop == timing::Hop::direct) {
      send_response(from_sms[routed.sm], routed);
    } else {
      send_request(to_slices[routed.slice], routed);
    }
  }

  std::unique_ptr<timing::mem::Crossbar> network_;
};

} // namespace coulomb::systemc
