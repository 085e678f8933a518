// SPDX-License-Identifier: Apache-2.0
#include "cli/disasm_source.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <fmt/format.h>
#include <memory>
#include <sstream>

namespace coulomb::cli {
namespace {

std::string base_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(" \t\r");
  return first == std::string::npos
             ? ""
             : line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

/// "half(float)" of "_Z4halff"; a name that is not mangled stays.
std::string readable(const std::string& function) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(function.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? text.get() : function;
}

/// "half(float), from twice.cuh:7, twice(float), from scale.cu:4" for the frames of an instruction.
std::string call_chain(const std::vector<isa::SourceFrame>& frames) {
  std::string chain;
  for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
    const isa::SourceFrame& caller = frames[i + 1];
    const std::string& function = frames[i].function;
    chain += fmt::format("{}{}, from {}:{}", i == 0 ? "" : ", ",
                         function.empty() ? "inlined" : readable(function), base_name(caller.file),
                         caller.line);
  }
  return chain;
}

} // namespace

const DisasmSource::Lines& DisasmSource::lines(const std::string& path) {
  const auto [entry, added] = files_.try_emplace(path);
  if (added) {
    try {
      std::istringstream text(read_file(path));
      std::vector<std::string> all;
      for (std::string line; std::getline(text, line);) {
        all.push_back(trimmed(line));
      }
      entry->second = std::move(all);
    } catch (const Error&) { // compiled elsewhere: the line number has to do
      entry->second.reset();
    }
  }
  return entry->second;
}

std::string DisasmSource::announcement(const isa::KernelImage& kernel, std::uint32_t pc) {
  const std::vector<isa::SourceFrame> frames = isa::source_stack(kernel, pc);
  if (frames.empty()) {
    return {};
  }
  const isa::SourceFrame& innermost = frames.front();
  std::string comment = fmt::format("// {}:{}", base_name(innermost.file), innermost.line);
  const Lines& text = lines(innermost.file);
  if (text && innermost.line >= 1 && innermost.line <= text->size()) {
    comment += ": " + (*text)[innermost.line - 1];
  }
  if (frames.size() > 1) {
    comment += fmt::format("   [{}]", call_chain(frames));
  }
  return comment;
}

} // namespace coulomb::cli
