// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/fatbin.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "sim/isa/lz4_block.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace coulomb::isa {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kLinux64 = 0x11; ///< flags that every entry has
constexpr std::uint64_t kLz4 = 0x2000;
constexpr std::uint64_t kZstd = 0x8000;

void put(Bytes& bytes, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
}

Bytes bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

struct Image {
  std::uint16_t kind = 2;
  std::uint32_t architecture = 80;
  Bytes stored;
  std::string name;
  std::uint64_t flags = 0;
  std::uint64_t expanded = 0; ///< bytes, of a compressed image
};

/// As fatbinary writes it: images are padded to 8 bytes.
Bytes entry_bytes(const Image& image) {
  Bytes name = bytes_of(image.name);
  name.resize((name.size() + 7) / 8 * 8);
  Bytes stored = image.stored;
  stored.resize((stored.size() + 7) / 8 * 8);
  Bytes bytes;
  put(bytes, image.kind, 2);
  put(bytes, 0x101, 2);
  put(bytes, 64 + name.size(), 4);
  put(bytes, stored.size(), 8);
  put(bytes, image.expanded == 0 ? 0 : image.stored.size(), 4);
  put(bytes, 0, 4);
  put(bytes, 0x10008, 4);
  put(bytes, image.architecture, 4);
  put(bytes, image.name.empty() ? 0 : 64, 4);
  put(bytes, image.name.size(), 4);
  put(bytes, kLinux64 | image.flags, 8);
  put(bytes, 0, 8);
  put(bytes, image.expanded, 8);
  bytes.insert(bytes.end(), name.begin(), name.end());
  bytes.insert(bytes.end(), stored.begin(), stored.end());
  return bytes;
}

Bytes container(const std::vector<Image>& images) {
  Bytes entries;
  for (const Image& image : images) {
    const Bytes entry = entry_bytes(image);
    entries.insert(entries.end(), entry.begin(), entry.end());
  }
  Bytes bytes;
  put(bytes, 0xba55ed50, 4);
  put(bytes, 1, 2);
  put(bytes, 16, 2);
  put(bytes, entries.size(), 8);
  bytes.insert(bytes.end(), entries.begin(), entries.end());
  return bytes;
}

std::string complaint(const Bytes& bytes) {
  try {
    static_cast<void>(Fatbin::parse(bytes, "file"));
  } catch (const UserError& error) {
    return error.what();
  }
  return "parsed";
}

TEST(Fatbin, ListsItsImages) {
  const Bytes bytes = container({{2, 80, Bytes(16, 1), "a.cu"},
                                 {2, 86, Bytes(24, 2), ""},
                                 {1, 90, bytes_of(".version 9.0\n"), ""},
                                 {8, 80, Bytes(8), ""},
                                 {64, 86, Bytes(8), ""}});
  EXPECT_TRUE(Fatbin::recognises(bytes));
  const Fatbin fatbin = Fatbin::parse(bytes, "file");
  ASSERT_EQ(fatbin.entries().size(), 5U);
  EXPECT_EQ(fatbin.entries()[0].text(), "cubin for sm_80 (a.cu)");
  EXPECT_EQ(fatbin.image(fatbin.entries()[0]), Bytes(16, 1));
  EXPECT_EQ(fatbin.entries()[1].text(), "cubin for sm_86");
  EXPECT_EQ(fatbin.image(fatbin.entries()[1]), Bytes(24, 2));
  EXPECT_EQ(fatbin.entries()[2].text(), "PTX for compute_90");
  EXPECT_EQ(fatbin.entries()[3].text(), "LTO intermediate code for lto_80");
  EXPECT_EQ(fatbin.entries()[4].text(), "image of kind 64 for sm_86");
}

TEST(Fatbin, ReadsContainersOneAfterTheOther) {
  Bytes bytes = container({{2, 80, Bytes(16, 1), ""}});
  bytes.resize(bytes.size() + 8); // padding
  const Bytes second = container({{2, 86, Bytes(16, 2), ""}});
  bytes.insert(bytes.end(), second.begin(), second.end());
  const Fatbin fatbin = Fatbin::parse(bytes, "file");
  ASSERT_EQ(fatbin.entries().size(), 2U);
  EXPECT_EQ(fatbin.entries()[1].architecture, 86U);
}

