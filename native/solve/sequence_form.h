// SPDX-License-Identifier: MIT
// The sequence form of a game with perfect recall (von Stengel 1996). A sequence is all that one player did on the way to
// somewhere: the empty one, or an action at an infoset. What a player may gain is then one sparse product per sequence,
// whatever the number of histories before it, and the walks below are loops over a player's infosets.
#pragma once
#include <vector>

#include "tree/explicit_tree.h"

namespace regretless {

class SequenceForm {
 public:
  struct Infoset {
    std::int32_t number;       // in the explicit tree
    std::int32_t parent;       // the sequence that leads here
    std::int32_t first;        // the sequence of the first action; the others follow
    std::int32_t num_actions;
  };
  struct Range {
    std::int32_t begin, end;
  };
  // Winnings of the player at terminals, by the player's sequence: the terms of row s are starts[s] up to starts[s + 1].
  struct Payoffs {
    std::vector<std::int32_t> starts;  // [sequences of the player + 1]
    std::vector<double> weights;       // [terms]: chance probability times payoff
    std::vector<std::int32_t> others;  // [terms, players - 1]: the other players' sequences
  };

  // Throws std::invalid_argument if the arrays are no tree or a player forgets.
  explicit SequenceForm(const ExplicitTree& tree);

  int num_players() const { return static_cast<int>(sequences_.size()); }
  int num_infosets() const { return static_cast<int>(infosets_.size()); }
  int num_sequences() const { return sequences_.back().end; }
  int max_actions() const { return max_actions_; }

  // A player's sequences; the first is the empty one, and a sequence comes after those that lead to it.
  Range sequences(Player player) const { return sequences_[player]; }
  // A player's infosets, each after those that lead to it.
  std::span<const Infoset> infosets(Player player) const {
    const auto [begin, end] = infoset_ranges_[player];
    return std::span(infosets_).subspan(begin, end - begin);
  }
  const Payoffs& payoffs(Player player) const { return payoffs_[player]; }

  // Below, every array is [sequences] and only the entries of `player` are written. A behaviour is the probability of an
  // action at its infoset (1 for the empty sequence), a plan the product of the behaviours of a sequence.

  // Expected payoff of the terminals that end each sequence, weighted by chance and by the others' plans.
  void terminal_values(Player player, const double* plans, double* values) const;
  void make_plan(Player player, const double* behaviours, double* plans) const;
  // Each infoset's weights divided by their sum; uniform where none is positive.
  void normalize(Player player, const double* weights, double* behaviours) const;
  // Takes terminal values, leaves the value of each sequence with the best, pure behaviours after it; returns the root's.
  double best_respond(Player player, double* values, double* behaviours) const;

  // Between [sequences] and [infosets, max_actions] with zeros beyond an infoset's last action.
  void read_rows(const double* rows, double* sequences) const;
  void write_rows(const double* sequences, double* rows) const;

 private:
  void number_sequences(const ExplicitTree& tree);
  std::vector<std::int32_t> last_sequences(const ExplicitTree& tree);
  void collect_payoffs(const ExplicitTree& tree, const std::vector<std::int32_t>& last);

  int max_actions_ = 0;
  std::vector<Range> sequences_, infoset_ranges_;  // [players]
  std::vector<Infoset> infosets_;                  // by player, then by number
  std::vector<std::int32_t> places_;               // [infosets]: by number, the place in infosets_
  std::vector<Payoffs> payoffs_;                   // [players]
};

// Mean winnings of each player.  [players]
std::vector<double> explicit_values(const SequenceForm& form, const std::vector<double>& behaviours);

struct ExplicitBestResponse {
  std::vector<double> values;      // [players]: of each one's best response to the others
  std::vector<double> behaviours;  // [sequences]: the first best action has probability 1
};
ExplicitBestResponse explicit_best_response(const SequenceForm& form, const std::vector<double>& behaviours);

}  // namespace regretless
