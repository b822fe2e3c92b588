// SPDX-License-Identifier: MIT
// What matters of a decision and no more: suits are renamed in one order that the actor's cards decide, cards dealt together are
// sorted, and chips are shares of the pot (games/pot_share.h). The history is the last 24 steps (seat, street, fold or call or
// raise, and its share of the pot), or all of them where the rules allow no more, or fix the bets and cap the raises. Of Liar's
// Dice the number of dice of each face and all bids.
#pragma once
#include <array>

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
  using Suits = std::array<std::uint8_t, 4>;  // new suit by old suit
  Suits canonical_suits(const PokerState& state, std::span<const Card> hole) const;

  int pot_bytes_, max_steps_, num_board_cards_;
  std::array<std::uint8_t, kMaxCards> ranks_{}, suits_{};    // by card, to save divisions
  std::array<std::uint8_t, kMaxBoardCards> board_streets_{};  // by place on the board
};

template <>
class Canonical24<LiarsDice> final : public EncoderOf<LiarsDice> {
 public:
  static constexpr std::string_view kName = "canonical24";
  explicit Canonical24(std::shared_ptr<const LiarsDice> game);
  std::string_view name() const override { return kName; }
  int version() const override { return 1; }
  void write(const LiarsDiceState& state, const LiarsDiceDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override;
};

}  // namespace regretless
