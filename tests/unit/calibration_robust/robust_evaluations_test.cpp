// SPDX-License-Identifier: Apache-2.0
#include "calibration/robust/robust_evaluations.hpp"

#include "base/error.hpp"
#include "tests/unit/calibration_robust/fake_gpu.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace coulomb::calibration {
namespace {

using eval::EvalStatus;
using search::Candidate;
using search::Evaluation;
using testing::ElementsAre;
using testing::IsEmpty;

/// The stated GPU and draws.
struct Fakes {
  std::deque<FakeGpu> gpus;

  Fakes() = default;
  /// Every draw's time is the stated one's, times its factor.
  explicit Fakes(std::initializer_list<double> factors) {
    gpus.emplace_back(times_of_id(1.0));
    for (const double factor : factors) {
      gpus.emplace_back(times_of_id(factor));
    }
  }
  explicit Fakes(std::initializer_list<FakeGpu::Answer> answers) {
    for (const auto& answer : answers) {
      gpus.emplace_back(answer);
    }
  }

  /// All but the first.
  [[nodiscard]] std::vector<GpuEvaluations> draws() {
    std::vector<GpuEvaluations> all;
    for (std::size_t i = 1; i < gpus.size(); ++i) {
      all.push_back(gpus[i].evaluations());
    }
    return all;
  }
};

/// Of candidates 0 to `count` - 1, by id.
std::map<std::uint64_t, Evaluation> evaluate(Fakes& fakes, std::uint64_t count) {
  RobustEvaluations evaluations(fakes.gpus[0].evaluations(), fakes.draws());
  for (std::uint64_t id = 0; id < count; ++id) {
    evaluations.submit(candidate(id));
  }
  std::map<std::uint64_t, Evaluation> all;
  while (auto e = evaluations.next()) {
    const std::uint64_t id = e->id;
    EXPECT_TRUE(all.emplace(id, *std::move(e)).second) << "twice: candidate " << id;
  }
  EXPECT_EQ(all.size(), count);
  return all;
}

FakeGpu::Answer failing(EvalStatus status, const std::string& message) {
  return [=](const Candidate& c) { return failed(c, status, message); };
}

TEST(RobustEvaluations, AddTheScoresOfTheDrawsToTheEvaluationOnTheStatedGpu) {
  Fakes fakes({2.0, 4.0, 3.0, 7.0});
  const Evaluation e = evaluate(fakes, 2).at(1);
  EXPECT_EQ(e.status, EvalStatus::ok);
  EXPECT_EQ(e.configuration, candidate(1).configuration);
  EXPECT_EQ(e.sim.time_ms, 2.0);
  EXPECT_EQ(e.sim_s, 2.5) << "five simulations of 0.5 s";
  EXPECT_EQ(e.sim.counters.at("dram__bytes.sum"), 64.0);
  EXPECT_DOUBLE_EQ(e.sim.counters.at("robust__time_ms.mean"), 8.0);
  EXPECT_DOUBLE_EQ(e.sim.counters.at("robust__time_ms.cvar"), 14.0);
  EXPECT_DOUBLE_EQ(e.sim.counters.at("robust__time_ms.worst"), 14.0);
  EXPECT_NEAR(e.sim.counters.at("robust__time_ms.relative_deviation"), 0.540062, 1e-6);
  for (FakeGpu& gpu : fakes.gpus) {
    EXPECT_THAT(gpu.seen(), testing::UnorderedElementsAre(0, 1));
  }
}

TEST(RobustEvaluations, SpareTheDrawsWhatFailsOnTheStatedGpu) {
  Fakes fakes(
      {failing(EvalStatus::restricted, "violates the restriction a < b"), times_of_id(1.0)});
  const Evaluation e = evaluate(fakes, 1).at(0);
  EXPECT_EQ(e.status, EvalStatus::restricted);
  EXPECT_EQ(e.message, "violates the restriction a < b");
  EXPECT_THAT(fakes.gpus[1].seen(), IsEmpty());
}

TEST(RobustEvaluations, SpareTheDrawsWhatHasNoTimeOnTheStatedGpu) {
  Fakes fakes({times_of_id(0.0), times_of_id(1.0)});
  EXPECT_EQ(evaluate(fakes, 1).at(0).sim.time_ms, 0.0) << "the search's to judge";
  EXPECT_THAT(fakes.gpus[1].seen(), IsEmpty());
}

TEST(RobustEvaluations, ThatFailUnderADrawHaveItsStatusAndNoScore) {
  Fakes fakes({times_of_id(1.0), times_of_id(1.0), failing(EvalStatus::deadlock, "warps wait"),
               failing(EvalStatus::timeout, "too long")});
  const Evaluation e = evaluate(fakes, 1).at(0);
  EXPECT_EQ(e.status, EvalStatus::deadlock) << "of the first draw that failed";
  EXPECT_EQ(e.message, "under draw 2 of 3 of the model noise: warps wait");
  EXPECT_THAT(e.sim.counters, ElementsAre(testing::Pair("dram__bytes.sum", 64.0)));
}

TEST(RobustEvaluations, WithoutATimeUnderADrawAreAWrongResult) {
  for (const double factor : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    Fakes fakes({1.0, factor});
    const Evaluation e = evaluate(fakes, 1).at(0);
    EXPECT_EQ(e.status, EvalStatus::wrong_result);
    EXPECT_EQ(e.message, fmt::format("under draw 2 of 2 of the model noise: the simulation ended "
                                     "with time_ms = {}",
                                     factor));
  }
}

TEST(RobustEvaluations, DoNotDependOnWhatFinishesFirst) {
  constexpr std::uint64_t kCount = 4;
  const auto outcomes = [&](bool last_first) {
    Fakes fakes;
    fakes.gpus.emplace_back(times_of_id(1.0), kCount, last_first);
    for (const double factor : {1.5, 2.0}) {
      fakes.gpus.emplace_back(times_of_id(factor), kCount, !last_first);
    }
    fakes.gpus.emplace_back(
        [](const Candidate& c) {
          return c.id == 2 ? failed(c, EvalStatus::timeout, "too long") : ran(c, 1.0);
        },
        kCount, last_first);
    std::vector<std::string> texts;
    for (const auto& [id, e] : evaluate(fakes, kCount)) {
      texts.push_back(
          fmt::format("{} {} {} {}", id, eval::to_string(e.status), e.message, e.sim.time_ms));
      for (const auto& [name, value] : e.sim.counters) {
        texts.back() += fmt::format(" {}={}", name, value);
      }
    }
    return texts;
  };
  EXPECT_EQ(outcomes(false), outcomes(true));
}

TEST(RobustEvaluations, EndWhenTheyAreCancelled) {
  FakeGpu stated(times_of_id(1.0));
  FakeGpu draw(times_of_id(1.0), 2); // candidate 0 waits for one that never comes
  RobustEvaluations evaluations(stated.evaluations(), {draw.evaluations()});
  evaluations.submit(candidate(0));
  std::thread stop([&] {
    while (draw.seen().empty()) {
      std::this_thread::yield();
    }
    draw.cancel();
  });
  EXPECT_FALSE(evaluations.next());
  stop.join();
}

TEST(RobustEvaluations, ThrowWhatAnEvaluatorThrowsAndCancelTheOthers) {
  Fakes fakes({times_of_id(1.0), [](const Candidate&) -> Evaluation { throw UserError("no"); }});
  RobustEvaluations evaluations(fakes.gpus[0].evaluations(), fakes.draws());
  evaluations.submit(candidate(0));
  try {
    (void)evaluations.next();
    FAIL();
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "no");
  }
  EXPECT_TRUE(fakes.gpus[0].cancelled());
}

