// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/argument.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace coulomb::kernel {

/// One kernel argument as text, `[NAME:][MARK:]TYPE[[COUNT]][=FILL]`:
///
///     x:float[1024*1024]=normal:7     a buffer, passed by pointer; without FILL it is zero
///     n:int=5                         a scalar
///     value:float[6]=@box.npy         6 floats passed by value, as one parameter
///     output:float[1024]              a buffer that is written to a file, or checked
///
/// docs/launch.md has the whole grammar. An argument without a name is called "arg" and its
/// `position`. `folder` is where relative paths of FILL begin; empty: the working directory.
/// Throws UserError quoting the text, with what is allowed.
[[nodiscard]] Argument
parse_argument_text(const std::string& text, std::size_t position, const std::string& folder = {});

/// A `__constant__` or `__device__` variable as text, `NAME:TYPE[[COUNT]][=FILL]`. Without FILL it
/// keeps the contents that it was compiled with.
[[nodiscard]] Argument parse_symbol_text(const std::string& text, const std::string& folder = {});

/// A fill as text: a number, zero, sequence, normal[:SEED[:SCALE]], uniform[:SEED[:BELOW]],
/// random[:SEED], expr:EXPRESSION, @FILE.npy or @FILE (raw). A seed that is left out is the hash of
/// the argument's name.
[[nodiscard]] Fill
parse_fill(const std::string& text, const Argument& argument, const std::string& folder = {});

/// An expression of constants, such as "1024*1024", from 1 to 2^40. `what` names it in messages.
[[nodiscard]] std::uint64_t parse_count(const std::string& text, const std::string& what);

} // namespace coulomb::kernel
