// SPDX-License-Identifier: MIT
#include "solve/vector_problem.h"

#include <cmath>
#include <numeric>
#include <set>

#include "solve/vector_problem_of.h"

namespace regretless {
namespace {

constexpr double kLeastWeight = 1e-20;  // the heaviest hand of a range must weigh this; products of two must not vanish

template <class G>
std::array<RootRange, 2> make_ranges(const G& game, const typename G::State& root, const ProblemOptions& options) {
  std::array<RootRange, 2> ranges;
  for (Player p = 0; p < 2; ++p) {
    const auto& weights = options.weights[p];
    if (!weights.empty() && static_cast<std::int64_t>(weights.size()) != game.num_hands())
      throw std::invalid_argument("weights of player " + std::to_string(p) + ": must be " + std::to_string(game.num_hands()));
    for (Hand hand = 0; hand < game.num_hands(); ++hand) {
      const double weight = weights.empty() ? game.weight(p, hand) : weights[hand];
      if (!(weight >= 0) || !std::isfinite(weight))
        throw std::invalid_argument("weights of player " + std::to_string(p) + ": must be finite and not negative");
      if (weight == 0 || !game.hand_possible(root, hand)) continue;
      ranges[p].hands.push_back(hand);
      ranges[p].weights.push_back(weight);
    }
    if (ranges[p].hands.empty()) throw std::invalid_argument("player " + std::to_string(p) + " has no hand that the board leaves");
    if (ranges[p].hands.size() > kMostSubsetHands)
      throw std::invalid_argument("player " + std::to_string(p) + " has " + std::to_string(ranges[p].hands.size()) +
                                  " hands; at most " + std::to_string(kMostSubsetHands) + " can be solved");
    if (*std::max_element(ranges[p].weights.begin(), ranges[p].weights.end()) < kLeastWeight)
      throw std::invalid_argument("weights of player " + std::to_string(p) + ": all too small for single precision");
  }
  const bool can_meet = std::any_of(ranges[0].hands.begin(), ranges[0].hands.end(), [&](Hand first) {
    return std::any_of(ranges[1].hands.begin(), ranges[1].hands.end(),
                       [&](Hand second) { return game.hands_compatible(first, second); });
  });
  if (!can_meet) throw std::invalid_argument("every hand of one player shares a card with every hand of the other");
  return ranges;
}

void check_gadget(const GadgetOptions& gadget, std::int64_t num_hands) {
  if (!gadget.is_there()) return;
  if (gadget.opponent > 1) throw std::invalid_argument("gadget: no player " + std::to_string(gadget.opponent));
  if (static_cast<std::int64_t>(gadget.values.size()) != num_hands)
    throw std::invalid_argument("gadget: values must be " + std::to_string(num_hands));
  if (!std::ranges::all_of(gadget.values, [](double value) { return std::isfinite(value); }))
    throw std::invalid_argument("gadget: values must be finite");
  if (!(gadget.least_follow >= 0 && gadget.least_follow <= 1))
    throw std::invalid_argument("gadget: least_follow must be from 0 to 1");
}

// Counts the tables of showdowns and the parts of their payoffs. A table serves its public cards in any order.
template <class G>
void count_tables(const G& game, const TreePlan<G>& plan, SolveSize& size) {
  const auto& shape = plan.shape();
  std::set<std::pair<std::int32_t, std::uint64_t>> seen;
  bool has_presence = false, has_tie = false;
  for (std::size_t place = 0; place < shape.places.size(); ++place) {
    if (shape.places[place].actor != kTerminal) continue;
    const Ending ending = game.ending(shape.states[place]);
    if (!ending.is_showdown) continue;
    for (const auto& [lose, tie, win] : ending.payoffs) {
      has_presence |= lose + win != 0;
      has_tie |= 2 * tie != lose + win;
    }
    if (seen.emplace(shape.rounds[place], ending.key).second)
      size.tables += plan.num_boards(place) / (shape.rounds[place] > 1 ? 2 : 1);
  }
  size.payoff_terms = 1 + has_presence + has_tie;
}

// Refuses a tree before it is built, as soon as it is known to be too large. Its size leaves out what is there only once.
template <class G, class Tree>
TreePlan<G> plan_tree(const G& game, const typename G::State& root, const SymmetryGroup& group,
                      const std::array<RootRange, 2>& ranges, std::int64_t entry_bytes, const ProblemOptions& options,
                      SolveSize& size) {
  const auto add_bytes = [&size, max_bytes = options.max_bytes](std::int64_t count, std::size_t bytes) {
    size.bytes += count * static_cast<std::int64_t>(bytes);
    if (size.bytes > max_bytes)
      throw std::length_error("the tree needs more than the " + std::to_string(max_bytes >> 20) +
                              " MiB allowed: fewer bet sizes, a later street or narrower ranges make it smaller");
  };
  const std::array<int, 2> widths = Tree::padded(ranges);
  std::int64_t entry_total = 0;
  TreePlan<G> plan(game, root, group, options.tree, [&](const PublicNode& node, std::int64_t num_boards) {
    size.nodes += num_boards;
    if (node.actor == kTerminal) size.endings += num_boards;
    if (node.actor == kLeaf) size.leaves += num_boards;
    add_bytes(num_boards, PublicTree<G>::kNodeBytes + sizeof(VectorNode));
    if (node.actor < 0) return;
    const std::int64_t rows = num_boards * node.num_children;
    size.decisions += num_boards;
    size.entries += rows * static_cast<std::int64_t>(ranges[node.actor].hands.size());
    entry_total += rows * widths[node.actor] * entry_bytes;
    add_bytes(rows * widths[node.actor], static_cast<std::size_t>(entry_bytes));
  });
  add_bytes(plan.bytes(), 1);
  const auto num_boards = static_cast<std::int64_t>(plan.boards().size());
  count_tables(game, plan, size);
  add_bytes(size.tables, Tree::Terminals::table_bytes(ranges, widths));
  add_bytes(num_boards * (widths[0] + widths[1]), sizeof(typename Tree::Real));  // masks
  for (std::size_t place = 0; place < plan.shape().places.size(); ++place)
    if (plan.shape().is_below_chance(place)) add_bytes(plan.num_boards(place), sizeof(ChanceEdge));
  size.problem_bytes = size.bytes - entry_total;
  for (Player p = 0; p < 2; ++p) size.hands[p] = static_cast<std::int64_t>(ranges[p].hands.size());
  return plan;
}

}  // namespace

template <class G, class Tree>
PlannedProblem<G> VectorProblemOf<G, Tree>::plan(const G& game, const ProblemOptions& options, std::int64_t entry_bytes) {
  const typename G::State root = make_root(game, options.board, options.actions);
  if (game.actor(root) == kTerminal) throw std::invalid_argument("there is nothing to decide: the betting is over");
  auto ranges = make_ranges(game, root, options);
  check_gadget(options.gadget, game.num_hands());
  SymmetryGroup group;
  if (options.merge_suits) {
    std::array<std::vector<double>, 2> weights;
    for (Player p = 0; p < 2; ++p) {
      weights[p].resize(static_cast<std::size_t>(game.num_hands()));
      for (std::size_t h = 0; h < ranges[p].hands.size(); ++h) weights[p][ranges[p].hands[h]] = ranges[p].weights[h];
    }
    group = find_symmetries(game, root, weights[0], weights[1]);
    if (options.gadget.is_there()) {
      const SymmetryGroup kept = find_symmetries(game, root, options.gadget.values, options.gadget.values);
      std::erase_if(group.renamings,
                    [&](const auto& each) { return std::ranges::find(kept.renamings, each) == kept.renamings.end(); });
    }
  }
  SolveSize size;
  auto planned = plan_tree<G, Tree>(game, root, group, ranges, entry_bytes, options, size);
  return {std::move(ranges), std::move(group), size, std::move(planned)};
}

template <class G, class Tree>
std::shared_ptr<const VectorProblemOf<G, Tree>> VectorProblemOf<G, Tree>::make(std::shared_ptr<const G> game,
                                                                               const ProblemOptions& options,
                                                                               std::int64_t entry_bytes) {
  auto [ranges, group, size, plan] = VectorProblemOf::plan(*game, options, entry_bytes);
  auto tree = build_tree(std::move(plan));
  return std::make_shared<VectorProblemOf<G, Tree>>(std::move(game), std::move(tree), std::move(group), std::move(ranges), size);
}

template <class G, class Tree>
SolutionRows VectorProblemOf<G, Tree>::rows_of(const Weights& weigh) const {
  return rows_of<Weights>(weigh);
}

template <class G, class Tree>
PackedSolution VectorProblemOf<G, Tree>::packed_of(const Weights& weigh) const {
  return packed_of<Weights>(weigh);
}

#define REGRETLESS_PROBLEMS(G)                             \
  template class VectorProblemOf<G, DenseTree<double, 8>>; \
  template class VectorProblemOf<G, DenseTree<double, 0>>;
REGRETLESS_PUBLIC_GAMES(REGRETLESS_PROBLEMS)
template class VectorProblemOf<Poker, RankedTree>;
template class VectorProblemOf<Poker, SubsetTree>;

SolutionRows sorted_by_key(const SolutionRows& rows) {
  const std::size_t count = rows.keys.size(), actions = count > 0 ? rows.probabilities.size() / count : 0;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t row) { return rows.keys[row]; });
  SolutionRows sorted;
  sorted.probabilities.reserve(count * actions);
  for (std::vector<double>* column : {&sorted.values, &sorted.reaches}) column->reserve(count);
  sorted.keys.reserve(count);
  for (const std::size_t row : order) {
    const auto first = rows.probabilities.begin() + static_cast<std::ptrdiff_t>(row * actions);
    sorted.keys.push_back(rows.keys[row]);
    sorted.probabilities.insert(sorted.probabilities.end(), first, first + static_cast<std::ptrdiff_t>(actions));
    sorted.values.push_back(rows.values[row]);
    sorted.reaches.push_back(rows.reaches[row]);
  }
  return sorted;
}

std::int64_t row_bytes(std::int64_t infosets, int num_actions) {
  return infosets * static_cast<std::int64_t>((3 + num_actions) * sizeof(double));
}

std::shared_ptr<const VectorProblem> make_vector_problem(const AnyGame& any, const ProblemOptions& options) {
  return with_game(any, kNeedsPublicStates, [&]<PublicGame G>(std::shared_ptr<const G> game) {
    return with_tree(*game, [&]<class Tree>() -> std::shared_ptr<const VectorProblem> {
      return VectorProblemOf<G, Tree>::make(game, options, sizeof(typename Tree::Real));
    });
  });
}

}  // namespace regretless
