// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

namespace coulomb::detail {

void check_failed(const char* condition, const char* file, int line, const std::string& message) {
  throw InternalError(
      fmt::format("internal check failed: {} ({}:{}): {}", condition, file, line, message));
}

} // namespace coulomb::detail
