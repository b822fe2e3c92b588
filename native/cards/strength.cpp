// SPDX-License-Identifier: MIT
#include "cards/strength.h"

#include <stdexcept>

#include "cards/best_five_block.h"
#include "cards/omaha.h"

namespace regretless {
namespace {

SuitRanks suit_ranks(const Deck& deck, std::span<const Card> cards) {
  SuitRanks hand = 0;
  for (const Card card : cards) hand |= suit_ranks(deck, card);
  return hand;
}

Strength pair_strength(const Deck& deck, Card hole, std::span<const Card> board) {
  const int rank = deck.rank(hole);
  const bool pairs = std::ranges::any_of(board, [&](Card card) { return deck.rank(card) == rank; });
  return static_cast<Strength>(1 + rank + (pairs ? deck.num_ranks : 0));
}

}  // namespace

void check_showdown(Showdown rule, const Deck& deck, int num_hole, int num_board) {
  const auto require = [](bool ok, const char* problem) {
    if (!ok) throw std::invalid_argument(problem);
  };
  require(num_hole >= 1 && num_hole <= kMaxHoleCards, "a hand has 1 to 5 hole cards");
  require(num_board >= 0 && num_board <= kMaxBoardCards, "a board has 0 to 5 cards");
  if (rule == Showdown::kPair) return require(num_hole == 1, "the pair rule needs one hole card");
  require(deck.num_suits == 4 && deck.lowest_rank + deck.num_ranks <= 13,
          "poker hands need a deck of four suits and ranks among 2 to A");
  if (rule == Showdown::kOmaha) {
    require(num_hole == 4 || num_hole == 5, "Omaha needs 4 or 5 hole cards");
    return require(num_board >= 3, "Omaha needs a board of 3, 4 or 5 cards");
  }
  require(rule != Showdown::kShortDeck || deck == kDeck36, "short deck needs the deck of 36 cards");
  require(num_hole + num_board >= 5 && num_hole + num_board <= 7, "the best five need 5, 6 or 7 cards of hole and board together");
}

Strength strength(Showdown rule, const Deck& deck, std::span<const Card> hole, std::span<const Card> board) {
  if (rule == Showdown::kPair) return pair_strength(deck, hole[0], board);
  if (rule == Showdown::kOmaha) return omaha_strength(deck, hole, board);
  const SuitRanks hand = suit_ranks(deck, hole) | suit_ranks(deck, board);
  return with_kernel(rule, static_cast<int>(hole.size() + board.size()),
                     [&]<int kCards, bool kShort> { return best_five<kCards, kShort>(hand); });
}

void strengths(Showdown rule, const Deck& deck, const Card* cards, std::size_t count, int num_hole, int num_board, Strength* out) {
  const int width = num_hole + num_board;
  if (rule == Showdown::kOmaha) return omaha_strengths(deck, cards, count, num_hole, num_board, out);
  if (rule != Showdown::kPair)
    return with_kernel(rule, width, [&]<int kCards, bool kShort> { best_five_batch<kCards, kShort>(deck, cards, count, out); });
  for (std::size_t i = 0; i < count; ++i, cards += width)
    out[i] = pair_strength(deck, cards[0], {cards + 1, static_cast<std::size_t>(num_board)});
}

void board_strengths(Showdown rule, const Deck& deck, std::span<const Card> board, int num_hole, Strength* out) {
  if (rule == Showdown::kOmaha) return omaha_board_strengths(deck, board, num_hole, out);
  if (rule == Showdown::kPair) {
    for (int card = 0; card < deck.num_cards(); ++card)
      out[card] = (card_set(board) >> card & 1) != 0 ? 0 : pair_strength(deck, static_cast<Card>(card), board);
    return;
  }
  const SuitRanks ranks = suit_ranks(deck, board);
  with_kernel(rule, num_hole + static_cast<int>(board.size()),
              [&]<int kCards, bool kShort> { best_five_board<kCards, kShort>(deck, ranks, num_hole, out); });
}

Category category(Showdown rule, Strength strength) {
  const auto found = static_cast<Category>(strength >> 26);
  if (rule != Showdown::kShortDeck) return found;
  if (found == Category::kFlush) return Category::kFullHouse;
  return found == Category::kFullHouse ? Category::kFlush : found;
}

}  // namespace regretless
