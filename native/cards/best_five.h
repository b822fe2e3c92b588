// SPDX-License-Identifier: MIT
// The best five of 5, 6 or 7 cards, by bit logic without branches or tables: the same function
// reads one hand (lanes are integers) and a vector of hands (lanes are SIMD vectors).
//
// A hand is four 16-bit lanes of 13 rank bits, one lane per suit. A strength is
//   category << 26 | main << 13 | kickers
// where main holds the ranks that name the hand (quads, trips, pairs, the top of a straight, the
// flush) and kickers the rest of the five, both as rank bits, so that comparing integers compares
// hands.
#pragma once
#include "cards/strength.h"

namespace regretless {

using SuitRanks = std::uint64_t;  // lane s, 16 bits wide, holds the ranks of suit s

constexpr SuitRanks suit_ranks(const Deck& deck, Card card) {
  return SuitRanks{1} << (16 * deck.suit(card) + deck.lowest_rank + deck.rank(card));
}

inline constexpr std::uint32_t kAceBit = 12;

template <class Lane>
struct BestFive {
  Lane category, main, kickers;
};

template <class Lane>
inline Lane drop_lowest(Lane ranks) {
  return ranks & (ranks - 1);
}

template <int kTimes, class Lane>
inline Lane drop(Lane ranks) {
  if constexpr (kTimes == 0)
    return ranks;
  else
    return drop<kTimes - 1>(drop_lowest(ranks));
}

template <class Lane>
inline Lane drop_unless_last(Lane ranks) {
  const Lane fewer = drop_lowest(ranks);
  return fewer != 0 ? fewer : ranks;
}

// The top rank of a straight, or 0. Seven cards hold at most one run of five or more, so its tops
// are adjacent bits.
template <bool kShort, class Lane>
inline Lane straight_top(Lane ranks) {
  const Lane low_ace = (ranks >> kAceBit) << (kShort ? 4 : 0);
  const Lane run1 = ranks << 1 | low_ace;
  const Lane run2 = run1 & run1 << 1;
  const Lane run5 = run2 & run2 << 2 & run1 << 4;
  return (run5 & ~(run5 >> 1)) >> 1;
}

// The suit that holds five cards: all its ranks and the five highest, or 0.
template <class Lane>
struct Flush {
  Lane ranks, top;
};

template <class Lane>
inline Flush<Lane> flush_of_five(Lane c, Lane d, Lane h, Lane s, Lane seen1, Lane seen2) {
  const Lane none = c ^ c;
  const auto one_suit = (c == seen1) | (d == seen1) | (h == seen1) | (s == seen1);
  const Lane ranks = seen2 != 0 ? none : (one_suit ? seen1 : none);
  return {ranks, ranks};
}

// In six or seven cards, at most one suit holds four or more.
template <class Lane>
inline Flush<Lane> flush_of_more(Lane c, Lane d, Lane h, Lane s) {
  const Lane none = c ^ c;
  const Lane longest =
      (drop<3>(c) != 0 ? c : none) | (drop<3>(d) != 0 ? d : none) | (drop<3>(h) != 0 ? h : none) | (drop<3>(s) != 0 ? s : none);
  const Lane beyond4 = drop<4>(longest), beyond5 = drop_lowest(beyond4);
  const Lane top = beyond5 != 0 ? drop<1>(longest) : longest;
  const Lane top5 = drop_lowest(beyond5) != 0 ? drop<2>(longest) : top;
  return {beyond4 != 0 ? longest : none, top5};
}

template <int kCards, bool kShort, class Lane>
inline BestFive<Lane> best_five(Lane c, Lane d, Lane h, Lane s) {
  constexpr int kExtra = kCards - 5;
  const Lane none = c ^ c;
  const Lane cd = c | d, cd2 = c & d, hs = h | s, hs2 = h & s;
  const Lane seen1 = cd | hs, seen2 = cd2 | hs2 | (cd & hs);
  const Lane seen3 = (cd2 & hs) | (hs2 & cd), seen4 = cd2 & hs2;

  // Hands of equal ranks. Two pair, full houses and quads keep the highest remaining rank; the
  // others lose exactly as many ranks as there are cards beyond five.
  const Lane more_pairs = drop_lowest(seen2);
  const Lane pairs = kExtra > 0 ? (drop_lowest(more_pairs) != 0 ? more_pairs : seen2) : seen2;
  const Lane trips = kExtra > 0 ? drop_unless_last(seen3) : seen3;
  const Lane equal = seen4 != 0 ? seen4 : (seen3 != 0 ? trips : pairs);
  const auto is_full = (seen3 != 0) & (seen4 == 0) & (more_pairs != 0);
  const Lane others = (is_full ? seen2 : seen1) & ~equal;
  const Lane single_kicker = seen4 | more_pairs;
  Lane kickers = others;
  for (int i = 0; i < kExtra; ++i) {
    const Lane fewer = drop_lowest(kickers);
    kickers = single_kicker != 0 ? (fewer != 0 ? fewer : kickers) : fewer;
  }
  const Lane full = none + (kShort ? 5 : 6);
  const Lane with_trips = more_pairs != 0 ? full : none + 3;
  const Lane without = more_pairs != 0 ? none + 2 : (seen2 != 0 ? none + 1 : none);
  const Lane equal_category = seen4 != 0 ? none + 7 : (seen3 != 0 ? with_trips : without);

  // Straights and flushes. Beside one, seven cards have no room for a full house or quads.
  const auto flushes = [&] {
    if constexpr (kExtra == 0)
      return flush_of_five(c, d, h, s, seen1, seen2);
    else
      return flush_of_more(c, d, h, s);
  }();
  const Lane flush = flushes.ranks;
  const Lane straight = straight_top<kShort>(seen1);
  const Lane straight_flush = kExtra > 0 ? straight_top<kShort>(flush) : (flush != 0 ? straight : none);
  const Lane flush_main = straight_flush != 0 ? straight_flush : flushes.top;
  const Lane flush_category = straight_flush != 0 ? none + 8 : none + (kShort ? 6 : 5);
  const Lane run_main = flush != 0 ? flush_main : straight;
  const Lane run_category = flush != 0 ? flush_category : none + 4;

  return {run_main != 0 ? run_category : equal_category, run_main != 0 ? run_main : equal, run_main != 0 ? none : kickers};
}

template <int kCards, bool kShort>
inline Strength best_five(SuitRanks hand) {
  const auto lane = [&](int suit) { return static_cast<std::uint32_t>(hand >> (16 * suit) & 0xffff); };
  const auto best = best_five<kCards, kShort>(lane(0), lane(1), lane(2), lane(3));
  return best.category << 26 | best.main << 13 | best.kickers;
}

}  // namespace regretless
