// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/expression_program.hpp"

#include "base/random.hpp"
#include "tests/unit/kernel/support.hpp"

#include <fmt/format.h>

namespace coulomb::kernel {
namespace {

using test::user_error;

/// n and m integers, f float, b bool, s text, x of several types, P a constant list.
ExpressionInputs inputs() {
  static const ExpressionValue problem = Expression::parse("[4096, 1000, -3]").evaluate({});
  const Scope constants{[](const std::string& name) { return name == "P" ? &problem : nullptr; }};
  return ExpressionInputs(
      {{"n",
        {std::int64_t{0}, std::int64_t{1}, std::int64_t{-7}, std::int64_t{64},
         std::int64_t{0x7fffffffffffffff}}},
       {"m", {std::int64_t{1}, std::int64_t{3}, std::int64_t{-2}, std::int64_t{40}}},
       {"f", {0.0, 0.5, -2.5, 3.0, 1e30}},
       {"b", {true, false}},
       {"s", {std::string("row"), std::string(), std::string("column")}},
       {"x", {std::int64_t{1}, std::string("row")}}},
      constants);
}

/// The truth, or the message of the error.
template <class Action>
std::string outcome(Action&& action) {
  try {
    return action() ? "true" : "false";
  } catch (const UserError& e) {
    return e.what();
  }
}

class Evaluated {
public:
  explicit Evaluated(const std::string& text)
      : expression_(Expression::parse(text)), program_(expression_, inputs_) {}

