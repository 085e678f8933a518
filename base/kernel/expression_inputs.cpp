// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/expression_inputs.hpp"

#include <algorithm>
#include <memory>

namespace coulomb::kernel {
namespace {

InputType type_of(const ParameterValue& value) {
  constexpr InputType kTypes[] = {InputType::integer, InputType::real, InputType::boolean,
                                  InputType::text};
  return kTypes[value.index()];
}

InputType common_type(const std::vector<ParameterValue>& values) {
  if (values.empty()) {
    return InputType::mixed;
  }
  const InputType first = type_of(values.front());
  const bool same = std::all_of(values.begin(), values.end(),
                                [&](const ParameterValue& v) { return type_of(v) == first; });
  return same ? first : InputType::mixed;
}

} // namespace

ExpressionInputs::ExpressionInputs(std::vector<Input> inputs, Scope constants)
    : inputs_(std::move(inputs)), constants_(std::move(constants)) {
  for (const Input& input : inputs_) {
    types_.push_back(common_type(input.values));
    ExpressionValue list;
    list.is_list = true;
    for (const ParameterValue& v : input.values) {
      list.list.push_back({v, {}, false});
    }
    lists_.push_back(std::move(list));
  }
}

std::optional<std::size_t> ExpressionInputs::slot(const std::string& name) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].name == name) {
      return i;
    }
  }
  return std::nullopt;
}

Cell ExpressionInputs::cell(std::size_t slot, const ParameterValue& value) const {
  Cell cell{};
  switch (types_[slot]) {
  case InputType::integer:
    cell.integer = std::get<std::int64_t>(value);
    break;
  case InputType::boolean:
    cell.integer = std::get<bool>(value) ? 1 : 0;
    break;
  case InputType::real:
    cell.real = std::get<double>(value);
    break;
  case InputType::text:
    cell.text = &std::get<std::string>(value);
    break;
  case InputType::mixed:
    cell.mixed = &value;
    break;
  }
  return cell;
}

ParameterValue ExpressionInputs::value(std::size_t slot, Cell cell) const {
  switch (types_[slot]) {
  case InputType::integer:
    return cell.integer;
  case InputType::boolean:
    return cell.integer != 0;
  case InputType::real:
    return cell.real;
  case InputType::text:
    return *cell.text;
  case InputType::mixed:
    break;
  }
  return *cell.mixed;
}

Scope ExpressionInputs::constants() const {
  return {[this](const std::string& name) -> const ExpressionValue* {
            return constants_.lookup && !slot(name) ? constants_.lookup(name) : nullptr;
          },
          [this](const std::string& name) -> const ExpressionValue* {
            const auto at = slot(name);
            return at ? &lists_[*at] : nullptr;
          }};
}

Scope ExpressionInputs::scope(const Cell* cells) const {
  auto values = std::make_shared<std::vector<ExpressionValue>>(size());
  for (std::size_t i = 0; i < size(); ++i) {
    (*values)[i].scalar = value(i, cells[i]);
  }
  Scope all = constants();
  all.lookup = [this, values](const std::string& name) -> const ExpressionValue* {
    if (const auto at = slot(name)) {
      return &(*values)[*at];
    }
    return constants_.lookup ? constants_.lookup(name) : nullptr;
  };
  return all;
}

} // namespace coulomb::kernel
