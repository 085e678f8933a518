// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/opcode_doc.hpp"

#include "base/text.hpp"
#include "tests/kernels/kernel_runner.hpp"

#include <gtest/gtest.h>

namespace coulomb::kernels_test {
namespace {

const std::string kPath = std::string(COULOMB_SOURCE_DIR) + "/docs/opcodes.md";
constexpr const char* kRemedy = "run scripts/generate_opcode_doc.sh BUILD_DIR";

TEST(OpcodeDoc, TellsWhatTheLoweringAcceptsOfEveryWordOfTheCorpus) {
  EXPECT_EQ(without_proofs(read_file(kPath)), without_proofs(opcode_doc({}))) << kRemedy;
}

TEST(OpcodeDoc, NamesTheProofsThatExecuteEachOpcode) {
  if (compiler_release() != kProofRelease) {
    GTEST_SKIP() << "the last column is of NVRTC " << kProofRelease << "; here is: "
                 << (compiler_release().empty() ? missing_compiler() : compiler_release());
  }
  EXPECT_EQ(read_file(kPath), opcode_doc(executed_opcodes())) << kRemedy;
}

} // namespace
} // namespace coulomb::kernels_test
