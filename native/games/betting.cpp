// SPDX-License-Identifier: MIT
#include "games/betting.h"

#include <algorithm>
#include <numeric>

namespace regretless {
namespace {

constexpr Seats seat_bit(Player p) { return static_cast<Seats>(1u << p); }

// The first seat of `seats` at or after `from`, going round.
Player first_from(Seats seats, Player from) {
  const unsigned later = seats & (~0u << from);
  return std::countr_zero(later != 0 ? later : unsigned{seats});
}

template <class Visit>
void for_each_seat(Seats seats, Visit visit) {
  for (unsigned rest = seats; rest != 0; rest &= rest - 1) visit(std::countr_zero(rest));
}

// Returns the part of a bet that nobody matched.
void return_unmatched(PokerState& state, std::array<Chips, kMaxPlayers>& bets, int num_players) {
  Chips highest = 0, second = 0;
  Player top = 0;
  for (Player p = 0; p < num_players; ++p) {  // without branches, which bets would mislead
    second = std::max(second, std::min(highest, bets[p]));
    top = bets[p] > highest ? p : top;
    highest = std::max(highest, bets[p]);
  }
  const Chips excess = highest - second;
  bets[top] -= excess;
  state.stacks[top] += excess;
  if (&bets != &state.paid) state.paid[top] -= excess;
}

}  // namespace

Betting::Betting(const PokerRules& rules) : rules_(rules) {
  rules_.validate();
  const int n = rules_.num_players;
  if (std::count(rules_.antes.begin(), rules_.antes.begin() + n, rules_.antes[0]) < n)
    for (Player p = 0; p < n; ++p) dead_antes_[p] = std::min(rules_.antes[p], rules_.stacks[p]);
  post(root_);
  if (rules_.board_cards[0] > 0)
    root_.actor = kChance;
  else
    begin_street(root_);
}

void Betting::post(PokerState& state) const {
  const int n = rules_.num_players;
  state.live = static_cast<Seats>((1u << n) - 1);
  for (Player p = 0; p < n; ++p) {
    state.paid[p] = std::min(rules_.antes[p], rules_.stacks[p]);
    state.stacks[p] = rules_.stacks[p] - state.paid[p];
  }
  if (dead_antes_ == decltype(dead_antes_){}) return_unmatched(state, state.paid, n);
  for (Player p = 0; p < n; ++p) {
    const Chips blind = std::min(rules_.blinds[p], state.stacks[p]);
    state.stacks[p] -= blind;
    state.paid[p] += blind;
    state.bets[p] = blind;
    state.high_bet = std::max(state.high_bet, blind);
  }
}

Chips Betting::pot(const PokerState& state) const {
  Chips sum = 0;
  for (Player p = 0; p < rules_.num_players; ++p) sum += state.paid[p];
  return sum;
}

bool Betting::is_legal(const PokerState& state, Action action) const {
  if (state.actor < 0) return false;
  if (action == kCall) return true;
  if (action == kFold) return can_fold(state);
  const auto range = raise_range(state);
  return range && action >= range->min && action <= range->max;
}

void Betting::act(PokerState& state, Action action) const {
  const Player me = state.actor;
  const Seats mine = seat_bit(me);
  state.key = extend_key(state.key, static_cast<std::uint64_t>(action + 1));
  state.to_act &= static_cast<Seats>(~mine);
  if (action == kFold) {
    state.live &= static_cast<Seats>(~mine);
    return pass_on(state);
  }
  const Chips added = action == kCall ? to_call(state) : action - state.bets[me];
  state.stacks[me] -= added;
  state.bets[me] += added;
  state.paid[me] += added;
  if (action == kCall) {
    state.acted |= mine;
    return pass_on(state);
  }
  const Chips raise = action - state.high_bet;
  if (raise >= state.last_raise) {
    state.acted = mine;
    state.last_raise = rules_.limit == Limit::kFixed ? state.last_raise : raise;
  } else {
    state.acted |= mine;
  }
  state.high_bet = action;
  ++state.num_raises;
  state.aggressor = static_cast<std::int8_t>(me);
  state.to_act = 0;
  for_each_seat(state.live & static_cast<Seats>(~mine), [&](Player p) {
    if (state.stacks[p] > 0) state.to_act |= seat_bit(p);
  });
  pass_on(state);
}

void Betting::pass_on(PokerState& state) const {
  if (state.to_act == 0 || std::has_single_bit(state.live)) return end_street(state);
  state.actor = static_cast<std::int8_t>(first_from(state.to_act, state.actor + 1));
}

// Players with chips, less one who has already bet more than all the others could.
Seats Betting::seats_to_speak(const PokerState& state) const {
  Chips most = -1, second = -1;  // that anybody can have bet
  for_each_seat(state.live, [&](Player p) {
    const Chips can = state.stacks[p] + state.bets[p];
    second = std::max(second, std::min(most, can));
    most = std::max(most, can);
  });
  Seats seats = 0;
  for_each_seat(state.live, [&](Player p) {
    const Chips others = state.stacks[p] + state.bets[p] == most ? second : most;
    if (state.stacks[p] > 0 && others > state.bets[p]) seats |= seat_bit(p);
  });
  return seats;
}

void Betting::begin_street(PokerState& state) const {
  state.num_raises = 0;
  state.acted = 0;
  state.last_raise = rules_.bets[state.street];
  if (state.street == 0 && rules_.limit != Limit::kFixed)  // a straddle is raised by at least a straddle
    state.last_raise =
        std::max(state.last_raise, *std::max_element(rules_.blinds.begin(), rules_.blinds.begin() + rules_.num_players));
  state.to_act = seats_to_speak(state);
  if (std::has_single_bit(state.to_act) && state.bets[std::countr_zero(state.to_act)] >= state.high_bet) state.to_act = 0;
  if (state.to_act == 0) return end_street(state);
  state.actor = static_cast<std::int8_t>(first_from(state.to_act, rules_.first_actors[state.street]));
}

void Betting::end_street(PokerState& state) const {
  return_unmatched(state, state.bets, rules_.num_players);
  if (std::has_single_bit(state.live) || state.street + 1 == rules_.num_streets) {
    state.actor = kTerminal;
    return;
  }
  if (state.num_raises == 0) state.aggressor = kNoAggressor;
  ++state.street;
  state.bets = {};
  state.high_bet = 0;
  state.actor = kChance;
  if (rules_.board_cards[state.street] == 0) begin_street(state);
}

void Betting::reveal(PokerState& state, const Card* cards) const {
  CardSet set = 0;
  for (int i = 0; i < rules_.board_cards[state.street]; ++i) {
    state.board[state.num_board++] = cards[i];
    set |= bit(cards[i]);
  }
  state.key = extend_key(state.key, set << 8);
  begin_street(state);
}

void Betting::settle(const PokerState& state, const Strength* strengths, Chips* payoffs) const {
  const int n = rules_.num_players;
  for (Player p = 0; p < n; ++p) payoffs[p] = -state.paid[p];
  Chips rake = 0;
  if (rules_.rake.fraction > 0 && (state.num_board > 0 || !rules_.rake.no_flop_no_drop)) {
    rake = static_cast<Chips>(rules_.rake.fraction * pot(state));
    if (rules_.rake.cap > 0) rake = std::min(rake, rules_.rake.cap);
  }
  if (std::has_single_bit(state.live)) {
    payoffs[std::countr_zero(state.live)] += pot(state) - rake;
    return;
  }
  // One pot for each level at which a live player ran out of chips, the main pot first. The rake comes off the main pot first.
  const auto staked = [&](Player p) { return state.paid[p] - dead_antes_[p]; };
  Chips amount = std::accumulate(dead_antes_.begin(), dead_antes_.end(), Chips{0});
  Seats contenders = state.live;
  for (Chips floor = 0; contenders != 0; amount = 0) {
    Chips level = kMaxStack;
    Strength best = 0;
    for_each_seat(contenders, [&](Player p) {
      level = std::min(level, staked(p));
      best = std::max(best, strengths[p]);
    });
    for (Player p = 0; p < n; ++p) amount += std::clamp(staked(p) - floor, 0, level - floor);
    const Chips raked = std::min(rake, amount);
    rake -= raked;
    amount -= raked;
    Seats winners = 0;
    for_each_seat(contenders, [&](Player p) {
      if (strengths[p] == best) winners |= seat_bit(p);
    });
    const Chips share = amount / std::popcount(winners);
    for_each_seat(winners, [&](Player p) { payoffs[p] += share; });
    payoffs[std::countr_zero(winners)] += amount - share * std::popcount(winners);  // odd chips: the first seat
    for_each_seat(contenders, [&](Player p) {
      if (staked(p) == level) contenders &= static_cast<Seats>(~seat_bit(p));
    });
    floor = level;
  }
}

}  // namespace regretless
