// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/tuning_file.hpp"

#include "base/kernel/space_enumeration.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "tests/unit/kernel/support.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace coulomb::kernel {
namespace {

using test::user_error;

class TuningFile : public testing::Test {
protected:
  TuningFile()
      : dir_(std::filesystem::temp_directory_path() / ("tuning_file_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(dir_);
  }
  ~TuningFile() override { std::filesystem::remove_all(dir_); }

  std::string write(const std::string& text) {
    const std::string path = (dir_ / "t.toml").string();
    std::ofstream(path) << text;
    return path;
  }
  TunableSpec read(const std::string& text) { return read_tuning_file(write(text)); }
  /// A file that needs nothing but its parameters.
  TunableSpec with(const std::string& parameters) {
    return read("source = \"k.cu\"\ngrid = 1\nblock = 32\n" + parameters);
  }
  /// What is wrong with it: the marked lines only, without the file's name.
  std::string error(const std::string& parameters) {
    std::string text = user_error([&] { (void)with(parameters); });
    const std::string path = (dir_ / "t.toml").string();
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path)) {
      text.replace(at, path.size(), "t.toml");
    }
    return text;
  }
  static std::vector<std::string> texts(const std::vector<ParameterValue>& values) {
    std::vector<std::string> found;
    for (const ParameterValue& v : values) {
      found.push_back(to_text(v));
    }
    return found;
  }

  std::filesystem::path dir_;
};

using Texts = std::vector<std::string>;

constexpr const char* kWhole = R"toml(
source = "scale.cu"
entry = "scale"
name = "scaling"
description = "y = a * x"
grid = ["(N + block_x * tile - 1) // (block_x * tile)", "max(rows)"]
block = "block_x, rows"
shared_bytes = "4 * block_x * ProblemSize[0]"
problem_size = [2, "3 * 4"]
options = ["-std=c++17"]
restrictions = ["block_x * rows <= 256", "tile < 4 or rows == 1"]

[define]
N = 8192
FAST = true

[parameters]
block_x = [32, 64, 128]
[parameters.rows]
values = [1, 2]
default = 2
[parameters.tile]
min = 1
max = 7
step = 3
[parameters.unroll]
type = "bool"
when = "tile > 1"

[[argument]]
name = "x"
type = "float"
count = "N * max(tile)"
fill = "normal:7"
[[symbol]]
name = "weights"
type = "float"
count = 16
[[argument]]
name = "y"
type = "float"
count = "N * rows"
output = true
[[argument]]
name = "n"
type = "int"
value = "N * rows"
[[argument]]
name = "a"
type = "float"
value = 1.5
)toml";

TEST_F(TuningFile, IsReadAsASpec) {
  const TunableSpec spec = find_spec(write(kWhole));
  EXPECT_EQ(spec.name, "scaling");
  EXPECT_EQ(spec.kernel_name, "scale");
  EXPECT_EQ(spec.description, "y = a * x");
  EXPECT_EQ(spec.source_path, (dir_ / "scale.cu").string());
  EXPECT_EQ(spec.compiler_options, (Texts{"-std=c++17", "-DN=8192", "-DFAST=1"}));
  EXPECT_EQ(spec.problem_size, (std::vector<std::int64_t>{2, 12}));
  EXPECT_EQ(spec.default_configuration().key(), "block_x=32 rows=2 tile=1 unroll=false");
  EXPECT_EQ(spec.macro_options(spec.default_configuration()),
            (Texts{"-Dblock_x=32", "-Drows=2", "-Dtile=1", "-Dunroll=0"}));
  EXPECT_EQ(cartesian_size(spec), 36U);
  // block_x and rows: 5 pairs of 6; with rows 1 tile is 1, 4, 7, with rows 2 only 1; unroll varies
  // where tile is above 1.
  EXPECT_EQ(count_valid(spec), 3U * (1 + 2 + 2) + 3U * 1);
}

