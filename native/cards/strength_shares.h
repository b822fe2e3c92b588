// SPDX-License-Identifier: MIT
// The strength of a hand among all hands of as many cards: the share that it beats, where an equal one counts half.
#pragma once
#include <memory>
#include <vector>

#include "cards/strength.h"

namespace regretless {

class StrengthShares {
 public:
  // Counted exactly over all hands of so many cards (5, 6 or 7); Omaha, from a fixed sample of deals.
  StrengthShares(Showdown rule, const Deck& deck, int num_hole, int num_board);

  float share(Strength strength) const;
  Strength least_strength(float share) const;  // the weakest hand with at least this share; above all if there is none
  std::size_t num_strengths() const { return strengths_.size(); }  // distinct ones
  double num_hands() const { return below_.back(); }

 private:
  struct Count {
    Strength strength;
    double hands;
  };
  static std::vector<Count> count_best_five(Showdown rule, const Deck& deck, int num_cards);
  static std::vector<Count> sample_omaha(const Deck& deck, int num_hole, int num_board);

  static constexpr std::size_t kBlock = 64;

  // The number of strengths that are weaker.
  std::size_t place(Strength strength) const;
  float share_at(std::size_t place, bool found) const;

  std::vector<Strength> strengths_;  // ascending
  std::vector<Strength> lasts_;      // of each full block of strengths
  std::vector<double> below_;        // [strengths + 1]: hands weaker than this one
  std::vector<float> shares_;        // [strengths]
};

// The same, made once for each question.
std::shared_ptr<const StrengthShares> strength_shares(Showdown rule, const Deck& deck, int num_hole, int num_board);

}  // namespace regretless
