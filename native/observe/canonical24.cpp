// SPDX-License-Identifier: MIT
#include "observe/canonical24.h"

#include <cstring>
#include <numeric>

#include "games/pot_share.h"
#include "observe/row_writer.h"

namespace regretless {
namespace {

using Kind = Field::Kind;
constexpr int kMaxSteps = 24, kNumDeeds = 3;  // fold, call, raise
constexpr int kMostStepsInARow = 250;

// Steps of an episode at most, if the cap on raises alone decides; every raise gives each of the others one more.
std::int64_t most_steps(const Poker& game) {
  const PokerRules& rules = game.rules();
  std::int64_t steps = 0;
  for (int street = 0; street < rules.num_streets; ++street)
    steps += rules.num_players + std::int64_t{std::min(rules.max_raises[street], game.menu().max_raises)} * (rules.num_players - 1);
  return steps;
}

int steps_kept(const Poker& game) {
  const std::int64_t most = most_steps(game);
  const bool keeps_all = game.rules().limit == Limit::kFixed && most <= kMostStepsInARow;
  return static_cast<int>(keeps_all ? most : std::min<std::int64_t>(most, kMaxSteps));
}

}  // namespace

Canonical24<Poker>::Canonical24(std::shared_ptr<const Poker> game) : EncoderOf(std::move(game)), max_steps_(steps_kept(*game_)) {
  const PokerRules& rules = game_->rules();
  const int n = rules.num_players, cards = rules.deck.num_cards(), streets = rules.num_streets;
  for (int c = 0; c < cards; ++c) {
    ranks_[c] = static_cast<std::uint8_t>(rules.deck.rank(static_cast<Card>(c)));
    suits_[c] = static_cast<std::uint8_t>(rules.deck.suit(static_cast<Card>(c)));
  }
  for (int street = 0, at = 0; street < streets; ++street)
    for (int i = 0; i < rules.board_cards[street]; ++i) board_streets_[at++] = static_cast<std::uint8_t>(street);
  const std::int64_t chips = std::accumulate(rules.stacks.begin(), rules.stacks.begin() + n, std::int64_t{0});
  pot_bytes_ = bytes_for(chips);
  num_board_cards_ = rules.num_board_cards();
  layout_.add({.name = "seat", .width = n});
  layout_.add({.name = "street", .width = streets});
  layout_.add({.name = "hole cards", .count = rules.num_hole_cards, .width = cards});
  for (int street = 0; street < streets; ++street)
    layout_.add({.name = "board of street " + std::to_string(street), .count = rules.board_cards[street], .width = cards});
  layout_.add({.name = "pot", .kind = Kind::kNumbers, .width = pot_bytes_, .scale = 1.f / static_cast<float>(chips)});
  layout_.add({.name = "to call, then stack and bet of every seat from the actor on",
               .kind = Kind::kNumbers,
               .count = 1 + 2 * n,
               .stride = 1,
               .scale = kPotShareScale});
  layout_.add({.name = "has folded, from the actor on", .kind = Kind::kBits, .count = n, .stride = 1});
  const int first = layout_.next_feature(), width = kNumDeeds + n + streets + 1;
  layout_.add({.name = "shares of the pot, step by step",
               .kind = Kind::kNumbers,
               .count = max_steps_,
               .stride = width,
               .scale = kPotShareScale},
              first + width - 1);
  // One byte says all three of a step, and is read three times.
  layout_.add({.name = "fold, call or raise", .count = max_steps_, .width = kNumDeeds, .stride = width}, first);
  layout_.add_again({.name = "seat of the step", .width = n, .divisor = kNumDeeds}, first + kNumDeeds);
  layout_.add_again({.name = "street of the step", .width = streets, .divisor = kNumDeeds * n}, first + kNumDeeds + n);
  layout_.finish();
}

// Suits in falling order of what they hold of the hole cards, then of the board, street by street.
Canonical24<Poker>::Suits Canonical24<Poker>::canonical_suits(const PokerState& state, std::span<const Card> hole) const {
  std::array<std::uint64_t, 4> held{}, shown{};  // ranks as bits, 16 for each street
  for (const Card card : hole) held[suits_[card]] |= std::uint64_t{1} << ranks_[card];
  for (int i = 0; i < state.num_board; ++i)
    shown[suits_[state.board[i]]] |= std::uint64_t{1} << (48 - 16 * board_streets_[i] + ranks_[state.board[i]]);
  Suits suits{};
  const int num_suits = game_->rules().deck.num_suits;
  for (int s = 0; s < num_suits; ++s)  // as many suits go before s as hold more, or as much with a lower number
    for (int other = 0; other < num_suits; ++other) {
      const bool is_more = held[other] > held[s] || (held[other] == held[s] && shown[other] > shown[s]);
      const bool is_equal = held[other] == held[s] && shown[other] == shown[s];
      suits[s] = static_cast<std::uint8_t>(suits[s] + (is_more || (is_equal && other < s)));
    }
  return suits;
}

void Canonical24<Poker>::write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
                               std::uint8_t* row) const {
  const PokerRules& rules = game_->rules();
  const int n = rules.num_players;
  const std::span<const Card> hole = game_->hole(deal, actor);
  const Suits suits = canonical_suits(state, hole);
  RowWriter out(row);
  out.mark(actor);
  out.mark(state.street);
  const auto write_cards = [&](std::span<const Card> cards) {
    std::array<std::uint8_t, kMaxHoleCards> renamed;
    static_assert(kMaxHoleCards >= kMaxBoardCards);
    for (std::size_t i = 0; i < cards.size(); ++i)
      renamed[i] = static_cast<std::uint8_t>(ranks_[cards[i]] * rules.deck.num_suits + suits[suits_[cards[i]]]);
    out.sorted_marks({renamed.data(), cards.size()});
  };
  write_cards(hole);
  for_each_street(rules, state, write_cards);
  out.no_marks(static_cast<std::size_t>(num_board_cards_ - state.num_board));
  const Chips pot = game_->betting().pot(state);
  out.number(static_cast<std::uint32_t>(pot), pot_bytes_);
  out.mark(pot_share(state.high_bet - state.bets[actor], pot));
  unsigned folded = 0;
  for (int i = 0; i < n; ++i) {
    const Player p = actor + i < n ? actor + i : actor + i - n;
    out.mark(pot_share(state.stacks[p], pot));
    out.mark(pot_share(state.bets[p], pot));
    folded |= ((state.live >> p & 1) != 0 ? 0u : 1u) << i;
  }
  out.bits(folded, n);
  if (history.size() > static_cast<std::size_t>(max_steps_)) history = history.last(static_cast<std::size_t>(max_steps_));
  std::uint8_t* shares = out.skip(max_steps_);
  std::uint8_t* deeds = out.skip(max_steps_);
  std::memset(shares, 0, static_cast<std::size_t>(max_steps_));
  std::memset(deeds, kNoMark, static_cast<std::size_t>(max_steps_));
  for (const Step& step : history) {
    *shares++ = step.share;
    *deeds++ = static_cast<std::uint8_t>((step.street * n + step.actor) * kNumDeeds + std::min<int>(step.slot, kFirstRaiseSlot));
  }
}

Canonical24<LiarsDice>::Canonical24(std::shared_ptr<const LiarsDice> game) : EncoderOf(std::move(game)) {
  const int counts = game_->num_dice() + 1;
  layout_.add({.name = "seat", .width = game_->num_players()});
  layout_.add({.name = "dice of each face", .count = game_->num_faces(), .width = counts, .stride = counts});
  layout_.add({.name = "bids made", .kind = Kind::kBits, .count = game_->num_bids(), .stride = 1});
  layout_.finish();
}

void Canonical24<LiarsDice>::write(const LiarsDiceState&, const LiarsDiceDeal& deal, Player actor, std::span<const Step> history,
                                   std::uint8_t* row) const {
  RowWriter out(row);
  out.mark(actor);
  std::uint8_t* counts = out.skip(game_->num_faces());
  std::memset(counts, 0, static_cast<std::size_t>(game_->num_faces()));
  for (int i = 0; i < game_->num_dice(); ++i) ++counts[deal.dice[actor][i]];
  out.bits(slots_chosen(history), game_->num_bids());
}

}  // namespace regretless
