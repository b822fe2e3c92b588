// SPDX-License-Identifier: MIT
#include "observe/draws.h"

#include <algorithm>
#include <array>

#include "observe/row_layout.h"

namespace regretless {
namespace {

constexpr int kMostRanks = 13;

std::vector<std::uint32_t> all_straights(int ranks) {
  std::vector<std::uint32_t> straights{std::uint32_t{1} << (ranks - 1) | 0xf};  // the ace below the lowest rank
  for (int low = 0; low + 5 <= ranks; ++low) straights.push_back(std::uint32_t{0x1f} << low);
  return straights;
}

std::vector<std::uint64_t> held_of(const std::vector<std::uint32_t>& straights, int num_ranks) {
  std::vector<std::uint64_t> table(std::size_t{1} << num_ranks);
  for (std::size_t set = 0; set < table.size(); ++set)
    for (std::size_t s = 0; s < straights.size(); ++s)
      for (int ranks = std::popcount(set & straights[s]); ranks > 0; --ranks)
        table[set] |= std::uint64_t{1} << (10 * (ranks - 1) + s);
  return table;
}

// The tables of all decks, by their number of ranks: encoders are made for every question of a table.
const std::vector<std::uint64_t>& shared_table(int num_ranks) {
  static const auto tables = [] {
    std::array<std::vector<std::uint64_t>, kMostRanks + 1> made;
    for (int ranks = 1; ranks <= kMostRanks; ++ranks) made[static_cast<std::size_t>(ranks)] = held_of(all_straights(ranks), ranks);
    return made;
  }();
  return tables[static_cast<std::size_t>(num_ranks)];
}

}  // namespace

Draws::Draws(const PokerRules& rules)
    : straights_(rules.showdown == Showdown::kPair ? std::vector<std::uint32_t>{} : all_straights(rules.deck.num_ranks)),
      held_(&shared_table(rules.deck.num_ranks)),
      is_omaha_(rules.showdown == Showdown::kOmaha),
      num_ranks_(rules.deck.num_ranks) {}

std::uint32_t Draws::straights_of_hole(const SeenRanks& seen) const {
  return is_omaha_ ? straights_with(seen.hole.once, 2) : straights_with(seen.hole.once & ~seen.board.once, 1);
}

Draws::Straights Draws::straights(const SeenRanks& seen) const {
  const std::uint32_t board = seen.board.once, either = seen.hole.once | board;
  const std::uint64_t shown = (*held_)[board], both = (*held_)[either];
  const std::uint32_t of_hole = straights_of_hole(seen);
  const std::uint32_t may_come = seen.to_come > 0 ? (is_omaha_ ? at_least(shown, 2) : ~0u) : 0;
  Straights found;
  found.made = of_hole & at_least(both, 5) & (is_omaha_ ? at_least(shown, 3) : ~0u);
  found.away = of_hole & ~found.made & at_least(both, 4) & may_come;
  for (std::uint32_t left = found.away; left != 0; left &= left - 1) {
    const std::uint32_t straight = straights_[static_cast<std::size_t>(std::countr_zero(left))], missing = straight & ~either;
    found.next_ranks |= missing != 0 ? missing : straight & ~board;
  }
  return found;
}

int Draws::flush(std::uint32_t hole, std::uint32_t board, int to_come) const {
  const int held = std::popcount(hole), shown = std::popcount(board);
  const bool has_hole = held >= (is_omaha_ ? 2 : 1);
  const int cards = is_omaha_ ? 2 + shown : held + shown;
  if (!has_hole || cards < 4 || (cards == 4 && to_come == 0)) return kNoMark;
  const std::uint32_t unseen = ((std::uint32_t{1} << num_ranks_) - 1) & ~(hole | board);
  const int higher = std::popcount(unseen >> std::bit_width(hole));
  return (cards > 4 ? kNumNutOrders : 0) + std::min(higher, kNumNutOrders - 1);
}

}  // namespace regretless
