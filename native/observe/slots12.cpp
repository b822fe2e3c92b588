// SPDX-License-Identifier: MIT
// Cards as they are, chips as shares of the deepest stack, and the slots chosen on each street: the last twelve of a street, or
// all where the rules allow fewer. Of Liar's Dice the dice in the order rolled and all bids.
#include <numeric>

#include "observe/encoder.h"
#include "observe/row_writer.h"

namespace regretless {
namespace {

using Kind = Field::Kind;
constexpr int kHistoryPerStreet = 12;

class Slots12 final : public EncoderOf<Poker> {
 public:
  explicit Slots12(std::shared_ptr<const Poker> game) : EncoderOf(std::move(game), "slots12") {
    const PokerRules& rules = game_->rules();
    const int n = rules.num_players, cards = rules.deck.num_cards(), streets = rules.num_streets, slots = game_->num_actions();
    const Chips deepest = *std::max_element(rules.stacks.begin(), rules.stacks.begin() + n);
    const int cap = *std::max_element(rules.max_raises.begin(), rules.max_raises.begin() + streets);
    history_per_street_ = std::min(kHistoryPerStreet, n * (std::min(cap, kHistoryPerStreet) + 1));
    pot_bytes_ = bytes_for(std::accumulate(rules.stacks.begin(), rules.stacks.begin() + n, std::int64_t{0}));
    chip_bytes_ = bytes_for(deepest);
    num_board_cards_ = rules.num_board_cards();
    const float scale = 1.f / static_cast<float>(deepest);
    layout_.add({.name = "seat", .width = n});
    layout_.add({.name = "street", .width = streets});
    layout_.add({.name = "hole cards", .count = rules.num_hole_cards, .width = cards});
    for (int street = 0, first = layout_.next_feature(); street < streets; ++street, first += cards)
      layout_.add({.name = "board of street " + std::to_string(street), .count = rules.board_cards[street], .width = cards}, first);
    hole_bytes_.resize(static_cast<std::size_t>(rules.num_hole_cards));
    board_bytes_.resize(static_cast<std::size_t>(num_board_cards_));
    std::iota(hole_bytes_.begin(), hole_bytes_.end(), 2);
    std::iota(board_bytes_.begin(), board_bytes_.end(), 2 + rules.num_hole_cards);
    const int pot = n + streets + cards * (1 + streets);  // streets without cards have features, too
    layout_.add({.name = "pot", .kind = Kind::kNumbers, .width = pot_bytes_, .scale = scale}, pot);
    layout_.add({.name = "to call, then stack and bet of every seat from the actor on",
                 .kind = Kind::kNumbers,
                 .count = 1 + 2 * n,
                 .width = chip_bytes_,
                 .stride = 1,
                 .scale = scale});
    layout_.add({.name = "has folded, from the actor on", .kind = Kind::kBits, .count = n, .stride = 2, .scale = -1}, pot + 3);
    layout_.add({.name = "slots by street", .count = streets * history_per_street_, .width = slots, .stride = slots},
                pot + 2 + 2 * n);
    layout_.finish();
  }

  void write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override {
    const PokerRules& rules = game_->rules();
    const int n = rules.num_players;
    RowWriter out(row);
    out.mark(actor);
    out.mark(state.street);
    out.sorted_marks(game_->hole(deal, actor));
    for_each_street(rules, state, [&](std::span<const Card> cards) { out.sorted_marks(cards); });
    out.no_marks(static_cast<std::size_t>(num_board_cards_ - state.num_board));
    out.number(static_cast<std::uint32_t>(game_->betting().pot(state)), pot_bytes_);
    out.number(static_cast<std::uint32_t>(state.high_bet - state.bets[actor]), chip_bytes_);
    unsigned folded = 0;
    for (int i = 0; i < n; ++i) {
      const Player p = actor + i < n ? actor + i : actor + i - n;
      const bool is_live = (state.live >> p & 1) != 0;
      out.number(static_cast<std::uint32_t>(state.stacks[p]), chip_bytes_);
      out.number(is_live ? static_cast<std::uint32_t>(state.bets[p]) : 0, chip_bytes_);
      folded |= (is_live ? 0u : 1u) << i;
    }
    out.bits(folded, n);
    const int size = rules.num_streets * history_per_street_;
    std::uint8_t* slots = out.skip(size);
    std::memset(slots, kNoMark, static_cast<std::size_t>(size));
    std::array<int, kMaxStreets> pushed_out{};  // steps of each street
    if (history.size() > static_cast<std::size_t>(history_per_street_)) {
      for (const Step& step : history) ++pushed_out[step.street];
      for (int& steps : pushed_out) steps = std::max(0, steps - history_per_street_);
    }
    int street = -1, place = 0;  // the steps of a street stand together
    for (const Step& step : history) {
      if (step.street != street) {
        street = step.street;
        place = -pushed_out[step.street];
      }
      if (place >= 0) slots[street * history_per_street_ + place] = step.slot;
      ++place;
    }
  }

 private:
  int pot_bytes_, chip_bytes_, history_per_street_, num_board_cards_;
};

class Slots12OfDice final : public EncoderOf<LiarsDice> {
 public:
  explicit Slots12OfDice(std::shared_ptr<const LiarsDice> game) : EncoderOf(std::move(game), "slots12") {
    const int faces = game_->num_faces();
    layout_.add({.name = "seat", .width = game_->num_players()});
    layout_.add({.name = "dice", .count = game_->num_dice(), .width = faces, .stride = faces});
    layout_.add({.name = "bids made", .kind = Kind::kBits, .count = game_->num_actions(), .stride = 1});
    layout_.finish();
  }

  void write(const LiarsDiceState&, const LiarsDiceDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override {
    RowWriter out(row);
    out.mark(actor);
    out.marks({deal.dice[actor].data(), static_cast<std::size_t>(game_->num_dice())});
    out.bits(slots_chosen(history), game_->num_actions());
  }
};

}  // namespace

std::shared_ptr<const Encoder> make_slots12(std::shared_ptr<const Poker> game) {
  return std::make_shared<Slots12>(std::move(game));
}
std::shared_ptr<const Encoder> make_slots12(std::shared_ptr<const LiarsDice> game) {
  return std::make_shared<Slots12OfDice>(std::move(game));
}

}  // namespace regretless
