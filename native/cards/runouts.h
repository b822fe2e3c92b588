// SPDX-License-Identifier: MIT
// Results of one hand against each other hand over the board cards to come: over all of them where there are few, else over a
// sample that all the other hands share.
#pragma once
#include "cards/hands.h"
#include "cards/random.h"
#include "cards/strength.h"

namespace regretless {

// Shares of the run-outs; what is left is lost.
struct Chances {
  double win = 0;
  double tie = 0;
};

// Workspace and rules; one for each thread.
class Runouts {
 public:
  // num_board: cards of a full board. samples: how many run-outs are drawn where they are not enumerated.
  Runouts(Showdown rule, const Deck& deck, int num_hole, int num_board, int samples);

  // Chances [hands] of `own` against each hand; against one that shares a card with `own` or the board they mean nothing.
  // Exact if at most one card is to come or there are no more run-outs than samples; else unbiased for each hand.
  void chances(CardSet own, std::span<const Card> board, Random random, std::vector<Chances>& out);

 private:
  void enumerate(std::span<const Card> open, int num_known, std::uint32_t num_runouts);
  void draw(std::vector<Card> open, int num_known, Random& random);
  void draw_for(std::uint32_t hand, std::vector<Card> open, int num_known, Random& random);
  void draw_board(std::vector<Card>& open, int num_known, Random& random);
  void count_board();

  Showdown rule_;
  Deck deck_;
  int num_hole_;
  int num_board_;
  std::uint32_t samples_;
  std::uint32_t own_ = 0;                              // index of the own hand
  std::vector<Card> board_;                            // [num_board]
  std::vector<Strength> strengths_;                    // [hands]
  std::vector<std::uint32_t> wins_, ties_, compared_;  // [hands], run-outs
};

}  // namespace regretless
