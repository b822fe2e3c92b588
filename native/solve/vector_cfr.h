// SPDX-License-Identifier: MIT
// Counterfactual regret minimisation over vectors of hands (Zinkevich et al. 2007; CFR+ Tammelin 2014; discounted Brown and
// Sandholm 2019; predictive Farina et al. 2021, Xu et al. 2024). One iteration updates both players once.
#pragma once
#include <atomic>
#include <stdexcept>

#include "solve/best_response.h"
#include "solve/discounts.h"
#include "solve/regret_matching.h"
#include "solve/vector_walk.h"

namespace regretless {

template <class Tree>
class VectorCfr {
 public:
  using Real = typename Tree::Real;
  static constexpr int kWidth = Tree::kWidth;

  VectorCfr(const Tree& tree, const Discounts& discounts, int threads)
      : tree_(tree), discounts_(discounts), pool_(threads), evaluation_(tree) {
    for (int t = 0; t < threads; ++t) workspaces_.emplace_back(workspace_size(tree));
    for (Player p = 0; p < 2; ++p) {
      const auto size = static_cast<std::size_t>(tree.num_entries[p]);
      regrets_[p].resize(size);
      sums_[p].resize(size);
      strategies_[p].resize(size);
      if (discounts.predicts) predictions_[p].resize(size);
      root_reaches_[p] = tree.root_reach(p);
      root_values_[p].resize(static_cast<std::size_t>(tree.strides[p]));
    }
    for (const VectorNode& node : tree.nodes)
      if (node.actor >= 0) match_regrets(node);
  }

  int iteration() const { return iteration_; }

  void step() {
    ++iteration_;
    positive_ = static_cast<Real>(discounts_.positive(iteration_ - 1));
    negative_ = static_cast<Real>(discounts_.negative(iteration_ - 1));
    average_ = static_cast<Real>(discounts_.average(iteration_));
    predicted_ = static_cast<Real>(discounts_.positive(iteration_));
    for (Player p = 0; p < 2; ++p) {
      player_ = p;
      walk(0, root_reaches_[p].data(), root_reaches_[1 - p].data(), root_values_[p].data(), workspaces_[0], pool_.size() > 1);
    }
    if (discounts_.alternates) return;
    for (const VectorNode& node : tree_.nodes)
      if (node.actor >= 0) match_regrets(node);
  }

  // The average strategy, normalised; uniform where a hand was never there.
  void average_profile(Profile<Real>& profile) const {
    for (Player p = 0; p < 2; ++p) profile[p].resize(sums_[p].size());
    for (const VectorNode& node : tree_.nodes) {
      if (node.actor < 0) continue;
      normalize_actions<Tree>(sums_[node.actor].data() + node.offset, node.num_children, tree_.width(node.actor), profile[node.actor].data() + node.offset);
    }
  }

  // Regrets, sums and predictions of both players, one after the other.
  std::vector<double> state() const {
    std::vector<double> all;
    for (const Profile<Real>* arrays : {&regrets_, &sums_, &predictions_})
      for (Player p = 0; p < 2; ++p) all.insert(all.end(), (*arrays)[p].begin(), (*arrays)[p].end());
    return all;
  }

  void restore(int iteration, const std::vector<double>& state) {
    std::size_t size = 0;
    for (const Profile<Real>* arrays : {&regrets_, &sums_, &predictions_}) size += (*arrays)[0].size() + (*arrays)[1].size();
    if (iteration < 0 || state.size() != size) throw std::invalid_argument("the state is of another problem or algorithm");
    iteration_ = iteration;
    predicted_ = static_cast<Real>(discounts_.positive(iteration_));
    auto from = state.begin();
    for (Profile<Real>* arrays : {&regrets_, &sums_, &predictions_})
      for (Player p = 0; p < 2; ++p)
        for (Real& entry : (*arrays)[p]) entry = static_cast<Real>(*from++);
    for (const VectorNode& node : tree_.nodes)
      if (node.actor >= 0) match_regrets(node);
  }

  Evaluation<Tree>& evaluation() { return evaluation_; }

 private:
  // The current strategy of a node from its regrets.
  void match_regrets(const VectorNode& node) {
    const int width = tree_.width(node.actor), actions = node.num_children;
    const Real* regrets = regrets_[node.actor].data() + node.offset;
    Real* strategy = strategies_[node.actor].data() + node.offset;
    if (discounts_.predicts) {
      const Real* predictions = predictions_[node.actor].data() + node.offset;
      for (int a = 0; a < actions; ++a)
        predict<kWidth>(strategy + a * width, regrets + a * width, predicted_, predictions + a * width, width);
    } else {
      for (int a = 0; a < actions; ++a) positive_part<kWidth>(strategy + a * width, regrets + a * width, width);
    }
    normalize_actions<Tree>(strategy, actions, width, strategy);
  }

