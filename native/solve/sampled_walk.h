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

// x, or 0 if it is negative, without the branch that compilers make of std::max: the signs of regrets mislead it.
inline double positive_part(double x) {
  using Pair = double __attribute__((vector_size(16)));
  const Pair pair{x, 0}, kept = pair < 0 ? Pair{} : pair;
  return kept[0];
}

// strategy [actions] in proportion to positive regrets; uniform where there is none.
template <class Number>
__attribute__((always_inline)) inline void match_regrets(const Row<Number>& row, double* strategy) {
  const int n = row.num_actions;
  double sum = 0;
  if (row.regrets)
    for (int a = 0; a < n; ++a) sum += strategy[a] = positive_part(row.regrets[a]);
  const bool any = sum > 0;
  const double scale = 1 / (any ? sum : n);
  for (int a = 0; a < n; ++a) strategy[a] = any ? strategy[a] * scale : scale;
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
    return pruning > 0 ? external<true>(descent_.root()) : external<false>(descent_.root());
  }
  double outcome(double epsilon, Estimates estimates) {
    epsilon_ = epsilon;
    estimates_ = estimates;
    return outcome(descent_.root(), 1);
  }
  std::int64_t nodes() const { return nodes_; }  // visited so far: decisions and endings
  std::int64_t decisions() const { return decisions_; }

 private:
  // Calls run.operator()<actions>(row), with 0 for any other number than two or three: loops over so few are unrolled.
  template <class Run>
  __attribute__((always_inline)) static auto with_count(const Row& row, Run run) {
    if (row.num_actions == 2) return run.template operator()<2>(row);
    if (row.num_actions == 3) return run.template operator()<3>(row);
    return run.template operator()<0>(row);
  }

  // Walks decisions of others, one action of each, down to the end or to a decision of the traverser: own<actions>(position, row).
  template <class Own>
  __attribute__((always_inline)) double visit(Position position, double weight, Own own) {
    const auto decide = [&]<int kActions>(const Row& row)
                            __attribute__((always_inline)) { return own.template operator()<kActions>(position, row); };
    const auto draw = [&]<int kActions>(const Row& row) __attribute__((always_inline)) {
      double strategy[kActions > 0 ? kActions : kMaxActions];
      match_regrets(row, strategy);
      updates_.add_strategy(row, strategy, weight);
      return sample(strategy, row.num_actions, random_);
    };
    while (true) {
      const Player actor = descent_.actor(position);
      if (actor == kTerminal) return payoff(position);
      ++nodes_;
      ++decisions_;
      const Row row = descent_.row(position);
      if (actor == traverser_) return with_count(row, decide);
      position = descent_.child(position, with_count(row, draw));
    }
  }

  __attribute__((always_inline)) double payoff(const Position& position) {
    ++nodes_;
    return descent_.payoff(position, traverser_);
  }

  template <bool kPrunes>
  double external(const Position& from) {
    return visit(from, 1, [&]<int kActions>(const Position& position, const Row& row) __attribute__((always_inline)) {
      double strategy[kActions > 0 ? kActions : kMaxActions], regrets[kActions > 0 ? kActions : kMaxActions];
      double value = 0;
      match_regrets(row, strategy);
      if constexpr (requires { descent_.expect(position); }) descent_.expect(position);
      const double least = kPrunes ? least_regret(row) : 0;
      ActionMask pruned = 0;
      for (int a = 0; a < row.num_actions; ++a) {
        if (kPrunes && row.regrets && row.regrets[a] < least) {
          pruned |= ActionMask{1} << a;
          if (is_pruned_) continue;
        }
        const Position child = descent_.child(position, a);
        regrets[a] = descent_.actor(child) == kTerminal ? payoff(child) : external<kPrunes>(child);
        value += strategy[a] * regrets[a];
      }
      for (; kPrunes && pruned != 0; pruned &= pruned - 1) {
        double& regret = regrets[std::countr_zero(pruned)];
        regret = is_pruned_ ? value : value + kWalksPerWhole * (regret - value);
      }
      add_regrets(row, regrets, value, 1);
      return value;
    });
  }

  // Actions of less may be left out. An infoset without positive regrets plays all of its actions.
  double least_regret(const Row& row) const {
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    if (!row.regrets) return kNone;
    double sum = 0;
    for (int a = 0; a < row.num_actions; ++a) sum += std::max<double>(row.regrets[a], 0);
    return sum > 0 ? -pruning_ * sum : kNone;
  }

  // `weight` is one over the probability with which the traverser's own actions so far were drawn.
  double outcome(const Position& from, double weight) {
    return visit(from, weight, [&]<int>(const Position& position, const Row& row) {
      const int n = row.num_actions;
      double strategy[kMaxActions], regrets[kMaxActions];  // first the probabilities to be drawn
      match_regrets(row, strategy);
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
    });
  }

  // Samples from action values, which are overwritten.
  __attribute__((always_inline)) void add_regrets(const Row& row, double* values, double value, double weight) {
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
