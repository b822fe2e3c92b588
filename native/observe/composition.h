// SPDX-License-Identifier: MIT
// The features of canonical24, and besides what the cards are made of and make together: suits and pairs, straights and flushes
// that are there or may come, which board cards are paired, and what the hand is worth by now. For hands of four and five cards, of
// which a network finds this out slowly by itself; for others it works alike. In Omaha exactly two hole cards count. Of Liar's Dice
// the same as canonical24.
#pragma once
#include "games/hand_strengths.h"
#include "observe/canonical24.h"
#include "observe/draws.h"

namespace regretless {

template <Game G>
class Composition;

template <>
class Composition<Poker> final : public EncoderOf<Poker> {
 public:
  static constexpr std::string_view kName = "composition";
  explicit Composition(std::shared_ptr<const Poker> game);
  std::string_view name() const override { return kName; }
  int version() const override { return 1; }
  void write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override;

 private:
  void add_fields();
  Ranks ranks_of(std::span<const Card> cards, const CanonicalCards::Suits& suits) const;  // suits by their new names
  int neighbours(std::uint32_t ranks) const;
  void write_shape(RowWriter& out, const SeenRanks& seen) const;
  void write_straights(RowWriter& out, const SeenRanks& seen) const;
  void write_pairing(RowWriter& out, const SeenRanks& seen) const;
  void write_worth(RowWriter& out, const PokerState& state, const PokerDeal& deal, Player actor) const;

  CanonicalCards cards_;
  BettingShares betting_;
  HandStrengths<Poker> strengths_;
  Draws draws_;
  int num_suits_, num_ranks_, num_hole_, num_board_;
};

template <>
class Composition<LiarsDice> final : public Canonical24<LiarsDice> {
 public:
  static constexpr std::string_view kName = "composition";
  using Canonical24::Canonical24;
  std::string_view name() const override { return kName; }
};

}  // namespace regretless
