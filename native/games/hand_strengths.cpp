// SPDX-License-Identifier: MIT
#include "games/hand_strengths.h"

#include <algorithm>

#include "cards/hands.h"
#include "cards/starting_hands.h"

namespace regretless {
namespace {

// [hands]: for each the share of the others with a lower score, equal ones counted half.
std::vector<float> shares_below(const std::vector<std::int32_t>& scores) {
  std::vector<std::int32_t> sorted = scores;
  std::ranges::sort(sorted);
  std::vector<float> shares;
  for (const std::int32_t score : scores) {
    const auto [begin, end] = std::equal_range(sorted.begin(), sorted.end(), score);  // clang 14 fails on that of std::ranges
    const auto below = static_cast<double>(begin - sorted.begin()), equal = static_cast<double>(end - begin);
    shares.push_back(static_cast<float>((below + 0.5 * equal) / static_cast<double>(scores.size())));
  }
  return shares;
}

std::vector<float> pair_shares(const Deck& deck) {
  const HandTable hands(deck, 2);
  std::vector<std::int32_t> equities;
  for (std::uint32_t hand = 0; hand < hands.num_hands(); ++hand) {
    const Card low = hands.cards(hand)[0], high = hands.cards(hand)[1];
    const bool is_suited = deck.suit(low) == deck.suit(high);
    const int first = deck.lowest_rank + deck.rank(is_suited ? low : high);
    const int second = deck.lowest_rank + deck.rank(is_suited ? high : low);
    equities.push_back(kStartingHandEquities[first][second]);
  }
  return shares_below(equities);
}

}  // namespace

HandStrengths<Poker>::HandStrengths(const Poker& game) : rules_(game.rules()) {
  if (rules_.showdown == Showdown::kPair) return;
  pairs_ = pair_shares(rules_.deck);
  const int least = rules_.showdown == Showdown::kOmaha ? 3 : 5 - rules_.num_hole_cards;
  for (int board = std::max(least, 0); board <= rules_.num_board_cards(); ++board)
    shares_[board] = strength_shares(rules_.showdown, rules_.deck, rules_.num_hole_cards, board);
}

float HandStrengths<Poker>::operator()(const PokerState& state, const PokerDeal& deal, Player player) const {
  const std::span<const Card> hole{deal.hole[player].data(), static_cast<std::size_t>(rules_.num_hole_cards)};
  if (rules_.showdown == Showdown::kPair) return among_cards(state, hole[0]);
  if (judges(state.num_board))
    return share(state.num_board, strength(rules_.showdown, rules_.deck, hole, {state.board.data(), state.num_board}));
  return before_board(hole);
}

float HandStrengths<Poker>::before_board(std::span<const Card> hole) const {
  float sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < hole.size(); ++i)
    for (std::size_t j = 0; j < i; ++j, ++count) sum += pairs_[subset_index(bit(hole[i]) | bit(hole[j]))];
  return sum / static_cast<float>(std::max(count, 1));
}

float HandStrengths<Poker>::among_cards(const PokerState& state, Card hole) const {
  const std::span<const Card> board{state.board.data(), state.num_board};
  const CardSet seen = card_set(board) | bit(hole);
  const auto judge = [&](const Card& card) { return strength(rules_.showdown, rules_.deck, {&card, 1}, board); };
  const Strength mine = judge(hole);
  int doubled = 0, others = 0;  // a weaker card counts 2, an equal one 1
  for (Card card = 0; card < rules_.deck.num_cards(); ++card) {
    if ((seen & bit(card)) != 0) continue;
    const Strength other = judge(card);
    doubled += (other < mine) + (other <= mine);
    ++others;
  }
  return static_cast<float>(doubled) / static_cast<float>(2 * others);
}

HandStrengths<LiarsDice>::HandStrengths(const LiarsDice& game) : game_(game) {
  const int faces = game.num_faces(), wild = faces - 1;
  std::vector<std::int32_t> best(static_cast<std::size_t>(game.num_hands()));
  for (std::size_t hand = 0; hand < best.size(); ++hand) {
    std::vector<std::int32_t> counts(static_cast<std::size_t>(faces));
    std::size_t rest = hand;
    for (int die = 0; die < game.num_dice(); ++die, rest /= static_cast<std::size_t>(faces))
      ++counts[rest % static_cast<std::size_t>(faces)];
    const std::int32_t wilds = counts[wild];
    counts[wild] = 0;
    best[hand] = wilds + *std::ranges::max_element(counts);
  }
  shares_ = shares_below(best);
}

}  // namespace regretless
