// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/instruction.hpp"
#include "sim/isa/line_table.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace coulomb::isa {

/// One kernel parameter: where it lies from the parameter base of constant bank 0, in bytes.
struct KernelParameter {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

/// A variable of the module: `__constant__` (bank 3 offset) or `__device__` (offset in the global
/// image).
struct ModuleSymbol {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::string section;
};

/// 64-bit address to be stored at `offset` of constant bank 4 or of the global image: that of a
/// `__device__` variable, or of a function that the module does not define.
struct AddressRelocation {
  std::uint64_t offset = 0;
  std::uint64_t global_offset = 0; ///< of the variable (plus addend) in the module's global image
  std::string external;            ///< not empty: the function ("vprintf")
};

/// One kernel of a cubin, decoded.
struct KernelImage {
  std::string name;
  std::uint32_t registers = 0; ///< per thread
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;        ///< stack per thread: max of FRAME_SIZE and MIN_STACK_SIZE
  std::uint32_t barriers = 0;           ///< named barriers, 0..16
  std::uint32_t max_threads = 0;        ///< from __launch_bounds__, 0 = no limit
  std::uint32_t parameter_base = 0x160; ///< in constant bank 0
  std::uint32_t parameter_bytes = 0;
  std::vector<KernelParameter> parameters; ///< in declaration order
  std::vector<std::uint8_t> constant0;     ///< image, zero where the launch fills it
  std::vector<std::uint8_t> constant2;     ///< compiler-made constants
  std::vector<Instruction> code;           ///< whole section, index = pc / 16
  std::map<std::uint32_t, std::vector<std::uint32_t>> indirect_targets; ///< BRX pc -> target pcs
  std::vector<std::string> external_calls; ///< functions outside the module, as far as is known
  std::vector<SourcePosition> lines;       ///< index = pc / 16; empty without line information
  std::vector<std::string> files;          ///< that `lines` and `inlined` refer to
  std::vector<InlinedCall> inlined;        ///< calls that `lines` refer to
};

/// A loaded module. Throws UserError for a file that is no Ampere cubin (what was found is named)
/// and UnsupportedError, naming kernel, pc and text, for words outside the decoder's tables.
class Cubin {
public:
  static Cubin load(const std::string& path);
  static Cubin parse(std::span<const std::uint8_t> bytes, const std::string& origin);

  std::uint32_t architecture = 0;   ///< 80, 86
  std::vector<KernelImage> kernels; ///< those that decode, in the order of the file; never empty
  std::map<std::string, std::string> unsupported_kernels; ///< the others: name -> reason
  std::string no_lines; ///< why no kernel has line information; empty if some may have
  std::vector<std::uint8_t> constant3;    ///< `__constant__` variables
  std::vector<std::uint8_t> constant4;    ///< addresses of global symbols, relocated at load
  std::vector<std::uint8_t> global_image; ///< .nv.global.init then .nv.global (zero)
  std::vector<ModuleSymbol> constant_symbols;
  std::vector<ModuleSymbol> global_symbols;
  std::vector<AddressRelocation> constant4_relocations;
  std::vector<AddressRelocation> global_relocations;

  /// The kernel of that mangled name, or of that plain name ("saxpy") if only one has it. Throws
  /// UserError listing the names there are, and UnsupportedError with the reason for one of
  /// `unsupported_kernels`.
  [[nodiscard]] const KernelImage& kernel(const std::string& name) const;
};

/// Decodes one word. Throws UnsupportedError for an unknown opcode; `kernel` names it in the
/// message.
[[nodiscard]] Instruction
decode(std::uint64_t low, std::uint64_t high, std::uint32_t pc, const std::string& kernel);
/// Text as the vendor's disassembler prints it, e.g. "@!P0 IMAD.WIDE R4, R7, 0x4, R4 ;" without the
/// ";".
[[nodiscard]] std::string disassemble(const Instruction& instruction);

} // namespace coulomb::isa