TEST(Fatbin, ExpandsLz4) {
  // 4 literals, then 9 bytes from 2 back; 5 literals at the end.
  const Bytes block{0x45, 'a', 'b', 'c', 'd', 2, 0, 0x50, 'v', 'w', 'x', 'y', 'z'};
  const Bytes bytes = container({{2, 80, block, "", kLz4, 18}});
  const Fatbin fatbin = Fatbin::parse(bytes, "file");
  EXPECT_EQ(fatbin.entries()[0].bytes, 18U);
  EXPECT_EQ(fatbin.image(fatbin.entries()[0]), bytes_of("abcdcdcdcdcdcvwxyz"));
}

TEST(Fatbin, SaysSoIfLz4DoesNotExpandToTheSizeThatIsNoted) {
  const Bytes block{0x50, 'v', 'w', 'x', 'y', 'z'};
  const Bytes bytes = container({{2, 80, block, "", kLz4, 6}});
  const Fatbin fatbin = Fatbin::parse(bytes, "file");
  try {
    static_cast<void>(fatbin.image(fatbin.entries()[0]));
    FAIL() << "expanded";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "file: the cubin for sm_80 does not expand to 6 bytes; the file is "
                               "damaged");
  }
}

TEST(Fatbin, SaysHowToAvoidACompressionThatIsNotRead) {
  const Bytes bytes = container({{2, 86, Bytes(16, 1), "a.cu", kZstd, 100}});
  const Fatbin fatbin = Fatbin::parse(bytes, "file");
  try {
    static_cast<void>(fatbin.image(fatbin.entries()[0]));
    FAIL() << "expanded";
  } catch (const UnsupportedError& error) {
    EXPECT_STREQ(error.what(), "file: the cubin for sm_86 (a.cu) is compressed with Zstandard; LZ4 "
                               "and uncompressed images are read");
    EXPECT_EQ(error.hint(), "make it without compression: nvcc -Xfatbin -compress=false");
  }
}

TEST(Fatbin, FindsTheDeviceCodeOfAHostProgram) {
  const Bytes inner = container({{2, 80, Bytes(16, 1), ""}});
  const std::string names = std::string("\0.nv_fatbin\0.shstrtab\0", 22);
  Bytes bytes{0x7f, 'E', 'L', 'F', 2, 1, 1};
  bytes.resize(18);
  put(bytes, 62, 2); // x86-64
  bytes.resize(64);
  bytes.insert(bytes.end(), inner.begin(), inner.end());
  bytes.insert(bytes.end(), names.begin(), names.end());
  const std::size_t table = bytes.size();
  const auto section = [&](std::uint32_t name, std::size_t offset, std::size_t size) {
    put(bytes, name, 4);
    put(bytes, 1, 4);
    bytes.resize(bytes.size() + 16); // flags and address
    put(bytes, offset, 8);
    put(bytes, size, 8);
    bytes.resize(bytes.size() + 24);
  };
  section(0, 0, 0);
  section(1, 64, inner.size());
  section(12, 64 + inner.size(), names.size());
  for (unsigned i = 0; i < 8; ++i) {
    bytes[40 + i] = static_cast<std::uint8_t>(table >> (8 * i));
  }
  bytes[60] = 3; // sections
  bytes[62] = 2; // their names
  EXPECT_TRUE(Fatbin::recognises(bytes));
  const Fatbin fatbin = Fatbin::parse(bytes, "program");
  ASSERT_EQ(fatbin.entries().size(), 1U);
  EXPECT_EQ(fatbin.image(fatbin.entries()[0]), Bytes(16, 1));
  bytes[64 + inner.size() + 1] = '_';
  EXPECT_EQ(complaint(bytes),
            "file is a host object or program without device code (no section .nv_fatbin)");
}

