// SPDX-License-Identifier: MIT
#include "solve/table_evaluation.h"

#include <stdexcept>

#include "solve/best_response.h"
#include "solve/infoset_names.h"
#include "solve/joint_evaluation.h"

namespace regretless {
namespace {

constexpr std::int64_t kMaxNodes = 1'000'000;
constexpr std::int64_t kMaxHands = 2'000;
constexpr std::int64_t kMaxInfosets = 10'000'000;
constexpr double kMostWeight = 1e300;  // of a slot: the sum of all must be finite

template <Game G>
class TableEvaluationOf final : public TableEvaluation {
 public:
  explicit TableEvaluationOf(std::shared_ptr<const G> game)
      : game_(std::move(game)), tree_(build_tree(*game_, game_->root(), SymmetryGroup{}, {.max_nodes = kMaxNodes})) {
    if (game_->num_hands() > kMaxHands) throw std::length_error("the game has too many hands for exact evaluation");
    list_infosets();
  }

  int num_players() const override { return game_->num_players(); }
  int num_actions() const override { return game_->num_actions(); }
  const InfosetList& infosets() const override { return infosets_; }

  Values evaluate(const double* probabilities) const override {
    const std::vector<double> strategy = normalize(probabilities);
    Values result = num_players() == 2 ? evaluate_two(strategy) : evaluate_joint(strategy);
    for (double& value : result.values) value /= game_->unit();
    for (double& value : result.best_values) value /= game_->unit();
    return result;
  }

 private:
  void list_infosets() {
    const std::vector<std::string> events = event_texts(*game_, tree_);
    offsets_.resize(tree_.nodes.size());
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n) {
      const PublicNode& node = tree_.nodes[n];
      if (node.actor < 0) continue;
      offsets_[n] = num_entries_;
      num_entries_ += game_->num_hands() * node.num_children;
      const ActionMask legal = game_->legal(tree_.states[n]);
      for (Hand hand = 0; hand < game_->num_hands(); ++hand) {
        if (!game_->hand_possible(tree_.states[n], hand)) continue;
        infosets_.keys.push_back(infoset_key(tree_.states[n].key, static_cast<std::uint64_t>(hand), node.actor));
        infosets_.actors.push_back(node.actor);
        infosets_.legals.push_back(legal);
        infosets_.names.push_back(hand_text(*game_, hand) + ":" + events[n]);
        entries_.push_back(offsets_[n] + static_cast<std::int64_t>(hand) * node.num_children);
      }
      if (static_cast<std::int64_t>(infosets_.keys.size()) > kMaxInfosets)
        throw std::length_error("the game has too many infosets for exact evaluation");
    }
  }

  static double checked(double probability) {
    if (!(probability >= 0 && probability <= kMostWeight))
      throw std::invalid_argument("probabilities: must be finite and not negative");
    return probability;
  }

  // [node: hands, children] as offsets_ says.
  std::vector<double> normalize(const double* probabilities) const {
    std::vector<double> strategy(static_cast<std::size_t>(num_entries_));
    for (std::size_t i = 0; i < entries_.size(); ++i, probabilities += num_actions()) {
      double* out = strategy.data() + entries_[i];
      double sum = 0;
      int count = 0;
      for (ActionMask rest = infosets_.legals[i]; rest != 0; rest &= rest - 1)
        sum += out[count++] = checked(probabilities[std::countr_zero(rest)]);
      for (int a = 0; a < count; ++a) out[a] = sum > 0 ? out[a] / sum : 1.0 / count;
    }
    return strategy;
  }

  Values evaluate_two(const std::vector<double>& strategy) const {
    using Tree = VectorTree<double, 0, DenseShowdown<double, 0>>;
    RootRange range;
    for (Hand hand = 0; hand < game_->num_hands(); ++hand) range.hands.push_back(hand);
    range.weights.assign(range.hands.size(), 1);
    const Tree tree(*game_, tree_, SymmetryGroup{}, {range, range});
    Profile<double> profile{NodeTable<double, double>(tree, 0), NodeTable<double, double>(tree, 1)};
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const VectorNode& node = tree.nodes[n];
      if (node.actor < 0) continue;
      const double* from = strategy.data() + offsets_[n];
      for (Hand hand = 0; hand < game_->num_hands(); ++hand)
        for (int a = 0; a < node.num_children; ++a) profile[node.actor].at(node)[a * tree.strides[node.actor] + hand] = *from++;
    }
    VectorWalk<Tree> walk(tree, 1);
    Evaluation<Tree> evaluation(tree, walk);
    const TableWeights<Tree, NodeTable<double, double>> weigh{tree, profile};
    Values result;
    for (Player p = 0; p < 2; ++p) {
      result.values.push_back(evaluation.value(p, weigh));
      result.best_values.push_back(evaluation.best_value(p, weigh));
    }
    return result;
  }

  Values evaluate_joint(const std::vector<double>& strategy) const {
    JointEvaluation<G> evaluation(*game_, tree_, offsets_);
    Values result;
    for (Player p = 0; p < num_players(); ++p) {
      result.values.push_back(evaluation.value(strategy, p, false));
      result.best_values.push_back(evaluation.value(strategy, p, true));
    }
    return result;
  }

  std::shared_ptr<const G> game_;
  PublicTree<G> tree_;
  std::vector<std::int64_t> offsets_;  // [nodes]
  std::int64_t num_entries_ = 0;
  InfosetList infosets_;
  std::vector<std::int64_t> entries_;  // [infosets]: where its probabilities lie in a strategy
};

}  // namespace

std::unique_ptr<TableEvaluation> make_table_evaluation(std::shared_ptr<const Poker> game) {
  return std::make_unique<TableEvaluationOf<Poker>>(std::move(game));
}

std::unique_ptr<TableEvaluation> make_table_evaluation(std::shared_ptr<const LiarsDice> game) {
  return std::make_unique<TableEvaluationOf<LiarsDice>>(std::move(game));
}

}  // namespace regretless
