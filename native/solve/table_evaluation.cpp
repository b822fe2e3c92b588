// SPDX-License-Identifier: MIT
#include "solve/table_evaluation.h"

#include <cmath>

#include "solve/joint_evaluation.h"

namespace regretless {
namespace {

constexpr std::int64_t kMaxNodes = 1'000'000;
constexpr std::int64_t kMaxHands = 2'000;
constexpr std::int64_t kMaxInfosets = 50'000'000;
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 33;
constexpr double kMostWeight = 1e300;  // of a slot: the sum of all must be finite

// Throws unless the numbers of a profile are finite and not negative.
void check_probabilities(const double* probabilities, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (!(probabilities[i] >= 0 && probabilities[i] <= kMostWeight))
      throw std::invalid_argument("probabilities: must be finite and not negative");
}

ProblemOptions whole_game() {
  ProblemOptions options;
  options.merge_suits = false;
  options.max_bytes = kMaxBytes;
  return options;
}

// Two players, over vectors of hands.
template <Game G>
class VectorEvaluation final : public TableEvaluation {
 public:
  explicit VectorEvaluation(std::shared_ptr<const G> game)
      : game_(std::move(game)), problem_(make_vector_problem(game_, whole_game())) {
    if (problem_->size().infosets > kMaxInfosets) throw std::length_error("the game has too many infosets for exact evaluation");
    infosets_ = problem_->infosets();
  }

  int num_players() const override { return 2; }
  int num_actions() const override { return game_->num_actions(); }
  const InfosetList& infosets() const override { return infosets_; }
  std::vector<std::string> names() const override { return problem_->names(); }

  Values evaluate(const double* probabilities) const override {
    check_probabilities(probabilities, infosets_.keys.size() * static_cast<std::size_t>(num_actions()));
    const std::vector<double> profile = problem_->profile_of(probabilities);
    const auto values = problem_->values_of(profile), best = problem_->best_values_against(profile);
    const double unit = game_->unit();
    return {{values[0] / unit, values[1] / unit}, {best[0] / unit, best[1] / unit}};
  }

 private:
  std::shared_ptr<const G> game_;
  std::shared_ptr<const VectorProblem> problem_;
  InfosetList infosets_;
};

// More players, over all joint deals.
template <Game G>
class JointTableEvaluation final : public TableEvaluation {
 public:
  explicit JointTableEvaluation(std::shared_ptr<const G> game)
      : game_(std::move(game)), tree_(build_tree(*game_, game_->root(), SymmetryGroup{}, {.max_nodes = kMaxNodes})) {
    if (game_->num_hands() > kMaxHands) throw std::length_error("the game has too many hands for exact evaluation");
    list_infosets();
  }

  int num_players() const override { return game_->num_players(); }
  int num_actions() const override { return game_->num_actions(); }
  const InfosetList& infosets() const override { return infosets_; }

  std::vector<std::string> names() const override {
    std::vector<std::string> events(tree_.nodes.size()), names;
    for (std::size_t n = 0; n < events.size(); ++n) {
      const PublicNode& node = tree_.nodes[n];
      const auto parent = static_cast<std::size_t>(std::max(node.parent, 0));
      if (n > 0)
        events[n] = events[parent] + (tree_.is_below_chance(n) ? game_->outcome_text(tree_.states[parent], tree_.states[n])
                                                               : game_->action_text(node.event));
      for (Hand hand = 0; node.actor >= 0 && hand < game_->num_hands(); ++hand)
        if (game_->hand_possible(tree_.states[n], hand)) names.push_back(game_->hand_text(hand) + ":" + events[n]);
    }
    return names;
  }

  Values evaluate(const double* probabilities) const override {
    check_probabilities(probabilities, infosets_.keys.size() * static_cast<std::size_t>(num_actions()));
    const std::vector<double> strategy = normalize(probabilities);
    JointEvaluation<G> evaluation(*game_, tree_, offsets_);
    Values result;
    for (Player p = 0; p < num_players(); ++p) {
      result.values.push_back(evaluation.value(strategy, p, false) / game_->unit());
      result.best_values.push_back(evaluation.value(strategy, p, true) / game_->unit());
    }
    return result;
  }

 private:
  void list_infosets() {
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
        entries_.push_back(offsets_[n] + static_cast<std::int64_t>(hand) * node.num_children);
      }
      if (static_cast<std::int64_t>(infosets_.keys.size()) > kMaxInfosets)
        throw std::length_error("the game has too many infosets for exact evaluation");
    }
  }

  // [node: hands, children] as offsets_ says.
  std::vector<double> normalize(const double* probabilities) const {
    std::vector<double> strategy(static_cast<std::size_t>(num_entries_));
    for (std::size_t i = 0; i < entries_.size(); ++i, probabilities += num_actions()) {
      double* out = strategy.data() + entries_[i];
      double sum = 0;
      int count = 0;
      for (ActionMask rest = infosets_.legals[i]; rest != 0; rest &= rest - 1)
        sum += out[count++] = probabilities[std::countr_zero(rest)];
      for (int a = 0; a < count; ++a) out[a] = sum > 0 ? out[a] / sum : 1.0 / count;
    }
    return strategy;
  }

  std::shared_ptr<const G> game_;
  PublicTree<G> tree_;
  std::vector<std::int64_t> offsets_;  // [nodes]
  std::int64_t num_entries_ = 0;
  InfosetList infosets_;
  std::vector<std::int64_t> entries_;  // [infosets]: where its probabilities lie in a strategy
};

}  // namespace

std::unique_ptr<TableEvaluation> make_table_evaluation(const AnyGame& any) {
  const auto make = []<DealtGame G>(std::shared_ptr<const G> game) -> std::unique_ptr<TableEvaluation> {
    if (game->num_players() == 2) return std::make_unique<VectorEvaluation<G>>(std::move(game));
    return std::make_unique<JointTableEvaluation<G>>(std::move(game));
  };
  return with_game(any, "exact evaluation needs hands that are dealt", make);
}

}  // namespace regretless
