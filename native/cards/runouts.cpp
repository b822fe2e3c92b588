// SPDX-License-Identifier: MIT
#include "cards/runouts.h"

#include <algorithm>

namespace regretless {

Runouts::Runouts(Showdown rule, const Deck& deck, int num_hole, int num_board, int samples)
    : rule_(rule), deck_(deck), num_hole_(num_hole), num_board_(num_board), samples_(static_cast<std::uint32_t>(samples)) {
  const std::size_t hands = num_hands(deck, num_hole);
  board_.resize(static_cast<std::size_t>(num_board));
  strengths_.resize(hands);
  wins_.resize(hands);
  ties_.resize(hands);
  compared_.resize(hands);
}

void Runouts::chances(CardSet own, std::span<const Card> board, Random random, std::vector<Chances>& out) {
  std::fill(wins_.begin(), wins_.end(), 0u);
  std::fill(ties_.begin(), ties_.end(), 0u);
  std::fill(compared_.begin(), compared_.end(), 0u);
  own_ = subset_index(own);
  std::copy(board.begin(), board.end(), board_.begin());
  const CardSet left = deck_.all() & ~(own | card_set(board));
  std::vector<Card> open(static_cast<std::size_t>(std::popcount(left)));
  write_cards(left, open.data());
  const int num_known = static_cast<int>(board.size()), num_due = num_board_ - num_known;
  const std::uint32_t num_runouts = choose(static_cast<int>(open.size()), num_due);
  if (num_due <= 1 || num_runouts <= samples_)
    enumerate(open, num_known, num_runouts);
  else
    draw(std::move(open), num_known, random);
  out.resize(strengths_.size());
  for (std::size_t h = 0; h < out.size(); ++h) {
    const double all = std::max(compared_[h], 1u);
    out[h] = {wins_[h] / all, ties_[h] / all};
  }
}

void Runouts::enumerate(std::span<const Card> open, int num_known, std::uint32_t num_runouts) {
  for (std::uint32_t i = 0; i < num_runouts; ++i) {
    CardSet places = subset_at(i, num_board_ - num_known);
    for (int at = num_known; places != 0; ++at, places &= places - 1) board_[at] = open[std::countr_zero(places)];
    count_board();
  }
}

void Runouts::draw(std::vector<Card> open, int num_known, Random& random) {
  for (std::uint32_t i = 0; i < samples_; ++i) {
    draw_board(open, num_known, random);
    count_board();
  }
  const CardSet free = card_set(open);
  for (std::uint32_t h = 0; h < compared_.size(); ++h)
    if (compared_[h] == 0 && (subset_at(h, num_hole_) & ~free) == 0) draw_for(h, open, num_known, random);
}

// One board for a hand that none of the others left possible.
void Runouts::draw_for(std::uint32_t hand, std::vector<Card> open, int num_known, Random& random) {
  const CardSet held = subset_at(hand, num_hole_);
  std::erase_if(open, [&](Card card) { return (held & bit(card)) != 0; });
  draw_board(open, num_known, random);
  board_strengths(rule_, deck_, board_, num_hole_, strengths_.data());
  compared_[hand] = 1;
  wins_[hand] = strengths_[hand] < strengths_[own_];
  ties_[hand] = strengths_[hand] == strengths_[own_];
}

void Runouts::draw_board(std::vector<Card>& open, int num_known, Random& random) {
  for (std::size_t at = 0; at < static_cast<std::size_t>(num_board_ - num_known); ++at) {
    const auto rest = static_cast<std::uint32_t>(open.size() - at);
    std::swap(open[at], open[at + random.below(rest)]);
    board_[num_known + at] = open[at];
  }
}

void Runouts::count_board() {
  board_strengths(rule_, deck_, board_, num_hole_, strengths_.data());
  const Strength own = strengths_[own_];
  for (std::size_t h = 0; h < strengths_.size(); ++h) {
    const Strength other = strengths_[h];  // 0 if the board holds one of its cards
    compared_[h] += other != 0;
    wins_[h] += other != 0 && other < own;
    ties_[h] += other == own;
  }
}

}  // namespace regretless
