// SPDX-License-Identifier: Apache-2.0
#include "hw/device/worker_reply.hpp"

#include "base/error.hpp"
#include "base/eval/json_fields.hpp"

#include <nlohmann/json.hpp>

namespace coulomb::hw {
namespace {

constexpr const char* kSickDriver =
    "see \"nvidia-smi\" and the kernel log for Xid messages; the driver or the GPU may need a "
    "restart";

} // namespace

std::string
error_reply(const std::string& kind, const std::string& message, const std::string& hint) {
  return eval::dump_line({{"error", {{"kind", kind}, {"message", message}, {"hint", hint}}}});
}

nlohmann::json read_reply(const WorkerClient::Answer& answer, const std::string& who) {
  switch (answer.end) {
  case WorkerClient::End::answered:
    break;
  case WorkerClient::End::died:
    throw EnvironmentError(fmt::format("{} {}", who, answer.detail), kSickDriver);
  case WorkerClient::End::timed_out:
    throw EnvironmentError(fmt::format("{} does not answer: the driver hangs", who), kSickDriver);
  case WorkerClient::End::stopped:
    throw EnvironmentError("stopped");
  }
  nlohmann::json object = eval::parse_object(answer.text, "answer of " + who);
  if (!object.contains("error")) {
    return object;
  }
  const eval::JsonFields error = eval::JsonFields(object, "answer of " + who).object("error");
  const std::string kind = error.text("kind");
  if (kind == "input") {
    throw UserError(error.text("message"), error.text("hint"));
  }
  if (kind == "environment") {
    throw EnvironmentError(error.text("message"), error.text("hint"));
  }
  throw InternalError(error.text("message"));
}

} // namespace coulomb::hw
