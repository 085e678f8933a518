// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/t1_arguments.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/kernel/conditional_parameters.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <utility>

namespace coulomb::kernel {
namespace {

/// Seed of all random fills; the argument's name makes the streams differ.
constexpr std::uint64_t kFillSeed = 0xc0a1;

bool names_element(const std::string& type) {
  try {
    (void)element_type_from_name(type);
    return true;
  } catch (const UserError&) {
    return false;
  }
}

/// "float4" is 4 lanes of "float": a small vector is passed as its elements.
std::pair<std::string, int> split_vector_type(const std::string& type) {
  static const std::array<std::string_view, 7> kElements = {"half", "float", "double", "int",
                                                            "uint", "char",  "uchar"};
  static const std::array<std::pair<std::string_view, int>, 5> kLanes = {
      {{"2", 2}, {"3", 3}, {"4", 4}, {"8", 8}, {"16", 16}}};
  for (const std::string_view element : kElements) {
    for (const auto& [suffix, lanes] : kLanes) {
      // int8 and float16 are element types of their own.
      const bool vector = type == std::string(element).append(suffix);
      if (vector && !names_element(type)) {
        return {std::string(element), lanes};
      }
    }
  }
  return {type, 1};
}

std::string checked_text(const TunableSpec& spec, const JsonView& where) {
  return checked_expression(spec, where, where.expression()).text();
}

void check_generator(const JsonView& text) {
  Expression expression;
  try {
    expression = Expression::parse(text.string());
  } catch (const UserError& e) {
    text.fail(e.what());
  }
  for (const std::string& name : expression.names()) {
    if (name != "i") {
      text.fail(fmt::format("\"{}\" uses the unknown name \"{}\"; known: i (the element's index)",
                            text.string(), name));
    }
  }
}

/// Floats: normal deviates times FillValue. Integers: uniform below FillValue, or over the
/// non-negative range of the type if FillValue is no sensible bound.
void random_fill(Argument& argument) {
  const bool real = is_floating_point(argument.type);
  argument.fill.kind = real ? FillKind::normal : FillKind::uniform;
  if (!real && argument.fill.value <= 1.0) {
    const std::string name = element_type_name(argument.type);
    const int sign_bits = name.starts_with("u") ? 0 : 1;
    argument.fill.value =
        std::ldexp(1.0, static_cast<int>(8 * element_bytes(argument.type)) - sign_bits);
  }
}

void read_fill(const TunableSpec& spec, const JsonView& a, TunableSpec::ArgumentTemplate& made) {
  Fill& fill = made.argument.fill;
  if (const auto value = a.find("FillValue")) {
    if (value->is_string()) {
      made.value_expression = checked_text(spec, *value);
    } else {
      fill.value = value->number();
    }
  } else {
    fill.value = 1.0;
  }
  const auto type = a.find("FillType");
  const std::string word = type ? type->string() : "Constant";
  if (word == "Constant") {
    fill.kind = FillKind::constant;
    fill.value = a.find("FillValue") ? fill.value : 0.0;
  } else if (word == "Random") {
    random_fill(made.argument);
  } else if (word == "Uniform") {
    fill.kind = FillKind::uniform;
  } else if (word == "Sequence") {
    fill.kind = FillKind::sequence;
  } else if (word == "Generator") {
    fill.kind = FillKind::expression;
    fill.expression = a.at("DataSource").string();
    check_generator(a.at("DataSource"));
  } else if (word == "BinaryRaw") {
    fill.kind = FillKind::file;
    const auto folder = std::filesystem::absolute(spec.origin).parent_path();
    fill.path = (folder / a.at("DataSource").string()).lexically_normal().string();
  } else {
    const std::vector<std::string> words = {"Constant", "Random",    "Uniform",
                                            "Sequence", "Generator", "BinaryRaw"};
    type->fail(fmt::format("unknown fill \"{}\"{}; allowed: {}", word, did_you_mean(word, words),
                           fmt::join(words, ", ")));
  }
}

} // namespace

Expression
checked_expression(const TunableSpec& spec, const JsonView& where, const std::string& text) {
  try {
    return spec_expression(spec, text);
  } catch (const UserError& e) {
    where.fail(e.what());
  }
}

TunableSpec::ArgumentTemplate read_argument(const TunableSpec& spec, const JsonView& a) {
  TunableSpec::ArgumentTemplate made;
  Argument& argument = made.argument;
  const auto name = a.find("Name");
  argument.name = name ? name->string() : fmt::format("arg{}", spec.argument_templates.size());
  const auto [element, lanes] = split_vector_type(a.at("Type").string());
  try {
    argument.type = element_type_from_name(element);
  } catch (const UserError& e) {
    a.at("Type").fail(e.what());
  }
  argument.vector = a.at("MemoryType").string() != "Scalar";
  const auto where = a.find("MemType");
  const std::string& memory = a.at("MemoryType").string();
  const bool constant =
      memory == "Constant" || memory == "Symbol" || (where && where->string() == "Constant");
  argument.constant_symbol = constant ? argument.name : std::string{};
  const auto access = a.find("AccessType");
  argument.writable = argument.vector && (!access || access->string() != "ReadOnly");
  if (const auto output = a.find("Output")) {
    argument.output = output->boolean();
  }
  made.count_expression = argument.vector ? checked_text(spec, a.at("Size")) : std::string("1");
  if (lanes > 1) {
    made.count_expression = fmt::format("({}) * {}", made.count_expression, lanes);
  }
  const auto seed = a.find("RandomSeed");
  argument.fill.seed =
      seed ? static_cast<std::uint64_t>(seed->number()) : hash64(argument.name, kFillSeed);
  read_fill(spec, a, made);
  return made;
}

void override_arguments(TunableSpec& spec, const JsonView& overrides) {
  std::vector<std::string> names;
  for (const auto& t : spec.argument_templates) {
    names.push_back(t.argument.name);
  }
  overrides.only(names);
  for (auto& t : spec.argument_templates) {
    const auto o = overrides.find(t.argument.name);
    if (!o) {
      continue;
    }
    o->only({"ConstantSymbol", "Passed", "Output", "Seed"});
    if (const auto symbol = o->find("ConstantSymbol")) {
      t.argument.constant_symbol = symbol->string();
    }
    t.argument.passed = o->find("Passed") ? o->at("Passed").boolean() : t.argument.passed;
    t.argument.output = o->find("Output") ? o->at("Output").boolean() : t.argument.output;
    if (const auto seed = o->find("Seed")) {
      t.argument.fill.seed = static_cast<std::uint64_t>(seed->number());
    }
  }
}

} // namespace coulomb::kernel
