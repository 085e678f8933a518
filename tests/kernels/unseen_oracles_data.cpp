// SPDX-License-Identifier: Apache-2.0
// unseen: reduction, scan, sort, join and text processing. All results are exact but for two sums.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace coulomb::kernels_test {
namespace {

using std::size_t;
using Words = std::vector<std::uint32_t>;

std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

struct Partial {
  double sum = 0.0;
  double squares = 0.0;
  float peak = -std::numeric_limits<float>::infinity();
  std::uint32_t index = ~0U;

  void add(float x, size_t i) {
    sum += x;
    squares += static_cast<double>(x) * x;
    if (x > peak) {
      peak = x;
      index = static_cast<std::uint32_t>(i);
    }
  }
};

void summary_statistics(Problem& p) {
  constexpr size_t kCount = 100'003;
  constexpr size_t kCtas = 24;
  constexpr size_t kThreads = 256;
  auto x = p.floats(kCount, -3.0, 5.0);
  x[70'001] = x[33'332] = x[99'999] = 7.0F; // several maxima: the first one counts
  std::vector<Partial> parts(kCtas);
  Partial all;
  std::uint32_t negatives = 0;
  for (size_t i = 0; i < kCount; ++i) {
    // Threads take float4 in turn; the last elements go to the first threads.
    const size_t item = i < kCount / 4 * 4 ? i / 4 : i % 4;
    parts[item % (kCtas * kThreads) / kThreads].add(x[i], i);
    all.add(x[i], i);
    negatives += x[i] < 0.0F ? 1 : 0;
  }
  std::vector<double> moments;
  Words peaks;
  for (const Partial& part : parts) {
    moments.insert(moments.end(), {part.sum, part.squares});
    peaks.insert(peaks.end(), {bits_of(part.peak), part.index});
  }
  const double n = kCount;
  const double mean = all.sum / n;
  const double variance = (all.squares - all.sum * mean) / (n - 1.0);
  p.input(x);
  p.value(static_cast<std::uint32_t>(kCount));
  p.output(std::vector<double>(2 * kCtas, -1.0), moments, {.relative = 1e-12});
  p.output(Words(2 * kCtas, 0), peaks);
  p.output(Words{0}, Words{0});
  p.output(std::vector<double>(2, -1.0), std::vector<double>{mean, variance}, {.relative = 1e-11});
  p.output(std::vector<float>{std::numeric_limits<float>::infinity()},
           std::vector<float>{*std::min_element(x.begin(), x.end())});
  p.output(Words(2, 0), Words{bits_of(all.peak), all.index});
  p.output(Words{0}, Words{negatives});
}

void lookback_scan(Problem& p) {
  constexpr size_t kCount = 40'001;
  constexpr size_t kTile = 1024;
  constexpr size_t kTiles = (kCount + kTile - 1) / kTile;
  const auto in = p.integers<std::uint32_t>(kCount);
  Words out(kCount);
  std::partial_sum(in.begin(), in.end(), out.begin());
  std::vector<std::uint64_t> descriptors;
  for (size_t tile = 0; tile < kTiles; ++tile) {
    descriptors.push_back(std::uint64_t{2} << 32 | out[std::min(kCount, (tile + 1) * kTile) - 1]);
  }
  p.input(in);
  p.output(Words(kCount, 0xdeadbeef), out);
  p.value(static_cast<std::int32_t>(kCount));
  p.output(std::vector<std::int32_t>{0}, std::vector<std::int32_t>{kTiles});
  p.output(std::vector<std::uint64_t>(kTiles, 0), descriptors);
}

/// Keys repeat, both zeros and both infinities occur; equal keys keep their order. Minus zero
/// stands before zero.
void segmented_radix_sort(Problem& p) {
  const std::vector<std::int32_t> offsets{0, 1900, 1900, 3948, 3949, 4653};
  const auto count = static_cast<size_t>(offsets.back());
  std::vector<float> keys;
  for (const auto step : p.integers<std::int32_t>(count, 400, -200)) {
    keys.push_back(static_cast<float>(step) * 0.37F);
  }
  keys[5] = keys[900] = keys[2500] = -0.0F;
  keys[6] = keys[901] = keys[2501] = 0.0F;
  keys[17] = keys[3000] = std::numeric_limits<float>::infinity();
  keys[18] = keys[3001] = -std::numeric_limits<float>::infinity();
  const auto payloads = p.integers<std::uint32_t>(count);
  const auto before = [&](size_t a, size_t b) {
    return keys[a] < keys[b] ||
           (keys[a] == keys[b] && std::signbit(keys[a]) && !std::signbit(keys[b]));
  };
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t s = 0; s + 1 < offsets.size(); ++s) {
    std::stable_sort(order.begin() + offsets[s], order.begin() + offsets[s + 1], before);
  }
  Words initial;
  Words sorted_keys;
  Words sorted_payloads;
  for (size_t i = 0; i < count; ++i) {
    initial.push_back(bits_of(keys[i]));
    sorted_keys.push_back(bits_of(keys[order[i]]));
    sorted_payloads.push_back(payloads[order[i]]);
  }
  p.output(initial, sorted_keys);
  p.output(payloads, sorted_payloads);
  p.input(offsets);
}

struct Relations {
  Words r; ///< key and payload of each row
  Words s;
  std::vector<std::int32_t> r_offsets{0};
  std::vector<std::int32_t> s_offsets{0};
};

/// Partitions of different lengths, one without rows of R; a quarter of R's keys repeat, and about
/// half of S finds something.
Relations make_relations(Problem& p) {
  Relations out;
  const size_t lengths[] = {1200, 700, 0, 1, 900, 333};
  for (const size_t length : lengths) {
    const auto keys = p.integers<std::uint32_t>(length + 1);
    for (size_t i = 0; i < length; ++i) {
      const bool again = p.random().chance(0.25);
      out.r.push_back(again ? keys[p.random().below(length)] : keys[i]);
      out.r.push_back(static_cast<std::uint32_t>(out.r.size() / 2));
    }
    for (size_t i = 0; i < 2 * length + 50; ++i) {
      const bool hit = p.random().chance(0.5);
      out.s.push_back(hit ? keys[p.random().below(length + 1)]
                          : static_cast<std::uint32_t>(p.random().next()));
      out.s.push_back(static_cast<std::uint32_t>(1'000'000 + out.s.size() / 2));
    }
    out.r_offsets.push_back(static_cast<std::int32_t>(out.r.size() / 2));
    out.s_offsets.push_back(static_cast<std::int32_t>(out.s.size() / 2));
  }
  return out;
}

/// Slots looked at by all insertions into tables of 2048: with linear probing the sum does not
/// depend on the order.
std::uint64_t insertion_steps(const Relations& relations) {
  constexpr size_t kSlots = 2048;
  std::uint64_t steps = 0;
  for (size_t b = 0; b + 1 < relations.r_offsets.size(); ++b) {
    std::vector<bool> taken(kSlots, false);
    for (auto i = relations.r_offsets[b]; i < relations.r_offsets[b + 1]; ++i) {
      std::uint32_t h = relations.r[2 * static_cast<size_t>(i)];
      h = (h ^ h >> 15) * 0x2c1b3c6dU;
      h = (h ^ h >> 12) * 0x297a2d39U;
      size_t slot = (h ^ h >> 15) % kSlots;
      for (++steps; taken[slot]; ++steps) {
        slot = (slot + 1) % kSlots;
      }
      taken[slot] = true;
    }
  }
  return steps;
}

using Match = std::pair<std::uint32_t, std::uint32_t>;

/// The matches, in any order, and nothing behind them.
std::string compare_matches(const Words& now, std::vector<Match> expected) {
  std::vector<Match> found;
  for (size_t i = 0; i < expected.size(); ++i) {
    found.emplace_back(now[2 * i], now[2 * i + 1]);
  }
  for (size_t i = 2 * expected.size(); i < now.size(); ++i) {
    if (now[i] != ~0U) {
      return fmt::format("word {} is {:#x}, behind the last match", i, now[i]);
    }
  }
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  const auto [got, want] = std::mismatch(found.begin(), found.end(), expected.begin());
  return got == found.end()
             ? std::string()
             : fmt::format("in sorted order match {} is ({}, {}), not ({}, {})",
                           got - found.begin(), got->first, got->second, want->first, want->second);
}

void hash_join(Problem& p) {
  constexpr std::uint32_t kCapacity = 8000;
  const Relations relations = make_relations(p);
  std::vector<Match> matches;
  std::vector<std::uint8_t> fan_out;
  for (size_t b = 0; b + 1 < relations.s_offsets.size(); ++b) {
    for (auto i = relations.s_offsets[b]; i < relations.s_offsets[b + 1]; ++i) {
      const size_t s = 2 * static_cast<size_t>(i);
      const size_t already = matches.size();
      for (auto j = relations.r_offsets[b]; j < relations.r_offsets[b + 1]; ++j) {
        const size_t r = 2 * static_cast<size_t>(j);
        if (relations.r[r] == relations.s[s]) {
          matches.emplace_back(relations.r[r + 1], relations.s[s + 1]);
        }
      }
      fan_out.push_back(static_cast<std::uint8_t>(matches.size() - already));
    }
  }
  p.input(relations.r);
  p.input(relations.r_offsets);
  p.input(relations.s);
  p.input(relations.s_offsets);
  p.judged<std::uint32_t>(Words(size_t{2} * kCapacity, ~0U),
                          [matches](const Words& now) { return compare_matches(now, matches); });
  p.value(kCapacity);
  p.output(Words{0}, Words{static_cast<std::uint32_t>(matches.size())});
  p.output(std::vector<std::uint8_t>(fan_out.size(), 0xee), fan_out);
  p.output(std::vector<std::uint64_t>{0}, std::vector<std::uint64_t>{insertion_steps(relations)});
}

/// A JSON value of random shape, with escapes and multi-byte characters.
void append_value(Problem& p, std::string& text, int depth) {
  static constexpr const char* kPieces[] = {
      "a",  "Z9 ", "\\\"",     "\\\\",     "\\n",          "{",
      ":,", "]",   "\\\\\\\"", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
  const std::uint64_t kind = p.random().below(depth > 0 ? 5 : 3);
  if (kind == 0) {
    text += fmt::format("{}.{}", p.random().below(1000), p.random().below(1000));
  } else if (kind <= 2) {
    text += '"';
    for (std::uint64_t n = p.random().below(30); n > 0; --n) {
      text += kPieces[p.random().below(std::size(kPieces))];
    }
    text += '"';
  } else {
    text += kind == 3 ? '[' : '{';
    const std::uint64_t n = p.random().below(7);
    for (std::uint64_t i = 0; i < n; ++i) {
      text += i > 0 ? ", " : " ";
      text += kind == 4 ? fmt::format("\"k{}\": ", i) : std::string();
      append_value(p, text, depth - 1);
    }
    text += kind == 3 ? ']' : '}';
  }
}

/// Values of all sizes, and texts that are hard: long runs of backslashes, open strings, brackets
/// that do not balance, a control in a string, nothing at all.
std::vector<std::string> make_records(Problem& p) {
  std::vector<std::string> records{"", "\"open [ \\\" ", "]}[[{", "\"tab\there\"",
                                   "[\"\\\\\\\\\"]"};
  for (const size_t run : {1, 15, 16, 17, 31, 32, 33, 511, 512, 513, 1040, 1041}) {
    records.push_back("{ \"x" + std::string(run, '\\') + "\" : [1, \"y\"] , }");
  }
  for (int i = 0; i < 20; ++i) {
    std::string text;
    append_value(p, text, 2 + i % 5);
    records.push_back(text);
  }
  return records;
}

struct Structure {
  std::vector<bool> bits;
  std::vector<std::int32_t> summary; ///< structurals, code points, depth, flags
};

/// One byte after the other.
Structure structure_of(const std::string& record) {
  Structure out;
  bool literal = false;
  bool inside = false;
  bool control = false;
  std::int32_t depth = 0;
  std::int32_t deepest = 0;
  std::int32_t points = 0;
  for (const char c : record) {
    const auto byte = static_cast<std::uint8_t>(c);
    const bool escaped = std::exchange(literal, !literal && c == '\\');
    const bool quote = c == '"' && !escaped;
    control = control || (inside && byte < 0x20);
    const bool open = !inside && (c == '[' || c == '{');
    const bool close = !inside && (c == ']' || c == '}');
    depth += static_cast<int>(open) - static_cast<int>(close);
    deepest = std::max(deepest, depth);
    out.bits.push_back(quote || open || close || (!inside && (c == ':' || c == ',')));
    inside = inside != quote;
    points += (byte & 0xc0) != 0x80 ? 1 : 0;
  }
  const auto count = std::count(out.bits.begin(), out.bits.end(), true);
  const int flags = (inside ? 1 : 0) | (depth != 0 ? 2 : 0) | (control ? 4 : 0);
  out.summary = {static_cast<std::int32_t>(count), points, deepest, flags};
  return out;
}

void json_structure(Problem& p) {
  const auto records = make_records(p);
  std::vector<std::uint8_t> text;
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int32_t> bitmap_offsets{0};
  std::vector<std::uint16_t> bitmap;
  std::vector<std::int32_t> summaries;
  for (const std::string& record : records) {
    const size_t skip = text.size() % 16;
    const Structure structure = structure_of(record);
    const size_t first = bitmap.size();
    bitmap.resize(first + (skip + record.size() + 15) / 16);
    for (size_t i = 0; i < record.size(); ++i) {
      const size_t bit = skip + i;
      bitmap[first + bit / 16] = static_cast<std::uint16_t>(
          bitmap[first + bit / 16] | static_cast<unsigned>(structure.bits[i]) << bit % 16);
    }
    summaries.insert(summaries.end(), structure.summary.begin(), structure.summary.end());
    text.insert(text.end(), record.begin(), record.end());
    offsets.push_back(static_cast<std::int32_t>(text.size()));
    bitmap_offsets.push_back(static_cast<std::int32_t>(bitmap.size()));
  }
  text.resize((text.size() + 15) / 16 * 16, '"');
  p.input(text);
  p.input(offsets);
  p.input(bitmap_offsets);
  p.value(static_cast<std::int32_t>(records.size()));
  p.output(std::vector<std::uint16_t>(bitmap.size(), 0x5a5a), bitmap);
  p.output(std::vector<std::int32_t>(summaries.size(), -1), summaries);
}

constexpr KernelCase kCases[] = {
    {"unseen/summary_statistics.cu",
     "summary_statistics",
     {24},
     {256},
     0,
     summary_statistics,
     "exact; sums of doubles: 1e5 roundings"},
    {"unseen/lookback_scan.cu", "lookback_scan", {40}, {128}, 0, lookback_scan},
    {"unseen/segmented_radix_sort.cu", "segmented_radix_sort", {5}, {256}, 0, segmented_radix_sort},
    {"unseen/hash_join.cu", "hash_join", {6}, {192}, 0, hash_join, "exact; matches in any order"},
    {"unseen/json_structure.cu", "json_structure", {10}, {128}, 0, json_structure},
};

} // namespace

std::span<const KernelCase> unseen_data_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
