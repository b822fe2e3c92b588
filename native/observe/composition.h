// SPDX-License-Identifier: MIT
// What canonical24 shows, and besides what the cards are made of and make together: suits and pairs, straights and flushes that are
// there or may come, which board cards are paired, and what the hand is worth by now. For hands of four and five cards, of which a
// network finds this out slowly by itself; for others it works alike. In Omaha exactly two hole cards count. Of Liar's Dice the
// same as canonical24.
#pragma once
#include <vector>

#include "games/hand_strengths.h"
#include "observe/canonical24.h"

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
  // Ranks as bits: of each suit by its new name, and how often each rank is there.
  struct Ranks {
    std::array<std::uint32_t, 4> by_suit{};
    std::uint32_t once = 0, twice = 0, thrice = 0, all_four = 0;
    int num_of(int rank) const { return static_cast<int>((once >> rank & 1) + (twice >> rank & 1) + (thrice >> rank & 1)); }
  };
  struct Seen {
    Ranks hole, board;
    int to_come = 0;  // board cards
  };
  void add_fields();
  Ranks ranks_of(std::span<const Card> cards, const CanonicalCards::Suits& suits) const;
  int neighbours(std::uint32_t ranks) const;
  int flush(std::uint32_t hole, std::uint32_t board, int to_come) const;
  void write_shape(RowWriter& out, const Seen& seen) const;
  void write_straights(RowWriter& out, const Seen& seen) const;
  void write_pairing(RowWriter& out, const Seen& seen) const;
  void write_worth(RowWriter& out, const PokerState& state, const PokerDeal& deal, Player actor) const;

  CanonicalCards cards_;
  BettingShares betting_;
  HandStrengths<Poker> strengths_;
  std::vector<std::uint32_t> windows_;  // ranks of each straight, the lowest first; none where there are no straights
  std::vector<std::uint64_t> window_ranks_;  // [sets of ranks]: straights of which it has at least 1, 2, ... 5, as bits, 10 each
  bool is_omaha_;
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
