// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/code_mix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::isa {
namespace {

std::map<std::string, double> without_zeros(std::map<std::string, double> mix) {
  std::erase_if(mix, [](const auto& count) { return count.second == 0.0; });
  return mix;
}

// Counted by hand in the text of `coulomb disasm features_sm80.cubin --kernel reverse_tile`.
TEST(CodeMix, OfAStoredKernelIsWhatItsTextShows) {
  const Cubin cubin =
      Cubin::load(std::string(COULOMB_SOURCE_DIR) + "/tests/unit/isa/cubins/features_sm80.cubin");
  const std::map<std::string, double> expected = {
      {"instructions", 32},  {"bytes", 512},       {"int", 8},
      {"logic", 3},          {"move", 1},          {"uniform", 1},
      {"fp32", 1},           {"conversion", 1},    {"global_loads", 1},
      {"global_stores", 1},  {"shared_loads", 1},  {"shared_stores", 1},
      {"constant_loads", 2}, {"barriers", 1},      {"branches", 1},
      {"exits", 1},          {"nop", 8},           {"ffma", 1},
      {"loads_4b", 2},       {"stores_4b", 2},     {"integer_multiply", 5},
      {"barrier_waits", 4},  {"stall_cycles", 67}, {"yields", 17}};
  EXPECT_EQ(without_zeros(code_mix(cubin.kernel("reverse_tile"))), expected);
}

TEST(CodeMix, KnowsLoopsWidthsAndLocalMemory) {
  const Cubin cubin =
      Cubin::load(std::string(COULOMB_SOURCE_DIR) + "/tests/unit/isa/cubins/features_sm80.cubin");
  const auto local = code_mix(cubin.kernel("local_array"));
  EXPECT_GT(local.at("local_stores"), 0.0);
  EXPECT_GT(local.at("backward_branches"), 0.0) << "a loop over n";
  EXPECT_GT(local.at("predicated"), 0.0);
  const auto doubles = code_mix(cubin.kernel("scale_double"));
  EXPECT_EQ(doubles.at("loads_8b"), 1.0);
  EXPECT_EQ(doubles.at("stores_8b"), 1.0);
  EXPECT_GT(doubles.at("fp64"), 0.0);
  EXPECT_EQ(doubles.at("backward_branches"), 0.0) << "the branch to itself behind EXIT is none";
}

TEST(CodeMix, NamesEveryCountEvenOfNoInstruction) {
  const auto empty = code_mix(KernelImage{});
  const Cubin cubin =
      Cubin::load(std::string(COULOMB_SOURCE_DIR) + "/tests/unit/isa/cubins/features_sm80.cubin");
  const auto full = code_mix(cubin.kernel("axpy"));
  EXPECT_EQ(empty.size(), full.size());
  for (const auto& [name, count] : empty) {
    EXPECT_EQ(count, 0.0) << name;
    EXPECT_TRUE(full.contains(name)) << name;
  }
}

} // namespace
} // namespace coulomb::isa
