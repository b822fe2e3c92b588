// SPDX-License-Identifier: MIT
#include "games/card_buckets.h"

#include <stdexcept>

namespace regretless {

TableBuckets::TableBuckets(std::shared_ptr<const Poker> game, std::shared_ptr<const HandBuckets> tables)
    : game_(std::move(game)), tables_(std::move(tables)) {
  const PokerRules& rules = game_->rules();
  if (rules.num_hole_cards != 2 || rules.deck != tables_->deck() || rules.showdown != tables_->rule())
    throw std::invalid_argument("the buckets are of other cards than " + game_->name() + " is played with");
  std::size_t num_board = 0;
  for (int street = 0; street < rules.num_streets; ++street) {
    num_board += static_cast<std::size_t>(rules.board_cards[street]);
    table_streets_[street] = HandBuckets::street_of(num_board);
    if (table_streets_[street] < 0)
      throw std::invalid_argument("there are no buckets for boards of " + std::to_string(num_board) + " cards");
  }
}

}  // namespace regretless
