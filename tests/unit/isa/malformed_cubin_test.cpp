// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "sim/isa/cubin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::isa {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes good_file() {
  const std::string text =
      read_file(std::string(COULOMB_SOURCE_DIR) + "/tests/unit/isa/cubins/features_sm80.cubin");
  return {text.begin(), text.end()};
}

Bytes bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

std::string complaint(const Bytes& bytes) {
  try {
    static_cast<void>(Cubin::parse(bytes, "file"));
  } catch (const UserError& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "parsed";
}

TEST(MalformedCubin, NamesWhatIsFoundInstead) {
  EXPECT_EQ(complaint({}), "file is no cubin: found an empty file");
  EXPECT_EQ(complaint(bytes_of("\x50\xed\x55\xba....")),
            "file is no cubin: found a fatbin; extract its cubin with cuobjdump -xelf all");
  EXPECT_EQ(complaint(bytes_of("//\n.version 8.0\n.target sm_80\n.address_size 64\n")),
            "file is no cubin: found PTX text; assemble it with ptxas -arch=sm_80 (or sm_86)");
  EXPECT_EQ(complaint(bytes_of("__global__ void f() {}")),
            "file is no cubin: found CUDA source text");
  EXPECT_EQ(complaint({1, 2, 3}),
            "file is no cubin: found a file of 3 bytes that starts with 01 02 03");
}

TEST(MalformedCubin, SaysHowToMakeACubin) {
  try {
    static_cast<void>(Cubin::parse({}, "file"));
    FAIL() << "parsed";
  } catch (const UserError& error) {
    EXPECT_THAT(error.hint(), ::testing::StartsWith("give a cubin: nvcc -cubin -arch=sm_80"));
  }
}

TEST(MalformedCubin, NamesTheMachineOfOtherElfFiles) {
  Bytes bytes = good_file();
  bytes[18] = 62;
  EXPECT_EQ(complaint(bytes), "file is no cubin: found an x86-64 object or program (machine 62)");
  bytes[4] = 1;
  EXPECT_EQ(complaint(bytes),
            "file is no cubin: found an ELF file that is not 64-bit little endian");
}

TEST(MalformedCubin, NamesAnotherArchitecture) {
  Bytes bytes = good_file();
  bytes[49] = 90;
  EXPECT_EQ(complaint(bytes), "file is built for sm_90; the simulator decodes sm_80 and sm_86");
}

TEST(MalformedCubin, ReadsTheArchitectureWhereOlderToolkitsPutIt) {
  Bytes bytes = good_file();
  bytes[8] = 7; // ABI version
  bytes[48] = 86;
  bytes[49] = 5;
  EXPECT_EQ(Cubin::parse(bytes, "file").architecture, 86u);
}

TEST(MalformedCubin, RefusesRelocatableObjects) {
  Bytes bytes = good_file();
  bytes[16] = 1;
  EXPECT_EQ(complaint(bytes),
            "file is a relocatable object (nvcc -dc or -rdc=true), whose addresses are not final");
}

TEST(MalformedCubin, SaysSoWhenTruncatedAtAnyLength) {
  const Bytes whole = good_file();
  std::size_t tried = 0;
  for (std::size_t length = 4; length < whole.size(); length += length < 4096 ? 1 : 97) {
    const std::string message =
        complaint(Bytes(whole.begin(), whole.begin() + static_cast<long>(length)));
    EXPECT_THAT(message, ::testing::StartsWith("file: ")) << length;
    EXPECT_THAT(message, ::testing::HasSubstr("truncated")) << length;
    ++tried;
  }
  EXPECT_GT(tried, 4000u);
}

TEST(MalformedCubin, NeverCrashesOnFlippedBytes) {
  const Bytes whole = good_file();
  RandomStream random(1, "flip bytes of a cubin");
  std::size_t refused = 0;
  for (int round = 0; round < 2000; ++round) {
    Bytes bytes = whole;
    for (int flip = 0; flip < 8; ++flip) {
      bytes[random.below(bytes.size())] = static_cast<std::uint8_t>(random.next());
    }
    try {
      static_cast<void>(Cubin::parse(bytes, "file"));
    } catch (const UserError&) {
      ++refused;
    } catch (const UnsupportedError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0u);
}

TEST(MalformedCubin, NeverCrashesOnDamagedSectionTables) {
  const Bytes whole = good_file();
  RandomStream random(2, "flip bytes of the section table");
  const std::size_t table = whole[40] | whole[41] << 8 | whole[42] << 16;
  for (int round = 0; round < 2000; ++round) {
    Bytes bytes = whole;
    bytes[table + random.below(bytes.size() - table)] = static_cast<std::uint8_t>(random.next());
    try {
      static_cast<void>(Cubin::parse(bytes, "file"));
    } catch (const UserError&) {
    } catch (const UnsupportedError&) {
    }
  }
}

} // namespace
} // namespace coulomb::isa
