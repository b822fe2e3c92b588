// SPDX-License-Identifier: MIT
#include "solve/vector_solver.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "solve/vector_cfr.h"
#include "tree/root_state.h"

namespace regretless {
namespace {

constexpr double kLeastWeight = 1e-20;  // the heaviest hand of a range must weigh this; products of two must not vanish

template <class G, class Tree, bool kIsPacked>
class VectorSolverOf final : public VectorSolver {
 public:
  using Real = typename Tree::Real;

  VectorSolverOf(std::shared_ptr<const G> game, PublicTree<G> tree, const SymmetryGroup& group, std::array<RootRange, 2> ranges,
                 const SolveOptions& options, const SolveSize& size)
      : game_(std::move(game)),
        tree_(std::move(tree)),
        vectors_(*game_, tree_, group, std::move(ranges)),
        cfr_(vectors_, options.discounts, options.threads),
        size_(size) {
    size_.infosets = vectors_.num_infosets[0] + vectors_.num_infosets[1];
    size_.precision = 8 * static_cast<int>(sizeof(typename VectorCfr<Tree, kIsPacked>::Regrets::Stored));
  }

  SolveSize size() const override { return size_; }
  int iteration() const override { return cfr_.iteration(); }
  void step(int count) override {
    for (int i = 0; i < count; ++i) cfr_.step();
  }

  double value(Player player) override { return cfr_.evaluation().value(player, cfr_.average()); }
  double best_value(Player player) override { return cfr_.evaluation().best_value(player, cfr_.average()); }

  std::vector<double> hand_weights(Player player) const override {
    const auto& own = vectors_.ranges[player];
    const auto& other = vectors_.ranges[1 - player];
    std::vector<double> weights(own.hands.size());
    for (std::size_t h = 0; h < own.hands.size(); ++h)
      for (std::size_t o = 0; o < other.hands.size(); ++o)
        if (game_->hands_compatible(own.hands[h], other.hands[o])) weights[h] += other.weights[o];
    return weights;
  }

  std::vector<double> hand_values(Player player) override {
    const HandVector<Real> values = cfr_.evaluation().values(player, cfr_.average());
    std::vector<double> result = hand_weights(player);
    for (std::size_t h = 0; h < result.size(); ++h) result[h] = result[h] > 0 ? static_cast<double>(values[h]) / result[h] : 0;
    return result;
  }

  const std::vector<Hand>& hands(Player player) const override { return vectors_.ranges[player].hands; }
  const std::vector<PublicNode>& nodes() const override { return tree_.nodes; }

  std::vector<double> strategy(std::int32_t n) override {
    const VectorNode& node = decision(n);
    const int width = vectors_.width(node.actor);
    const std::size_t hands = vectors_.ranges[node.actor].hands.size();
    const HandVector<Real> ones(static_cast<std::size_t>(width), Real{1});
    std::vector<HandVector<Real>> rows(static_cast<std::size_t>(node.num_children), ones);
    share_out<Tree>(node.num_children, width, ones.data(), cfr_.average()(node),
                    [&](int a, int h, typename Register<Real>::Lanes share) { Register<Real>{share}.store(rows[a].data() + h); });
    std::vector<double> strategy;
    for (const auto& row : rows) strategy.insert(strategy.end(), row.begin(), row.begin() + static_cast<std::ptrdiff_t>(hands));
    return strategy;
  }

  std::vector<std::uint32_t> outcomes(std::int32_t n) const override { return below_chance(n).outcomes; }

  std::vector<std::int32_t> renamed_hands(std::int32_t n, int outcome, Player player) const override {
    const OutcomeClass& all = below_chance(n);
    if (outcome < 0 || static_cast<std::size_t>(outcome) >= all.symmetries.size())
      throw std::invalid_argument("no outcome " + std::to_string(outcome));
    const auto& to = vectors_.renamings[player][all.symmetries[outcome]];
    return {to.begin(), to.begin() + static_cast<std::ptrdiff_t>(vectors_.ranges[player].hands.size())};
  }

