// SPDX-License-Identifier: MIT
// Counterfactual regret minimisation over vectors of hands (Zinkevich et al. 2007; CFR+ Tammelin 2014; discounted Brown and
// Sandholm 2019; predictive Farina et al. 2021, Xu et al. 2024). One iteration updates both players once. Strategies are not
// stored: they are made of the regrets where a walk needs them.
#pragma once
#include "solve/best_response.h"
#include "solve/cfr_update.h"
#include "solve/leaf_values.h"
#include "solve/node_table.h"
#include "solve/regret_matching.h"
#include "solve/subgame_gadget.h"
#include "solve/vector_walk.h"
#include "threads/lookout.h"

namespace regretless {

// kIsPacked keeps tables in 16 bits.
template <class Tree, bool kIsPacked = false>
class VectorCfr {
 public:
  using Real = typename Tree::Real;
  using Regrets = NodeTable<Real, std::conditional_t<kIsPacked, std::int16_t, Real>>;
  using Sums = NodeTable<Real, std::conditional_t<kIsPacked, std::uint16_t, Real>>;
  static constexpr int kWidth = Tree::kWidth;

  VectorCfr(const Tree& tree, const Discounts& discounts, int threads)
      : tree_(tree), discounts_(discounts), walk_(tree, threads), evaluation_(tree, walk_) {
    for (Player p = 0; p < 2; ++p) {
      Lookout::look_now();
      regrets_[p] = Regrets(tree, p);
      Lookout::look_now();
      sums_[p] = Sums(tree, p);
      if (discounts.predicts) predictions_[p] = Regrets(tree, p);
      root_values_[p].resize(static_cast<std::size_t>(tree.strides[p]));
      const auto& weights = tree.ranges[p].weights;
      greatest_weights_[p] = static_cast<Real>(*std::max_element(weights.begin(), weights.end()));
    }
  }

  // Bytes of an entry.
  static std::int64_t entry_bytes(const Discounts& discounts) {
    const std::int64_t tables = (discounts.predicts ? 3 : 2) + (discounts.alternating ? 0 : discounts.predicts ? 2 : 1);
    return tables * static_cast<std::int64_t>(sizeof(typename Regrets::Stored));
  }

  int iteration() const { return iteration_; }

  // From now on the opponent may take values [his hands] at the root, instead of playing.
  void set_up_gadget(Player opponent, const std::vector<double>& values, double least_follow) {
    const auto width = static_cast<std::size_t>(tree_.strides[opponent]);
    std::vector<double> given(width);
    std::copy(values.begin(), values.end(), given.begin());
    opponent_ = opponent;
    gadget_.begin(1, width, least_follow);
    gadget_.set_up(0, walk_.root_reach(opponent), given.data());
  }

  // Calls run() with the reaches of the average strategies at the root: those of the gadget, if there is one.
  template <class Run>
  auto with_average_root(Run run) {
    struct Restored {
      VectorCfr& cfr;
      ~Restored() { std::copy_n(cfr.gadget_.reach(0), cfr.tree_.strides[cfr.opponent_], cfr.walk_.root_reach(cfr.opponent_)); }
    };
    if (opponent_ < 0 || iteration_ == 0) return run();
    const Restored restored{*this};
    gadget_.copy_average(0, gadget_weight_, walk_.root_reach(opponent_));
    return run();
  }

  void step() {
    ++iteration_;
    const auto before = static_cast<Real>(discounts_.positive(iteration_ - 1)),
               after = static_cast<Real>(discounts_.positive(iteration_));
    update_ = CfrUpdate<Real>::after(discounts_, iteration_ - 1);
    if (!discounts_.alternating) {
      old_regrets_ = regrets_[0];
      old_predictions_ = predictions_[0];
    }
    for (Player p = 0; p < 2; ++p) {
      const bool is_new = p == 1 && discounts_.alternating;
      predicted_ = {before, before};
      if (is_new) predicted_[0] = after;
      regrets_read_ = {p == 1 && !discounts_.alternating ? &old_regrets_ : &regrets_[0], &regrets_[1]};
      predictions_read_ = {p == 1 && !discounts_.alternating ? &old_predictions_ : &predictions_[0], &predictions_[1]};
      const auto sum_scale = static_cast<Real>(update_.average * scale_of_sums(p) + greatest_weights_[p]);
      sum_factor_ = 1 / sum_scale;
      if (discounts_.predicts) {
        Rule<true> rule{*this};
        walk_.run(rule, p, root_values_[p].data());
      } else {
        Rule<false> rule{*this};
        walk_.run(rule, p, root_values_[p].data());
      }
      if constexpr (kIsPacked) sums_[p].scale() = sum_scale;
      if (p == opponent_ && discounts_.alternating) update_gadget();
    }
    if (opponent_ >= 0 && !discounts_.alternating) update_gadget();
  }

