// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/ports.hpp"

#include <systemc>
#include <tlm>

namespace coulomb::systemc {

/// TLM-2.0 protocol of the memory path: base sockets with our own payload. One non-blocking call
/// per transfer; the payload's `ready` carries the time, so the calls need no SystemC delay.
struct MemoryProtocol {
  using tlm_payload_type = timing::MemoryMessage;
  using tlm_phase_type = tlm::tlm_phase;
};
using ForwardInterface = tlm::tlm_fw_transport_if<MemoryProtocol>;
using BackwardInterface = tlm::tlm_bw_transport_if<MemoryProtocol>;
using InitiatorSocket = tlm::tlm_initiator_socket<256, MemoryProtocol>;
using TargetSocket = tlm::tlm_target_socket<256, MemoryProtocol>;

/// Forward side of a target: requests come in. What the protocol does not use is closed here.
class RequestTarget : public ForwardInterface {
public:
  virtual void request(const timing::MemoryMessage& message) = 0;

  tlm::tlm_sync_enum
  nb_transport_fw(timing::MemoryMessage& message, tlm::tlm_phase& phase, sc_core::sc_time&) final {
    request(message);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void b_transport(timing::MemoryMessage& message, sc_core::sc_time&) final { request(message); }
  bool get_direct_mem_ptr(timing::MemoryMessage&, tlm::tlm_dmi&) final { return false; }
  unsigned int transport_dbg(timing::MemoryMessage&) final { return 0; }
};

/// Backward side of an initiator: responses come in.
class ResponseTarget : public BackwardInterface {
public:
  virtual void response(const timing::MemoryMessage& message) = 0;

  tlm::tlm_sync_enum
  nb_transport_bw(timing::MemoryMessage& message, tlm::tlm_phase&, sc_core::sc_time&) final {
    response(message);
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) final {}
};

inline void send_request(InitiatorSocket& socket, timing::MemoryMessage message) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_fw(message, phase, delay);
}

inline void send_response(TargetSocket& socket, timing::MemoryMessage message) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(message, phase, delay);
}

} // namespace coulomb::systemc
