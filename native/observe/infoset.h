// SPDX-License-Identifier: MIT
// Which infoset it is, and nothing else: for games that say no more of what their players know. A network over it learns every
// infoset by itself.
#pragma once
#include "observe/encoder.h"
#include "observe/row_writer.h"

namespace regretless {

class Infoset final : public EncoderOf<ExplicitGame> {
 public:
  static constexpr std::string_view kName = "infoset";
  explicit Infoset(std::shared_ptr<const ExplicitGame> game) : EncoderOf(std::move(game)) {
    if (game_->num_infosets() >= kNoWideMark)
      throw std::invalid_argument("encoder 'infoset': at most 65,534 infosets, not " + std::to_string(game_->num_infosets()));
    layout_.add({.name = "seat", .width = game_->num_players()});
    layout_.add({.name = "infoset", .kind = Field::Kind::kWideMarks, .width = game_->num_infosets()});
    layout_.finish();
  }
  std::string_view name() const override { return kName; }
  int version() const override { return 1; }
  void write(const ExplicitState& state, const ExplicitDeal&, Player actor, std::span<const Step>,
             std::uint8_t* row) const override {
    row[0] = static_cast<std::uint8_t>(actor);
    const int infoset = game_->infoset(state.node);
    row[1] = static_cast<std::uint8_t>(infoset);
    row[2] = static_cast<std::uint8_t>(infoset >> 8);
  }
};

}  // namespace regretless