TEST(RobustEvaluations, CancelWhatIsOutWhenTheyGo) {
  FakeGpu stated(times_of_id(1.0), 2);
  FakeGpu draw(times_of_id(1.0));
  {
    RobustEvaluations evaluations(stated.evaluations(), {draw.evaluations()});
    evaluations.submit(candidate(0));
  }
  EXPECT_TRUE(stated.cancelled());
  {
    FakeGpu idle(times_of_id(1.0));
    { const RobustEvaluations evaluations(idle.evaluations(), {draw.evaluations()}); }
    EXPECT_FALSE(idle.cancelled()) << "nothing was out";
  }
}

TEST(RobustTimes, AreThoseOfEachConfigurationByDraw) {
  Fakes fakes({times_of_id(1.0), times_of_id(2.0), [](const Candidate& c) {
                 return c.id == 1 ? failed(c, EvalStatus::deadlock, "warps wait") : ran(c, 9.0);
               }});
  RobustEvaluations evaluations(fakes.gpus[0].evaluations(), fakes.draws());
  for (int again = 0; again < 2; ++again) {
    const auto times = evaluations.times(
        {candidate(7).configuration, candidate(8).configuration, candidate(9).configuration});
    ASSERT_TRUE(times);
    ASSERT_EQ(times->size(), 3U);
    EXPECT_EQ(times->at(0).status, EvalStatus::ok);
    EXPECT_EQ(times->at(0).message, "");
    EXPECT_THAT(times->at(0).times_ms, ElementsAre(2.0, 9.0));
    EXPECT_EQ(times->at(1).status, EvalStatus::deadlock);
    EXPECT_EQ(times->at(1).message, "under draw 2 of 2 of the model noise: warps wait");
    EXPECT_THAT(times->at(1).times_ms, IsEmpty());
    EXPECT_THAT(times->at(2).times_ms, ElementsAre(6.0, 9.0));
  }
  EXPECT_THAT(evaluations.times({}).value(), IsEmpty());
}

TEST(RobustTimes, AreNoneIfTheEvaluatorsWereCancelled) {
  Fakes fakes({1.0});
  fakes.gpus[1].cancel();
  RobustEvaluations evaluations(fakes.gpus[0].evaluations(), fakes.draws());
  EXPECT_FALSE(evaluations.times({candidate(0).configuration}));
}

TEST(RobustTimes, OfWhatFailsOnTheStatedGpuAreItsFailure) {
  Fakes fakes({failing(EvalStatus::compile_failed, "error"), times_of_id(1.0)});
  RobustEvaluations evaluations(fakes.gpus[0].evaluations(), fakes.draws());
  const auto times = evaluations.times({candidate(0).configuration}).value();
  EXPECT_EQ(times.at(0).status, EvalStatus::compile_failed);
  EXPECT_EQ(times.at(0).message, "error");
  EXPECT_THAT(fakes.gpus[1].seen(), IsEmpty());
}

} // namespace
} // namespace coulomb::calibration
