// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::isa {

class ElfReader;
struct KernelImage;

/// Where in the source an instruction comes from. A function that was inlined counts by its own
/// lines; `inlined` leads to the line that called it.
struct SourcePosition {
  std::uint16_t file = 0;    ///< index in KernelImage::files; meaningless if `line` is 0
  std::uint32_t line = 0;    ///< from 1; 0 = unknown
  std::uint32_t inlined = 0; ///< 1 + index in KernelImage::inlined; 0 = not inlined
  bool operator==(const SourcePosition&) const = default;
};

/// One call that was inlined: what `site` says, at its line, calls `function`. The site may itself
/// lie in an inlined function; such chains end, as each leads to calls earlier in the vector.
struct InlinedCall {
  std::string function; ///< mangled name; empty if the cubin does not tell
  SourcePosition site;
  bool operator==(const InlinedCall&) const = default;
};

/// The line program of a cubin (.debug_line; NVRTC and nvcc write one with -lineinfo or -G).
///
/// It is DWARF's, version 2, one sequence of rows per code section; a relocation of the sequence's
/// start address names the section. NVIDIA adds extended opcode 0x90 with two ULEB128 operands: the
/// number, from 1, of the row in the same sequence whose line made the call that was inlined here
/// (0: none), and the offset of the function's name in .debug_str. Both hold until the next 0x90.
/// Found out from cubins of NVRTC 11.8 and 13.0, which agree. Both write no row where the line has
/// the same number as the one before but lies in another file or function; such instructions count
/// to the line before.
class LineTable {
public:
  /// Never throws for a damaged table: it then has no sections and `absent()` says why.
  static LineTable read(const ElfReader& elf);

  /// Why there is no line information, e.g. "compiled without -lineinfo"; empty if there is some.
  [[nodiscard]] const std::string& absent() const { return absent_; }
  /// Sets lines, files and inlined of `kernel`, whose code is the section `.text.NAME`. Leaves them
  /// empty if the table has nothing on it.
  void fill(KernelImage& kernel) const;

private:
  struct Section {
    std::vector<SourcePosition> lines; ///< index = offset / 16; `file` is an index in files_
    std::vector<InlinedCall> inlined;
  };
  friend class LineProgram;

  std::map<std::string, Section, std::less<>> sections_;
  std::vector<std::string> files_;
  std::string absent_;
};

/// One step of the way from the kernel's source to an instruction.
struct SourceFrame {
  std::string function; ///< mangled name of the inlined function; empty for the kernel or unknown
  std::string file;     ///< path as the compiler saw it
  std::uint32_t line = 0;
};

/// The instruction's own line first, then the lines that called the inlined function it belongs to,
/// outwards. Empty if nothing is known about `pc` (byte offset in the kernel's code).
[[nodiscard]] std::vector<SourceFrame> source_stack(const KernelImage& kernel, std::uint32_t pc);

/// "saxpy.cu:12", the innermost line without directories, or "" if it is unknown.
[[nodiscard]] std::string source_place(const KernelImage& kernel, std::uint32_t pc);

} // namespace coulomb::isa
