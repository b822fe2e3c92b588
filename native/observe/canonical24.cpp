// SPDX-License-Identifier: MIT
// A decision without what does not matter: cards up to the names of suits (canonical_cards.h), chips as shares of the pot and the
// last 24 steps (betting_shares.h). Of Liar's Dice the number of dice of each face and all bids.
#include "observe/betting_shares.h"
#include "observe/canonical_cards.h"
#include "observe/encoder.h"

namespace regretless {
namespace {

class Canonical24 final : public EncoderOf<Poker> {
 public:
  explicit Canonical24(std::shared_ptr<const Poker> game)
      : EncoderOf(std::move(game), "canonical24"), cards_(game_->rules()), betting_(*game_) {
    layout_.add({.name = "seat", .width = game_->num_players()});
    layout_.add({.name = "street", .width = game_->num_streets()});
    cards_.add_cards(layout_);
    betting_.add_fields(layout_);
    layout_.finish();
  }

  void write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override {
    const std::span<const Card> hole = game_->hole(deal, actor);
    RowWriter out(row);
    out.mark(actor);
    out.mark(state.street);
    cards_.write(out, state, hole, cards_.suits(state, hole));
    betting_.write(out, state, actor, history);
  }

 private:
  CanonicalCards cards_;
  BettingShares betting_;
};

class Canonical24OfDice final : public EncoderOf<LiarsDice> {
 public:
  Canonical24OfDice(std::shared_ptr<const LiarsDice> game, std::string name) : EncoderOf(std::move(game), std::move(name)) {
    const int counts = game_->num_dice() + 1;
    layout_.add({.name = "seat", .width = game_->num_players()});
    layout_.add({.name = "dice of each face", .count = game_->num_faces(), .width = counts, .stride = counts});
    layout_.add({.name = "bids made", .kind = Field::Kind::kBits, .count = game_->num_bids(), .stride = 1});
    layout_.finish();
  }

  void write(const LiarsDiceState&, const LiarsDiceDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override {
    RowWriter out(row);
    out.mark(actor);
    std::uint8_t* counts = out.skip(game_->num_faces());
    std::memset(counts, 0, static_cast<std::size_t>(game_->num_faces()));
    for (int i = 0; i < game_->num_dice(); ++i) ++counts[deal.dice[actor][i]];
    out.bits(slots_chosen(history), game_->num_bids());
  }
};

}  // namespace

std::shared_ptr<const Encoder> make_canonical24(std::shared_ptr<const Poker> game) {
  return std::make_shared<Canonical24>(std::move(game));
}
std::shared_ptr<const Encoder> make_canonical24(std::shared_ptr<const LiarsDice> game, std::string name) {
  return std::make_shared<Canonical24OfDice>(std::move(game), std::move(name));
}

}  // namespace regretless
