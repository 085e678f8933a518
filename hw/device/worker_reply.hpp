// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/device/worker_client.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace coulomb::hw {

/// {"error": {...}}: what a worker answers when it cannot do what it was asked.
[[nodiscard]] std::string
error_reply(const std::string& kind, const std::string& message, const std::string& hint);

/// The object that a worker answered; `who` names it in messages. Throws the error that it sent (of
/// the same kind, with its hint), and EnvironmentError if it died or ran out of time.
[[nodiscard]] nlohmann::json read_reply(const WorkerClient::Answer& answer, const std::string& who);

} // namespace coulomb::hw
