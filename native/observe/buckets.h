// SPDX-License-Identifier: MIT
// Cards as buckets: the one that the hand of the actor and the board are in on each street so far, and what its hands win on
// average; chips and steps as canonical24 has them (betting_shares.h). Of hold'em, with the buckets that are given.
#pragma once
#include "games/card_buckets.h"
#include "observe/betting_shares.h"
#include "observe/encoder.h"

namespace regretless {

class Buckets final : public EncoderOf<Poker> {
 public:
  static constexpr std::string_view kName = "buckets";
  // Throws std::invalid_argument if the game has other cards than the buckets, or the buckets no equities.
  Buckets(std::shared_ptr<const Poker> game, std::shared_ptr<const HandBuckets> tables);
  std::string_view name() const override { return kName; }
  int version() const override { return 1; }
  std::shared_ptr<const HandBuckets> buckets() const override { return tables_; }
  void write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override;

 private:
  std::shared_ptr<const HandBuckets> tables_;
  TableBuckets buckets_;
  BettingShares betting_;
};

}  // namespace regretless
