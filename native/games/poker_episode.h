// SPDX-License-Identifier: MIT
// One poker episode, stepped by slots of the menu or by raw actions, with what happened so far. Cards may be unknown: play
// stops where board cards are due until they are dealt, and a showdown needs the cards of those who are in it.
#pragma once
#include "games/poker.h"

namespace regretless {

inline constexpr Card kNoCard = 255;

class PokerEpisode {
 public:
  // The action of one player, and the chips before it.
  struct Event {
    Step step;
    Action action;
    Chips added;      // chips put in by it
    bool is_on_menu;  // else the slot is the nearest one
  };

  // Deals the cards of episode `index` of a job with this seed.
  PokerEpisode(std::shared_ptr<const Poker> game, std::uint64_t seed, std::uint64_t index);
  // Given cards: hole cards by seat (an empty list: unknown), and as many board cards as are known; none: those that the game
  // begins with.
  PokerEpisode(std::shared_ptr<const Poker> game, const std::vector<std::vector<int>>& hole, const std::vector<int>& board);

  const Poker& game() const { return *game_; }
  const PokerState& state() const { return state_; }
  const PokerDeal& deal() const { return deal_; }
  const std::vector<Event>& events() const { return events_; }
  std::vector<Step> steps() const;  // throws std::invalid_argument after a bet that is not on the menu
  std::vector<int> board() const { return {state_.board.begin(), state_.board.begin() + state_.num_board}; }
  int street() const { return state_.street; }
  std::vector<bool> live() const;
  Player actor() const { return state_.actor; }

  // Each throws std::invalid_argument, and leaves the episode as it was, if it cannot be done.
  void act(Action action);
  void choose(int slot);
  void deal_board(const std::vector<int>& cards);
  void deal_hole(Player player, const std::vector<int>& cards);

  bool is_known(Player player) const { return deal_.hole[player][0] != kNoCard; }
  std::vector<Chips> payoffs() const;
  std::vector<Step> history() const;
  Strength strength(Player player) const;  // on the full board
  std::string infoset_text() const;        // of the actor, whose cards must be known: his hand and all that is public

 private:
  void play_on();
  void require_decision() const;
  void require_known(Player player) const;
  std::vector<Card> check_cards(const std::vector<int>& cards, std::size_t count) const;

  std::shared_ptr<const Poker> game_;
  PokerState state_;
  PokerDeal deal_;
  int num_known_board_ = 0;
  std::vector<Event> events_;
};

}  // namespace regretless
