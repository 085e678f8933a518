// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/expression.hpp"

#include "tests/unit/kernel/support.hpp"

#include <cmath>
#include <map>

namespace coulomb::kernel {
namespace {

using test::user_error;

ExpressionValue of(ParameterValue v) {
  return {std::move(v), {}, false};
}

/// A scope of a few parameters: x = 5, y = 2, f = 0.5, name = "abc", p = 3 with the values 1, 3, 9.
Scope sample_scope() {
  static const std::map<std::string, ExpressionValue> values = {
      {"x", of(std::int64_t{5})},        {"y", of(std::int64_t{2})}, {"f", of(0.5)},
      {"name", of(std::string("abc"))},  {"p", of(std::int64_t{3})}, {"flag", of(true)},
      {"big", of(std::int64_t{1} << 62)}};
  static const std::map<std::string, ExpressionValue> lists = {
      {"p",
       {std::int64_t{0}, {of(std::int64_t{1}), of(std::int64_t{9}), of(std::int64_t{3})}, true}}};
  const auto find = [](const auto& table, const std::string& key) -> const ExpressionValue* {
    const auto it = table.find(key);
    return it == table.end() ? nullptr : &it->second;
  };
  return {[find](const std::string& n) { return find(values, n); },
          [find](const std::string& n) { return find(lists, n); }};
}

std::string show(const ExpressionValue& v) {
  if (!v.is_list) {
    return to_text(v.scalar);
  }
  std::string text = "[";
  for (const auto& e : v.list) {
    text += text.size() > 1 ? "," : "";
    text += show(e);
  }
  text += ']';
  return text;
}

std::string eval(const std::string& text) {
  return show(Expression::parse(text).evaluate(sample_scope()));
}

std::string error_of(const std::string& text) {
  return user_error([&] { (void)Expression::parse(text).evaluate(sample_scope()); });
}

TEST(Expression, ArithmeticFollowsPythonsPrecedence) {
  EXPECT_EQ(eval("1 + 2 * 3"), "7");
  EXPECT_EQ(eval("(1 + 2) * 3"), "9");
  EXPECT_EQ(eval("-2 ** 2"), "-4");
  EXPECT_EQ(eval("2 ** -1"), "0.5");
  EXPECT_EQ(eval("2 ** 3 ** 2"), "512");
  EXPECT_EQ(eval("10 - 4 - 3"), "3");
  EXPECT_EQ(eval("1 | 6 & 3 ^ 8"), "11");
  EXPECT_EQ(eval("1 << 2 + 1"), "8");
  EXPECT_EQ(eval("~5 >> 1"), "-3");
}

TEST(Expression, DivisionRoundsAsInPython) {
  EXPECT_EQ(eval("7 // 2"), "3");
  EXPECT_EQ(eval("-7 // 2"), "-4");
  EXPECT_EQ(eval("7 // -2"), "-4");
  EXPECT_EQ(eval("-7 % 3"), "2");
  EXPECT_EQ(eval("7 % -3"), "-2");
  EXPECT_EQ(eval("6 / 3"), "2.0");
  EXPECT_EQ(eval("7.5 // 2"), "3.0");
  EXPECT_EQ(eval("-7.5 % 2"), "0.5");
  EXPECT_EQ(eval("-(-4096 // 48)"), "86");
}

TEST(Expression, ComparisonsChain) {
  EXPECT_EQ(eval("1 <= y < x"), "true");
  EXPECT_EQ(eval("1 <= x < 5"), "false");
  EXPECT_EQ(eval("x == 5.0"), "true");
  EXPECT_EQ(eval("2 != 2"), "false");
  EXPECT_EQ(eval("name == 'abc'"), "true");
  EXPECT_EQ(eval("'abc' < 'abd'"), "true");
  EXPECT_EQ(eval("x in [1, 5]"), "true");
  EXPECT_EQ(eval("x not in [1, 5]"), "false");
  EXPECT_EQ(eval("[1, 2] == [1, 2.0]"), "true");
}

TEST(Expression, LogicReturnsTheDecidingOperandWithoutEvaluatingTheRest) {
  EXPECT_EQ(eval("0 or 7"), "7");
  EXPECT_EQ(eval("3 and 4"), "4");
  EXPECT_EQ(eval("x == 5 or 1 // 0"), "true");
  EXPECT_EQ(eval("not x == 4"), "true");
  EXPECT_EQ(eval("1 if x > 4 else 1 // 0"), "1");
  EXPECT_EQ(eval("1 if x > 9 else 2 if y > 9 else 3"), "3");
}

TEST(Expression, ListsAndFunctions) {
  EXPECT_EQ(eval("[16*i for i in range(1, 5)]"), "[16,32,48,64]");
  EXPECT_EQ(eval("[2**i for i in range(8) if i % 3 == 0]"), "[1,8,64]");
  EXPECT_EQ(eval("range(5, 0, -2)"), "[5,3,1]");
  EXPECT_EQ(eval("[1] + [2, 3,]"), "[1,2,3]");
  EXPECT_EQ(eval("[4, 5, 6][-1]"), "6");
  EXPECT_EQ(eval("min(3, 1.5, 2)"), "1.5");
  EXPECT_EQ(eval("sum([1, 2, 3.5])"), "6.5");
  EXPECT_EQ(eval("len([])"), "0");
  EXPECT_EQ(eval("abs(-3) + int(2.9) + ceil(1.1) + floor(-0.5)"), "6");
  EXPECT_EQ(eval("round(2.5)"), "2");
  EXPECT_EQ(eval("round(3.5)"), "4");
  EXPECT_EQ(eval("float(2)"), "2.0");
}

TEST(Expression, AParametersNameInMaxStandsForItsValues) {
  EXPECT_EQ(eval("max(p)"), "9");
  EXPECT_EQ(eval("min(p)"), "1");
  EXPECT_EQ(eval("len(p)"), "3");
  EXPECT_EQ(eval("p"), "3");
  EXPECT_EQ(eval("max(p, 4)"), "4");
}

TEST(Expression, NamesAreFreeNamesOnly) {
  const auto e = Expression::parse("[i * b for i in range(a) if i < c] == max(d, i)");
  EXPECT_EQ(e.names(), (std::vector<std::string>{"a", "b", "c", "d", "i"}));
  EXPECT_EQ(Expression::parse("True and 1 < 2").names(), std::vector<std::string>{});
}

TEST(Expression, SyntaxErrorsSayColumnAndExpectation) {
  EXPECT_EQ(error_of("1 +"), "expression \"1 +\", column 4: expected a value, found the end");
  EXPECT_EQ(error_of("(x"), "expression \"(x\", column 3: expected \")\", found the end");
  EXPECT_EQ(error_of("x y"),
            "expression \"x y\", column 3: expected an operator or the end, found \"y\"");
  EXPECT_EQ(error_of("x $ 2"), "expression \"x $ 2\", column 3: unexpected character \"$\"");
  EXPECT_EQ(error_of("'ab"), "expression \"'ab\", column 1: no closing '");
  EXPECT_EQ(error_of("99999999999999999999"),
            "expression \"99999999999999999999\", column 1: number does not fit in 64 bits");
  EXPECT_EQ(error_of("3x"), "expression \"3x\", column 2: \"x\" right after a number");
  EXPECT_EQ(error_of("1 if x"),
            "expression \"1 if x\", column 7: expected \"else\", found the end");
  EXPECT_NE(error_of("maxi(1, 2)").find("unknown function \"maxi\" (did you mean \"max\"?)"),
            std::string::npos);
  EXPECT_NE(error_of("").find("expected a value, found the end"), std::string::npos);
}

TEST(Expression, DeepNestingIsAnErrorNotACrash) {
  const std::string deep = std::string(100'000, '(') + "1" + std::string(100'000, ')');
  EXPECT_NE(error_of(deep).find("at most 200 levels of nesting"), std::string::npos);
  EXPECT_NE(error_of(std::string(100'000, '-') + "1").find("at most 200 levels of nesting"),
            std::string::npos);
}

TEST(Expression, EvaluationErrorsSayWhatWasWrong) {
  EXPECT_EQ(error_of("z + 1"), "expression \"z + 1\", column 1: unknown name \"z\"");
  EXPECT_EQ(error_of("x // 0"), "expression \"x // 0\", column 3: division by zero");
  EXPECT_EQ(error_of("x % 0.0"), "expression \"x % 0.0\", column 3: division by zero");
  EXPECT_EQ(error_of("name * 2"),
            "expression \"name * 2\", column 6: \"*\" needs a number, found a string");
  EXPECT_EQ(error_of("big * 4"), "expression \"big * 4\", column 5: integer overflow");
  EXPECT_EQ(error_of("10 ** 19"), "expression \"10 ** 19\", column 4: integer overflow");
  EXPECT_EQ(error_of("f & 1"),
            "expression \"f & 1\", column 3: \"&\" needs an integer, found a float");
  EXPECT_EQ(error_of("x < name"),
            "expression \"x < name\", column 3: \"<\" cannot compare an integer with a string");
  EXPECT_EQ(error_of("[1][1]"), "expression \"[1][1]\", column 4: index 1 is outside a list of 1");
  EXPECT_EQ(error_of("x[0]"),
            "expression \"x[0]\", column 2: only a list can be indexed, found an integer");
  EXPECT_EQ(error_of("range(10, 0, 0)"),
            "expression \"range(10, 0, 0)\", column 1: range() with step 0");
}

TEST(Expression, AnIntegerResultMayBeAWholeFloat) {
  EXPECT_EQ(Expression::parse("8 / 2").evaluate_int({}), 4);
  EXPECT_EQ(user_error([] { (void)Expression::parse("7 / 2").evaluate_int({}); }),
            "expression \"7 / 2\": expected an integer, found 3.5");
}

TEST(Expression, PowersAreExactUpToTheLastBit) {
  EXPECT_EQ(eval("3 ** 39"), "4052555153018976267");
  EXPECT_EQ(eval("(-2) ** 63"), "-9223372036854775808");
  EXPECT_EQ(eval("(-1) ** 1000000001"), "-1");
  EXPECT_EQ(eval("7 ** 0"), "1");
}

} // namespace
} // namespace coulomb::kernel
