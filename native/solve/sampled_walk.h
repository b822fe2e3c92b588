// SPDX-License-Identifier: MIT
// One sampled traversal for one player (Lanctot, Waugh, Zinkevich and Bowling, 2009), over any ground that can descend.
//
// External sampling walks every action of the traverser and one action of chance and of each other player. Outcome sampling
// walks one action of the traverser too, drawn from its strategy mixed with the uniform one, and divides by the probability
// of having drawn it. With value estimates the part that is divided is only what the estimate missed (Schmid et al., 2019),
// which leaves the mean as it is and takes noise away.
#pragma once
#include <algorithm>
#include <limits>

#include "games/game.h"
#include "solve/infoset_rows.h"

namespace regretless {

// strategy [actions] in proportion to positive regrets; uniform where there is none.
template <class Number>
void match_regrets(const Row<Number>& row, double* strategy) {
  const int n = row.num_actions;
  double sum = 0;
  if (row.regrets)
    for (int a = 0; a < n; ++a) sum += strategy[a] = std::max<double>(row.regrets[a], 0);
  if (sum > 0) {
    const double scale = 1 / sum;
    for (int a = 0; a < n; ++a) strategy[a] *= scale;
  } else {
    std::fill(strategy, strategy + n, 1.0 / n);
  }
}

inline int sample(const double* probabilities, int n, Random& random) {
  double left = static_cast<double>(random.uniform());
  int last = 0;
  for (int a = 0; a < n; ++a) {
    if (probabilities[a] <= 0) continue;  // rounding must not choose what cannot happen
    last = a;
    left -= probabilities[a];
    if (left < 0) break;
  }
  return last;
}

// Estimates for the actions that outcome sampling does not walk.
enum class Estimates : std::uint8_t {
  kNone,        // worth 0, the walked one divided by its probability
  kBaseline,    // worth their estimate, the walked one corrected by what its estimate missed
  kSubstitute,  // worth their estimate, the walked one uncorrected: biased, for comparison
};

template <class Descent, class Updates>
class SampledWalk {
 public:
  using Position = typename Descent::Position;
  using Row = typename Descent::Row;

  SampledWalk(Descent& descent, Updates& updates, Player traverser, Random random)
      : descent_(descent), updates_(updates), traverser_(traverser), random_(random) {
    descent_.deal(random_);
  }

  // Each returns the sampled value of the traverser, in chips.
  // With `pruning` most walks leave out actions whose regret is below minus so many times the positive regrets of their infoset;
  // in the others their regrets count so much more that the mean stays as it is.
  double external(double pruning = 0) {
    pruning_ = pruning;
    is_pruned_ = pruning > 0 && random_.below(kWalksPerWhole) != 0;
    return external(descent_.root());
  }
  double outcome(double epsilon, Estimates estimates) {
    epsilon_ = epsilon;
    estimates_ = estimates;
    return outcome(descent_.root(), 1);
  }
  std::int64_t nodes() const { return nodes_; }  // visited so far: decisions and endings
  std::int64_t decisions() const { return decisions_; }

 private:
  // At decisions of others the strategy counts `weight` and one action is drawn; at those of the traverser own(row, strategy)
  // decides; descend(child, weight) walks on.
  template <class Own, class Descend>
  double visit(const Position& position, double weight, Own own, Descend descend) {
    ++nodes_;
    const Player actor = descent_.actor(position);
    if (actor == kTerminal) return descent_.payoff(position, traverser_);
    ++decisions_;
    const Row row = descent_.row(position);
    double strategy[kMaxActions];
    match_regrets(row, strategy);
    if (actor == traverser_) return own(row, strategy);
    updates_.add_strategy(row, strategy, weight);
    return descend(descent_.child(position, sample(strategy, row.num_actions, random_)), weight);
  }

  double external(const Position& position) {
    const auto own = [&](const Row& row, const double* strategy) {
      double regrets[kMaxActions];
      double value = 0;
      if constexpr (requires { descent_.expect(position); }) descent_.expect(position);
      const double least = least_regret(row);
      ActionMask pruned = 0;
      for (int a = 0; a < row.num_actions; ++a) {
        if (row.regrets && row.regrets[a] < least) {
          pruned |= ActionMask{1} << a;
          if (is_pruned_) continue;
        }
        regrets[a] = external(descent_.child(position, a));
        value += strategy[a] * regrets[a];
      }
      for (; pruned != 0; pruned &= pruned - 1) {
        double& regret = regrets[std::countr_zero(pruned)];
        regret = is_pruned_ ? value : value + kWalksPerWhole * (regret - value);
      }
      add_regrets(row, regrets, value, 1);
      return value;
    };
    return visit(position, 1, own, [&](const Position& child, double) { return external(child); });
  }

  // Actions of less may be left out. An infoset without positive regrets plays all of its actions.
  double least_regret(const Row& row) const {
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    if (pruning_ == 0 || !row.regrets) return kNone;
    double sum = 0;
    for (int a = 0; a < row.num_actions; ++a) sum += std::max<double>(row.regrets[a], 0);
    return sum > 0 ? -pruning_ * sum : kNone;
  }

  // `weight` is one over the probability with which the traverser's own actions so far were drawn.
  double outcome(const Position& position, double weight) {
    const auto own = [&](const Row& row, const double* strategy) {
      const int n = row.num_actions;
      double regrets[kMaxActions];  // first the probabilities to be drawn
      for (int a = 0; a < n; ++a) regrets[a] = epsilon_ / n + (1 - epsilon_) * strategy[a];
      const int walked = sample(regrets, n, random_);
      const double probability = epsilon_ / n + (1 - epsilon_) * strategy[walked];
      const double walked_value = outcome(descent_.child(position, walked), weight / probability);
      const auto* estimates = estimates_ == Estimates::kNone ? nullptr : row.values;
      double value = 0;
      for (int a = 0; a < n; ++a) {
        const double estimate = estimates ? static_cast<double>(estimates[a]) : 0;
        const double missed = a == walked ? walked_value - estimate : 0;
        regrets[a] = estimate + (estimates_ == Estimates::kSubstitute ? missed : missed / probability);
        value += strategy[a] * regrets[a];
      }
      add_regrets(row, regrets, value, weight);
      if (estimates_ != Estimates::kNone) updates_.move_value(row, walked, walked_value);
      return value;
    };
    return visit(position, weight, own, [&](const Position& child, double above) { return outcome(child, above); });
  }

  // Samples from action values, which are overwritten.
  void add_regrets(const Row& row, double* values, double value, double weight) {
    for (int a = 0; a < row.num_actions; ++a) values[a] -= value;
    updates_.add_regrets(row, values, weight);
  }

  static constexpr int kWalksPerWhole = 20;  // one of which leaves out nothing

  Descent& descent_;
  Updates& updates_;
  Player traverser_;
  Random random_;
  std::int64_t nodes_ = 0, decisions_ = 0;
  double epsilon_ = 0;
  double pruning_ = 0;
  bool is_pruned_ = false;
  Estimates estimates_ = Estimates::kNone;
};

}  // namespace regretless
