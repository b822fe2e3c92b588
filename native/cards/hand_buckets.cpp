// SPDX-License-Identifier: MIT
#include "cards/hand_buckets.h"

#include <algorithm>
#include <stdexcept>

namespace regretless {

HandBuckets::HandBuckets(std::string name, Showdown rule, const Deck& deck, Tables tables)
    : name_(std::move(name)), scores_(rule, deck), flops_({2, 3}, deck), turns_({2, 4}, deck), tables_(std::move(tables)) {
  const std::size_t sizes[] = {flops_.size(0), flops_.size(1), turns_.size(1), static_cast<std::size_t>(scores_.most()) + 1};
  const std::vector<Bucket>* all[] = {&tables_.preflop, &tables_.flop, &tables_.turn, &tables_.river};
  for (int street = 0; street < kNumStreets; ++street) {
    if (all[street]->size() != sizes[street])
      throw std::invalid_argument("the table of street " + std::to_string(street) + " has " + std::to_string(all[street]->size()) +
                                  " entries instead of " + std::to_string(sizes[street]));
    sizes_[street] = 1 + *std::ranges::max_element(*all[street]);
  }
  if (!has_equities()) return;
  bool fits = tables_.equities.size() == kNumStreets;
  for (std::size_t street = 0; fits && street < kNumStreets; ++street) {
    fits = tables_.equities[street].size() >= static_cast<std::size_t>(sizes_[street]);
    for (const float equity : tables_.equities[street]) fits = fits && equity >= 0 && equity <= 1;
  }
  if (!fits) throw std::invalid_argument("equities: must be from 0 to 1, one for each bucket of each street");
}

std::vector<std::size_t> HandBuckets::table_sizes(Showdown rule, const Deck& deck) {
  const CanonicalIndex flops({2, 3}, deck), turns({2, 4}, deck);
  return {flops.size(0), flops.size(1), turns.size(1), static_cast<std::size_t>(BoardScores(rule, deck).most()) + 1};
}

int HandBuckets::street_of(std::size_t num_board) {
  for (int street = 0; street < kNumStreets; ++street)
    if (kNumBoard[street] == static_cast<int>(num_board)) return street;
  return -1;
}

HandBuckets::Bucket HandBuckets::bucket(std::span<const Card> hole, std::span<const Card> board) const {
  if (board.size() == 5) return tables_.river[static_cast<std::size_t>(scores_.one(hole, board))];
  std::array<Card, 6> cards;
  std::ranges::copy(board, std::ranges::copy(hole, cards.begin()).out);
  const std::span<const Card> all(cards.data(), hole.size() + board.size());
  if (board.size() == 4) return tables_.turn[turns_.index(all)];
  return board.empty() ? tables_.preflop[flops_.index(all)] : tables_.flop[flops_.index(all)];
}

}  // namespace regretless
