// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/launch_file.hpp"

#include "tests/unit/kernel/support.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::kernel {
namespace {

namespace fs = std::filesystem;
using test::user_error;
using testing::ElementsAre;
using testing::HasSubstr;

class LaunchFileTest : public testing::Test {
protected:
  LaunchFileTest() {
    std::string pattern = (fs::temp_directory_path() / "coulomb-launch-XXXXXX").string();
    dir_ = ::mkdtemp(pattern.data());
  }
  ~LaunchFileTest() override {
    std::error_code ignored;
    fs::remove_all(dir_, ignored);
  }
  [[nodiscard]] LaunchDescription read(const std::string& text) const {
    std::ofstream(dir_ / "l.toml") << text;
    return read_launch_file((dir_ / "l.toml").string());
  }
  [[nodiscard]] std::string in(const std::string& name) const { return (dir_ / name).string(); }

  fs::path dir_;
};

constexpr const char* kWhole = R"(
source = "k.cu"
entry = "k"
grid = [64, "1024 // 256", 2]
block = 128
shared_bytes = "4 * 1024"
options = ["-std=c++17", "--use_fast_math"]

[define]
N = 4
FLAG = true

[[symbol]]
name = "weights"
type = "float"
count = 4
fill = "sequence"

[[argument]]
name = "x"
type = "float"
count = "1024 * 2"
fill = "normal:7:0.5"

[[argument]]
name = "n"
type = "int"
value = 2048

[[argument]]
name = "box"
type = "float"
count = 6
by_value = true
fill = "@box.npy"

[[argument]]
name = "y"
type = "half"
count = 16
output = "y.npy"
shape = [4, 4]
expected = "ref/y.npy"
tolerance = 0.125
allow_nan = true
)";

