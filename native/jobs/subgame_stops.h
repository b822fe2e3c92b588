// SPDX-License-Identifier: MIT
// The stops of walks through subgames: at the strategies of its iteration each draws a path, which may lead to a leaf.
#pragma once
#include <numeric>

#include "cards/random.h"
#include "jobs/public_states_of.h"
#include "jobs/ranges.h"
#include "jobs/subgame_template.h"

namespace regretless {

template <class G, class Tree>
class SubgameStops {
 public:
  using Real = typename Tree::Real;
  using Template = SubgameTemplate<G, Tree>;

  explicit SubgameStops(const PublicStatesOf<G>& states) : game_(states.rules()), states_(states), hands_(states.num_hands()) {}

  // Replaces the stops by those of a new batch.
  void begin(const SubgameBatch& batch) {
    const std::size_t num_subgames = batch.states.size();
    stops_ = batch.stops;
    exploration_ = batch.exploration;
    keeps_strategies_ = batch.keeps_strategies;
    next_states_.assign(stops_.size(), -1);
    next_ranges_.assign(stops_.size() * 2 * hands_, 0);
    strategies_.assign(keeps_strategies_ ? stops_.size() : 0, {});
    order_.resize(stops_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
      return std::pair{stops_[a].subgame, stops_[a].iteration} < std::pair{stops_[b].subgame, stops_[b].iteration};
    });
    stretches_.resize(num_subgames);
    std::size_t at = 0;
    for (std::size_t s = 0; s < num_subgames; ++s) {
      stretches_[s].first = stretches_[s].next = at;
      while (at < stops_.size() && stops_[order_[at]].subgame == static_cast<std::int32_t>(s)) ++at;
      stretches_[s].end = at;
    }
  }

  // The stops of a subgame with leaves at an iteration, whose strategies the walk holds.
  void take(std::size_t subgame, int iteration, const Template& shape, const SubgameWalk<Tree>& walk) {
    for (Stretch& stretch = stretches_[subgame]; stretch.next < stretch.end; ++stretch.next) {
      const std::int32_t stop = order_[stretch.next];
      if (stops_[stop].iteration != iteration) return;
      draw_path(stop, shape, walk);
      if (keeps_strategies_) strategies_[stop] = shape.read_strategies(walk);
    }
  }

  // The stops of a subgame without leaves: each has the average strategies, which the walk holds.
  void take_average(std::size_t subgame, const Template& shape, const SubgameWalk<Tree>& walk) {
    for (std::size_t i = stretches_[subgame].first; i < stretches_[subgame].end; ++i)
      strategies_[order_[i]] = shape.read_strategies(walk);
  }
  bool needs_average(std::size_t subgame) const { return keeps_strategies_ && stretches_[subgame].first < stretches_[subgame].end; }

  const std::vector<std::int32_t>& next_states() const { return next_states_; }            // [stops], -1 where the episode ended
  const std::vector<double>& next_ranges() const { return next_ranges_; }                  // [stops, players, hands]
  const std::vector<std::vector<double>>& strategies() const { return strategies_; }       // [stops], if kept

 private:
  static constexpr int kMaxDraws = 10'000;  // of two hands until they can meet

  // The stops of one subgame, in order_; those before `next` are taken.
  struct Stretch {
    std::size_t first = 0, next = 0, end = 0;
  };

  // Two hands from the root, and a path: one player now and then acts at random (Brown et al. 2020, Algorithm 1).
  void draw_path(std::int32_t stop, const Template& shape, const SubgameWalk<Tree>& walk) {
    Random random({stops_[stop].seed});
    const auto& nodes = shape.tree.nodes;
    std::array<std::size_t, 2> hands{};
    if (!draw_hands({walk.reach(0, 0), walk.reach(0, 1)}, random, hands)) return;
    const auto explorer = static_cast<Player>(random.below(2));
    std::int32_t n = 0;
    while (nodes[n].num_children > 0) {
      const VectorNode& node = nodes[n];
      const auto count = static_cast<std::uint32_t>(node.num_children);
      if (node.actor == kChance) {
        do n = node.first_child + static_cast<std::int32_t>(random.below(count));
        while (!is_possible(shape.public_tree.states[n], hands));
      } else if (node.actor == explorer && static_cast<double>(random.uniform()) < exploration_) {
        n = node.first_child + static_cast<std::int32_t>(random.below(count));
      } else {
        double rest = static_cast<double>(random.uniform());
        int action = 0;
        for (; action + 1 < node.num_children; ++action) {
          rest -= static_cast<double>(walk.strategy(node, action)[hands[node.actor]]);
          if (rest < 0) break;
        }
        n = node.first_child + action;
      }
    }
    if (nodes[n].actor != kLeaf) return;
    const std::int32_t state = shape.leaf_states[nodes[n].offset];
    next_states_[stop] = state;
    for (Player p = 0; p < 2; ++p)
      normalize_range(walk.reach(n, p), states_.possible_at(state), hands_,
                      next_ranges_.data() + (2 * static_cast<std::size_t>(stop) + static_cast<std::size_t>(p)) * hands_);
  }

  // Two hands that can meet, by their ranges and by how often they meet.
  bool draw_hands(const std::array<const Real*, 2>& ranges, Random& random, std::array<std::size_t, 2>& hands) const {
    for (int draw = 0; draw < kMaxDraws; ++draw) {
      for (Player p = 0; p < 2; ++p) {
        double rest = static_cast<double>(random.uniform());
        std::size_t last = 0;
        for (std::size_t h = 0; h < hands_ && rest >= 0; ++h) {
          if (!(ranges[p][h] > 0)) continue;
          last = h;
          rest -= static_cast<double>(ranges[p][h]);
        }
        hands[p] = last;
      }
      const double weight = pair_weight(game_, static_cast<Hand>(hands[0]), static_cast<Hand>(hands[1]));
      if (weight >= 1 || (weight > 0 && static_cast<double>(random.uniform()) < weight)) return true;
    }
    return false;
  }

  bool is_possible(const typename G::State& state, const std::array<std::size_t, 2>& hands) const {
    return game_.hand_possible(state, static_cast<Hand>(hands[0])) && game_.hand_possible(state, static_cast<Hand>(hands[1]));
  }

  const G& game_;
  const PublicStates& states_;
  std::size_t hands_;
  std::vector<SubgameStop> stops_;
  std::vector<std::int32_t> order_;  // by subgame and iteration
  std::vector<Stretch> stretches_;   // [subgames]
  std::vector<std::int32_t> next_states_;
  std::vector<double> next_ranges_;
  std::vector<std::vector<double>> strategies_;
  double exploration_ = 0;
  bool keeps_strategies_ = false;
};

}  // namespace regretless