  std::vector<bool> hands_possible(std::int32_t n, Player player) const override {
    if (n < 0 || static_cast<std::size_t>(n) >= tree_.nodes.size()) throw std::invalid_argument("no node " + std::to_string(n));
    std::vector<bool> possible;
    for (const Hand hand : vectors_.ranges[player].hands) possible.push_back(game_->hand_possible(tree_.board(n).state, hand));
    return possible;
  }

  std::array<double, 2> best_values_against(const std::vector<double>& given) override {
    const Profile<Real> profile = read_profile(given);
    const TableWeights<Tree, NodeTable<Real, Real>> weigh{vectors_, profile};
    return {cfr_.evaluation().best_value(0, weigh), cfr_.evaluation().best_value(1, weigh)};
  }
  std::array<double, 2> values_of(const std::vector<double>& given) override {
    const Profile<Real> profile = read_profile(given);
    const TableWeights<Tree, NodeTable<Real, Real>> weigh{vectors_, profile};
    return {cfr_.evaluation().value(0, weigh), cfr_.evaluation().value(1, weigh)};
  }

  std::vector<double> state() const override { return cfr_.state(); }
  void restore(int iteration, const std::vector<double>& state) override { cfr_.restore(iteration, state); }

  VectorArrays arrays() const override {
    VectorArrays all;
    for (std::size_t n = 0; n < vectors_.nodes.size(); ++n) {
      const VectorNode& node = vectors_.nodes[n];
      all.node_orbits.push_back(node.orbits);
      if (node.actor == kTerminal) add_terminal(static_cast<std::int32_t>(n), all);
      for (int c = 0; node.actor == kChance && c < node.num_children; ++c) all.edge_nodes.push_back(node.first_child + c);
    }
    for (const ChanceEdge& edge : vectors_.edges) {
      all.edge_probabilities.push_back(edge.probability);
      for (Player p = 0; p < 2; ++p) all.edge_masks[p].push_back(static_cast<std::int32_t>(edge.masks[p] / vectors_.strides[p]));
    }
    for (Player p = 0; p < 2; ++p) {
      const auto hands = static_cast<std::ptrdiff_t>(vectors_.ranges[p].hands.size());
      all.weights[p] = vectors_.ranges[p].weights;
      for (auto row = vectors_.masks[p].begin(); row != vectors_.masks[p].end(); row += vectors_.strides[p])
        all.masks[p].insert(all.masks[p].end(), row, row + hands);
      for (const Orbits& row : vectors_.orbits[p])
        all.orbits[p].insert(all.orbits[p].end(), row.orbit_of.begin(), row.orbit_of.begin() + hands);
    }
    return all;
  }

  std::vector<std::int8_t> matchups(std::int32_t table) const override {
    const auto has_table = [table](const TerminalNode& node) { return node.is_showdown && node.table == table; };
    if (table != kNoShowdown && std::none_of(vectors_.terminals.begin(), vectors_.terminals.end(), has_table))
      throw std::invalid_argument("no table " + std::to_string(table));
    return vectors_.showdown->matchups(table);
  }

 private:
  void add_terminal(std::int32_t n, VectorArrays& all) const {
    const TerminalNode& terminal = vectors_.terminals[vectors_.nodes[n].offset];
    all.terminal_nodes.push_back(n);
    all.tables.push_back(terminal.is_showdown ? terminal.table : kNoShowdown);
    for (const auto& payoff : terminal.payoffs) all.payoffs.insert(all.payoffs.end(), payoff.begin(), payoff.end());
  }

  const VectorNode& decision(std::int32_t n) const {
    if (n < 0 || static_cast<std::size_t>(n) >= vectors_.nodes.size() || vectors_.nodes[n].actor < 0)
      throw std::invalid_argument("node " + std::to_string(n) + " is not a decision");
    return vectors_.nodes[n];
  }

  const OutcomeClass& below_chance(std::int32_t n) const {
    if (n < 0 || static_cast<std::size_t>(n) >= tree_.nodes.size() || !tree_.is_below_chance(n))
      throw std::invalid_argument("node " + std::to_string(n) + " is not below public chance");
    return tree_.board(n).stands_for;
  }

