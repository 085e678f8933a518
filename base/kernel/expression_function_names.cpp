// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/expression_node.hpp"

#include <array>

namespace coulomb::kernel {
namespace {

struct FunctionName {
  std::string_view name;
  Function function;
};
constexpr std::array<FunctionName, 14> kFunctions = {{{"min", Function::min},
                                                      {"max", Function::max},
                                                      {"sum", Function::sum},
                                                      {"abs", Function::abs},
                                                      {"int", Function::to_int},
                                                      {"float", Function::to_float},
                                                      {"bool", Function::to_bool},
                                                      {"round", Function::round},
                                                      {"len", Function::len},
                                                      {"range", Function::range},
                                                      {"ceil", Function::ceil},
                                                      {"floor", Function::floor},
                                                      {"list", Function::list},
                                                      {"tuple", Function::list}}};

} // namespace

Function function_from_name(std::string_view name) {
  for (const auto& f : kFunctions) {
    if (f.name == name) {
      return f.function;
    }
  }
  return Function::none;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const auto& f : kFunctions) {
    names.emplace_back(f.name);
  }
  return names;
}

} // namespace coulomb::kernel