  /// Compares program and interpreter at every combination of the inputs' values.
  void check_everywhere(const std::vector<std::vector<ParameterValue>>& values) {
    std::vector<std::size_t> at(values.size(), 0);
    std::vector<Cell> cells(values.size());
    while (true) {
      for (std::size_t i = 0; i < at.size(); ++i) {
        cells[i] = inputs_.cell(i, values[i][at[i]]);
      }
      const Scope scope = inputs_.scope(cells.data());
      ASSERT_EQ(outcome([&] { return program_.holds(cells.data()); }),
                outcome([&] { return expression_.evaluate_bool(scope); }))
          << expression_.text();
      std::size_t i = at.size();
      while (i > 0 && at[i - 1] + 1 == values[i - 1].size()) {
        at[--i] = 0;
      }
      if (i == 0) {
        break;
      }
      ++at[i - 1];
    }
  }
  [[nodiscard]] const ExpressionProgram& program() const { return program_; }
  [[nodiscard]] const ExpressionInputs& names() const { return inputs_; }

private:
  ExpressionInputs inputs_ = inputs();
  Expression expression_;
  ExpressionProgram program_;
};

const std::vector<std::vector<ParameterValue>> kValues = {
    {std::int64_t{0}, std::int64_t{-7}, std::int64_t{64}, std::int64_t{0x7fffffffffffffff}},
    {std::int64_t{1}, std::int64_t{3}, std::int64_t{-2}},
    {0.0, 0.5, -2.5, 1e30},
    {true, false},
    {std::string("row"), std::string()},
    {std::int64_t{1}, std::string("row")}};

TEST(ExpressionProgram, MeansWhatTheInterpreterMeans) {
  for (const char* text : {"n // m == -3",
                           "n % m",
                           "n // 0 == 1 or b",
                           "b and n // 0 == 1",
                           "n * n > 0",
                           "-n < m",
                           "n ** m",
                           "2 ** m == 8",
                           "m ** 2 > 4",
                           "f ** m > 0",
                           "0.0 ** m",
                           "1 < m <= n",
                           "1 < n < f < 3",
                           "n == 64.0",
                           "b == 1",
                           "b + b == 2",
                           "s == 'row'",
                           "s != 'row' and s",
                           "s < 'z'",
                           "s < 1",
                           "s == 1",
                           "s + 1 == 2",
                           "not s",
                           "n in [1, 64]",
                           "n in (0, 1, 2, 3, 64, 65)",
                           "f in [1, 0.5]",
                           "n not in range(100)",
                           "s in ['row', n]",
                           "m in [n, 2 * n, 1]",
                           "x == 1",
                           "x == 'row'",
                           "n << m",
                           "n >> m",
                           "n & m | 1 ^ m",
                           "~n",
                           "f & 1",
                           "n if b else m",
                           "(n if b else f) > 1",
                           "max(n, m) > 3",
                           "min(n, m, 0) == -7",
                           "max(n, f) > 1",
                           "max(m) == 40",
                           "len(n) + m == 6",
                           "sum([m, n, 1])",
                           "abs(n) > 5",
                           "abs(f) == 2.5",
                           "int(f) == m",
                           "round(f) == 0",
                           "ceil(f) == m",
                           "floor(f) < m",
                           "float(n) / m > 3",
                           "bool(s) == b",
                           "int(s)",
                           "abs(1, 2)",
                           "P[0] % m == 0",
                           "P[m] == 1000",
                           "P[n]",
                           "[m, n][1] == 64",
                           "sum([i for i in range(m)]) == 3",
                           "n / m == 32",
                           "n / f",
                           "(b or n) == 64",
                           "(b and f) == 0.5",
                           "not (n and f)",
                           "n - m - f",
                           "n % f == 0",
                           "n // f == -14",
                           "f % -0.75",
                           "-f",
                           "+f",
                           "unknown == 1",
                           "b or unknown == 1",
                           "True",
                           "1 / 0",
                           "[n]",
                           "[]",
                           "n == [1]",
                           "tuple((n, m)) == 1",
                           "list(range(3))[m] == 1"}) {
    Evaluated(text).check_everywhere(kValues);
  }
}

/// A random expression over all operators; most are of numbers.
std::string random_expression(RandomStream& random, int depth) {
  const auto pick = [&](std::initializer_list<const char*> words) {
    return std::string(*(words.begin() + random.below(words.size())));
  };
  if (depth == 0 || random.chance(0.1)) {
    return pick({"n", "m", "f", "b", "n", "m", "s", "0", "1", "3", "-2", "2.5", "P[1]", "max(m)",
                 "'row'", "x"});
  }
  const auto sub = [&] { return random_expression(random, depth - 1); };
  switch (random.below(9)) {
  case 0:
    return fmt::format("({} {} {})", sub(), pick({"+", "-", "*", "//", "%", "/", "**"}), sub());
  case 1:
    return fmt::format("({} {} {})", sub(), pick({"*", "%", "&", "|", "^", "<<", ">>"}), sub());
  case 2:
    return fmt::format("({} {} {})", sub(), pick({"<", "<=", ">", ">=", "==", "!="}), sub());
  case 3:
    return fmt::format("({} {} {} {} {})", sub(), pick({"<", "<=", "=="}), sub(), pick({">", "!="}),
                       sub());
  case 4:
    return fmt::format("({} {} {})", sub(), pick({"and", "or"}), sub());
  case 5:
    return fmt::format("({}{})", pick({"not ", "-", "~", "+"}), sub());
  case 6:
    return fmt::format("({} if {} else {})", sub(), sub(), sub());
  case 7:
    return fmt::format("{}({})", pick({"abs", "int", "bool", "round", "ceil", "floor", "float"}),
                       sub());
  default:
    return random.chance(0.5)
               ? fmt::format("{}({}, {})", pick({"min", "max"}), sub(), sub())
               : fmt::format("({} {} [{}, {}])", sub(), pick({"in", "not in"}), sub(), sub());
  }
}

TEST(ExpressionProgram, AgreesWithTheInterpreterOnRandomExpressions) {
  int compiled = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    RandomStream random(11, "expression", i);
    const std::string text = random_expression(random, 1 + static_cast<int>(i % 4));
    Evaluated evaluated(text);
    std::vector<std::vector<ParameterValue>> some; // one or two values of each input
    for (const auto& values : kValues) {
      some.push_back({values[random.below(values.size())]});
      if (random.chance(0.5)) {
        some.back().push_back(values[random.below(values.size())]);
      }
    }
    evaluated.check_everywhere(some);
    compiled += evaluated.program().compiled() ? 1 : 0;
  }
  EXPECT_GT(compiled, 1000);
}

TEST(ExpressionProgram, KnowsWhichInputsItReads) {
  EXPECT_EQ(Evaluated("m * 2 == n").program().slots(), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(Evaluated("n <= max(m)").program().slots(), (std::vector<std::size_t>{0}));
  EXPECT_EQ(Evaluated("P[0] == 4096").program().slots(), std::vector<std::size_t>{});
}

TEST(ExpressionProgram, CompilesWhatTuningFilesUse) {
  for (const char* text : {"32 <= n * m <= 1024", "n % (m * 2) == 0", "n in [1, 2, 4, 8, 16]",
                           "not (n == 128 and m == 8)", "m % ((n * m) / m) == 0", "s == 'row' or b",
                           "(n * m + 2) * 4 <= P[0]", "max(n, m) <= max(m)"}) {
    EXPECT_TRUE(Evaluated(text).program().compiled()) << text;
  }
  EXPECT_FALSE(Evaluated("sum([i for i in range(m)]) == 3").program().compiled());
  EXPECT_FALSE(Evaluated("x == 1").program().compiled()) << "x holds values of several types";
}

TEST(ExpressionProgram, AnErrorIsTheInterpretersOrNothing) {
  const Evaluated e("64 % n == 0");
  std::vector<Cell> cells(6, Cell{});
  cells[4].text = &std::get<std::string>(kValues[4][0]);
  cells[5].mixed = &kValues[5][0];
  EXPECT_EQ(user_error([&] { (void)e.program().holds(cells.data()); }),
            "expression \"64 % n == 0\", column 4: division by zero");
  EXPECT_EQ(e.program().try_holds(cells.data()), std::nullopt);
  cells[0].integer = 3;
  EXPECT_EQ(e.program().try_holds(cells.data()), false);
}

} // namespace
} // namespace coulomb::kernel
