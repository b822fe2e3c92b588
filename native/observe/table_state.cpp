// SPDX-License-Identifier: MIT
#include "observe/table_state.h"

#include "games/pot_share.h"

namespace regretless {
namespace {

using Kind = Field::Kind;
constexpr int kMaxSeats = 9;
constexpr int kStepsOfUnit = 64;        // of chips
constexpr float kUnitsAsOne = 100, kRaisesAsOne = 4;
constexpr Player kNobody = -1;

constexpr unsigned seat_bit(Player p) { return 1u << p; }

// In 1/64 units, rounded, at most what two bytes hold; the same for the same number of units whatever the unit.
std::uint32_t units(Chips chips, Chips unit) {
  const std::int64_t steps = (std::int64_t{chips} * 2 * kStepsOfUnit + unit) / (2 * std::int64_t{unit});
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(steps, 0, 65535));
}

// The chips of live opponents in all, and the most that one of them has in stack and bet together.
struct Opponents {
  Chips largest_stack = 0, smallest_stack = kMaxStack, largest_bet = 0, deepest = 0;
  std::int64_t stacks = 0, bets = 0, count = 0;

  Opponents(const PokerState& state, Player actor) {
    for (unsigned left = state.live & ~seat_bit(actor); left != 0; left &= left - 1) {
      const int p = std::countr_zero(left);
      const Chips stack = state.stacks[p], bet = state.bets[p];
      largest_stack = std::max(largest_stack, stack);
      smallest_stack = std::min(smallest_stack, stack);
      largest_bet = std::max(largest_bet, bet);
      deepest = std::max(deepest, stack + bet);
      stacks += stack;
      bets += bet;
      ++count;
    }
  }
};

// The cost of raises for the actor, who need not be the one to act.
RaiseRange raise_costs(const Betting& betting, const PokerState& state, Player actor) {
  std::optional<RaiseRange> range;
  if (state.actor == actor) {
    range = betting.raise_range(state);
  } else {
    PokerState own = state;
    own.actor = static_cast<std::int8_t>(actor);
    range = betting.raise_range(own);
  }
  return range ? RaiseRange{range->min - state.bets[actor], range->max - state.bets[actor]} : RaiseRange{0, 0};
}

}  // namespace

void TableState::add_fields(RowLayout& layout) const {
  layout.add({.name = "street", .width = kMaxStreets});
  layout.add({.name = "pot, call, stack, effective stack, least and largest raise, chips put in: units",
              .kind = Kind::kNumbers,
              .count = 7,
              .width = 2,
              .stride = 1,
              .scale = 1.f / (kStepsOfUnit * kUnitsAsOne)});
  layout.add({.name = "pot odds", .kind = Kind::kNumbers, .scale = 1.f / 255});
  layout.add(
      {.name = "effective stack, then largest, smallest and mean stack, largest and mean bet of opponents: shares of the pot",
       .kind = Kind::kNumbers,
       .count = 6,
       .stride = 1,
       .scale = kPotShareScale});
  layout.add({.name = "players dealt, live, all-in and yet to act, seats to the button, seat of the last raise from the actor on",
              .kind = Kind::kBits,
              .count = 6,
              .width = 4,
              .stride = 1,
              .scale = 1.f / kMaxSeats});
  layout.add({.name = "raises on this street, then own raises, own calls, others' raises, others' calls by street",
              .kind = Kind::kBits,
              .count = 1 + 4 * kMaxStreets,
              .width = 4,
              .stride = 1,
              .scale = 1.f / kRaisesAsOne});
  layout.add({.name = "button, small blind, big blind, the last raise was the actor's, another's",
              .kind = Kind::kBits,
              .count = 5,
              .stride = 1});
}

void TableState::write(RowWriter& out, const PokerState& state, Player actor, std::span<const Step> history) const {
  enum : std::size_t { kOwnRaises = 1, kOwnCalls = 5, kRaises = 9, kCalls = 13 };
  std::array<int, 1 + 4 * kMaxStreets> deeds{state.num_raises};
  Player aggressor = kNobody;
  for (const Step& step : history) {
    const bool is_own = step.actor == actor;
    if (step.slot >= kFirstRaiseSlot) {
      ++deeds[(is_own ? kOwnRaises : kRaises) + step.street];
      aggressor = step.actor;
    } else if (step.slot == kCallSlot && step.share > 0) {  // a check costs nothing
      ++deeds[(is_own ? kOwnCalls : kCalls) + step.street];
    }
  }
  out.mark(state.street);
  write_chips(out, state, actor);
  write_seats(out, state, actor, aggressor);
  out.nibbles(deeds);
  const Player last = game_.num_players() - 1, small = last == 1 ? 1 : 0, big = 1 - small;
  const bool has_raised = aggressor == actor, was_raised = aggressor != kNobody && !has_raised;
  out.mark((actor == last) | (actor == small) << 1 | (actor == big) << 2 | has_raised << 3 | was_raised << 4);
}

void TableState::write_chips(RowWriter& out, const PokerState& state, Player actor) const {
  const Opponents others(state, actor);
  const Chips unit = game_.rules().unit, pot = game_.betting().pot(state), stack = state.stacks[actor];
  const Chips call = std::min(stack, state.high_bet - state.bets[actor]);
  const Chips effective = std::clamp(others.deepest - state.bets[actor], 0, stack);  // as much as another can match
  const RaiseRange raise = raise_costs(game_.betting(), state, actor);
  for (const Chips chips : {pot, call, stack, effective, raise.min, raise.max, state.paid[actor]})
    out.number(units(chips, unit), 2);
  const std::int64_t whole = std::max<std::int64_t>(std::int64_t{pot} + call, 1);
  out.mark(static_cast<int>((std::int64_t{call} * 510 + whole) / (2 * whole)));
  out.mark(pot_share(effective, pot));
  out.mark(pot_share(others.largest_stack, pot));
  out.mark(pot_share(others.smallest_stack, pot));
  out.mark(pot_share(others.stacks, pot * others.count));
  out.mark(pot_share(others.largest_bet, pot));
  out.mark(pot_share(others.bets, pot * others.count));
}

void TableState::write_seats(RowWriter& out, const PokerState& state, Player actor, Player aggressor) const {
  const int n = game_.num_players();
  int all_in = 0;
  for (unsigned left = state.live; left != 0; left &= left - 1) all_in += state.stacks[std::countr_zero(left)] == 0;
  const int live = std::popcount(state.live), to_act = std::popcount(state.to_act & ~seat_bit(actor));
  const int from_actor = aggressor == kNobody ? 0 : (aggressor - actor + n) % n;
  out.nibbles(std::array{n, live, all_in, to_act, n - 1 - actor, from_actor});
}

}  // namespace regretless