TEST(Fatbin, DoesNotTakeACubinForAHostProgram) {
  Bytes bytes{0x7f, 'E', 'L', 'F', 2, 1, 1};
  bytes.resize(18);
  put(bytes, 190, 2);
  EXPECT_FALSE(Fatbin::recognises(bytes));
  EXPECT_FALSE(Fatbin::recognises({}));
}

TEST(Fatbin, SaysSoWhenTruncatedAtAnyLength) {
  const Bytes whole = container({{2, 80, Bytes(40, 1), "a.cu"}, {1, 86, Bytes(24, 2), ""}});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string message =
        complaint(Bytes(whole.begin(), whole.begin() + static_cast<long>(length)));
    EXPECT_THAT(message, StartsWith("file: ")) << length;
    EXPECT_THAT(message, HasSubstr("truncated or damaged")) << length;
  }
}

TEST(Fatbin, SaysWhatStandsInTheWrongPlace) {
  Bytes bytes = container({{2, 80, Bytes(8, 1), ""}});
  bytes.push_back('x');
  bytes.resize(bytes.size() + 15);
  EXPECT_EQ(complaint(bytes), "file: at 0x58 a fatbin should begin (0xba55ed50, version 1); found "
                              "0x78, version 0; the file is damaged");
  bytes = container({{2, 80, Bytes(8, 1), ""}});
  bytes[16 + 4] = 8;
  EXPECT_EQ(complaint(bytes), "file: the fatbin entry at 0x10 has a header of 8 bytes; at least 64 "
                              "are needed; the file is damaged");
}

TEST(Fatbin, NeverCrashesOnFlippedBytes) {
  const Bytes block{0x45, 'a', 'b', 'c', 'd', 2, 0, 0x50, 'v', 'w', 'x', 'y', 'z'};
  const Bytes whole = container({{2, 80, block, "a.cu", kLz4, 18}, {1, 86, Bytes(24, 2), ""}});
  RandomStream random(1, "flip bytes of a fatbin");
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    Bytes bytes = whole;
    for (int flip = 0; flip < 3; ++flip) {
      bytes[random.below(bytes.size())] = static_cast<std::uint8_t>(random.next());
    }
    try {
      const Fatbin fatbin = Fatbin::parse(bytes, "file");
      for (const FatbinEntry& entry : fatbin.entries()) {
        static_cast<void>(fatbin.image(entry));
      }
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(Lz4Block, LongRunsGoOnInFurtherBytes) {
  Bytes block{0xff, 5}; // 15 + 5 literals, and a match of 15 + 255 + 1 + 4 bytes
  block.insert(block.end(), 20, 'q');
  block.insert(block.end(), {20, 0, 255, 1, 0x10, 'r'});
  Bytes expected(20 + 275, 'q');
  expected.push_back('r');
  EXPECT_EQ(expand_lz4_block(block, expected.size()), expected);
}

TEST(Lz4Block, RefusesWhatLeadsOutsideIt) {
  EXPECT_EQ(expand_lz4_block(Bytes{}, 0), std::nullopt);
  EXPECT_EQ(expand_lz4_block(Bytes{0x50, 'a'}, 5), std::nullopt) << "literals are missing";
  EXPECT_EQ(expand_lz4_block(Bytes{0xf0}, 15), std::nullopt) << "the length is missing";
  EXPECT_EQ(expand_lz4_block(Bytes{0x10, 'a', 2, 0, 0x00}, 5), std::nullopt)
      << "a match before the start";
  EXPECT_EQ(expand_lz4_block(Bytes{0x10, 'a', 0, 0, 0x00}, 5), std::nullopt) << "distance 0";
  EXPECT_EQ(expand_lz4_block(Bytes{0x10, 'a', 1, 0, 0x00}, 4), std::nullopt) << "too long";
  EXPECT_EQ(expand_lz4_block(Bytes{0x10, 'a', 1, 0, 0x00}, 5), bytes_of("aaaaa"));
  EXPECT_EQ(expand_lz4_block(Bytes{0x10, 'a'}, std::uint64_t{1} << 60), std::nullopt)
      << "no memory is taken for a size that cannot be";
}

} // namespace
} // namespace coulomb::isa
