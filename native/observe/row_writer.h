// SPDX-License-Identifier: MIT
// Writes a row from its first byte to its last.
#pragma once
#include <algorithm>
#include <cstring>

#include "games/betting.h"
#include "observe/row_layout.h"

namespace regretless {

// Bytes that hold a number up to `most`: 1, 2 or 4.
constexpr int bytes_for(std::int64_t most) { return most < 1 << 8 ? 1 : most < 1 << 16 ? 2 : 4; }

// Cards of the board are written street by street, as they were dealt together, and sorted.
template <class Write>
void for_each_street(const PokerRules& rules, const PokerState& state, Write write) {
  for (int street = 0, at = 0; at < state.num_board; at += rules.board_cards[street++])
    write(std::span{state.board.data() + at, static_cast<std::size_t>(rules.board_cards[street])});
}

class RowWriter {
 public:
  explicit RowWriter(std::uint8_t* row) : at_(row) {}

  void mark(int value) { *at_++ = static_cast<std::uint8_t>(value); }

  void marks(std::span<const std::uint8_t> values) { at_ = std::copy(values.begin(), values.end(), at_); }

  // Marks in rising order.
  void sorted_marks(std::span<const std::uint8_t> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::size_t place = i;
      for (; place > 0 && at_[place - 1] > values[i]; --place) at_[place] = at_[place - 1];
      at_[place] = values[i];
    }
    at_ += values.size();
  }

  void no_marks(std::size_t count) {
    std::memset(at_, kNoMark, count);
    at_ += count;
  }

  void number(std::uint32_t value, int width) {
    const std::array<std::uint8_t, 4> bytes{static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8),
                                            static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 24)};
    std::memcpy(at_, bytes.data(), 4);  // what comes next is written over those beyond its width
    at_ += width;
  }

  void bits(std::uint64_t bits, int count) {
    for (; count > 0; count -= 8, bits >>= 8) *at_++ = static_cast<std::uint8_t>(bits);
  }

  // Numbers of four bits; those beyond 15 are 15.
  void nibbles(std::span<const int> values) {
    for (std::size_t i = 0; i < values.size(); i += 2) {
      const int low = std::min(values[i], 15), high = i + 1 < values.size() ? std::min(values[i + 1], 15) : 0;
      *at_++ = static_cast<std::uint8_t>(low | high << 4);
    }
  }

  std::uint8_t* skip(int bytes) { return (at_ += bytes) - bytes; }

 private:
  std::uint8_t* at_;
};

// Bids that were made and the call, as bits by slot.
inline std::uint64_t slots_chosen(std::span<const Step> history) {
  std::uint64_t bits = 0;
  for (const Step& step : history) bits |= std::uint64_t{1} << step.slot;
  return bits;
}

}  // namespace regretless
