// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

namespace coulomb::config {

/// `T` or `const T`, so that one describe() serves readers and writers.
template <class S, class T>
concept ConfigOf = std::same_as<std::remove_const_t<S>, T>;

} // namespace coulomb::config
