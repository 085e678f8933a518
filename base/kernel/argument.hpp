// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::kernel {

/// Element type of a kernel argument.
enum class ElementType : std::uint8_t {
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  f16,
  f32,
  f64,
  bf16,
  boolean, ///< one byte, 0 or 1
};
inline constexpr int kElementTypeCount = 13;
/// Bytes of one element: 1, 2, 4 or 8.
[[nodiscard]] std::uint32_t element_bytes(ElementType type);
/// "float", "int32", ... as the T1 format spells them; throws UserError for an unknown name.
[[nodiscard]] ElementType element_type_from_name(const std::string& name);
[[nodiscard]] const char* element_type_name(ElementType type);
/// The NumPy dtype of such elements, e.g. "<f4". NumPy has none for bfloat16: its bits, "<u2".
[[nodiscard]] const char* element_type_dtype(ElementType type);
/// True for half, bfloat16, float and double.
[[nodiscard]] bool is_floating_point(ElementType type);

/// How a buffer's initial contents come about. Same (fill, count, seed): same bytes on every
/// machine.
enum class FillKind : std::uint8_t {
  constant,   ///< every element is `value`
  normal,     ///< standard normal deviates times `value`
  uniform,    ///< uniform in [0, value)
  sequence,   ///< element i is i
  file,       ///< raw little-endian elements read from `path`
  expression, ///< element i is `expression` evaluated with the variable i (see kernel::Expression)
  npy,        ///< elements of the NumPy file `path`, which has the argument's dtype and count
  bits,       ///< every element has the low bits of `seed`: integers that a double cannot hold
  random,     ///< integers: every bit random
  keep,       ///< a module variable keeps what the compiler gave it
};
inline constexpr int kFillKindCount = 10;

struct Fill {
  FillKind kind = FillKind::constant;
  double value = 0.0;
  std::uint64_t seed = 0;
  std::string path;
  std::string expression;
  bool operator==(const Fill&) const = default;
};

/// One kernel argument of one launch, with every size resolved.
struct Argument {
  std::string name;
  ElementType type = ElementType::f32;
  /// true: a device buffer of `count` elements passed by pointer; false: `count` elements by value,
  /// as one parameter (more than one: a struct or an array).
  bool vector = true;
  std::uint64_t count = 1;
  Fill fill;
  /// Compared with the oracle after the run.
  bool output = false;
  /// The kernel may store to it, so it is restored between launches.
  bool writable = false;
  /// If not empty: its contents are also copied to the `__constant__` or `__device__` variable of
  /// this name.
  std::string constant_symbol;
  /// false: only copied to `constant_symbol`, not a parameter of the kernel.
  bool passed = true;
  bool operator==(const Argument&) const = default;
};

/// Bytes of its contents: `count * element_bytes`.
[[nodiscard]] std::uint64_t argument_bytes(const Argument& argument);
/// "x float[1024]", "n int32", "box value:float[6]": for messages.
[[nodiscard]] std::string argument_text(const Argument& argument);

/// True if every initial byte is zero, so that fresh memory already holds the contents.
[[nodiscard]] bool starts_zero(const Argument& argument);
/// Writes the initial contents, `count * element_bytes` bytes. Throws UserError (file fills).
void write_initial_contents(const Argument& argument, std::uint8_t* out);
/// The same as a new buffer.
[[nodiscard]] std::vector<std::uint8_t> initial_contents(const Argument& argument);

} // namespace coulomb::kernel
