// SPDX-License-Identifier: MIT
#include "games/poker.h"

#include <cmath>
#include <stdexcept>

#include "games/pot_share.h"

namespace regretless {
namespace {

// Spreads the lowest bits of `packed` over the cards that are not in `taken`.
CardSet spread(CardSet packed, CardSet taken) {
  CardSet cards = 0;
  for (int c = 0; packed != 0; ++c) {
    if ((taken >> c & 1) != 0) continue;
    cards |= (packed & 1) << c;
    packed >>= 1;
  }
  return cards;
}

std::string cards_text(const Deck& deck, CardSet cards) {
  std::string text;
  for (; cards != 0; cards &= cards - 1) {
    const auto card = static_cast<Card>(std::countr_zero(cards));
    text += "23456789TJQKA"[deck.lowest_rank + deck.rank(card)];
    if (deck.num_suits > 1) text += "cdhs"[deck.suit(card)];
  }
  return text;
}

}  // namespace

Poker::Poker(const PokerRules& rules_data, BetMenu menu, PokerStart start)
    : betting_(rules_data), menu_(std::move(menu)), start_(std::move(start)), root_(betting_.root()) {
  menu_.validate(rules());
  has_donks_ = menu_.has_donks();
  const bool lists_hands = rules().num_hole_cards <= 2 || (rules().num_hole_cards <= 4 && !start_.weights.empty());
  for (Hand hand = 0; lists_hands && hand < num_hands(); ++hand)
    hand_sets_.push_back(subset_at(static_cast<std::uint32_t>(hand), rules().num_hole_cards));
  begin_at_start();
}

void Poker::begin_at_start() {
  if (start_.aggressor < kNoAggressor || start_.aggressor >= num_players())
    throw std::invalid_argument("start.aggressor: no seat " + std::to_string(start_.aggressor));
  root_.aggressor = static_cast<std::int8_t>(start_.aggressor);
  if (!start_.board.empty()) {
    const int due = root_.actor == kChance ? betting_.num_cards_due(root_) : 0;
    if (static_cast<int>(start_.board.size()) != due)
      throw std::invalid_argument("board: " + std::to_string(start_.board.size()) + " cards, but " + std::to_string(due) +
                                  " are due");
    std::array<Card, kMaxBoardCards> cards{};
    CardSet seen = 0;
    for (std::size_t i = 0; i < start_.board.size(); ++i) {
      const int card = start_.board[i];
      if (card < 0 || card >= rules().deck.num_cards() || (seen >> card & 1) != 0)
        throw std::invalid_argument("board: card " + std::to_string(card) + " is not in the deck or there twice");
      cards[i] = static_cast<Card>(card);
      seen |= bit(cards[i]);
    }
    betting_.reveal(root_, cards.data());
  }
  if (start_.weights.empty()) return;
  if (num_players() != 2 || hand_sets_.empty())
    throw std::invalid_argument("start.weights: only for two players with up to four hole cards");
  dealer_ = RangeDealer(hand_sets_, board_set(root_), start_.weights);
}

std::vector<int> Poker::hand_parts(Hand hand) const {
  std::vector<int> cards;
  for (CardSet set = hand_cards(hand); set != 0; set &= set - 1) cards.push_back(std::countr_zero(set));
  return cards;
}

Step Poker::take(State& state, int slot, Action action) const {
  const Chips pot = betting_.pot(state), owed = betting_.to_call(state);
  Step step{static_cast<std::uint8_t>(state.actor), static_cast<std::uint8_t>(slot), state.street};
  if (action == kCall) step.share = pot_share(owed, pot);
  if (action > 0) step.share = pot_share(action - state.high_bet, pot + owed);
  betting_.act(state, action);
  return step;
}

std::uint32_t Poker::num_outcomes(const State& state) const {
  return choose(rules().deck.num_cards() - state.num_board, betting_.num_cards_due(state));
}

void Poker::reveal(State& state, std::uint32_t outcome) const {
  std::array<Card, kMaxBoardCards> cards{};
  write_cards(spread(subset_at(outcome, betting_.num_cards_due(state)), board_set(state)), cards.data());
  betting_.reveal(state, cards.data());
}

double Poker::num_deals(const State& state) const {
  double deals = 1;
  int left = rules().deck.num_cards() - state.num_board;
  for (Player p = 0; p < num_players(); ++p, left -= rules().num_hole_cards) deals *= choose(left, rules().num_hole_cards);
  return deals;
}

double Poker::num_partial_deals() const {
  double histories = 0, deals = 1;
  int left = rules().deck.num_cards();
  for (int i = 0; i < num_players() * rules().num_hole_cards; ++i, --left) {
    histories += deals;
    deals *= left;
  }
  return histories;
}

Ending Poker::ending(const State& state) const {
  Ending ending;
  ending.is_showdown = !std::has_single_bit(state.live);
  ending.key = board_set(state);
  for (int result = 0; result < 3; ++result) {  // of player 0: lose, tie, win
    const std::array<Strength, 2> strengths{result >= 1 ? 1u : 0u, result <= 1 ? 1u : 0u};
    std::array<Chips, kMaxPlayers> chips{};
    betting_.settle(state, strengths.data(), chips.data());
    ending.payoffs[0][result] = chips[0];
    ending.payoffs[1][2 - result] = chips[1];
  }
  return ending;
}

Strength Poker::hand_strength(const State& state, Hand hand) const {
  std::array<Card, kMaxHoleCards> cards{};
  write_cards(hand_cards(hand), cards.data());
  return regretless::strength(rules().showdown, rules().deck, {cards.data(), static_cast<std::size_t>(rules().num_hole_cards)},
                              {state.board.data(), state.num_board});
}

int Poker::compare(const State& state, Hand first, Hand second) const {
  const Strength a = hand_strength(state, first), b = hand_strength(state, second);
  return (a > b) - (a < b);
}

double Poker::outcome_probability(const State& state) const {
  return 1.0 /
         choose(rules().deck.num_cards() - state.num_board - num_players() * rules().num_hole_cards, betting_.num_cards_due(state));
}

PokerDeal Poker::deal(Random& random) const {
  std::array<Card, 64> cards;
  for (int c = 0; c < 64; ++c) cards[c] = static_cast<Card>(c);
  const int num_cards = rules().deck.num_cards();
  int next = 0;
  const auto draw = [&] {
    const int at = next + static_cast<int>(random.below(static_cast<std::uint32_t>(num_cards - next)));
    std::swap(cards[at], cards[next]);
    return cards[next++];
  };
  const auto take = [&](Card card) {
    std::swap(*std::find(cards.begin() + next, cards.begin() + num_cards, card), cards[next]);
    return cards[next++];
  };
  PokerDeal deal;
  int given = 0;
  for (const int card : start_.board) deal.board[given++] = take(static_cast<Card>(card));
  if (dealer_.is_open()) {
    for (Player p = 0; p < num_players(); ++p)
      for (int i = 0; i < rules().num_hole_cards; ++i) deal.hole[p][i] = draw();
  } else {
    const auto [first, second] = dealer_.deal(random);
    for (Player p = 0; p < 2; ++p) {
      CardSet set = hand_cards(p == 0 ? first : second);
      for (int i = 0; set != 0; ++i, set &= set - 1) deal.hole[p][i] = take(static_cast<Card>(std::countr_zero(set)));
    }
  }
  for (int i = given, n = rules().num_board_cards(); i < n; ++i) deal.board[i] = draw();
  return deal;
}

std::uint32_t Poker::outcome(const State& state, const Deal& deal) const {
  const CardSet taken = board_set(state);
  CardSet packed = 0;  // the cards due, numbered among those not on the board: the inverse of spread
  for (int i = 0; i < betting_.num_cards_due(state); ++i) {
    const Card card = deal.board[state.num_board + i];
    packed |= CardSet{1} << (card - std::popcount(taken & (bit(card) - 1)));
  }
  return subset_index(packed);
}

void Poker::payoffs(const State& state, const Deal& deal, std::span<Chips> out) const {
  std::array<Strength, kMaxPlayers> strengths{};
  if (!std::has_single_bit(state.live))
    for (unsigned rest = state.live; rest != 0; rest &= rest - 1) {
      const Player p = std::countr_zero(rest);
      strengths[p] = strength(deal, p);
    }
  betting_.settle(state, strengths.data(), out.data());
}

Strength Poker::strength(const Deal& deal, Player player) const {
  return regretless::strength(rules().showdown, rules().deck, hole(deal, player),
                              {deal.board.data(), static_cast<std::size_t>(rules().num_board_cards())});
}

int Poker::num_public_features() const {
  const int aggressors = has_donks_ ? num_players() : 0;
  return 2 * num_players() + rules().num_streets * (1 + rules().deck.num_cards()) + 3 + 2 * num_players() + aggressors;
}

void Poker::encode_public(const State& state, std::span<float> features) const {
  std::fill(features.begin(), features.end(), 0.f);
  const int n = num_players(), cards = rules().deck.num_cards(), streets = rules().num_streets;
  float* out = features.data();
  if (state.actor >= 0) out[state.actor] = 1;
  out += n;
  for (Player p = 0; p < n; ++p) *out++ = (state.acted >> p & 1) != 0 ? 1.f : 0.f;
  out[state.street] = 1;
  out += streets;
  for (int street = 0, at = 0; street < streets; ++street, out += cards)
    for (int i = 0; i < rules().board_cards[street] && at < state.num_board; ++i, ++at) out[state.board[at]] = 1;
  const float scale = 1.f / static_cast<float>(*std::max_element(rules().stacks.begin(), rules().stacks.begin() + n));
  *out++ = static_cast<float>(betting_.pot(state)) * scale;
  *out++ = static_cast<float>(state.last_raise) * scale;
  *out++ = static_cast<float>(state.num_raises) / 4.f;
  for (Player p = 0; p < n; ++p) {
    *out++ = static_cast<float>(state.stacks[p]) * scale;
    *out++ = static_cast<float>(state.bets[p]) * scale;
  }
  if (has_donks_ && state.aggressor != kNoAggressor) out[state.aggressor] = 1;
}

std::string Poker::slot_text(const State& state, int slot) const {
  const Action action = offer(state).actions[slot];
  const Chips owed = betting_.to_call(state);
  if (slot == kFoldSlot) return "fold";
  if (slot == kCallSlot) return owed == 0 ? "check" : "call " + std::to_string(owed);
  const bool all_in = action == state.stacks[state.actor] + state.bets[state.actor];
  return (all_in ? "all-in " : state.high_bet == 0 ? "bet " : "raise to ") + std::to_string(action);
}

std::string Poker::hand_text(Hand hand) const { return cards_text(rules().deck, hand_cards(hand)); }

std::string Poker::outcome_text(const State& before, const State& after) const {
  std::string text = "/";
  text += cards_text(rules().deck, board_set(after) & ~board_set(before));
  return text += ":";
}

std::string Poker::action_text(int slot) const {
  if (slot <= kCallSlot) return slot == kFoldSlot ? "f" : "c";
  return num_actions() == 3 ? "r" : "[" + menu_.slots[slot] + "]";
}

}  // namespace regretless
