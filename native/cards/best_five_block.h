// SPDX-License-Identifier: MIT
// best_five over many hands, a block at a time, in vector registers.
#pragma once
#include <algorithm>
#include <cstring>
#include <utility>

#include "cards/best_five.h"
#include "cards/hands.h"
#include "cards/registers.h"

namespace regretless {

static_assert(std::endian::native == std::endian::little);

typedef std::uint16_t Lanes __attribute__((vector_size(kRegisterBytes)));  // one hand per lane
inline constexpr int kLanes = kRegisterBytes / 2;
inline constexpr int kBlock = 64;  // hands evaluated together; a multiple of the lanes of every vector

// Strengths cut into 16-bit lanes.
struct StrengthLanes {
  Lanes high, low;
};

inline StrengthLanes split_strength(const BestFive<Lanes>& best) {
  return {best.category << 10 | best.main >> 3, best.main << 13 | best.kickers};
}

// Pairs runs of kRun lanes from the low (0) or high (1) halves of every 16 bytes of two registers.
template <int kHalf, int kRun>
inline Lanes interleave(Lanes a, Lanes b) {
  return [&]<int... i>(std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(a, b, (i / 8 * 8 + kHalf * 4 + i % 8 / (2 * kRun) * kRun + i % kRun + i / kRun % 2 * kLanes)...);
  }(std::make_integer_sequence<int, kLanes>());
}

// Moves the even groups of four lanes before the odd ones, which undoes the order that transposing leaves.
inline Lanes in_order(Lanes a) {
  return [&]<int... i>(std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(a, a, (2 * i / kLanes * 4 + i % (kLanes / 2) / 4 * 8 + i % 4)...);
  }(std::make_integer_sequence<int, kLanes>());
}

// Strengths of kBlock hands: hands is [kBlock], out is [kBlock].
template <int kCards, bool kShort>
inline void best_five_block(const SuitRanks* hands, Strength* out) {
  for (int i = 0; i < kBlock; i += kLanes) {
    const auto row = [&](int r) {  // not into an array: that becomes a copy by halves, which a whole load then waits for
      Lanes lanes;
      std::memcpy(&lanes, hands + i + r * (kLanes / 4), kRegisterBytes);
      return lanes;
    };
    const Lanes a = interleave<0, 1>(row(0), row(1)), b = interleave<1, 1>(row(0), row(1));
    const Lanes c = interleave<0, 1>(row(2), row(3)), d = interleave<1, 1>(row(2), row(3));
    const Lanes low0 = interleave<0, 1>(a, b), low1 = interleave<0, 1>(c, d);
    const Lanes high0 = interleave<1, 1>(a, b), high1 = interleave<1, 1>(c, d);
    const auto halves = split_strength(best_five<kCards, kShort>(interleave<0, 4>(low0, low1), interleave<1, 4>(low0, low1),
                                                                 interleave<0, 4>(high0, high1), interleave<1, 4>(high0, high1)));
    const Lanes first = in_order(interleave<0, 1>(halves.low, halves.high));
    const Lanes second = in_order(interleave<1, 1>(halves.low, halves.high));
    std::memcpy(out + i, &first, kRegisterBytes);
    std::memcpy(out + i + kLanes / 2, &second, kRegisterBytes);
  }
}

// Reads 8 bytes at every hand, so up to 3 bytes past the last one. Four suits.
template <int kCards>
inline void load_block(const Deck& deck, const Card* cards, SuitRanks* hands) {
  typedef std::uint64_t Bytes __attribute__((vector_size(kRegisterBytes)));
  constexpr int kHands = kRegisterBytes / 8;
  constexpr std::uint64_t kEachByte = 0x0101010101010101;
  for (int i = 0; i < kBlock; i += kHands) {
    Bytes bytes, hand = {};
    for (int lane = 0; lane < kHands; ++lane) {
      std::uint64_t first_eight;
      std::memcpy(&first_eight, cards + (i + lane) * kCards, 8);
      bytes[lane] = first_eight;
    }
    const Bytes ranks = (bytes >> 2 & 15 * kEachByte) + deck.lowest_rank * kEachByte;
    const Bytes places = ranks | (bytes & 3 * kEachByte) << 4;
    for (int k = 0; k < kCards; ++k) hand |= (Bytes{} + 1) << (places >> 8 * k & 63);
    std::memcpy(hands + i, &hand, kRegisterBytes);
  }
}

// cards is [count, kCards], out is [count].
template <int kCards, bool kShort>
void best_five_batch(const Deck& deck, const Card* cards, std::size_t count, Strength* out) {
  SuitRanks hands[kBlock];
  for (; count > kBlock; count -= kBlock, cards += kBlock * kCards, out += kBlock) {
    load_block<kCards>(deck, cards, hands);
    best_five_block<kCards, kShort>(hands, out);
  }
  Card last_cards[kBlock * kCards + 8] = {};
  Strength last[kBlock];
  std::copy_n(cards, count * kCards, last_cards);
  load_block<kCards>(deck, last_cards, hands);
  best_five_block<kCards, kShort>(hands, last);
  std::copy_n(last, count, out);
}

// Calls visit(hands, strengths, count) for blocks of all unions of a board with k cards of the
// deck, in colex order.
template <int kCards, bool kShort, class Visit>
void for_each_block(const Deck& deck, SuitRanks board, int k, Visit&& visit) {
  SuitRanks cards[kMaxCards], hands[kBlock + kMaxCards] = {};
  Strength block[kBlock];
  int filled = 0;
  for (int c = 0; c < deck.num_cards(); ++c) cards[c] = suit_ranks(deck, static_cast<Card>(c));
  auto add = [&](SuitRanks chosen, int count) {
    for (int c = 0; c < count; ++c) hands[filled + c] = chosen | cards[c];
    filled += count;
    if (filled < kBlock) return;
    best_five_block<kCards, kShort>(hands, block);
    visit(hands, block, kBlock);
    std::copy(hands + kBlock, hands + filled, hands);
    filled -= kBlock;
  };
  for_each_run(cards, deck.num_cards(), k, board, add);
  best_five_block<kCards, kShort>(hands, block);
  visit(hands, block, filled);
}

// Every hand of num_hole cards on a board: out is [hands], 0 where they share a card.
template <int kCards, bool kShort>
void best_five_board(const Deck& deck, SuitRanks board, int num_hole, Strength* out) {
  for_each_block<kCards, kShort>(deck, board, num_hole, [&](const SuitRanks* hands, const Strength* block, int count) {
    for (int i = 0; i < count; ++i) out[i] = std::popcount(hands[i]) == kCards ? block[i] : 0;
    out += count;
  });
}

// Calls run.operator()<num_cards, short deck>().
template <class Run>
auto with_kernel(Showdown rule, int num_cards, Run&& run) {
  if (rule == Showdown::kShortDeck) {
    if (num_cards == 5) return run.template operator()<5, true>();
    if (num_cards == 6) return run.template operator()<6, true>();
    return run.template operator()<7, true>();
  }
  if (num_cards == 5) return run.template operator()<5, false>();
  if (num_cards == 6) return run.template operator()<6, false>();
  return run.template operator()<7, false>();
}

}  // namespace regretless
