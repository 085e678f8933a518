// SPDX-License-Identifier: Apache-2.0
// Prints docs/opcodes.md; see scripts/generate_opcode_doc.sh.
#include "tests/kernels/kernel_runner.hpp"
#include "tests/kernels/opcode_doc.hpp"

#include <cstdio>
#include <exception>

int main() {
  using namespace coulomb::kernels_test;
  try {
    const std::string missing = missing_compiler();
    if (!missing.empty()) {
      std::fprintf(stderr, "%s\n", missing.c_str());
      return 3;
    }
    std::fputs(opcode_doc(executed_opcodes()).c_str(), stdout);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
