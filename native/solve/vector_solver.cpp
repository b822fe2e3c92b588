// SPDX-License-Identifier: MIT
#include "solve/vector_solver.h"

#include <optional>

#include "solve/node_beliefs.h"
#include "solve/vector_cfr.h"
#include "solve/vector_problem_of.h"
#include "threads/lookout.h"

namespace regretless {
namespace {

constexpr std::int64_t kMostPlanned = std::int64_t{1} << 46;

// Where the precision is open, larger problems have tables of 16 bits.
std::int64_t most_in_32_bits(const SolveOptions& options) {
  return options.precision == 32 ? kMostPlanned : std::min(options.problem.max_bytes, std::int64_t{1} << 31);
}

bool wins_what_is_lost(const TerminalNode& end) {
  const auto& [first, second] = end.payoffs;  // of a loss, a tie and a win
  if (!end.is_showdown) return first[2] + second[2] == 0;
  return first[0] + second[2] == 0 && first[1] + second[1] == 0 && first[2] + second[0] == 0;
}

template <class G, class Tree, bool kIsPacked>
class VectorSolverOf final : public VectorSolver {
 public:
  using Real = typename Tree::Real;
  using Cfr = VectorCfr<Tree, kIsPacked>;

  VectorSolverOf(std::shared_ptr<const VectorProblemOf<G, Tree>> problem, const SolveOptions& options)
      : problem_(std::move(problem)), cfr_(problem_->vectors(), options.discounts, options.threads) {
    for (Player p = 0; p < 2; ++p)
      reaches_[p].resize(static_cast<std::size_t>(problem_->vectors().num_leaves) * problem_->hands(p).size());
    is_zero_sum_ = std::ranges::all_of(problem_->vectors().terminals, &wins_what_is_lost);
    const GadgetOptions& gadget = options.problem.gadget;
    if (!gadget.is_there()) return;
    std::vector<double> values;
    for (const Hand hand : problem_->hands(gadget.opponent)) values.push_back(gadget.values[hand]);
    cfr_.set_up_gadget(gadget.opponent, values, gadget.least_follow);
    has_gadget_ = true;
  }

  std::shared_ptr<const VectorProblem> problem() const override { return problem_; }
  SolveSize size() const override {
    SolveSize size = problem_->size();
    size.precision = 8 * static_cast<int>(sizeof(typename Cfr::Regrets::Stored));
    return size;
  }
  int iteration() const override { return cfr_.iteration(); }
  void step(int count) override {
    refuse_leaves();
    forget_values();
    for (int i = 0; i < count; ++i, Lookout::look_now()) cfr_.step();
  }

  const LeafRows& leaf_reaches(bool of_average) override {
    cfr_.find_leaf_reaches(of_average, reaches_);
    return reaches_;
  }
  void step_with(const LeafView& values) override {
    forget_values();
    cfr_.set_leaf_values(values);
    cfr_.step();
    cfr_.set_leaf_values({});
  }

  bool is_zero_sum() const override { return is_zero_sum_; }

  // They are kept until the strategy changes. What one wins the other loses: a measure asks for best answers only, whose walks read
  // no strategy of their own; else it needs both, which one walk finds.
  double value(Player player) override {
    refuse_gadget();
    auto& value = values_[player];
    if (!value) value = cfr_.evaluation().value(player, cfr_.average());
    return *value;
  }
  double best_value(Player player) override {
    refuse_gadget();
    auto& best = best_values_[player];
    if (!best && is_zero_sum_) best = cfr_.evaluation().best_value(player, cfr_.average());
    if (!best) {
      const auto both = cfr_.evaluation().both_values(player, cfr_.average());
      best = both[0], values_[player] = both[1];
    }
    return *best;
  }

  std::vector<double> hand_values(Player player) override {
    refuse_gadget();
    const HandVector<Real> values = cfr_.evaluation().values(player, cfr_.average());
    std::vector<double> result = problem_->hand_weights(player);
    for (std::size_t h = 0; h < result.size(); ++h) result[h] = result[h] > 0 ? static_cast<double>(values[h]) / result[h] : 0;
    return result;
  }

  std::vector<double> best_hand_values(Player player) override {
    refuse_leaves();
    const auto values = cfr_.with_average_root([&] { return cfr_.evaluation().best_values(player, cfr_.average()); });
    return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(problem_->hands(player).size())};
  }

  NodeBeliefs beliefs(const std::vector<std::int32_t>& nodes, const LeafView& leaves) override {
    return cfr_.with_average_root([&] { return find_beliefs(problem_->vectors(), cfr_.walk(), cfr_.average(), nodes, leaves); });
  }

  std::vector<double> strategy(std::int32_t n) const override {
    const HandVector<Real> rows = problem_->strategy_at(n, cfr_.average());
    const PublicNode& node = problem_->nodes()[n];
    const std::ptrdiff_t width = problem_->vectors().width(node.actor);
    const auto hands = static_cast<std::ptrdiff_t>(problem_->hands(node.actor).size());
    std::vector<double> strategy;
    for (auto row = rows.begin(); row != rows.end(); row += width) strategy.insert(strategy.end(), row, row + hands);
    return strategy;
  }

  SolutionRows rows() const override {
    refuse_leaves();
    return problem_->rows_of(cfr_.average());
  }
  PackedSolution packed() const override {
    refuse_leaves();
    return problem_->packed_of(cfr_.average());
  }

