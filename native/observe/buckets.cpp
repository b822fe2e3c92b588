// SPDX-License-Identifier: MIT
// Cards as buckets: the one that the hand of the actor and the board are in on each street so far, and what its hands win on
// average; chips and steps as canonical24 has them (betting_shares.h). Of hold'em, with the buckets that are given.
#include "games/card_buckets.h"
#include "observe/betting_shares.h"
#include "observe/encoder.h"

namespace regretless {
namespace {

constexpr float kMostShare = 65535;

class Buckets final : public EncoderOf<Poker> {
 public:
  // Throws std::invalid_argument if the game has other cards than the buckets, or the buckets no equities.
  Buckets(std::shared_ptr<const Poker> game, std::shared_ptr<const HandBuckets> tables)
      : EncoderOf(std::move(game), "buckets"), table_(game_, tables), betting_(*game_) {
    buckets_ = std::move(tables);
    if (!buckets_->has_equities()) throw std::invalid_argument("encoder 'buckets': these buckets have no equities");
    const int streets = game_->num_streets();
    layout_.add({.name = "seat", .width = game_->num_players()});
    layout_.add({.name = "street", .width = streets});
    for (int street = 0; street < streets; ++street)
      layout_.add({.name = "bucket on street " + std::to_string(street),
                   .kind = Field::Kind::kWideMarks,
                   .width = table_.num_buckets(street)});
    layout_.add({.name = "equity of the bucket on each street",
                 .kind = Field::Kind::kNumbers,
                 .count = streets,
                 .width = 2,
                 .stride = 1,
                 .scale = 1.f / kMostShare});
    betting_.add_fields(layout_);
    layout_.finish();
  }

  void write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override {
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
      const int bucket = table_.bucket(street, seen, actor);
      equities[static_cast<std::size_t>(street)] = static_cast<std::uint32_t>(table_.equity(street, bucket) * kMostShare + 0.5f);
      out.number(static_cast<std::uint32_t>(bucket), 2);
    }
    for (int street = 0; street < streets; ++street) out.number(equities[static_cast<std::size_t>(street)], 2);
    betting_.write(out, state, actor, history);
  }

 private:
  TableBuckets table_;
  BettingShares betting_;
};

}  // namespace

std::shared_ptr<const Encoder> make_buckets(std::shared_ptr<const Poker> game, std::shared_ptr<const HandBuckets> tables) {
  return std::make_shared<Buckets>(std::move(game), std::move(tables));
}

}  // namespace regretless