TEST_F(LaunchFileTest, ReadsEveryKey) {
  const LaunchDescription l = read(kWhole);
  EXPECT_EQ(l.source, in("k.cu"));
  EXPECT_EQ(l.cubin, "");
  EXPECT_EQ(l.entry, "k");
  EXPECT_EQ(l.grid, (Dim3{64, 4, 2}));
  EXPECT_EQ(l.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(l.shared_bytes, 4096U);
  EXPECT_THAT(l.options, ElementsAre("-std=c++17", "--use_fast_math", "-DN=4", "-DFLAG=1"));
  ASSERT_EQ(l.arguments.size(), 5U);
  EXPECT_EQ(l.arguments[0].name, "x");
  EXPECT_EQ(l.arguments[0].count, 2048U);
  EXPECT_EQ(l.arguments[0].fill, (Fill{FillKind::normal, 0.5, 7, "", ""}));
  EXPECT_EQ(argument_text(l.arguments[1]), "n int32");
  EXPECT_EQ(argument_text(l.arguments[2]), "box value:float[6]");
  EXPECT_EQ(l.arguments[2].fill.path, in("box.npy"));
  EXPECT_EQ(l.arguments[4].constant_symbol, "weights") << "variables come behind the parameters";
  EXPECT_THAT(l.expected,
              ElementsAre(ExpectedOutput{"y", in("ref/y.npy"), 0.125, true, "ref/y.npy"}));
  EXPECT_THAT(l.outputs, ElementsAre(OutputFile{"y", in("y.npy"), {4, 4}}));
}

TEST_F(LaunchFileTest, BecomesASpecOfOneConfiguration) {
  const TunableSpec spec = make_spec(read(kWhole));
  EXPECT_EQ(spec.name, "k");
  EXPECT_EQ(spec.source_path, in("k.cu"));
  EXPECT_TRUE(spec.parameters.empty());
  const Configuration c = spec.configuration({});
  const Launch launch = spec.launch(c);
  EXPECT_EQ(launch.grid, (Dim3{64, 4, 2}));
  EXPECT_EQ(launch.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(launch.dynamic_shared_bytes, 4096U);
  ASSERT_EQ(launch.arguments.size(), 5U);
  EXPECT_EQ(launch.arguments[0].count, 2048U);
  EXPECT_EQ(launch.arguments[2].count, 6U);
}

TEST_F(LaunchFileTest, PointsAtEveryMistake) {
  const std::string text = user_error([&] {
    (void)read("source = \"k.cu\"\n"
               "gird = 4\n"
               "block = \"x\"\n"
               "[[argument]]\n"
               "type = \"flaot\"\n"
               "count = 4\n"
               "[[argument]]\n"
               "type = \"int\"\n"
               "value = 300\n"
               "by_value = 1\n"
               "[[args]]\n"
               "type = \"int\"\n");
  });
  EXPECT_THAT(text,
              HasSubstr("gird\n --> " + in("l.toml") +
                        ":2:8\n 2 | gird = 4\n   |        ~ unknown key; did you mean \"grid\"?"));
  EXPECT_THAT(text, HasSubstr(" 3 | block = \"x\"\n"));
  EXPECT_THAT(text, HasSubstr("block, axis x: expression \"x\", column 1: unknown name \"x\""));
  EXPECT_THAT(text, HasSubstr("unknown element type \"flaot\" (did you mean \"float\"?)"));
  EXPECT_THAT(text, HasSubstr("argument.by_value\n"));
  EXPECT_THAT(text, HasSubstr("expected true or false"));
  EXPECT_THAT(text, HasSubstr("the arrays of tables are [[argument]] and [[symbol]]"));
  EXPECT_THAT(text, HasSubstr("5 errors in " + in("l.toml") + "."));
}

TEST_F(LaunchFileTest, NeedsASourceOrACubin) {
  EXPECT_THAT(user_error([&] { (void)read("grid = 1\nblock = 1\n"); }),
              HasSubstr("is missing: source = \"kernel.cu\", or cubin = \"kernel.cubin\""));
  EXPECT_THAT(user_error([&] { (void)read("source = \"k.cu\"\ncubin = \"k.cubin\"\n"); }),
              HasSubstr("a launch has a source or a cubin, not both"));
}

TEST_F(LaunchFileTest, NeedsAGridBeforeItIsALaunch) {
  EXPECT_EQ(user_error([&] { (void)make_spec(read("source = \"k.cu\"\nblock = 1\n")); }),
            in("l.toml") + ": the launch has no grid");
}

TEST_F(LaunchFileTest, ReadsBackOnlyWhatTheKernelCanChange) {
  EXPECT_EQ(user_error([&] {
              (void)make_spec(read("source = \"k.cu\"\ngrid = 1\nblock = 1\n[[argument]]\nname = "
                                   "\"n\"\ntype = \"int\"\nvalue = 1\nexpected = \"n.npy\"\n"));
            }),
            "\"n\" is passed by value: the kernel cannot change it");
}

TEST(LaunchDescriptionTest, RefusesTwoArgumentsOfOneName) {
  LaunchDescription l;
  l.source = "k.cu";
  l.grid = l.block = Dim3{};
  l.arguments.resize(2);
  l.arguments[0].name = l.arguments[1].name = "x";
  EXPECT_EQ(user_error([&] { (void)make_spec(l); }), "two arguments are called \"x\"");
}

TEST(LaunchDescriptionTest, ReadsExtentsOfExpressions) {
  EXPECT_EQ(parse_extent("64", "--grid"), (Dim3{64, 1, 1}));
  EXPECT_EQ(parse_extent("max(1, 2),3*4", "--grid"), (Dim3{2, 12, 1}));
  EXPECT_EQ(user_error([] { (void)parse_extent("1,2,3,4", "--grid"); }),
            "--grid is \"1,2,3,4\": 4 extents; allowed: 1 to 3");
  EXPECT_EQ(user_error([] { (void)parse_extent("0", "--block"); }),
            "--block, axis x is 0; allowed: 1 to 1099511627776");
}

} // namespace
} // namespace coulomb::kernel
