// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coulomb::test {

/// Runs `action` and returns the text of the UserError it throws; fails the test if it throws none.
template <class Action>
std::string user_error(Action&& action) {
  try {
    action();
  } catch (const UserError& e) {
    return e.what();
  }
  ADD_FAILURE() << "no UserError";
  return {};
}

} // namespace coulomb::test
