// SPDX-License-Identifier: Apache-2.0
// libsystemc exports a `main` of its own: a test binary that does not define one exits 0 having run
// nothing.
#include <gtest/gtest.h>

extern "C" int sc_main(int, char**);
extern "C" int sc_main(int, char**) {
  return 0;
}

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
