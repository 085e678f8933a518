// SPDX-License-Identifier: Apache-2.0
#include "hw/toolchain/source_closure.hpp"

#include "tests/component/toolchain/toolchain_fixture.hpp"

namespace coulomb::toolchain {
namespace {

class SourceClosureTest : public ToolchainTest {
protected:
  std::string key() {
    return content_key(request_, collect_sources(request_.source_path, request_.options));
  }
};

TEST_F(SourceClosureTest, FollowsLocalHeadersOfHeaders) {
  write("scale.cu", "#include \"sub/a.h\"\n  #  include <b.h>\n#include <cuda_fp16.h>\n");
  write("sub/a.h", "#include \"c.h\"\n#include \"../scale.cu\"\n");
  write("sub/c.h", "int c;\n");
  write("inc/b.h", "int b;\n");
  const auto closure = collect_sources(request_.source_path, {"-I" + directory_ + "/inc"});
  std::vector<std::string> names;
  for (const auto& header : closure.headers) {
    names.push_back(header.name);
  }
  EXPECT_THAT(names, testing::ElementsAre("sub/a.h", "c.h", "../scale.cu", "b.h"));
  EXPECT_EQ(closure.headers[1].text, "int c;\n");
  EXPECT_EQ(closure.name, "scale.cu");
  EXPECT_FALSE(closure.computed_include);
}

TEST_F(SourceClosureTest, NoticesAnIncludeThatAMacroNames) {
  write("scale.cu", "#include HEADER\n");
  EXPECT_TRUE(collect_sources(request_.source_path, {}).computed_include);
}

TEST_F(SourceClosureTest, KeyDependsOnEverythingThatTheCompilerSees) {
  const std::string base = key();
  EXPECT_EQ(key(), base);
  auto original = request_;
  request_.architecture = "sm_80";
  EXPECT_NE(key(), base);
  request_ = original;
  request_.kernel_name = "other";
  EXPECT_NE(key(), base);
  request_ = original;
  request_.options = {"-DFACTOR=3.0", "f"};
  EXPECT_NE(key(), base);
  request_ = original;
  write("scale.cu", std::string(kScaleSource) + " ");
  EXPECT_NE(key(), base);
}

TEST_F(SourceClosureTest, KeyDoesNotDependOnWhereTheSourceLiesOrWhoAsks) {
  const std::string base = key();
  request_.source_path = write("elsewhere/scale.cu", kScaleSource);
  request_.id = 99;
  request_.cache_dir = "/another";
  EXPECT_EQ(key(), base);
}

TEST_F(SourceClosureTest, KeyIgnoresWhereMacrosStandButNotTheirOrder) {
  request_.options = {"-DA=1", "-std=c++17", "-DB=2"};
  const std::string base = key();
  request_.options = {"-std=c++17", "-DA=1", "-DB=2"};
  EXPECT_EQ(key(), base);
  request_.options = {"-std=c++17", "-DB=2", "-DA=1"};
  EXPECT_NE(key(), base);
}

} // namespace
} // namespace coulomb::toolchain