  // The average strategy, as Evaluation wants it; uniform where a hand was never there.
  TableWeights<Tree, Sums> average() const { return {tree_, sums_, &locked_}; }

  // Writes the reaches at the leaves that the next iteration has, or the average strategies.
  void find_leaf_reaches(bool of_average, LeafRows& reaches) {
    const auto run = [&](auto spread_out) {
      LeafReachRule<Tree, decltype(spread_out)> rule{tree_, spread_out, reaches};
      HandVector<Real> root(static_cast<std::size_t>(std::max(tree_.strides[0], tree_.strides[1])));
      for (Player p = 0; p < 2; ++p) walk_.run(rule, p, root.data());
    };
    if (of_average) {
      const EvaluationRule<Tree, false, TableWeights<Tree, Sums>> rule{tree_, average()};
      return with_average_root([&] { run([rule](auto... all) { rule.spread(all...); }); });
    }
    const auto before = static_cast<Real>(discounts_.positive(iteration_));
    predicted_ = {before, before};
    regrets_read_ = {&regrets_[0], &regrets_[1]};
    predictions_read_ = {&predictions_[0], &predictions_[1]};
    if (discounts_.predicts)
      run([rule = Rule<true>{*this}](auto... all) { rule.spread(all...); });
    else
      run([rule = Rule<false>{*this}](auto... all) { rule.spread(all...); });
  }

  // The values of leaves in the iterations that follow.
  void set_leaf_values(const LeafView& values) { leaf_values_ = values; }

  // At this node nothing is learned any more: [actions, hands] are what is played, and so the average.
  void lock(std::int32_t n, const std::vector<double>& strategy) {
    const VectorNode& node = tree_.nodes[n];
    const std::size_t hands = tree_.ranges[node.actor].hands.size(), width = static_cast<std::size_t>(tree_.width(node.actor));
    HandVector<Real> rows(static_cast<std::size_t>(node.num_children) * width);
    for (std::size_t a = 0; a < static_cast<std::size_t>(node.num_children); ++a)
      for (std::size_t h = 0; h < hands; ++h) rows[a * width + h] = static_cast<Real>(strategy[a * hands + h]);
    Workspace<Real> workspace;
    sum_factor_ = 1;
    const auto fill = [&](auto& table) {
      update(table, node, workspace, [&](auto set) {
        for (int a = 0; a < node.num_children; ++a)
          for (int h = 0; h < static_cast<int>(width); h += Hands::kSize)
            set(node.num_children, a, h, Hands::load(rows.data() + static_cast<std::size_t>(a) * width + h).lanes);
      });
    };
    fill(regrets_[node.actor]);
    fill(sums_[node.actor]);
    if (discounts_.predicts) fill(predictions_[node.actor]);
    locked_.resize(tree_.nodes.size());
    locked_[n] = 1;
  }

  Evaluation<Tree>& evaluation() { return evaluation_; }
  VectorWalk<Tree>& walk() { return walk_; }

  // Regrets, sums and predictions of both players, one after the other.
  std::vector<double> state() const {
    std::vector<double> all;
    for (Player p = 0; p < 2; ++p) regrets_[p].copy_to(tree_, p, all);
    for (Player p = 0; p < 2; ++p) sums_[p].copy_to(tree_, p, all);
    for (Player p = 0; discounts_.predicts && p < 2; ++p) predictions_[p].copy_to(tree_, p, all);
    return all;
  }

