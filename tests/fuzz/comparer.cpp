// SPDX-License-Identifier: Apache-2.0
#include "comparer.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>

namespace coulomb::fuzz {
namespace {

enum class Word { integer32, integer64, float32, float64 };
struct Field {
  const char* name;
  std::size_t offset;
  Word word;
};
#define FZ_FIELD(name, word)                                                                       \
  { #name, offsetof(FzOutput, s) + offsetof(FzState, name), Word::word }
constexpr Field kFields[] = {
    FZ_FIELD(u0, integer32), FZ_FIELD(u1, integer32), FZ_FIELD(u2, integer32),
    FZ_FIELD(u3, integer32), FZ_FIELD(i0, integer32), FZ_FIELD(i1, integer32),
    FZ_FIELD(i2, integer32), FZ_FIELD(f0, float32),   FZ_FIELD(f1, float32),
    FZ_FIELD(f2, float32),   FZ_FIELD(w0, integer64), FZ_FIELD(w1, integer64),
    FZ_FIELD(l0, integer64), FZ_FIELD(l1, integer64), FZ_FIELD(d0, float64),
    FZ_FIELD(d1, float64),
};
#undef FZ_FIELD

template <class T>
T value_at(const void* base, std::size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(base) + offset, sizeof value);
  return value;
}

bool equal(const void* a, const void* b, const Field& field) {
  switch (field.word) {
  case Word::integer32:
    return value_at<std::uint32_t>(a, field.offset) == value_at<std::uint32_t>(b, field.offset);
  case Word::float32:
    return (std::isnan(value_at<float>(a, field.offset)) &&
            std::isnan(value_at<float>(b, field.offset))) ||
           value_at<std::uint32_t>(a, field.offset) == value_at<std::uint32_t>(b, field.offset);
  case Word::integer64:
    return value_at<std::uint64_t>(a, field.offset) == value_at<std::uint64_t>(b, field.offset);
  default:
    return (std::isnan(value_at<double>(a, field.offset)) &&
            std::isnan(value_at<double>(b, field.offset))) ||
           value_at<std::uint64_t>(a, field.offset) == value_at<std::uint64_t>(b, field.offset);
  }
}

std::string text(const void* base, const Field& field) {
  switch (field.word) {
  case Word::integer32:
    return fmt::format("0x{:08x}", value_at<std::uint32_t>(base, field.offset));
  case Word::float32:
    return fmt::format("0x{:08x} ({})", value_at<std::uint32_t>(base, field.offset),
                       value_at<float>(base, field.offset));
  case Word::integer64:
    return fmt::format("0x{:016x}", value_at<std::uint64_t>(base, field.offset));
  default:
    return fmt::format("0x{:016x} ({})", value_at<std::uint64_t>(base, field.offset),
                       value_at<double>(base, field.offset));
  }
}

class Comparison {
public:
  explicit Comparison(std::size_t limit) : limit_(limit) {}
  void word(const std::string& where, const void* found, const void* expected, const Field& field) {
    if (lines_.size() < limit_ && !equal(found, expected, field)) {
      lines_.push_back(fmt::format("{}: {} = {}, expected {}", where, field.name,
                                   text(found, field), text(expected, field)));
    }
  }
  std::vector<std::string> lines() && { return std::move(lines_); }

private:
  std::size_t limit_;
  std::vector<std::string> lines_;
};

void compare_accumulators(const FzAccumulators& found,
                          const FzAccumulators& expected,
                          Comparison& comparison) {
  for (std::size_t j = 0; j < 16; ++j) {
    comparison.word(fmt::format("accumulator {}", j), &found, &expected,
                    {"acc->u", offsetof(FzAccumulators, u) + 4 * j, Word::integer32});
    comparison.word(fmt::format("accumulator {}", j), &found, &expected,
                    {"acc->i", offsetof(FzAccumulators, i) + 4 * j, Word::integer32});
    comparison.word(fmt::format("accumulator {}", j), &found, &expected,
                    {"acc->w", offsetof(FzAccumulators, w) + 8 * j, Word::integer64});
  }
}

} // namespace

std::vector<std::string> compare(const Result& found, const Result& expected, std::size_t limit) {
  Comparison comparison(limit);
  for (std::size_t t = 0; t < expected.threads.size(); ++t) {
    const std::string where = fmt::format("thread {}", t);
    for (const Field& field : kFields) {
      comparison.word(where, &found.threads.at(t), &expected.threads[t], field);
    }
    for (std::size_t j = 0; j < 8; ++j) {
      const std::string name = fmt::format("arr[{}]", j);
      comparison.word(where, &found.threads[t], &expected.threads[t],
                      {name.c_str(), offsetof(FzOutput, arr) + 4 * j, Word::integer32});
    }
  }
  compare_accumulators(found.accumulators, expected.accumulators, comparison);
  return std::move(comparison).lines();
}

} // namespace coulomb::fuzz
