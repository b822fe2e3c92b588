// SPDX-License-Identifier: MIT
#include "games/poker_episode.h"

#include <algorithm>
#include <stdexcept>

namespace regretless {

PokerEpisode::PokerEpisode(std::shared_ptr<const Poker> game, std::uint64_t seed, std::uint64_t index)
    : game_(std::move(game)), state_(game_->root()), num_known_board_(game_->rules().num_board_cards()) {
  Random random{seed, index};
  deal_ = game_->deal(random);
  play_on();
}

PokerEpisode::PokerEpisode(std::shared_ptr<const Poker> game, const std::vector<std::vector<int>>& hole,
                           const std::vector<int>& board)
    : game_(std::move(game)), state_(game_->root()) {
  for (auto& cards : deal_.hole) cards.fill(kNoCard);
  deal_.board.fill(kNoCard);
  const std::vector<int>& start = game_->start().board;
  for (const int card : start) deal_.board[num_known_board_++] = static_cast<Card>(card);
  const bool goes_on = board.size() >= start.size() && std::equal(start.begin(), start.end(), board.begin());
  if (!board.empty() && !goes_on) throw std::invalid_argument("the board must begin with the cards that the game begins with");
  if (hole.size() > static_cast<std::size_t>(game_->num_players()))
    throw std::invalid_argument("hole cards for more seats than there are");
  for (std::size_t p = 0; p < hole.size(); ++p)
    if (!hole[p].empty()) deal_hole(static_cast<Player>(p), hole[p]);
  deal_board(board.empty() ? board : std::vector<int>(board.begin() + static_cast<std::ptrdiff_t>(start.size()), board.end()));
}

std::vector<Card> PokerEpisode::check_cards(const std::vector<int>& cards, std::size_t count) const {
  if (cards.size() != count)
    throw std::invalid_argument(std::to_string(count) + " cards are due, not " + std::to_string(cards.size()));
  CardSet seen = 0;
  const auto see = [&](int card) {
    if (card == kNoCard) return;
    if (card < 0 || card >= game_->rules().deck.num_cards())
      throw std::invalid_argument("card " + std::to_string(card) + " is not in the deck");
    if ((seen >> card & 1) != 0) throw std::invalid_argument("card " + std::to_string(card) + " is dealt twice");
    seen |= CardSet{1} << card;
  };
  for (Player p = 0; p < game_->num_players(); ++p)
    for (const Card card : game_->hole(deal_, p)) see(card);
  for (const Card card : deal_.board) see(card);
  std::vector<Card> checked;
  for (const int card : cards) {
    if (card == kNoCard) throw std::invalid_argument("card 255 is not in the deck");
    see(card);
    checked.push_back(static_cast<Card>(card));
  }
  return checked;
}

void PokerEpisode::deal_hole(Player player, const std::vector<int>& cards) {
  if (player < 0 || player >= game_->num_players()) throw std::invalid_argument("no seat " + std::to_string(player));
  if (is_known(player)) throw std::invalid_argument("seat " + std::to_string(player) + " has its cards already");
  const auto checked = check_cards(cards, static_cast<std::size_t>(game_->rules().num_hole_cards));
  std::copy(checked.begin(), checked.end(), deal_.hole[player].begin());
}

void PokerEpisode::deal_board(const std::vector<int>& cards) {
  const int left = game_->rules().num_board_cards() - num_known_board_;
  if (static_cast<int>(cards.size()) > left)
    throw std::invalid_argument("only " + std::to_string(left) + " board cards are left to deal, not " +
                                std::to_string(cards.size()));
  const auto checked = check_cards(cards, cards.size());
  std::copy(checked.begin(), checked.end(), deal_.board.begin() + num_known_board_);
  num_known_board_ += static_cast<int>(checked.size());
  play_on();
}

void PokerEpisode::play_on() {
  while (state_.actor == kChance && state_.num_board + game_->betting().num_cards_due(state_) <= num_known_board_)
    game_->reveal(state_, deal_);
}

void PokerEpisode::require_decision() const {
  if (state_.actor == kTerminal) throw std::invalid_argument("the episode is over");
  if (state_.actor == kChance) throw std::invalid_argument("board cards are due");
}

void PokerEpisode::require_known(Player player) const {
  if (!is_known(player)) throw std::invalid_argument("the cards of seat " + std::to_string(player) + " are unknown");
}

void PokerEpisode::act(Action action) {
  require_decision();
  const Betting& betting = game_->betting();
  if (!betting.is_legal(state_, action)) {
    if (action == kFold) throw std::invalid_argument("there is no bet to fold to");
    const auto range = betting.raise_range(state_);
    throw std::invalid_argument(range ? "raise to " + std::to_string(action) + ": must be " + std::to_string(range->min) + " to " +
                                            std::to_string(range->max)
                                      : "raise to " + std::to_string(action) + ": no raise is allowed here");
  }
  const Player me = state_.actor;
  const Translation slots = translate(game_->menu(), betting, state_, action);
  const int slot = slots.low_probability >= 0.5 ? slots.low : slots.high;
  const bool is_on_menu = game_->offer(state_).actions[slot] == action;
  const Chips added = action == kFold ? 0 : action == kCall ? betting.to_call(state_) : action - state_.bets[me];
  events_.push_back({game_->take(state_, slot, action), action, added, is_on_menu});
  play_on();
}

void PokerEpisode::choose(int slot) {
  require_decision();
  const Offer offer = game_->offer(state_);
  if (slot < 0 || slot >= game_->num_actions()) throw std::invalid_argument("slot " + std::to_string(slot) + " is not on the menu");
  if ((offer.legal >> slot & 1) == 0)
    throw std::invalid_argument("slot " + std::to_string(slot) + " (" + game_->menu().slots[slot] + ") is not legal here");
  act(offer.actions[slot]);
}

std::vector<Step> PokerEpisode::steps() const {
  std::vector<Step> steps;
  for (const Event& event : events_) {
    if (!event.is_on_menu) throw std::invalid_argument("a bet to " + std::to_string(event.action) + " is not on the menu");
    steps.push_back(event.step);
  }
  return steps;
}

std::vector<bool> PokerEpisode::live() const {
  std::vector<bool> live;
  for (Player p = 0; p < game_->num_players(); ++p) live.push_back((state_.live >> p & 1) != 0);
  return live;
}

std::vector<Chips> PokerEpisode::payoffs() const {
  if (state_.actor != kTerminal) throw std::invalid_argument("the episode is not over");
  if (!std::has_single_bit(state_.live))
    for (Player p = 0; p < game_->num_players(); ++p)
      if ((state_.live >> p & 1) != 0) require_known(p);
  std::vector<Chips> payoffs(static_cast<std::size_t>(game_->num_players()));
  game_->payoffs(state_, deal_, payoffs);
  return payoffs;
}

std::vector<Step> PokerEpisode::history() const {
  std::vector<Step> history;
  for (const Event& event : events_) history.push_back(event.step);
  return history;
}

Strength PokerEpisode::strength(Player player) const {
  if (player < 0 || player >= game_->num_players()) throw std::invalid_argument("no seat " + std::to_string(player));
  require_known(player);
  const auto& rules = game_->rules();
  if (num_known_board_ < rules.num_board_cards()) throw std::invalid_argument("the board is not complete");
  return regretless::strength(rules.showdown, rules.deck, game_->hole(deal_, player),
                              {deal_.board.data(), static_cast<std::size_t>(num_known_board_)});
}

std::string PokerEpisode::infoset_text() const {
  PokerState state = game_->root();
  std::string text = game_->hand_text(game_->hand(deal_, actor())) + ":";
  const auto reveal = [&] {
    while (state.actor == kChance) {
      const PokerState before = state;
      game_->reveal(state, deal_);
      text += game_->outcome_text(before, state);
    }
  };
  reveal();
  for (const Event& event : events_) {
    text += game_->action_text(event.step.slot);
    game_->betting().act(state, event.action);
    reveal();
  }
  return text;
}

}  // namespace regretless