  // values [own hands] of the traverser below node n, while the regrets of its nodes are updated.
  void walk(std::int32_t n, const Real* own, const Real* other, Real* values, Workspace<Real>& workspace, bool may_fork) {
    const VectorNode& node = tree_.nodes[n];
    if (node.actor == kTerminal) {
      tree_.showdown->values(tree_.terminals[node.offset], player_, other, values);
      return even_out(tree_, node, player_, values);
    }
    if (node.actor == kChance) {
      if (may_fork) return fork_chance(node, own, other, values);
      return walk_chance(tree_, node, player_, own, other, values, workspace,
                         [this](std::int32_t child, const Real* child_own, const Real* child_other, Real* out, Workspace<Real>& space) {
                           walk(child, child_own, child_other, out, space, false);
                         });
    }
    if constexpr (Tree::Terminals::kHasBatches)
      if (node.batch >= 0) return walk_last_street(n, own, other, values, workspace);
    if (node.actor == player_) return walk_own(node, own, other, values, workspace, may_fork);
    const int width = tree_.width(player_), other_width = tree_.width(1 - player_);
    typename Workspace<Real>::Frame frame(workspace);
    Real* child_values = frame.take(width);
    Real* reach = frame.take(other_width);
    const Real* strategy = strategies_[node.actor].data() + node.offset;
    fill<kWidth>(values, Real{0}, width);
    for (int a = 0; a < node.num_children; ++a, strategy += other_width) {
      multiply<kWidth>(reach, other, strategy, other_width);
      walk(node.first_child + a, own, reach, child_values, workspace, may_fork);
      add<kWidth>(values, child_values, width);
    }
  }

  void walk_own(const VectorNode& node, const Real* own, const Real* other, Real* values, Workspace<Real>& workspace, bool may_fork) {
    const int width = tree_.width(player_), actions = node.num_children;
    typename Workspace<Real>::Frame frame(workspace);
    Real* action_values = frame.take(actions * width);
    Real* reach = frame.take(width);
    const Real* strategy = strategies_[player_].data() + node.offset;
    fill<kWidth>(values, Real{0}, width);
    for (int a = 0; a < actions; ++a) {
      const Real* sigma = strategy + a * width;
      multiply<kWidth>(reach, own, sigma, width);
      average(node, a, reach);
      Real* child = action_values + a * width;
      walk(node.first_child + a, reach, other, child, workspace, may_fork);
      add_product<kWidth>(values, sigma, child, width);
    }
    for (int a = 0; a < actions; ++a) update_regrets(node, a, action_values + a * width, values);
    if (discounts_.alternates) match_regrets(node);
  }

  void average(const VectorNode& node, int a, const Real* reach) {
    const int width = tree_.width(player_);
    decay_and_add<kWidth>(sums_[player_].data() + node.offset + a * width, average_, reach, width);
  }

  void update_regrets(const VectorNode& node, int a, const Real* action_values, const Real* values) {
    const int width = tree_.width(player_);
    const std::int64_t at = node.offset + a * width;
    const Real least = discounts_.clamps ? Real{0} : std::numeric_limits<Real>::lowest();
    add_regret<kWidth>(regrets_[player_].data() + at, positive_, negative_, action_values, values, least, width);
    if (discounts_.predicts) subtract<kWidth>(predictions_[player_].data() + at, action_values, values, width);
  }

  // Where no more public cards come: down to all terminals, their values at once, and up again.
  void walk_last_street(std::int32_t n, const Real* own, const Real* other, Real* values, Workspace<Real>& workspace) {
    const auto& batch = tree_.batches[tree_.nodes[n].batch];
    const int width = tree_.width(player_), other_width = tree_.width(1 - player_);
    typename Workspace<Real>::Frame frame(workspace);
    Real* reaches = frame.take(batch.num_lanes * other_width);
    Real* terminal_values = frame.take(batch.num_lanes * width);
    Real* next_reach = descend(n, own, other, reaches, workspace);
    std::fill(next_reach, reaches + batch.num_lanes * other_width, Real{0});
    {
      typename Workspace<Real>::Frame scratch(workspace);
      Real* memory = scratch.take(static_cast<int>(tree_.showdown->batch_memory()));
      tree_.showdown->batch_values(batch, player_, reaches, terminal_values, memory);
    }
    const Real* next_values = terminal_values;
    std::copy_n(ascend(n, next_values, workspace, values), width, values);
  }

