// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/spec_lookup.hpp"
#include "kernels/oracles.hpp"
#include "tests/unit/kernel/support.hpp"

#include <cmath>
#include <cstring>

namespace coulomb::kernels {
namespace {

using test::user_error;

/// Tensors of three elements and the scalar 3.
struct Tensors {
  std::vector<std::uint8_t> first = bytes({-1.0F, 0.5F, 4.0F});
  std::vector<std::uint8_t> second = bytes({2.0F, 8.0F, 0.5F});
  std::vector<std::uint8_t> scalar = bytes({3.0F});

  static std::vector<std::uint8_t> bytes(const std::vector<float>& values) {
    std::vector<std::uint8_t> raw(values.size() * sizeof(float));
    std::memcpy(raw.data(), values.data(), raw.size());
    return raw;
  }
  [[nodiscard]] std::unique_ptr<Oracle> oracle(const std::string& operation) const {
    return make_oracle("elementwise",
                       R"({"operation": ")" + operation +
                           R"(", "elements": 3, "problem_size": [3]})",
                       {{"first", first}, {"second", second}, {"scalar", scalar}});
  }
  [[nodiscard]] std::vector<double> values(const std::string& operation) const {
    const std::vector<std::uint64_t> elements{0, 1, 2};
    std::vector<double> value(3);
    std::vector<double> magnitude(3);
    oracle(operation)->expected("output", elements, value, magnitude);
    return value;
  }
};

TEST(ElementwiseOracle, ComputesEveryOperation) {
  using V = std::vector<double>;
  const Tensors t;
  EXPECT_EQ(t.values("add"), (V{5.0, 24.5, 5.5}));
  EXPECT_EQ(t.values("addu"), (V{2.0, 3.5, 7.0}));
  EXPECT_EQ(t.values("mul"), (V{-2.0, 4.0, 2.0}));
  EXPECT_EQ(t.values("mulu"), (V{-3.0, 1.5, 12.0}));
  EXPECT_EQ(t.values("div"), (V{-0.5, 0.0625, 8.0}));
  EXPECT_EQ(t.values("divu"), (V{-3.0, 1.5, 12.0}));
  EXPECT_EQ(t.values("pow"), (V{1.0, 0.00390625, 2.0}));
  EXPECT_EQ(t.values("powu"), (V{-1.0, 0.125, 64.0}));
  EXPECT_EQ(t.values("tanh"), (V{std::tanh(-1.0), std::tanh(0.5), std::tanh(4.0)}));
  EXPECT_EQ(t.values("relu"), (V{0.0, 0.5, 4.0}));
  const V gelu = t.values("gelu"); // x times the normal distribution function, from a table
  EXPECT_NEAR(gelu[0], -0.158655253931457, 1e-15);
  EXPECT_NEAR(gelu[1], 0.3457312306370066, 1e-15);
  EXPECT_NEAR(gelu[2], 3.9998733150326675, 1e-14);
}

TEST(ElementwiseOracle, ToleratesWhatTheFunctionMayBeOffBy) {
  const Tensors t;
  EXPECT_EQ(t.oracle("relu")->tolerance(), 0.0);
  EXPECT_EQ(t.oracle("mul")->tolerance(), 0x1.0p-24);
  EXPECT_EQ(t.oracle("pow")->tolerance(), 0x1.0p-21);
}

TEST(ElementwiseOracle, RefusesUnknownOperationsMissingParametersAndShortTensors) {
  Tensors t;
  EXPECT_EQ(user_error([&] { (void)t.oracle("tan"); }),
            "oracle elementwise: unknown operation \"tan\" (did you mean \"tanh\"?); known: add, "
            "addu, mul, mulu, div, divu, pow, powu, tanh, relu, gelu");
  EXPECT_EQ(user_error([&] {
              (void)make_oracle("elementwise", R"({"elements": 3, "problem_size": [3]})",
                                {{"first", t.first}});
            }),
            "oracle elementwise needs the text parameter \"operation\"");
  t.second.resize(8);
  EXPECT_EQ(user_error([&] { (void)t.oracle("add"); }),
            "oracle elementwise: argument \"second\" has 8 bytes, needed: 3 floats");
  EXPECT_EQ(t.oracle("addu")->tolerance(), 0x1.0p-24) << "it does not read the second tensor";
  EXPECT_THROW(t.oracle("addu")->expected("first", {}, {}, {}), InternalError);
}

TEST(ElementwiseSpec, LaunchesOneThreadForFourElementsAndDividesByOnes) {
  const auto spec = kernel::find_spec("elementwise", std::string(COULOMB_SOURCE_DIR) + "/kernels");
  const auto launch = spec.launch(spec.configuration({"operation=div", "elements=9346185"}));
  EXPECT_EQ(launch.grid, (Dim3{18255, 1, 1}));
  EXPECT_EQ(launch.block, (Dim3{128, 1, 1}));
  ASSERT_EQ(launch.arguments.size(), 5U);
  EXPECT_EQ(launch.arguments[0].fill.value, 9346185.0);
  EXPECT_EQ(launch.arguments[2].count, 9346185U);
  EXPECT_EQ(launch.arguments[3].fill.value, 1.0);
  EXPECT_EQ(spec.launch(spec.default_configuration()).arguments[3].fill.value, 0.0);
}

} // namespace
} // namespace coulomb::kernels
