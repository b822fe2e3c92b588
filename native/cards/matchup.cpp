// SPDX-License-Identifier: MIT
#include "cards/matchup.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "cards/hands.h"

namespace regretless {
namespace {

constexpr std::int64_t kSearchLimit = 10'000'000;

[[noreturn]] void refuse(const std::string& problem) { throw std::invalid_argument(problem); }

CardSet distinct(std::span<const Card> cards, CardSet taken, const Deck& deck) {
  CardSet set = 0;
  for (const Card card : cards) {
    if (card >= deck.num_cards()) refuse("a board or dead card is not in the deck");
    if ((taken | set) & bit(card)) refuse("a card stands twice among board and dead cards");
    set |= bit(card);
  }
  return set;
}

// Drops what cannot be held, sorts, adds the weights of repeated hands, and scales the largest weight to 1.
WeightedHands tidy(const WeightedHands& given, CardSet available, const Deck& deck, int num_hole) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < given.hands.size(); ++i) {
    const double weight = given.weights[i];
    if (!std::isfinite(weight) || weight < 0) refuse("a weight is negative or not a number");
    if ((given.hands[i] & ~deck.all()) != 0 || std::popcount(given.hands[i]) != num_hole)
      refuse("a hand has " + std::to_string(num_hole) + " different cards of the deck");
    if (weight > 0 && (given.hands[i] & ~available) == 0) order.push_back(i);
  }
  const auto hand_at = [&](std::size_t i) { return given.hands[i]; };
  if (!std::ranges::is_sorted(order, {}, hand_at)) std::ranges::stable_sort(order, {}, hand_at);
  WeightedHands tidied;
  for (const std::size_t i : order) {
    if (!tidied.hands.empty() && tidied.hands.back() == given.hands[i]) {
      tidied.weights.back() += given.weights[i];
    } else {
      tidied.hands.push_back(given.hands[i]);
      tidied.weights.push_back(given.weights[i]);
    }
  }
  const double largest = tidied.weights.empty() ? 1 : std::ranges::max(tidied.weights);
  for (double& weight : tidied.weights) weight /= largest;
  return tidied;
}

// Looks for one deal to the players listed; once the budget is spent, takes it that there is one.
bool find_deal(const Matchup& matchup, std::span<const int> listed, CardSet used, std::int64_t& budget) {
  if (listed.empty()) return true;
  for (const CardSet hand : matchup.players[listed[0]].hands) {
    if (--budget <= 0) return true;
    if (share_card(hand, used)) continue;
    if (find_deal(matchup, listed.subspan(1), used | hand, budget)) return true;
  }
  return false;
}

// Players who may hold anything never block a deal as long as there are cards enough.
bool deal_exists(const Matchup& matchup) {
  std::vector<int> listed;
  CardSet reach = 0;
  for (int player = 0; player < matchup.num_players(); ++player) {
    if (matchup.is_random[player]) continue;
    listed.push_back(player);
    for (const CardSet hand : matchup.players[player].hands) reach |= hand;
  }
  if (std::popcount(reach) < static_cast<int>(listed.size()) * matchup.num_hole) return false;
  std::ranges::stable_sort(listed, {}, [&](int player) { return matchup.players[player].hands.size(); });
  std::int64_t budget = kSearchLimit;
  return find_deal(matchup, listed, 0, budget);
}

}  // namespace

Matchup::Matchup(Showdown rule_, const Deck& deck_, int num_hole_, std::vector<WeightedHands> players_,
                 std::span<const Card> board_, std::span<const Card> dead)
    : rule(rule_), deck(deck_), num_hole(num_hole_), players(std::move(players_)) {
  if (rule == Showdown::kPair) refuse("equity needs a rule with a board of five cards");
  check_showdown(rule, deck, num_hole, kMaxBoardCards);
  if (players.size() < 2 || players.size() > kMaxMatched) refuse("equity is for 2 to 9 players");
  if (board_.size() > kMaxBoardCards) refuse("a board has at most five cards");
  board = distinct(board_, 0, deck);
  available = deck.all() & ~board & ~distinct(dead, board, deck);
  if (num_players() * num_hole + num_missing() > std::popcount(available))
    refuse("the deck has too few cards for this many players");
  for (std::size_t i = 0; i < players.size(); ++i) {
    if (players[i].hands.size() != players[i].weights.size()) refuse("each hand needs a weight");
    players[i] = tidy(players[i], available, deck, num_hole);
    if (players[i].hands.empty())
      refuse("player " + std::to_string(i + 1) + " has no possible hand: each has weight 0, a board card or a dead card");
    is_random.push_back(players[i].hands.size() == choose(std::popcount(available), num_hole) &&
                        std::ranges::count(players[i].weights, players[i].weights[0]) == std::ssize(players[i].weights));
  }
  if (!deal_exists(*this)) refuse("no deal is possible: the players' hands always share a card");
}

}  // namespace regretless
