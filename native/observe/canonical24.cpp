// SPDX-License-Identifier: MIT
#include "observe/canonical24.h"

namespace regretless {

Canonical24<Poker>::Canonical24(std::shared_ptr<const Poker> game)
    : EncoderOf(std::move(game)), cards_(game_->rules()), betting_(*game_) {
  layout_.add({.name = "seat", .width = game_->num_players()});
  layout_.add({.name = "street", .width = game_->num_streets()});
  cards_.add_cards(layout_);
  betting_.add_fields(layout_);
  layout_.finish();
}

void Canonical24<Poker>::write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
                               std::uint8_t* row) const {
  const std::span<const Card> hole = game_->hole(deal, actor);
  RowWriter out(row);
  out.mark(actor);
  out.mark(state.street);
  cards_.write(out, state, hole, cards_.suits(state, hole));
  betting_.write(out, state, actor, history);
}

Canonical24<LiarsDice>::Canonical24(std::shared_ptr<const LiarsDice> game) : EncoderOf(std::move(game)) {
  const int counts = game_->num_dice() + 1;
  layout_.add({.name = "seat", .width = game_->num_players()});
  layout_.add({.name = "dice of each face", .count = game_->num_faces(), .width = counts, .stride = counts});
  layout_.add({.name = "bids made", .kind = Field::Kind::kBits, .count = game_->num_bids(), .stride = 1});
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
