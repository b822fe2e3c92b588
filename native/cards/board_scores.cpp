// SPDX-License-Identifier: MIT
#include "cards/board_scores.h"

#include <stdexcept>

#include "cards/sweep.h"

namespace regretless {
namespace {

constexpr std::size_t kMostHands = choose(kMaxCards, 2);

}  // namespace

BoardScores::BoardScores(Showdown rule, const Deck& deck) : rule_(rule), deck_(deck), hands_(deck, 2), most_(0) {
  if (rule != Showdown::kHoldem && rule != Showdown::kShortDeck)
    throw std::invalid_argument("equities of boards are for hold'em and short deck");
  check_showdown(rule, deck, 2, kNumBoard);
  most_ = static_cast<int>(2 * choose(deck.num_cards() - kNumBoard - 2, 2));
  if (most_ == 0) throw std::invalid_argument("the deck has too few cards for two hands and a board");
}

void BoardScores::all(std::span<const Card> board, Score* out) const {
  std::array<Strength, kMostHands> strengths;
  thread_local std::vector<RankedHand> ranked, spare;
  board_strengths(rule_, deck_, board, 2, strengths.data());
  ranked.clear();
  for (std::uint32_t hand = 0; hand < hands_.num_hands(); ++hand) {
    out[hand] = kBlocked;
    if (strengths[hand] != 0) ranked.push_back({strengths[hand], hand});
  }
  sort_by_strength(ranked, spare);
  const std::size_t count = ranked.size();
  const Card* cards = hands_.all_cards().data();

  // Weaker and equal hands, less those that share one card or the other; a hand is equal to itself and shares both.
  std::array<std::uint16_t, kMaxCards> weaker{}, equal;
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    equal = weaker;
    for (; end < count && ranked[end].strength == ranked[begin].strength; ++end)
      for (int i = 0; i < 2; ++i) ++equal[cards[2 * ranked[end].hand + i]];  // those weaker are in it, too
    for (std::size_t i = begin; i < end; ++i) {
      const Card high = cards[2 * ranked[i].hand], low = cards[2 * ranked[i].hand + 1];
      const std::size_t below = begin - weaker[high] - weaker[low];
      const std::size_t not_above = end - equal[high] - equal[low] + 1;
      out[ranked[i].hand] = static_cast<Score>(below + not_above);
    }
    weaker = equal;
  }
}

int BoardScores::one(std::span<const Card> hole, std::span<const Card> board) const {
  std::array<Strength, kMostHands> strengths;
  board_strengths(rule_, deck_, board, 2, strengths.data());
  const CardSet mine = card_set(hole);
  const Strength own = strengths[subset_index(mine)];
  int score = 0;
  for (std::uint32_t hand = 0; hand < hands_.num_hands(); ++hand) {
    const bool meets = strengths[hand] != 0 && !share_card(hands_.set(hand), mine);
    score += meets ? (strengths[hand] < own) + (strengths[hand] <= own) : 0;
  }
  return score;
}

}  // namespace regretless
