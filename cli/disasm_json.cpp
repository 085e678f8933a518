// SPDX-License-Identifier: Apache-2.0
#include "cli/disasm_json.hpp"

#include "cli/json_output.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

using Json = nlohmann::ordered_json;

Json barrier_json(std::uint8_t barrier) {
  return barrier == isa::kNoBarrier ? Json(nullptr) : Json(barrier);
}

Json control_json(const isa::Control& control) {
  return {{"stall", control.stall},
          {"yield", control.yield},
          {"write_barrier", barrier_json(control.write_barrier)},
          {"read_barrier", barrier_json(control.read_barrier)},
          {"wait_mask", control.wait_mask},
          {"reuse", control.reuse}};
}

Json instruction_json(const isa::KernelImage& kernel, const isa::Instruction& instruction) {
  Json j = {{"pc", instruction.pc},
            {"text", isa::disassemble(instruction)},
            {"control", control_json(instruction.control)}};
  const std::vector<isa::SourceFrame> frames = isa::source_stack(kernel, instruction.pc);
  j["file"] = frames.empty() ? Json(nullptr) : Json(frames.front().file);
  j["line"] = frames.empty() ? Json(nullptr) : Json(frames.front().line);
  Json callers = Json::array();
  for (std::size_t i = 1; i < frames.size(); ++i) {
    const std::string& function = frames[i - 1].function;
    callers.push_back({{"function", function.empty() ? Json(nullptr) : Json(function)},
                       {"file", frames[i].file},
                       {"line", frames[i].line}});
  }
  if (!callers.empty()) {
    j["inlined_at"] = std::move(callers);
  }
  return j;
}

Json kernel_json(const ListedKernel& listed) {
  const isa::KernelImage& kernel = *listed.kernel;
  Json instructions = Json::array();
  for (const isa::Instruction& instruction : kernel.code) {
    instructions.push_back(instruction_json(kernel, instruction));
  }
  return {{"name", kernel.name},
          {"architecture", fmt::format("sm_{}", listed.architecture)},
          {"registers", kernel.registers},
          {"static_shared_bytes", kernel.static_shared_bytes},
          {"local_bytes", kernel.local_bytes},
          {"instructions", std::move(instructions)}};
}

} // namespace

std::string disasm_json(const std::vector<ListedKernel>& kernels,
                        const std::vector<UndecodedKernel>& undecoded,
                        const std::vector<SkippedImage>& skipped) {
  Json j;
  j["schema"] = kJsonSchema;
  j["version"] = COULOMB_VERSION;
  j["kernels"] = Json::array();
  for (const ListedKernel& kernel : kernels) {
    j["kernels"].push_back(kernel_json(kernel));
  }
  j["not_decoded"] = Json::array();
  for (const UndecodedKernel& kernel : undecoded) {
    j["not_decoded"].push_back({{"name", kernel.name}, {"reason", kernel.reason}});
  }
  j["skipped"] = Json::array();
  for (const SkippedImage& image : skipped) {
    j["skipped"].push_back({{"image", image.image}, {"reason", image.reason}});
  }
  return j.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace coulomb::cli
