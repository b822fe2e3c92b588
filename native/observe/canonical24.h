// SPDX-License-Identifier: MIT
// A decision without what does not matter: cards up to the names of suits (canonical_cards.h), chips as shares of the pot and the
// last 24 steps (betting_shares.h). Of Liar's Dice the number of dice of each face and all bids.
#pragma once
#include "observe/betting_shares.h"
#include "observe/canonical_cards.h"
#include "observe/encoder.h"

namespace regretless {

template <Game G>
class Canonical24;

template <>
class Canonical24<Poker> final : public EncoderOf<Poker> {
 public:
  static constexpr std::string_view kName = "canonical24";
  explicit Canonical24(std::shared_ptr<const Poker> game);
  std::string_view name() const override { return kName; }
  int version() const override { return 1; }
  void write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override;

 private:
  CanonicalCards cards_;
  BettingShares betting_;
};

template <>
class Canonical24<LiarsDice> : public EncoderOf<LiarsDice> {
 public:
  static constexpr std::string_view kName = "canonical24";
  explicit Canonical24(std::shared_ptr<const LiarsDice> game);
  std::string_view name() const override { return kName; }
  int version() const override { return 1; }
  void write(const LiarsDiceState& state, const LiarsDiceDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override;
};

}  // namespace regretless
