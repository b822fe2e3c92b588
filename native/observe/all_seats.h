// SPDX-License-Identifier: MIT
// An encoder of what all seats know at a decision: the rows of another encoder one after the other in the order of seats. It is for
// networks that value whole histories while others learn to play; no player may see it.
#pragma once
#include "observe/encoder.h"

namespace regretless {

inline constexpr std::string_view kAllSeats = "/seats";  // behind the name of the other encoder

template <Game G>
class AllSeats final : public EncoderOf<G> {
 public:
  AllSeats(std::shared_ptr<const G> game, std::shared_ptr<const EncoderOf<G>> encoder)
      : EncoderOf<G>(std::move(game)), encoder_(std::move(encoder)), name_(std::string(encoder_->name()) += kAllSeats) {
    for (Player p = 0; p < this->game_->num_players(); ++p) {
      const int first = this->layout_.row_bytes();
      for (const int byte : encoder_->hole_bytes()) this->hole_bytes_.push_back(first + byte);
      for (const int byte : encoder_->board_bytes()) this->board_bytes_.push_back(first + byte);
      this->layout_.add_row(encoder_->layout());
    }
    this->layout_.finish();
  }
  std::string_view name() const override { return name_; }
  int version() const override { return encoder_->version(); }
  std::shared_ptr<const HandBuckets> buckets() const override { return encoder_->buckets(); }
  void write(const typename G::State& state, const typename G::Deal& deal, Player, std::span<const Step> history,
             std::uint8_t* row) const override {
    for (Player p = 0; p < this->game_->num_players(); ++p, row += encoder_->layout().row_bytes())
      encoder_->write(state, deal, p, history, row);
  }

 private:
  std::shared_ptr<const EncoderOf<G>> encoder_;
  std::string name_;
};

}  // namespace regretless
