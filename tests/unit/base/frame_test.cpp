// SPDX-License-Identifier: Apache-2.0
#include "base/frame.hpp"

#include "base/error.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace coulomb {
namespace {

class Frame : public ::testing::Test {
protected:
  Frame() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()), 0); }
  ~Frame() override {
    close_end(0);
    close_end(1);
  }
  void close_end(std::size_t i) {
    if (ends_[i] >= 0) {
      ::close(ends_[i]);
      ends_[i] = -1;
    }
  }
  void send_raw(const std::string& bytes) {
    ASSERT_EQ(::write(ends_[0], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }

  std::array<int, 2> ends_{-1, -1};
};

TEST_F(Frame, ArrivesWholeAndInOrder) {
  write_frame(ends_[0], "first");
  write_frame(ends_[0], "");
  write_frame(ends_[0], std::string("with\0zero", 9));
  EXPECT_EQ(read_frame(ends_[1]), "first");
  EXPECT_EQ(read_frame(ends_[1]), "");
  EXPECT_EQ(read_frame(ends_[1]), std::string("with\0zero", 9));
}

TEST_F(Frame, StartsWithItsLengthInLittleEndian) {
  write_frame(ends_[0], "abc");
  std::array<char, 7> bytes{};
  ASSERT_EQ(::read(ends_[1], bytes.data(), bytes.size()), 7);
  EXPECT_EQ(std::string(bytes.data(), bytes.size()), std::string("\x03\0\0\0abc", 7));
}

TEST_F(Frame, LargerThanTheSocketBufferArrivesWhole) {
  std::string large(5'000'000, 'x');
  large.back() = 'y';
  std::thread writer([&] { write_frame(ends_[0], large); });
  const auto received = read_frame(ends_[1]);
  writer.join();
  EXPECT_TRUE(received == large);
}

TEST_F(Frame, IsNothingAtEndOfFile) {
  close_end(0);
  EXPECT_EQ(read_frame(ends_[1]), std::nullopt);
}

TEST_F(Frame, CutShortIsNothing) {
  send_raw(std::string("\x05\0\0\0ab", 6));
  close_end(0);
  EXPECT_EQ(read_frame(ends_[1]), std::nullopt);
}

TEST_F(Frame, AboveTheLimitIsRefusedBeforeItIsRead) {
  send_raw(std::string("\x01\0\0\x10", 4)); // 256 MiB + 1
  try {
    (void)read_frame(ends_[1]);
    FAIL() << "no error";
  } catch (const EnvironmentError& e) {
    EXPECT_STREQ(e.what(), "message of 268435457 bytes exceeds the limit of 268435456");
  }
}

TEST_F(Frame, ToAClosedPeerIsAnErrorAndNotASignal) {
  close_end(1);
  try {
    write_frame(ends_[0], "x");
    FAIL() << "no error";
  } catch (const EnvironmentError& e) {
    EXPECT_STREQ(e.what(), "cannot send to the peer process: Broken pipe");
  }
}

TEST_F(Frame, FromABadDescriptorIsAnError) {
  try {
    (void)read_frame(-1);
    FAIL() << "no error";
  } catch (const EnvironmentError& e) {
    EXPECT_STREQ(e.what(), "cannot read from the peer process: Bad file descriptor");
  }
}

} // namespace
} // namespace coulomb
