// SPDX-License-Identifier: MIT
#include "solve/leaf_solver.h"

#include "solve/subgame_walk.h"
#include "solve/vector_problem_of.h"

namespace regretless {
namespace {

template <class G, class Tree>
class LeafSolverOf final : public LeafSolver {
 public:
  using Real = typename Tree::Real;

  LeafSolverOf(std::shared_ptr<const VectorProblemOf<G, Tree>> problem, const LeafSolveOptions& options)
      : problem_(std::move(problem)),
        tree_(problem_->vectors()),
        discounts_(options.discounts),
        iterations_(options.iterations),
        walk_(options.discounts) {
    memory_.resize(SubgameTables<Real>::size(tree_.num_entries, true, discounts_.predicts));
    tables_ = SubgameTables<Real>::at(memory_.data(), tree_.num_entries, true, discounts_.predicts);
    for (const VectorNode& node : tree_.nodes)
      if (node.actor == kLeaf) leaves_.push_back(static_cast<std::int32_t>(&node - tree_.nodes.data()));
    for (Player p = 0; p < 2; ++p) {
      root_[p] = tree_.root_reach(p);
      reaches_[p].resize(leaves_.size() * num_hands(p));
      root_sums_[p].resize(num_hands(p));
    }
  }

  std::shared_ptr<const VectorProblem> problem() const override { return problem_; }
  int iteration() const override { return iteration_; }

  const LeafRows* ask() override {
    if (iteration_ == iterations_) return nullptr;
    if (!is_asked_) descend();
    is_asked_ = true;
    return &reaches_;
  }

  void answer(const std::array<const float*, 2>& values) override {
    if (!is_asked_) throw std::invalid_argument("there is no question");
    const auto update = CfrUpdate<Real>::after(discounts_, iteration_);
    weight_ = static_cast<double>(update.average) * weight_ + 1;
    for (Player p = 0; p < 2; ++p) {
      const std::size_t hands = num_hands(p);
      const Real* found = walk_.ascend(p, update, [&](int leaf, Player, const Real*, Real* to) {
        const float* from = values[p] + static_cast<std::size_t>(leaf) * hands;
        std::copy_n(from, hands, to);
        std::fill(to + hands, to + tree_.width(p), Real{0});
      });
      for (std::size_t h = 0; h < hands; ++h)
        root_sums_[p][h] = static_cast<double>(update.average) * root_sums_[p][h] + static_cast<double>(found[h]);
    }
    ++iteration_;
    is_asked_ = false;
  }

  std::vector<double> strategy(std::int32_t n) const override {
    if (n < 0 || static_cast<std::size_t>(n) >= tree_.nodes.size() || tree_.nodes[n].actor < 0)
      throw std::invalid_argument("node " + std::to_string(n) + " is not a decision");
    const VectorNode& node = tree_.nodes[n];
    const std::ptrdiff_t width = tree_.width(node.actor);
    HandVector<Real> rows(static_cast<std::size_t>(node.num_children * width));
    normalize_actions<Tree>(tables_.sums[node.actor] + node.offset, node.num_children, static_cast<int>(width), rows.data());
    std::vector<double> strategy;
    const auto hands = static_cast<std::ptrdiff_t>(num_hands(node.actor));
    for (auto row = rows.begin(); row != rows.end(); row += width) strategy.insert(strategy.end(), row, row + hands);
    return strategy;
  }

  std::vector<double> root_values(Player player) const override {
    std::vector<double> values = root_sums_[player];
    for (double& value : values) value /= std::max(weight_, 1.0);
    return values;
  }

 private:
  std::size_t num_hands(Player player) const { return tree_.ranges[player].hands.size(); }

  void descend() {
    const auto predicted = static_cast<Real>(discounts_.positive(iteration_));
    walk_.descend(tree_, tables_, {root_[0].data(), root_[1].data()}, {predicted, predicted});
    for (Player p = 0; p < 2; ++p)
      for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
        const Real* from = walk_.reach(leaves_[leaf], p);
        std::transform(from, from + num_hands(p), reaches_[p].data() + leaf * num_hands(p),
                       [](Real reach) { return static_cast<float>(reach); });
      }
  }

  std::shared_ptr<const VectorProblemOf<G, Tree>> problem_;
  const Tree& tree_;
  Discounts discounts_;
  int iterations_ = 0, iteration_ = 0;
  SubgameWalk<Tree> walk_;
  HandVector<Real> memory_;
  SubgameTables<Real> tables_;
  std::vector<std::int32_t> leaves_;               // nodes
  std::array<HandVector<Real>, 2> root_;           // [player][hands]
  std::array<std::vector<double>, 2> root_sums_;   // [player][hands]: values as they count in the average
  LeafRows reaches_;
  double weight_ = 0;                              // of all iterations in the average
  bool is_asked_ = false;
};

}  // namespace

std::unique_ptr<LeafSolver> make_leaf_solver(const AnyGame& any, const LeafSolveOptions& options) {
  options.discounts.check();
  if (options.iterations < 0) throw std::invalid_argument("iterations: must not be negative");
  if (!options.problem.tree.is_cut()) throw std::invalid_argument("the tree of a solver with leaves must be cut");
  if (options.problem.merge_suits) throw std::invalid_argument("a solver with leaves merges no suits");
  return with_game(any, kNeedsPublicStates, [&]<PublicGame G>(std::shared_ptr<const G> game) {
    return with_tree(*game, [&]<class Tree>() -> std::unique_ptr<LeafSolver> {
      const std::int64_t tables = options.discounts.predicts ? 3 : 2;
      auto problem =
          VectorProblemOf<G, Tree>::make(game, options.problem, tables * static_cast<std::int64_t>(sizeof(typename Tree::Real)));
      return std::make_unique<LeafSolverOf<G, Tree>>(std::move(problem), options);
    });
  });
}

}  // namespace regretless
