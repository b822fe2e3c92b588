// SPDX-License-Identifier: MIT
// best_five over many hands, a block at a time, in vector registers.
#pragma once
#include <algorithm>
#include <cstring>

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

// Strengths of kBlock hands: hands is [kBlock], out is [kBlock].
template <int kCards, bool kShort>
inline void best_five_block(const SuitRanks* hands, Strength* out) {
  alignas(64) std::uint16_t suits[4][kBlock], high[kBlock], low[kBlock];
  for (int suit = 0; suit < 4; ++suit)
    for (int i = 0; i < kBlock; ++i) suits[suit][i] = static_cast<std::uint16_t>(hands[i] >> (16 * suit));
  for (int i = 0; i < kBlock; i += kLanes) {
    Lanes lanes[4];
    for (int suit = 0; suit < 4; ++suit) std::memcpy(&lanes[suit], suits[suit] + i, kRegisterBytes);
    const auto best = best_five<kCards, kShort>(lanes[0], lanes[1], lanes[2], lanes[3]);
    const auto halves = split_strength(best);
    std::memcpy(high + i, &halves.high, kRegisterBytes);
    std::memcpy(low + i, &halves.low, kRegisterBytes);
  }
  for (int i = 0; i < kBlock; ++i) out[i] = static_cast<Strength>(high[i]) << 16 | low[i];
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
