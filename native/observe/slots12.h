// SPDX-License-Identifier: MIT
// Cards as they are, chips as shares of the deepest stack, and the slots chosen on each street: the last twelve of a street, or
// all where the rules allow fewer. Of Liar's Dice the dice in the order rolled and all bids.
#pragma once
#include "observe/encoder.h"

namespace regretless {

template <Game G>
class Slots12;

template <>
class Slots12<Poker> final : public EncoderOf<Poker> {
 public:
  static constexpr std::string_view kName = "slots12";
  explicit Slots12(std::shared_ptr<const Poker> game);
  std::string_view name() const override { return kName; }
  int version() const override { return 1; }
  void write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override;

 private:
  int pot_bytes_, chip_bytes_, history_per_street_, num_board_cards_;
};

template <>
class Slots12<LiarsDice> final : public EncoderOf<LiarsDice> {
 public:
  static constexpr std::string_view kName = "slots12";
  explicit Slots12(std::shared_ptr<const LiarsDice> game);
  std::string_view name() const override { return kName; }
  int version() const override { return 1; }
  void write(const LiarsDiceState& state, const LiarsDiceDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override;
};

}  // namespace regretless