  static double checked(double weight) {
    if (!(weight >= 0 && weight <= static_cast<double>(std::numeric_limits<Real>::max())))
      throw std::invalid_argument("the profile: must be finite and not negative");
    return weight;
  }

  Profile<Real> read_profile(const std::vector<double>& given) const {
    Profile<Real> profile{NodeTable<Real, Real>(vectors_, 0), NodeTable<Real, Real>(vectors_, 1)};
    std::size_t at = 0;
    for (const VectorNode& node : vectors_.nodes) {
      if (node.actor < 0) continue;
      const std::size_t hands = vectors_.ranges[node.actor].hands.size();
      for (int a = 0; a < node.num_children; ++a) {
        if (at + hands > given.size()) throw std::invalid_argument("the profile has too few entries");
        Real* row = profile[node.actor].at(node) + a * vectors_.width(node.actor);
        for (std::size_t h = 0; h < hands; ++h) row[h] = static_cast<Real>(checked(given[at++]));
      }
    }
    if (at != given.size()) throw std::invalid_argument("the profile has too many entries");
    return profile;
  }

  std::shared_ptr<const G> game_;
  PublicTree<G> tree_;
  Tree vectors_;
  VectorCfr<Tree, kIsPacked> cfr_;
  SolveSize size_;
};

template <class G>
std::array<RootRange, 2> make_ranges(const G& game, const typename G::State& root, const SolveOptions& options) {
  std::array<RootRange, 2> ranges;
  for (Player p = 0; p < 2; ++p) {
    const auto& weights = options.weights[p];
    if (!weights.empty() && static_cast<std::int64_t>(weights.size()) != game.num_hands())
      throw std::invalid_argument("weights of player " + std::to_string(p) + ": must be " + std::to_string(game.num_hands()));
    for (Hand hand = 0; hand < game.num_hands(); ++hand) {
      const double weight = weights.empty() ? 1 : weights[hand];
      if (!(weight >= 0) || !std::isfinite(weight))
        throw std::invalid_argument("weights of player " + std::to_string(p) + ": must be finite and not negative");
      if (weight == 0 || !game.hand_possible(root, hand)) continue;
      ranges[p].hands.push_back(hand);
      ranges[p].weights.push_back(weight);
    }
    if (ranges[p].hands.empty()) throw std::invalid_argument("player " + std::to_string(p) + " has no hand that the board leaves");
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

// Refuses a tree before it is built, as soon as it is known to be too large. Its size leaves out what is there only once.
template <class G, class Tree>
TreePlan<G> plan_tree(const G& game, const typename G::State& root, const SymmetryGroup& group,
                      const std::array<RootRange, 2>& ranges, std::int64_t entry_bytes, std::int64_t max_bytes, SolveSize& size) {
  const auto add_bytes = [&size, max_bytes](std::int64_t count, std::size_t bytes) {
    size.bytes += count * static_cast<std::int64_t>(bytes);
    if (size.bytes > max_bytes)
      throw std::length_error("the tree needs more than the " + std::to_string(max_bytes >> 20) +
                              " MiB allowed: fewer bet sizes, a later street or narrower ranges make it smaller");
  };
  const std::array<int, 2> widths = Tree::padded(ranges);
  TreePlan<G> plan(game, root, group, {}, [&](const PublicNode& node, std::int64_t num_boards) {
    size.nodes += num_boards;
    add_bytes(num_boards, PublicTree<G>::kNodeBytes + sizeof(VectorNode));
    if (node.actor < 0) return;
    const std::int64_t rows = num_boards * node.num_children;
    size.decisions += num_boards;
    size.entries += rows * static_cast<std::int64_t>(ranges[node.actor].hands.size());
    add_bytes(rows * widths[node.actor], static_cast<std::size_t>(entry_bytes));
  });
  add_bytes(plan.bytes(), 1);
  const auto num_boards = static_cast<std::int64_t>(plan.boards().size());
  // A table serves its cards in whatever order they came.
  const std::size_t last = plan.shape().places.size() - 1;
  add_bytes(plan.num_boards(last) / (plan.shape().rounds[last] > 1 ? 2 : 1), Tree::Terminals::table_bytes(ranges, widths));
  add_bytes(num_boards * (widths[0] + widths[1]), sizeof(typename Tree::Real));  // masks
  for (std::size_t place = 0; place < plan.shape().places.size(); ++place)
    if (plan.shape().is_below_chance(place)) add_bytes(plan.num_boards(place), sizeof(ChanceEdge));
  return plan;
}

template <class G, class Tree, bool kIsPacked = false>
std::unique_ptr<VectorSolver> make(std::shared_ptr<const G> game, const typename G::State& root, std::array<RootRange, 2> ranges,
                                   const SolveOptions& options) {
  SymmetryGroup group;
  if (options.merges_suits) {
    std::array<std::vector<double>, 2> weights;
    for (Player p = 0; p < 2; ++p) {
      weights[p].resize(static_cast<std::size_t>(game->num_hands()));
      for (std::size_t h = 0; h < ranges[p].hands.size(); ++h) weights[p][ranges[p].hands[h]] = ranges[p].weights[h];
    }
    group = find_symmetries(*game, root, weights[0], weights[1]);
  }
  SolveSize size;
  auto plan = plan_tree<G, Tree>(*game, root, group, ranges, VectorCfr<Tree, kIsPacked>::entry_bytes(options.discounts),
                                 options.max_bytes, size);
  auto tree = build_tree(std::move(plan));
  return std::make_unique<VectorSolverOf<G, Tree, kIsPacked>>(std::move(game), std::move(tree), group, std::move(ranges), options,
                                                              size);
}

template <class G>
void check(const G& game, const SolveOptions& options) {
  if (game.num_players() != 2)
    throw std::invalid_argument("the public-tree solver is for two players, not " + std::to_string(game.num_players()));
  if (options.precision != 0 && options.precision != 16 && options.precision != 32)
    throw std::invalid_argument("precision: must be 16 or 32 bits");
  if (options.max_bytes < 0) throw std::invalid_argument("max_bytes: must not be negative");
  options.discounts.check();
  if (options.threads < 1 || options.threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
  if (game.num_hands() > 2000)
    throw std::invalid_argument("too many private hands for the public-tree solver: " + std::to_string(game.num_hands()));
}

}  // namespace

std::unique_ptr<VectorSolver> make_vector_solver(std::shared_ptr<const Poker> game, const SolveOptions& options) {
  check(*game, options);
  const PokerState root = make_root(*game, options.board);
  if (root.actor == kTerminal) throw std::invalid_argument("there is nothing to decide: the betting is over");
  auto ranges = make_ranges(*game, root, options);
  if (game->num_hands() <= 8) return make<Poker, DenseTree<double, 8>>(game, root, std::move(ranges), options);
  if (game->num_hands() <= kDenseHands) return make<Poker, DenseTree<double, 0>>(game, root, std::move(ranges), options);
  if (game->rules().num_hole_cards != 2)
    throw std::invalid_argument("the public-tree solver needs two hole cards or at most 64 hands");
  if (options.precision == 16) return make<Poker, RankedTree, true>(game, root, std::move(ranges), options);
  try {
    return make<Poker, RankedTree>(game, root, ranges, options);
  } catch (const std::length_error&) {
    if (options.precision == 32) throw;
    return make<Poker, RankedTree, true>(game, root, std::move(ranges), options);
  }
}

std::unique_ptr<VectorSolver> make_vector_solver(std::shared_ptr<const LiarsDice> game, const SolveOptions& options) {
  check(*game, options);
  const LiarsDiceState root = make_root(*game, options.board);
  auto ranges = make_ranges(*game, root, options);
  if (game->num_hands() <= 8) return make<LiarsDice, DenseTree<double, 8>>(game, root, std::move(ranges), options);
  return make<LiarsDice, DenseTree<double, 0>>(game, root, std::move(ranges), options);
}

}  // namespace regretless