  void restore(int iteration, const std::vector<double>& state) {
    std::size_t size = 0;
    for (Player p = 0; p < 2; ++p) size += Sums::size(tree_, p) + (discounts_.predicts ? 2u : 1u) * Regrets::size(tree_, p);
    if (iteration < 0 || state.size() != size) throw std::invalid_argument("the state is of another problem or algorithm");
    check_numbers(state.data());
    iteration_ = iteration;
    const double* from = state.data();
    for (Player p = 0; p < 2; ++p) regrets_[p].copy_from(tree_, p, from);
    for (Player p = 0; p < 2; ++p) sums_[p].copy_from(tree_, p, from);
    for (Player p = 0; discounts_.predicts && p < 2; ++p) predictions_[p].copy_from(tree_, p, from);
  }

 private:
  using Hands = Register<Real>;
  using Lanes = typename Hands::Lanes;

  void check_numbers(const double* from) const {
    bool is_good = true;
    for (Player p = 0; p < 2; ++p) is_good &= Regrets::can_hold(tree_, p, false, from);
    for (Player p = 0; p < 2; ++p) is_good &= Sums::can_hold(tree_, p, true, from);
    for (Player p = 0; discounts_.predicts && p < 2; ++p) is_good &= Regrets::can_hold(tree_, p, false, from);
    if (!is_good) throw std::invalid_argument("state: numbers must be finite, and sums of strategies not negative");
  }

  // The rule of an iteration at decisions.
  template <bool kPredicts>
  struct Rule {
    static constexpr bool kTracksOwn = true;
    VectorCfr& cfr;

    // By regret, number of actions, action and hand: the weights that make the strategy. `scale` is that of the regrets.
    auto weight_of(const VectorNode& node, Real scale) const {
      if constexpr (kPredicts) {
        const auto predictions = cfr.predictions_read_[node.actor]->rows(cfr.tree_, node);
        const Real factor = cfr.predicted_[node.actor] * scale;
        return [=](Lanes regret, int actions, int a, int h) {
          return predicted_weight<Lanes>(regret, factor, predictions(actions, a, h) * predictions.scale);
        };
      } else {
        return [](Lanes regret, int, int, int) { return positive_part<Lanes>(regret); };
      }
    }

    // The same by number of actions, action and hand.
    auto weigh(const VectorNode& node) const {
      const auto regrets = cfr.regrets_read_[node.actor]->rows(cfr.tree_, node);
      const auto weight = weight_of(node, regrets.scale);
      return [=](int actions, int a, int h) {
        if (a == 0) regrets.prefetch(actions, h);
        return weight(regrets(actions, a, h), actions, a, h);
      };
    }

    void spread(const VectorNode& node, const Real* reach, Real* out) const {
      const int width = cfr.tree_.width(node.actor);
      share_out<Tree>(node.num_children, width, reach, weigh(node),
                      [=](int, int a, int h, Lanes share) { Hands{share}.store(out + a * width + h); });
    }

    // The player's reach goes into the average strategy.
    void spread_own(const VectorNode& node, const Real* own, Real* out, Workspace<Real>& workspace) const {
      if (cfr.average().is_locked(node)) return spread(node, own, out);
      const int width = cfr.tree_.width(node.actor);
      const auto sums = cfr.sums_[node.actor].rows(cfr.tree_, node);
      const CfrUpdate<Real> update = cfr.update_.scaled(sums.scale);
      cfr.update(cfr.sums_[node.actor], node, workspace, [&](auto set) {
        share_out<Tree>(node.num_children, width, own, weigh(node), [=](int actions, int a, int h, Lanes share) {
          if (a == 0) sums.prefetch(actions, h);
          Hands{share}.store(out + a * width + h);
          set(actions, a, h, update.template sum<Lanes>(sums(actions, a, h), share));
        });
      });
    }

    void value_leaf(const VectorNode& leaf, Player player, const Real*, Real* values) const {
      copy_leaf(cfr.tree_, leaf, player, cfr.leaf_values_, values);
    }