  // Writes the opponent's reach at each terminal below node n, one after the other, and returns where the next one goes.
  Real* descend(std::int32_t n, const Real* own, const Real* other, Real* out, Workspace<Real>& workspace) {
    const VectorNode& node = tree_.nodes[n];
    const int width = tree_.width(player_), other_width = tree_.width(1 - player_);
    if (node.actor == kTerminal) {
      std::copy_n(other, other_width, out);
      return out + other_width;
    }
    typename Workspace<Real>::Frame frame(workspace);
    const bool is_own = node.actor == player_;
    Real* reach = frame.take(is_own ? width : other_width);
    const Real* strategy = strategies_[node.actor].data() + node.offset;
    for (int a = 0; a < node.num_children; ++a) {
      if (is_own) {
        multiply<kWidth>(reach, own, strategy + a * width, width);
        average(node, a, reach);
        out = descend(node.first_child + a, reach, other, out, workspace);
      } else {
        multiply<kWidth>(reach, other, strategy + a * other_width, other_width);
        out = descend(node.first_child + a, own, reach, out, workspace);
      }
    }
    return out;
  }

  // The values of node n: those of a terminal where they stand, others in `out`.
  const Real* ascend(std::int32_t n, const Real*& next, Workspace<Real>& workspace, Real* out) {
    const VectorNode& node = tree_.nodes[n];
    const int width = tree_.width(player_), actions = node.num_children;
    if (node.actor == kTerminal) {
      next += width;
      return next - width;
    }
    typename Workspace<Real>::Frame frame(workspace);
    const Real* strategy = strategies_[node.actor].data() + node.offset;
    std::array<const Real*, kMaxActions> children;
    fill<kWidth>(out, Real{0}, width);
    for (int a = 0; a < actions; ++a) {
      children[a] = ascend(node.first_child + a, next, workspace, frame.take(width));
      if (node.actor == player_)
        add_product<kWidth>(out, strategy + a * width, children[a], width);
      else
        add<kWidth>(out, children[a], width);
    }
    if (node.actor != player_) return out;
    for (int a = 0; a < actions; ++a) update_regrets(node, a, children[a], out);
    if (discounts_.alternates) match_regrets(node);
    return out;
  }

  // The outcomes of a chance node on all threads; summed in their order, so the number of threads changes nothing.
  void fork_chance(const VectorNode& node, const Real* own, const Real* other, Real* values) {
    const int width = tree_.width(player_), other_width = tree_.width(1 - player_);
    fork_values_.resize(static_cast<std::size_t>(node.num_children) * static_cast<std::size_t>(width));
    std::atomic<int> next = 0;
    pool_.run([&](int thread) {
      typename Workspace<Real>::Frame frame(workspaces_[thread]);
      Real* child_own = frame.take(width);
      Real* child_other = frame.take(other_width);
      for (int c = next++; c < node.num_children; c = next++) {
        const ChanceEdge& edge = tree_.edges[node.offset + c];
        const Real* mask = tree_.masks[player_].data() + edge.masks[player_];
        const Real* other_mask = tree_.masks[1 - player_].data() + edge.masks[1 - player_];
        multiply<kWidth>(child_own, own, mask, width);
        multiply<kWidth>(child_other, other, other_mask, other_width);
        walk(node.first_child + c, child_own, child_other, fork_values_.data() + static_cast<std::ptrdiff_t>(c) * width,
             workspaces_[thread], false);
      }
    });
    fill<kWidth>(values, Real{0}, width);
    for (int c = 0; c < node.num_children; ++c)
      add_outcome(tree_, node, c, player_, fork_values_.data() + static_cast<std::ptrdiff_t>(c) * width, values);
    even_out(tree_, node, player_, values);
  }

  const Tree& tree_;
  Discounts discounts_;
  ThreadPool pool_;
  std::vector<Workspace<Real>> workspaces_;
  HandVector<Real> fork_values_;
  Evaluation<Tree> evaluation_;
  Profile<Real> regrets_, sums_, strategies_, predictions_;
  std::array<HandVector<Real>, 2> root_reaches_, root_values_;
  Real positive_ = 1, negative_ = 1, average_ = 0, predicted_ = 1;  // factors of this iteration
  Player player_ = 0;
  int iteration_ = 0;
};

}  // namespace regretless
