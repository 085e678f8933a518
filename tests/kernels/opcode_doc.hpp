// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

namespace coulomb::kernels_test {

/// Opcode name -> names of the kernels of tests/kernels whose proof executes it.
using ExecutedOpcodes = std::map<std::string, std::set<std::string>>;

/// Runs every proof for sm_80 and sm_86. Needs the compiler.
[[nodiscard]] ExecutedOpcodes executed_opcodes();

/// docs/opcodes.md: one line for each opcode of data/sass/corpus.tsv.gz and of the decoder's table,
/// with what the executor's lowering accepts. Throws UserError if the corpus cannot be read.
[[nodiscard]] std::string opcode_doc(const ExecutedOpcodes& executed);

/// The document without its last column, which depends on the compiler's release.
[[nodiscard]] std::string without_proofs(const std::string& document);

} // namespace coulomb::kernels_test
