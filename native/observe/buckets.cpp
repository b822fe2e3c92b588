// SPDX-License-Identifier: MIT
#include "observe/buckets.h"

namespace regretless {
namespace {

constexpr float kMostShare = 65535;

}  // namespace

Buckets::Buckets(std::shared_ptr<const Poker> game, std::shared_ptr<const HandBuckets> tables)
    : EncoderOf(std::move(game)), tables_(std::move(tables)), buckets_(game_, tables_), betting_(*game_) {
  if (!tables_->has_equities()) throw std::invalid_argument("encoder 'buckets': these buckets have no equities");
  const int streets = game_->num_streets();
  layout_.add({.name = "seat", .width = game_->num_players()});
  layout_.add({.name = "street", .width = streets});
  for (int street = 0; street < streets; ++street)
    layout_.add({.name = "bucket on street " + std::to_string(street),
                 .kind = Field::Kind::kWideMarks,
                 .width = buckets_.num_buckets(street)});
  layout_.add({.name = "equity of the bucket on each street",
               .kind = Field::Kind::kNumbers,
               .count = streets,
               .width = 2,
               .stride = 1,
               .scale = 1.f / kMostShare});
  betting_.add_fields(layout_);
  layout_.finish();
}

void Buckets::write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
                    std::uint8_t* row) const {
  PokerDeal seen = deal;  // with the board as it is public: the deal of a spot may hold none
  seen.board = state.board;
  RowWriter out(row);
  out.mark(actor);
  out.mark(state.street);
  const int streets = game_->num_streets();
  std::array<std::uint32_t, kMaxStreets> equities{};
  for (int street = 0; street < streets; ++street) {
    if (street > state.street) {
      out.no_marks(2);
      continue;
    }
    const int bucket = buckets_.bucket(street, seen, actor);
    equities[static_cast<std::size_t>(street)] = static_cast<std::uint32_t>(buckets_.equity(street, bucket) * kMostShare + 0.5f);
    out.number(static_cast<std::uint32_t>(bucket), 2);
  }
  for (int street = 0; street < streets; ++street) out.number(equities[static_cast<std::size_t>(street)], 2);
  betting_.write(out, state, actor, history);
}

}  // namespace regretless
