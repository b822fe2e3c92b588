// SPDX-License-Identifier: MIT
#include "cards/omaha.h"

#include "cards/best_five_block.h"

namespace regretless {
namespace {

constexpr int kMostSubsets = 10;  // pairs of five hole cards; triples of five board cards

// The unions of all k-subsets of some cards.
struct Subsets {
  std::array<SuitRanks, kMostSubsets> sets;
  int count = 0;

  Subsets(const Deck& deck, std::span<const Card> cards, int k) {
    SuitRanks members[kMaxBoardCards];
    for (std::size_t i = 0; i < cards.size(); ++i) members[i] = suit_ranks(deck, cards[i]);
    auto add = [&](SuitRanks chosen, int run) {
      for (int i = 0; i < run; ++i) sets[count++] = chosen | members[i];
    };
    for_each_run(members, static_cast<int>(cards.size()), k, 0, add);
  }
};

// One hand per lane: its ranks by suit.
struct HandLanes {
  Lanes suits[4] = {};

  HandLanes() = default;
  explicit HandLanes(const SuitRanks* hands) {  // [kLanes]
    alignas(64) std::uint16_t ranks[4][kLanes];
    for (int s = 0; s < 4; ++s)
      for (int lane = 0; lane < kLanes; ++lane) ranks[s][lane] = static_cast<std::uint16_t>(hands[lane] >> (16 * s));
    std::memcpy(suits, ranks, sizeof suits);
  }

  HandLanes operator|(const HandLanes& other) const {
    HandLanes both;
    for (int s = 0; s < 4; ++s) both.suits[s] = suits[s] | other.suits[s];
    return both;
  }
};

// The best strength of each lane so far.
struct BestLanes {
  Lanes high = {}, low = {};

  void take(const HandLanes& hand) {
    const auto halves = split_strength(best_five<5, false>(hand.suits[0], hand.suits[1], hand.suits[2], hand.suits[3]));
    const auto better = (halves.high > high) | ((halves.high == high) & (halves.low > low));
    high = better ? halves.high : high;
    low = better ? halves.low : low;
  }

  Strength operator[](int lane) const { return static_cast<Strength>(high[lane]) << 16 | low[lane]; }
};

// The lanes of one card each: cards is [kLanes] with a stride.
HandLanes load_lanes(const Deck& deck, const Card* cards, int stride) {
  Lanes card;
  for (int lane = 0; lane < kLanes; ++lane) card[lane] = cards[lane * stride];
  HandLanes hands;
  const Lanes rank = (Lanes{} + 1) << ((card >> 2) + deck.lowest_rank);
  for (std::uint16_t s = 0; s < 4; ++s) hands.suits[s] = (card & 3) == s ? rank : Lanes{};
  return hands;
}

// The best of every pair with every triple: cards is [kLanes, num_hole + num_board], out is
// [kLanes].
void omaha_lanes(const Deck& deck, const Card* cards, int num_hole, int num_board, Strength* out) {
  HandLanes members[kMaxHoleCards + kMaxBoardCards], pairs[kMostSubsets], triples[kMostSubsets];
  const int width = num_hole + num_board;
  for (int i = 0; i < width; ++i) members[i] = load_lanes(deck, cards + i, width);
  int num_pairs = 0, num_triples = 0;
  for (int a = 0; a < num_hole; ++a)
    for (int b = 0; b < a; ++b) pairs[num_pairs++] = members[a] | members[b];
  for (int a = num_hole; a < width; ++a)
    for (int b = num_hole; b < a; ++b)
      for (int c = num_hole; c < b; ++c) triples[num_triples++] = members[a] | members[b] | members[c];

  BestLanes best;
  for (int p = 0; p < num_pairs; ++p)
    for (int t = 0; t < num_triples; ++t) best.take(pairs[p] | triples[t]);
  for (int lane = 0; lane < kLanes; ++lane) out[lane] = best[lane];
}

// Completes hands in colex order from the best strength of every pair.
class HandWriter {
 public:
  HandWriter(const Deck& deck, CardSet dead, const Strength* pairs) : pairs_(pairs) {
    for (int card = 0; card < deck.num_cards(); ++card) alive_[card] = (dead >> card & 1) != 0 ? 0 : ~Strength{0};
  }

  // Adds k cards below limit to the chosen ones, where with_chosen[c] is the best pair of card c
  // and a chosen card, and best the best pair of two chosen cards. Returns the end of what it
  // wrote.
  Strength* write(int limit, int k, const std::array<Strength, kMaxCards>& with_chosen, Strength best, Strength* out) const {
    if (k == 1) {
      for (int c = 0; c < limit; ++c) out[c] = std::max(best, with_chosen[c]) & alive_[c];
      return out + limit;
    }
    for (int top = k - 1; top < limit; ++top) {
      if (alive_[top] == 0) {
        out = std::fill_n(out, choose(top, k - 1), 0);
        continue;
      }
      const Strength* with_top = pairs_ + choose(top, 2);
      std::array<Strength, kMaxCards> with_either;
      for (int c = 0; c < top; ++c) with_either[c] = std::max(with_chosen[c], with_top[c]);
      out = write(top, k - 1, with_either, std::max(best, with_chosen[top]), out);
    }
    return out;
  }

 private:
  const Strength* pairs_;                    // [pairs]
  std::array<Strength, kMaxCards> alive_{};  // all bits, or none for dead cards
};

}  // namespace

Strength omaha_strength(const Deck& deck, std::span<const Card> hole, std::span<const Card> board) {
  const Subsets pairs(deck, hole, 2), triples(deck, board, 3);
  SuitRanks hands[kMostSubsets * kMostSubsets + kLanes];
  int count = 0;
  for (int p = 0; p < pairs.count; ++p)
    for (int t = 0; t < triples.count; ++t) hands[count++] = pairs.sets[p] | triples.sets[t];
  std::fill_n(hands + count, kLanes, hands[0]);  // lanes that are left over
  BestLanes lanes;
  for (int first = 0; first < count; first += kLanes) lanes.take(HandLanes(hands + first));
  Strength best = 0;
  for (int lane = 0; lane < kLanes; ++lane) best = std::max(best, lanes[lane]);
  return best;
}

void omaha_strengths(const Deck& deck, const Card* cards, std::size_t count, int num_hole, int num_board, Strength* out) {
  const int width = num_hole + num_board;
  for (; count >= kLanes; count -= kLanes, cards += kLanes * width, out += kLanes)
    omaha_lanes(deck, cards, num_hole, num_board, out);
  Card last_cards[kLanes * (kMaxHoleCards + kMaxBoardCards)] = {};
  Strength last[kLanes];
  std::copy_n(cards, count * width, last_cards);
  omaha_lanes(deck, last_cards, num_hole, num_board, last);
  std::copy_n(last, count, out);
}

void omaha_board_strengths(const Deck& deck, std::span<const Card> board, int num_hole, Strength* out) {
  constexpr std::size_t kMostPairs = choose(kMaxCards, 2);
  std::array<Strength, kMostPairs> pairs{}, with_triple{};
  const Subsets triples(deck, board, 3);
  for (int t = 0; t < triples.count; ++t) {
    best_five_board<5, false>(deck, triples.sets[t], 2, with_triple.data());
    for (std::size_t p = 0; p < kMostPairs; ++p) pairs[p] = std::max(pairs[p], with_triple[p]);
  }
  HandWriter(deck, card_set(board), pairs.data()).write(deck.num_cards(), num_hole, {}, 0, out);
}

}  // namespace regretless
