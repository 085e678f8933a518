// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/model_noise.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <set>

namespace coulomb::calibration {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class ModelNoiseTest : public ::testing::Test {
protected:
  ModelNoise noise_of(const std::string& text) {
    const std::string path = ::testing::TempDir() + "/model_noise.toml";
    std::ofstream(path) << "schema = 1\n" << text;
    return ModelNoise::load(path);
  }
  std::string error_of(const std::string& text) {
    try {
      static_cast<void>(noise_of(text));
    } catch (const UserError& e) {
      return e.what();
    }
    return "no error";
  }
  static std::string perturbation(const std::string& name, const std::string& rest) {
    return "[[perturbation]]\nname = \"" + name +
           "\"\nbasis = \"assumption\"\nsource = \"a test\"\n" + rest;
  }
  config::GpuConfig a100_ = config::load_gpu("a100-pcie-40gb").config;
};

const char* const kLatency =
    "keys = [\"dram.latency_ns\"]\ndistribution = \"uniform_factor\"\nrange = [0.5, 1.5]\n";
const char* const kCaches =
    "keys = [\"l2.associativity\"]\ndistribution = \"choice\"\nvalues = [\"8\", \"32\"]\n";

TEST_F(ModelNoiseTest, DrawsAreValidForEveryShippedGpu) {
  const ModelNoise noise = ModelNoise::load(default_model_noise());
  std::size_t keys = 0;
  for (const Perturbation& p : noise.perturbations()) {
    keys += p.keys.size();
  }
  for (const std::string& id : config::list_gpus()) {
    const config::GpuConfig gpu = config::load_gpu(id).config;
    for (std::uint64_t k = 0; k < 20; ++k) {
      config::GpuConfig perturbed = gpu;
      const auto overrides = noise.draw(gpu, 1, k);
      EXPECT_EQ(overrides.size(), keys) << id;
      EXPECT_THAT(config::apply_overrides(perturbed, overrides), Not(ElementsAre())) << id;
    }
  }
}

TEST_F(ModelNoiseTest, StatesTheSourceOfEveryRange) {
  const ModelNoise noise = ModelNoise::load(default_model_noise());
  for (const Perturbation& p : noise.perturbations()) {
    EXPECT_GT(p.source.size(), 20u) << p.name;
    EXPECT_THAT(p.basis, ::testing::AnyOf("spread", "assumption")) << p.name;
  }
}

TEST_F(ModelNoiseTest, GivesTheSameDrawWheneverItIsAskedAndAnotherForTheNext) {
  const ModelNoise noise = ModelNoise::load(default_model_noise());
  std::set<std::vector<std::string>> seen;
  for (std::uint64_t k = 0; k < 8; ++k) {
    EXPECT_EQ(noise.draw(a100_, 4, k), noise.draw(a100_, 4, k));
    seen.insert(noise.draw(a100_, 4, k));
  }
  EXPECT_EQ(seen.size(), 8u);
  EXPECT_NE(noise.draw(a100_, 4, 0), noise.draw(a100_, 5, 0));
}

TEST_F(ModelNoiseTest, LeavesTheOtherPerturbationsAloneWhenOneIsAdded) {
  const std::string latency = perturbation("latency", kLatency);
  const auto alone = noise_of(latency).draw(a100_, 1, 3);
  const auto both = noise_of(perturbation("caches", kCaches) + latency).draw(a100_, 1, 3);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[1], alone[0]);
}

TEST_F(ModelNoiseTest, DrawsFactorsAllOverTheirRangeAndChoicesAllOfThem) {
  const ModelNoise noise =
      noise_of(perturbation("latency", kLatency) + perturbation("caches", kCaches));
  double least = 1e9;
  double most = 0.0;
  double sum = 0.0;
  int eights = 0;
  constexpr int kDraws = 1000;
  for (int k = 0; k < kDraws; ++k) {
    config::GpuConfig gpu = a100_;
    config::apply_overrides(gpu, noise.draw(a100_, 1, static_cast<std::uint64_t>(k)));
    const double factor = gpu.dram.latency_ns / a100_.dram.latency_ns;
    least = std::min(least, factor);
    most = std::max(most, factor);
    sum += factor;
    EXPECT_TRUE(gpu.l2.associativity == 8 || gpu.l2.associativity == 32);
    eights += gpu.l2.associativity == 8 ? 1 : 0;
  }
  EXPECT_GE(least, 0.5);
  EXPECT_LT(least, 0.51);
  EXPECT_LE(most, 1.5);
  EXPECT_GT(most, 1.49);
  EXPECT_NEAR(sum / kDraws, 1.0, 0.03);
  EXPECT_NEAR(eights / double(kDraws), 0.5, 0.05);
}

