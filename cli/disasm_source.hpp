// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/cubin.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::cli {

/// The source text behind a listing. Files are read once, when a line of theirs is first asked for.
class DisasmSource {
public:
  /// The comment that announces the source line of the instruction at `pc`, without its end of
  /// line: "// scale.cu:3: if (i < n)", for an inlined function also who called it:
  /// "// half.cuh:2: return x * 0.5f;   [half(float), from scale.cu:4]". The text is left out if
  /// the file cannot be read. Empty if the line is unknown.
  [[nodiscard]] std::string announcement(const isa::KernelImage& kernel, std::uint32_t pc);

private:
  using Lines = std::optional<std::vector<std::string>>;

  [[nodiscard]] const Lines& lines(const std::string& path);

  std::map<std::string, Lines> files_;
};

} // namespace coulomb::cli
