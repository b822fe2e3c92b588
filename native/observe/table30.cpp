// SPDX-License-Identifier: MIT
#include "observe/table30.h"

#include "games/pot_share.h"

namespace regretless {
namespace {

using Kind = Field::Kind;
constexpr int kMaxSeats = 9, kMaxSteps = 30;
constexpr std::array<int, kMaxStreets> kBoardCards{0, 3, 1, 1};
static_assert(kMaxSlots < kNoMark);

std::shared_ptr<const Poker> require_holdem(std::shared_ptr<const Poker> game) {
  const PokerRules& rules = game->rules();
  if (rules.showdown != Showdown::kHoldem || rules.num_hole_cards != 2 || rules.num_streets != kMaxStreets ||
      rules.board_cards != kBoardCards)
    throw std::invalid_argument("encoder 'table30': needs hold'em with two hole cards and a board of 3, 1 and 1 of 52 cards");
  if (rules.num_players > kMaxSeats)
    throw std::invalid_argument("encoder 'table30': needs 2 to 9 players, not " + std::to_string(rules.num_players));
  return game;
}

}  // namespace

Table30::Table30(std::shared_ptr<const Poker> game) : EncoderOf(require_holdem(std::move(game))), table_(*game_), hand_(*game_) {
  const int cards = kDeck52.num_cards(), slots = game_->num_actions();
  layout_.add({.name = "lower hole card", .width = cards});
  layout_.add({.name = "higher hole card", .width = cards});
  layout_.add({.name = "board", .count = kMaxBoardCards, .width = cards, .stride = cards});
  hole_bytes_ = {0, 1};
  board_bytes_ = {2, 3, 4, 5, 6};
  table_.add_fields(layout_);
  hand_.add_fields(layout_);
  const int first = layout_.next_feature(), width = 2 + slots;
  layout_.add({.name = "seat of the step, from the actor on",
               .kind = Kind::kBits,
               .count = kMaxSteps,
               .width = 4,
               .stride = width,
               .scale = 1.f / kMaxSeats});
  layout_.add({.name = "slot of the step", .count = kMaxSteps, .width = slots, .stride = width}, first + 1);
  layout_.add({.name = "share of the pot of the step",
               .kind = Kind::kNumbers,
               .count = kMaxSteps,
               .stride = width,
               .scale = kPotShareScale},
              first + 1 + slots);
  layout_.finish();
}

void Table30::write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
                    std::uint8_t* row) const {
  RowWriter out(row);
  out.sorted_marks(game_->hole(deal, actor));
  for_each_street(game_->rules(), state, [&](std::span<const Card> cards) { out.sorted_marks(cards); });
  out.no_marks(static_cast<std::size_t>(kMaxBoardCards - state.num_board));
  table_.write(out, state, actor, history);
  hand_.write(out, state, deal, actor);
  write_history(out, actor, history);
}

void Table30::write_history(RowWriter& out, Player actor, std::span<const Step> history) const {
  if (history.size() > kMaxSteps) history = history.last(kMaxSteps);
  std::array<int, kMaxSteps> seats{};
  std::array<std::uint8_t, kMaxSteps> slots, shares{};
  slots.fill(kNoMark);
  for (std::size_t i = 0; i < history.size(); ++i) {
    const int seat = history[i].actor - actor;
    seats[i] = seat < 0 ? seat + game_->num_players() : seat;
    slots[i] = history[i].slot;
    shares[i] = history[i].share;
  }
  out.nibbles(seats);
  out.marks(slots);
  out.marks(shares);
}

}  // namespace regretless