  void lock(std::int32_t n, const std::vector<double>& strategy) override {
    const auto& nodes = problem_->nodes();
    if (n < 0 || static_cast<std::size_t>(n) >= nodes.size() || nodes[n].actor < 0)
      throw std::invalid_argument("node " + std::to_string(n) + " is not a decision");
    const std::size_t hands = problem_->hands(nodes[n].actor).size(), actions = static_cast<std::size_t>(nodes[n].num_children);
    if (strategy.size() != actions * hands) throw std::invalid_argument("a lock has a share for each action and hand");
    for (std::size_t h = 0; h < hands; ++h) {
      double sum = 0;
      for (std::size_t a = 0; a < actions; ++a) {
        const double share = strategy[a * hands + h];
        if (!(share >= 0)) throw std::invalid_argument("the shares of a lock must not be negative");
        sum += share;
      }
      if (!(std::abs(sum - 1) < 1e-6)) throw std::invalid_argument("the shares of a lock must sum to 1 for each hand");
    }
    forget_values();
    cfr_.lock(n, strategy);
  }

  std::vector<double> state() const override {
    refuse_gadget();
    return cfr_.state();
  }
  void restore(int iteration, const std::vector<double>& state) override {
    for (const double number : state)
      if (!std::isfinite(number)) throw std::invalid_argument("the state has numbers that are not finite");
    refuse_gadget();
    forget_values();
    cfr_.restore(iteration, state);
  }

 private:
  void refuse_leaves() const {
    if (problem_->vectors().num_leaves > 0)
      throw std::invalid_argument(
          "the values of leaves must be given: a solver of a cut tree has iterations with them, and beliefs");
  }
  void refuse_gadget() const {
    refuse_leaves();
    if (has_gadget_) throw std::invalid_argument("a solver with a gadget has beliefs only: no values of ranges, and no state");
  }

  void forget_values() { values_ = best_values_ = {}; }

  std::shared_ptr<const VectorProblemOf<G, Tree>> problem_;
  Cfr cfr_;
  LeafRows reaches_;
  bool has_gadget_ = false;
  bool is_zero_sum_ = false;
  std::array<std::optional<double>, 2> values_, best_values_;  // [player]: of the strategy, of the best answer
};

template <class G, class Tree, bool kIsPacked = false>
std::unique_ptr<VectorSolver> make_of(std::shared_ptr<const G> game, const SolveOptions& options) {
  auto problem =
      VectorProblemOf<G, Tree>::make(std::move(game), options.problem, VectorCfr<Tree, kIsPacked>::entry_bytes(options.discounts));
  return std::make_unique<VectorSolverOf<G, Tree, kIsPacked>>(std::move(problem), options);
}

void check(const SolveOptions& options) {
  if (options.precision != 0 && options.precision != 16 && options.precision != 32)
    throw std::invalid_argument("precision: must be 16 or 32 bits");
  if (options.problem.max_bytes < 0) throw std::invalid_argument("max_bytes: must not be negative");
  options.discounts.check();
  if (options.threads < 1 || options.threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
}

template <class G, class Tree, bool kIsPacked = false>
SolveSize plan_of(const G& game, const SolveOptions& options) {
  using Cfr = VectorCfr<Tree, kIsPacked>;
  ProblemOptions problem = options.problem;
  problem.max_bytes = kMostPlanned;
  SolveSize size = VectorProblemOf<G, Tree>::plan(game, problem, Cfr::entry_bytes(options.discounts)).size;
  size.precision = 8 * static_cast<int>(sizeof(typename Cfr::Regrets::Stored));
  return size;
}

template <class G>
SolveSize plan(const G& game, const SolveOptions& options) {
  return with_tree(game, [&]<class Tree>() -> SolveSize {
    if constexpr (std::is_same_v<Tree, RankedTree>) {
      if (options.precision == 16) return plan_of<G, Tree, true>(game, options);
      const SolveSize size = plan_of<G, Tree>(game, options);
      return size.bytes <= most_in_32_bits(options) ? size : plan_of<G, Tree, true>(game, options);
    } else {
      return plan_of<G, Tree>(game, options);
    }
  });
}

template <class G>
std::unique_ptr<VectorSolver> make(std::shared_ptr<const G> game, const SolveOptions& options) {
  return with_tree(*game, [&]<class Tree>() -> std::unique_ptr<VectorSolver> {
    if constexpr (std::is_same_v<Tree, RankedTree>) {
      if (options.precision == 16) return make_of<G, Tree, true>(game, options);
      SolveOptions wide = options;
      wide.problem.max_bytes = std::min(wide.problem.max_bytes, most_in_32_bits(options));
      try {
        return make_of<G, Tree>(game, wide);
      } catch (const std::length_error&) {
        if (options.precision == 32) throw;
        return make_of<G, Tree, true>(game, options);
      }
    } else {
      return make_of<G, Tree>(game, options);
    }
  });
}

}  // namespace

SolveSize plan_vector_solver(const AnyGame& any, const SolveOptions& options) {
  check(options);
  return with_game(any, kNeedsPublicStates, [&]<PublicGame G>(std::shared_ptr<const G> game) { return plan(*game, options); });
}

std::unique_ptr<VectorSolver> make_vector_solver(const AnyGame& any, const SolveOptions& options) {
  check(options);
  SolveOptions made = options;
  if (options.problem.tree.is_cut()) made.discounts.alternating = false;
  return with_game(any, kNeedsPublicStates, [&]<PublicGame G>(std::shared_ptr<const G> game) { return make(game, made); });
}

}  // namespace regretless