    template <class Child>
    void back_up(const VectorNode& node, const Child& child, Real* values, Workspace<Real>& workspace) const {
      const auto average = cfr.average();
      if (average.is_locked(node))
        return EvaluationRule<Tree, false, decltype(average)>{cfr.tree_, average}.back_up(node, child, values, workspace);
      const int width = kWidth > 0 ? kWidth : cfr.tree_.width(node.actor);
      const auto regrets = cfr.regrets_[node.actor].rows(cfr.tree_, node);
      const auto weight_of_regret = weight_of(node, regrets.scale);
      const CfrUpdate<Real> update = cfr.update_.scaled(regrets.scale);
      cfr.update(cfr.regrets_[node.actor], node, workspace, [&](auto set) {
        with_actions(node.num_children, [&](auto count) {
          constexpr int kMost = kMostActions<decltype(count)>;
          const Real* from[kMost];
          for (int a = 0; a < count; ++a) from[a] = child(a);
          for (int h = 0; h < width; h += Hands::kSize) {
            Lanes sum{}, value{}, old[kMost], weight[kMost];
            for (int a = 0; a < count; ++a) {
              old[a] = regrets(count, a, h);
              sum += weight[a] = weight_of_regret(old[a], count, a, h);
            }
            const ShareFactors<Real> factors(sum, count);
            for (int a = 0; a < count; ++a) value += (weight[a] * factors.scale + factors.rest) * Hands::load(from[a] + h).lanes;
            Hands{value}.store(values + h);
            for (int a = 0; a < count; ++a)
              set(count, a, h,
                  update.floored(update.template discounted<Lanes>(old[a]) + (Hands::load(from[a] + h).lanes - value)));
          }
        });
      });
      if constexpr (kPredicts) {
        cfr.update(cfr.predictions_[node.actor], node, workspace, [&](auto set) {
          for (int a = 0; a < node.num_children; ++a)
            for (int h = 0; h < width; h += Hands::kSize)
              set(node.num_children, a, h, Hands::load(child(a) + h).lanes - Hands::load(values + h).lanes);
        });
      }
    }
  };

  // Calls run(set); set(actions, action, hand, numbers) replaces those of a register of hands. Those that need the greatest first
  // are gathered.
  template <class Table, class Run>
  void update(Table& table, const VectorNode& node, Workspace<Real>& workspace, Run run) {
    const std::ptrdiff_t width = tree_.width(node.actor);
    if constexpr (Table::kIsFloat) {
      run(table.writer(tree_, node, sum_factor_, iteration_));
    } else if constexpr (Table::kIsPacked) {
      typename Workspace<Real>::Frame frame(workspace);
      Real* numbers = frame.take(node.num_children * static_cast<int>(width));
      Lanes greatest{};
      run([&](int actions, int a, int h, Lanes number) {
        Hands{number}.store(numbers + h * actions + a * Hands::kSize);
        greatest = greater<Lanes>(greater<Lanes>(number, -number), greatest);
      });
      table.pack(tree_, node, numbers, greatest, iteration_);
    } else {
      run(table.copier(node));
    }
  }

  void update_gadget() {
    gadget_.update(0, root_values_[opponent_].data(), update_);
    gadget_weight_ = static_cast<double>(update_.average) * gadget_weight_ + 1;
    std::copy_n(gadget_.reach(0), tree_.strides[opponent_], walk_.root_reach(opponent_));
  }

  Real scale_of_sums(Player player) {
    if constexpr (kIsPacked) return sums_[player].scale();
    return 1;
  }

  const Tree& tree_;
  Discounts discounts_;
  VectorWalk<Tree> walk_;
  Evaluation<Tree> evaluation_;
  std::array<Regrets, 2> regrets_, predictions_;
  std::array<Sums, 2> sums_;
  std::vector<std::uint8_t> locked_;       // [nodes], or empty
  Regrets old_regrets_, old_predictions_;  // of the first player before an iteration, where the second answers those
  std::array<const Regrets*, 2> regrets_read_{}, predictions_read_{};
  std::array<HandVector<Real>, 2> root_values_;
  Player opponent_ = -1;                            // of the gadget, -1 without one
  SubgameGadgets<Real> gadget_;
  double gadget_weight_ = 0;                        // of all iterations in its average
  LeafView leaf_values_{};
  CfrUpdate<Real> update_;                          // of this iteration
  std::array<Real, 2> predicted_{1, 1};             // [player]: what his regrets count beside the prediction
  std::array<Real, 2> greatest_weights_{};          // [player]: of a hand at the root
  Real sum_factor_ = 1;                             // 1 / the scale that packed sums have next
  int iteration_ = 0;
};

}  // namespace regretless
