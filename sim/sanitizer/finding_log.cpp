// SPDX-License-Identifier: Apache-2.0
#include "sim/sanitizer/finding_log.hpp"

#include "sim/functional/kernel_impl.hpp"
#include "sim/isa/line_table.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace coulomb::sanitizer {
namespace {
std::string space_name(functional::MemorySpace space) {
  switch (space) {
  case functional::MemorySpace::global:
    return "global";
  case functional::MemorySpace::shared:
    return "shared";
  case functional::MemorySpace::local:
    return "local";
  default:
    return {};
  }
}
} // namespace

bool FindingLog::count(const Event& event) {
  const auto [at, first] =
      seen_.try_emplace(Key{event.check, event.kind, event.pc, event.other_pc}, findings_.size());
  if (!first) {
    ++findings_[at->second].occurrences;
    return false;
  }
  findings_.emplace_back();
  return true;
}

void FindingLog::describe(const Event& event, std::string message, std::string allocation) {
  eval::Finding& finding = findings_.back();
  finding.check = event.check;
  finding.message = std::move(message);
  finding.kernel = kernel_.image().name;
  if (const auto stack = isa::source_stack(kernel_.image(), event.pc); !stack.empty()) {
    // The compiler is given the file's name alone, and puts its own directory before it.
    finding.file = std::filesystem::path(stack.front().file).filename().string();
    finding.line = stack.front().line;
  }
  finding.pc = event.pc;
  finding.cta = event.cta;
  const functional::ThreadIds& threads = kernel_.impl().threads[event.warp];
  const auto lane = static_cast<std::size_t>(std::max(event.lane, 0));
  finding.thread = {threads.x[lane], threads.y[lane], threads.z[lane]};
  finding.space = space_name(event.space);
  finding.address = event.address;
  finding.allocation = std::move(allocation);
}

std::string FindingLog::place(std::uint32_t pc) const {
  const std::string line = isa::source_place(kernel_.image(), pc);
  return line.empty() ? fmt::format("pc {:#06x}", pc) : line;
}

} // namespace coulomb::sanitizer