TEST_F(ModelNoiseTest, MovesTheKeysOfOnePerturbationByOneFactorAndRoundsWholeNumbers) {
  const ModelNoise noise = noise_of(
      perturbation("memory", "keys = [\"dram.latency_ns\", \"l2.hit_latency\"]\n"
                             "distribution = \"log_uniform_factor\"\nrange = [0.8, 1.25]\n"));
  for (std::uint64_t k = 0; k < 50; ++k) {
    config::GpuConfig gpu = a100_;
    config::apply_overrides(gpu, noise.draw(a100_, 1, k));
    const double factor = gpu.dram.latency_ns / a100_.dram.latency_ns;
    EXPECT_NEAR(gpu.l2.hit_latency, factor * a100_.l2.hit_latency, 0.5);
  }
}

TEST_F(ModelNoiseTest, DrawsAnewWhereARelationWouldBreak) {
  // sm.l1.hit_latency_32 = 32 must stay below l2.hit_latency = 33 x factor, rounded.
  a100_.l2.hit_latency = 33;
  const ModelNoise noise =
      noise_of(perturbation("l2", "keys = [\"l2.hit_latency\"]\ndistribution = "
                                  "\"uniform_factor\"\nrange = [0.5, 1.5]\n"));
  for (std::uint64_t k = 0; k < 50; ++k) {
    config::GpuConfig gpu = a100_;
    config::apply_overrides(gpu, noise.draw(a100_, 1, k));
    EXPECT_GT(gpu.l2.hit_latency, 32u);
  }
}

TEST_F(ModelNoiseTest, SaysWhichRelationNoDrawKeeps) {
  const ModelNoise noise =
      noise_of(perturbation("l2", "keys = [\"l2.hit_latency\"]\ndistribution = "
                                  "\"uniform_factor\"\nrange = [0.1, 0.11]\n"));
  try {
    static_cast<void>(noise.draw(a100_, 1, 0));
    ADD_FAILURE();
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(), HasSubstr("64 draws for a100-pcie-40gb all break a relation"));
    EXPECT_THAT(e.what(), HasSubstr("does not exceed sm.l1.hit_latency_32"));
  }
}

TEST_F(ModelNoiseTest, RefusesWhatNoGpuCouldTakeAndSaysWhy) {
  const auto factor = [](const std::string& key, const std::string& range) {
    return perturbation("p",
                        "keys = [\"" + key + "\"]\ndistribution = \"uniform_factor\"\n" + range);
  };
  EXPECT_THAT(error_of(factor("dram.latncy_ns", "range = [0.9, 1.1]\n")),
              HasSubstr("did you mean \"dram.latency_ns\""));
  EXPECT_THAT(error_of(factor("dram.type", "range = [0.9, 1.1]\n")),
              HasSubstr("not a single number"));
  EXPECT_THAT(error_of(factor("id", "range = [0.9, 1.1]\n")), HasSubstr("cannot be perturbed"));
  EXPECT_THAT(error_of(factor("dram.latency_ns", "range = [1.1, 0.9]\n")),
              HasSubstr("LOW below HIGH"));
  EXPECT_THAT(error_of(factor("dram.latency_ns", "")), HasSubstr("range is missing"));
  EXPECT_THAT(error_of(factor("dram.latency_ns", "range = [0.9, 1.1]\nvalues = [\"8\"]\n")),
              HasSubstr("a factor has a range, not values"));
  EXPECT_THAT(error_of(perturbation("p", "keys = [\"l2.associativity\"]\ndistribution = "
                                         "\"choice\"\nvalues = [\"many\"]\n")),
              HasSubstr("l2.associativity = \"many\""));
  EXPECT_THAT(error_of(perturbation("a", kLatency) + perturbation("b", kLatency)),
              HasSubstr("dram.latency_ns is perturbed by a already"));
  EXPECT_THAT(error_of(perturbation("a", kLatency) + perturbation("a", kCaches)),
              HasSubstr("two of the name a"));
  EXPECT_THAT(error_of("[[perturbation]]\nname = \"a\"\n" + std::string(kLatency)),
              HasSubstr("basis is missing"));
  EXPECT_THAT(error_of("[[perturbatoin]]\nname = \"a\"\n"),
              HasSubstr("did you mean \"perturbation\""));
  EXPECT_THAT(error_of(""), HasSubstr("there is no [[perturbation]]"));
}

} // namespace
} // namespace coulomb::calibration