TEST_F(TuningFile, ResolvesTheLaunchOfAConfiguration) {
  const TunableSpec spec = read(kWhole);
  const Launch launch = spec.launch(spec.configuration({"block_x=64", "rows=1", "tile=4"}));
  EXPECT_EQ(launch.grid, (Dim3{32, 2, 1}));
  EXPECT_EQ(launch.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(launch.dynamic_shared_bytes, 512U);
  ASSERT_EQ(launch.arguments.size(), 5U);
  EXPECT_EQ(launch.arguments[0].count, 8192U * 7U);
  EXPECT_EQ(launch.arguments[0].fill.kind, FillKind::normal);
  EXPECT_EQ(launch.arguments[0].fill.seed, 7U);
  EXPECT_TRUE(launch.arguments[1].output);
  EXPECT_EQ(launch.arguments[1].count, 8192U);
  EXPECT_EQ(launch.arguments[2].fill.value, 8192.0);
  EXPECT_FALSE(launch.arguments[2].vector);
  EXPECT_EQ(launch.arguments[3].fill.value, 1.5);
  EXPECT_EQ(launch.arguments[4].constant_symbol, "weights") << "symbols come last";
  EXPECT_EQ(launch.arguments[4].count, 16U);
}

TEST_F(TuningFile, AnInactiveParameterHasItsDefault) {
  const TunableSpec spec = read(kWhole);
  EXPECT_EQ(spec.violated_restriction(spec.configuration({"rows=1", "unroll=true"})),
            "unroll == false unless tile > 1");
  EXPECT_EQ(spec.violated_restriction(spec.configuration({"rows=1", "tile=4", "unroll=true"})),
            std::nullopt);
}

TEST_F(TuningFile, RealsAreLevels) {
  const auto values = [&](const std::string& keys) {
    return texts(with("[parameters.r]\n" + keys).parameters[0].values);
  };
  EXPECT_EQ(values("min = 0.0\nmax = 1.0\nstep = 0.1\n"),
            (Texts{"0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"}));
  EXPECT_EQ(values("min = 0\nmax = 1\nlevels = 5\n"), (Texts{"0.0", "0.25", "0.5", "0.75", "1.0"}));
  EXPECT_EQ(values("min = 0.001\nmax = 10\nlog = true\nlevels = 5\n"),
            (Texts{"0.001", "0.01", "0.1", "1.0", "10.0"}));
  EXPECT_EQ(values("min = 0.0\nmax = 1.0\n").size(), 33U);
  EXPECT_EQ(values("values = [1, 0.5]\n"), (Texts{"1.0", "0.5"}));
  EXPECT_EQ(values("values = [1.0, 2.0]\n"), (Texts{"1.0", "2.0"}));
  const TunableSpec spec =
      with("[parameters.r]\nmin = 0.0\nmax = 1.0\nstep = 0.1\ndefault = 0.3\n");
  EXPECT_EQ(spec.default_configuration().key(), "r=0.3");
}

TEST_F(TuningFile, KindsDecideDistances) {
  const TunableSpec spec = with(R"(
[parameters.layout]
values = ["row", "column"]
[parameters.size]
values = ["small", "large"]
order = "ordered"
[parameters.method]
values = [0, 1, 2]
order = "categorical"
[parameters.loops]
items = ["m", "n", "k"]
)");
  EXPECT_EQ(spec.parameters[0].kind, ParameterKind::categorical);
  EXPECT_EQ(spec.parameters[1].kind, ParameterKind::ordered);
  EXPECT_EQ(spec.parameters[2].kind, ParameterKind::categorical);
  EXPECT_EQ(spec.parameters[3].kind, ParameterKind::permutation);
  EXPECT_EQ(texts(spec.parameters[3].values),
            (Texts{"m,n,k", "m,k,n", "n,m,k", "n,k,m", "k,m,n", "k,n,m"}));
  EXPECT_EQ(spec.default_configuration().key(), "layout=row size=small method=0 loops=m,n,k");
}

TEST_F(TuningFile, PointsAtWhatIsWrongWithAParameter) {
  EXPECT_EQ(
      error("[parameters.x]\nvalues = [1, 2]\ndefault = 3\n"),
      "parameters.x\n --> t.toml:6:11\n 6 | default = 3\n   |           ~ default 3 is not one "
      "of its values: 1, 2\n1 error in t.toml.");
  const auto has = [&](const std::string& keys, const std::string& text) {
    const std::string found = error("[parameters.x]\n" + keys);
    EXPECT_NE(found.find("parameters.x"), std::string::npos);
    EXPECT_NE(found.find(text), std::string::npos) << found;
  };
  has("values = [1, 9]\nmax = 8\n", "9 is above max = 8");
  has("values = [1, 9]\nmin = 2\n", "1 is below min = 2");
  has("min = 1\nmax = 8\nstep = 3\n", "step 3 does not divide max - min = 7; a max of 7 would do");
  has("min = 0.0\nmax = 1.0\nstep = 0.3\n",
      "step 0.3 does not divide max - min = 1; 0.333333 and 0.25 do");
  has("min = 3\nmax = 1\n", "min is 3, max is 1; allowed: min at most max");
  has("min = 0.0\nmax = 1.0\nlevels = 1\n", "levels is 1; allowed: 2 to 65536");
  has("min = 0.0\nmax = 1.0\nlog = true\n", "min is 0; allowed with log = true: more than 0");
  has("min = 0.0\nmax = 1.0\nlevels = 3\nstep = 0.5\n", "has a step and levels");
  has("items = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\"]\n",
      "a permutation of 9 items; allowed: 2 to 8");
  has("items = [\"a\", \"b\", \"a\"]\n", "item \"a\" is there twice");
  has("type = \"int\"\n", "has no values; write values = [...], min and max, or items = [...]");
  has("type = \"integer\"\nvalues = [1]\n", "unknown type \"integer\"; allowed: int, uint,");
  has("type = \"int\"\nvalues = [1, 2.5]\n", "2.5 is not of type int");
  has("values = [1, \"a\"]\n", "has values of several types");
  has("values = []\n", "has no values");
  has("values = [1]\norder = \"random\"\n", "unknown order \"random\"; allowed: ordered, categ");
  has("valeus = [1]\n", "unknown key (did you mean \"values\"?); allowed: values, min, max");
  has("values = [1, 2]\nstep = 1\n", "goes with min and max, not with a list of values");
  EXPECT_NE(error("[parameters]\n\"a-b\" = [1]\n").find("a parameter's name is that of a macro"),
            std::string::npos);
}

TEST_F(TuningFile, PointsAtWhatIsWrongWithACondition) {
  EXPECT_NE(
      error("[parameters]\ntile = [1, 2]\n[parameters.x]\nvalues = [1, 2]\nwhen = \"tlie > 1\"\n")
          .find("parameters.x.when\n --> t.toml:8:8\n"),
      std::string::npos);
  EXPECT_NE(
      error("[parameters]\ntile = [1, 2]\n[parameters.x]\nvalues = [1, 2]\nwhen = \"tlie > 1\"\n")
          .find("\"tlie > 1\" uses the unknown name \"tlie\" (did you mean \"tile\"?); known: "
                "tile, x"),
      std::string::npos);
  const std::string cyclic = error("[parameters.a]\nvalues = [1, 2]\nwhen = \"b > 1\"\n"
                                   "[parameters.b]\nvalues = [1, 2]\nwhen = \"c > 1\"\n"
                                   "[parameters.c]\nvalues = [1, 2]\nwhen = \"a > 1\"\n");
  EXPECT_NE(cyclic.find("depends on itself: a, b, c, a"), std::string::npos) << cyclic;
  EXPECT_NE(
      error("[parameters.a]\nvalues = [1, 2]\nwhen = \"a > 1\"\n").find("depends on itself: a, a"),
      std::string::npos);
}

TEST_F(TuningFile, ReportsEveryMistakeOfTheFileAtOnce) {
  const std::string text = user_error([&] {
    (void)read("surce = \"k.cu\"\ngrid = \"n // bx\"\nblock = [1, 2, 3, 4]\n"
               "restrictions = [\"bx >\"]\n[parameters]\nbx = [1, 2]\n[[argument]]\nname = \"x\"\n"
               "type = \"float\"\ncount = 4\nexpected = \"x.npy\"\n");
  });
  for (const char* part :
       {"unknown key; did you mean \"source\"?", "\"n // bx\" uses the unknown name \"n\"",
        "has 4 extents; allowed: 1 to 3", "expression \"bx >\"",
        "the outputs of a tunable kernel are compared with those of its default configuration",
        "is missing: source = \"kernel.cu\"", "6 errors in "}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST_F(TuningFile, WithoutParametersItIsALaunch) {
  const std::string path = write("source = \"k.cu\"\ngrid = 1\nblock = 32\n");
  EXPECT_FALSE(is_tuning_file(path));
  EXPECT_EQ(user_error([&] { (void)find_spec(path); }),
            path + " has no [parameters]: it is one launch, not a space");
  EXPECT_TRUE(is_tuning_file(write(kWhole)));
}

} // namespace
} // namespace coulomb::kernel
