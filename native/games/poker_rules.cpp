// SPDX-License-Identifier: MIT
#include "games/poker_rules.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace regretless {
namespace {

void require(bool ok, const std::string& message) {
  if (!ok) throw std::invalid_argument(message);
}

std::string at(const char* field, int index) { return std::string(field) + "[" + std::to_string(index) + "]"; }

void validate_cards(const PokerRules& rules) {
  const Deck& deck = rules.deck;
  require(deck.num_ranks >= 1 && deck.num_suits >= 1 && deck.num_suits <= 4 && deck.lowest_rank + deck.num_ranks <= 13,
          "deck: needs 1 to 13 ranks up to the ace and 1 to 4 suits");
  require(rules.num_hole_cards >= 1 && rules.num_hole_cards <= kMaxHoleCards,
          "hole_cards: must be 1 to 5, not " + std::to_string(rules.num_hole_cards));
  for (int s = 0; s < rules.num_streets; ++s)
    require(rules.board_cards[s] >= 0 && rules.board_cards[s] <= kMaxBoardCards, at("board_cards", s) + ": must be 0 to 5");
  const int board = rules.num_board_cards(), hole = rules.num_hole_cards;
  require(board <= kMaxBoardCards, "board_cards: more than 5 in all");
  require(rules.num_players * hole + board <= deck.num_cards(),
          "deck: " + std::to_string(deck.num_cards()) + " cards are too few for " + std::to_string(rules.num_players) + " players");
  switch (rules.showdown) {
    case Showdown::kHoldem:
      require(deck == kDeck52, "showdown: holdem needs the deck of 52");
      require(hole + board >= 5 && hole + board <= 7, "showdown: holdem needs 5 to 7 cards a player");
      break;
    case Showdown::kShortDeck:
      require(deck == kDeck36, "showdown: short-deck needs the deck of 36, six to ace");
      require(hole + board >= 5 && hole + board <= 7, "showdown: short-deck needs 5 to 7 cards a player");
      break;
    case Showdown::kOmaha:
      require(deck == kDeck52, "showdown: omaha needs the deck of 52");
      require((hole == 4 || hole == 5) && board >= 3, "showdown: omaha needs 4 or 5 hole and 3 to 5 board cards");
      break;
    case Showdown::kPair:
      require(hole == 1, "showdown: pair needs one hole card");
      break;
  }
}

void validate_chips(const PokerRules& rules) {
  for (int s = 0; s < rules.num_streets; ++s) {
    require(rules.bets[s] > 0 && rules.bets[s] <= kMaxStack, at("bets", s) + ": must be positive");
    require(rules.max_raises[s] >= 0 && rules.max_raises[s] <= kNoRaiseCap, at("max_raises", s) + ": must be 0 to a million");
    require(rules.first_actors[s] >= 0 && rules.first_actors[s] < rules.num_players, at("first_actors", s) + ": no such seat");
  }
  Chips forced = 0;
  for (Player p = 0; p < rules.num_players; ++p) {
    require(rules.antes[p] >= 0 && rules.antes[p] <= kMaxStack, at("antes", p) + ": must not be negative");
    require(rules.blinds[p] >= 0 && rules.blinds[p] <= kMaxStack, at("blinds", p) + ": must not be negative");
    require(rules.stacks[p] > 0 && rules.stacks[p] <= kMaxStack,
            at("stacks", p) + ": must be 1 to " + std::to_string(kMaxStack) + " chips, not " + std::to_string(rules.stacks[p]));
    forced = std::max({forced, rules.antes[p], rules.blinds[p]});
  }
  require(forced > 0, "blinds, antes: somebody must put in a chip before the deal");
  require(rules.rake.fraction >= 0 && rules.rake.fraction < 1, "rake.fraction: must be at least 0 and below 1");
  require(rules.rake.cap >= 0 && rules.rake.cap <= kMaxStack, "rake.cap: must be 0 to 100 million");
  require(rules.unit > 0 && rules.unit <= kMaxStack, "unit: must be 1 to 100 million");
}

}  // namespace

int PokerRules::num_board_cards() const {
  return std::accumulate(board_cards.begin(), board_cards.begin() + std::clamp(num_streets, 0, kMaxStreets), 0);
}

void PokerRules::validate() const {
  require(num_players >= 2 && num_players <= kMaxPlayers, "players: must be 2 to 10, not " + std::to_string(num_players));
  require(num_streets >= 1 && num_streets <= kMaxStreets, "streets: must be 1 to 4, not " + std::to_string(num_streets));
  validate_cards(*this);
  validate_chips(*this);
}

}  // namespace regretless
