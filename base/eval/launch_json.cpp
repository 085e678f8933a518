// SPDX-License-Identifier: Apache-2.0
#include "base/eval/launch_json.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace coulomb::eval {
namespace {

constexpr std::array<std::pair<kernel::FillKind, const char*>, kernel::kFillKindCount> kFillWords =
    {{
        {kernel::FillKind::constant, "constant"},
        {kernel::FillKind::normal, "normal"},
        {kernel::FillKind::uniform, "uniform"},
        {kernel::FillKind::sequence, "sequence"},
        {kernel::FillKind::file, "file"},
        {kernel::FillKind::expression, "expression"},
        {kernel::FillKind::npy, "npy"},
        {kernel::FillKind::bits, "bits"},
        {kernel::FillKind::random, "random"},
        {kernel::FillKind::keep, "keep"},
    }};

const char* fill_word(kernel::FillKind kind) {
  for (const auto& [candidate, word] : kFillWords) {
    if (candidate == kind) {
      return word;
    }
  }
  throw InternalError(fmt::format("no fill kind numbered {}", static_cast<int>(kind)));
}

kernel::FillKind fill_kind(const std::string& word) {
  std::vector<std::string> words;
  for (const auto& [kind, candidate] : kFillWords) {
    if (word == candidate) {
      return kind;
    }
    words.emplace_back(candidate);
  }
  throw UserError(fmt::format("unknown fill kind \"{}\"{}", word, did_you_mean(word, words)),
                  fmt::format("one of: {}", fmt::join(words, ", ")));
}

nlohmann::json fill_json(const kernel::Fill& fill) {
  return {{"kind", fill_word(fill.kind)},
          {"value", number_json(fill.value)},
          {"seed", fill.seed},
          {"path", fill.path},
          {"expression", fill.expression}};
}

kernel::Fill fill_from_json(const JsonFields& fields) {
  kernel::Fill fill;
  fill.kind = fill_kind(fields.text("kind"));
  fill.value = fields.number("value");
  fill.seed = fields.u64("seed");
  fill.path = fields.text("path");
  fill.expression = fields.text("expression");
  return fill;
}

nlohmann::json argument_json(const kernel::Argument& argument) {
  return {{"name", argument.name},
          {"type", kernel::element_type_name(argument.type)},
          {"vector", argument.vector},
          {"count", argument.count},
          {"fill", fill_json(argument.fill)},
          {"output", argument.output},
          {"writable", argument.writable},
          {"constant_symbol", argument.constant_symbol},
          {"passed", argument.passed}};
}

kernel::Argument argument_from_json(const JsonFields& fields) {
  kernel::Argument argument;
  argument.name = fields.text("name");
  argument.type = kernel::element_type_from_name(fields.text("type"));
  argument.vector = fields.flag("vector");
  argument.count = fields.u64("count");
  argument.fill = fill_from_json(fields.object("fill"));
  argument.output = fields.flag("output");
  argument.writable = fields.flag("writable");
  argument.constant_symbol = fields.text("constant_symbol");
  argument.passed = fields.flag("passed");
  return argument;
}

} // namespace

nlohmann::json dim3_json(const Dim3& d) {
  return nlohmann::json::array({d.x, d.y, d.z});
}

Dim3 dim3_from_json(const JsonFields& fields, const char* name) {
  const auto& array = fields.array(name);
  std::array<std::uint32_t, 3> extent{};
  bool fine = array.size() == extent.size();
  for (std::size_t i = 0; fine && i < extent.size(); ++i) {
    fine = array[i].is_number_unsigned() && array[i].get<std::uint64_t>() <= 0xffffffffU;
    extent[i] = fine ? array[i].get<std::uint32_t>() : 0;
  }
  if (!fine) {
    fields.fail(name, "three whole numbers [x, y, z]");
  }
  return {extent[0], extent[1], extent[2]};
}

nlohmann::json launch_json(const kernel::Launch& launch) {
  nlohmann::json arguments = nlohmann::json::array();
  for (const auto& argument : launch.arguments) {
    arguments.push_back(argument_json(argument));
  }
  return {{"grid", dim3_json(launch.grid)},
          {"block", dim3_json(launch.block)},
          {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
          {"arguments", std::move(arguments)}};
}

kernel::Launch launch_from_json(const JsonFields& fields) {
  kernel::Launch launch;
  launch.grid = dim3_from_json(fields, "grid");
  launch.block = dim3_from_json(fields, "block");
  launch.dynamic_shared_bytes = fields.u32("dynamic_shared_bytes");
  const auto& arguments = fields.array("arguments");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    launch.arguments.push_back(
        argument_from_json(JsonFields(arguments[i], fmt::format("launch argument {}", i))));
  }
  return launch;
}

} // namespace coulomb::eval
