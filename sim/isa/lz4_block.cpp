// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/lz4_block.hpp"

namespace coulomb::isa {
namespace {

constexpr std::uint64_t kLongRun = 15; ///< a length of 15 goes on in the bytes that follow
constexpr std::uint64_t kShortestMatch = 4;
constexpr std::uint8_t kMoreLength = 255;

class Expander {
public:
  Expander(std::span<const std::uint8_t> block, std::uint64_t size) : block_(block), size_(size) {}

  /// False if the block is damaged.
  bool run() {
    // A byte of a block expands to at most 255.
    if (size_ / kMoreLength > block_.size()) {
      return false;
    }
    output_.reserve(size_);
    while (at_ < block_.size()) {
      const std::uint8_t token = block_[at_++];
      if (!copy_literals(token >> 4)) {
        return false;
      }
      if (at_ == block_.size()) { // the last sequence has literals only
        return output_.size() == size_;
      }
      if (!copy_match(token & 0xf)) {
        return false;
      }
    }
    return false;
  }
  std::vector<std::uint8_t> take() { return std::move(output_); }

private:
  bool extend(std::uint64_t& length) {
    if (length < kLongRun) {
      return true;
    }
    for (std::uint8_t part = kMoreLength; part == kMoreLength;) {
      if (at_ == block_.size()) {
        return false;
      }
      part = block_[at_++];
      length += part;
    }
    return true;
  }

  [[nodiscard]] bool fits(std::uint64_t length) const { return length <= size_ - output_.size(); }

  bool copy_literals(std::uint64_t length) {
    if (!extend(length) || length > block_.size() - at_ || !fits(length)) {
      return false;
    }
    const auto literals = block_.subspan(at_, length);
    output_.insert(output_.end(), literals.begin(), literals.end());
    at_ += length;
    return true;
  }

  bool copy_match(std::uint64_t length) {
    if (block_.size() - at_ < 2) {
      return false;
    }
    const std::uint64_t distance = block_[at_] | static_cast<std::uint64_t>(block_[at_ + 1]) << 8;
    at_ += 2;
    if (!extend(length)) {
      return false;
    }
    length += kShortestMatch;
    if (distance == 0 || distance > output_.size() || !fits(length)) {
      return false;
    }
    // Byte by byte: a match may reach into what it writes itself.
    for (; length > 0; --length) {
      output_.push_back(output_[output_.size() - distance]);
    }
    return true;
  }

  std::span<const std::uint8_t> block_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;
  std::vector<std::uint8_t> output_;
};

} // namespace

std::optional<std::vector<std::uint8_t>> expand_lz4_block(std::span<const std::uint8_t> block,
                                                          std::uint64_t size) {
  Expander expander(block, size);
  if (!expander.run()) {
    return std::nullopt;
  }
  return expander.take();
}

} // namespace coulomb::isa
