// SPDX-License-Identifier: MIT
// VectorProblem for one game and one kind of vectors.
#pragma once
#include "solve/infoset_walk.h"
#include "solve/node_values.h"
#include "solve/packed_solution.h"

namespace regretless {

template <class G>
struct PlannedProblem {
  std::array<RootRange, 2> ranges;
  SymmetryGroup group;
  SolveSize size;  // but for the infosets
  TreePlan<G> plan;
};

template <class G, class TreeType>
class VectorProblemOf final : public VectorProblem {
 public:
  using Tree = TreeType;
  using Real = typename Tree::Real;

  VectorProblemOf(std::shared_ptr<const G> game, PublicTree<G> tree, SymmetryGroup group, std::array<RootRange, 2> ranges,
                  const SolveSize& size)
      : game_(std::move(game)),
        tree_(std::move(tree)),
        group_(std::move(group)),
        vectors_(*game_, tree_, group_, std::move(ranges)),
        size_(size) {
    size_.infosets = vectors_.num_infosets[0] + vectors_.num_infosets[1];
  }

  // entry_bytes: what will be kept for each action of a hand besides.
  static PlannedProblem<G> plan(const G& game, const ProblemOptions& options, std::int64_t entry_bytes);
  static std::shared_ptr<const VectorProblemOf> make(std::shared_ptr<const G> game, const ProblemOptions& options,
                                                     std::int64_t entry_bytes);

  const Tree& vectors() const { return vectors_; }

  SolveSize size() const override { return size_; }
  int num_actions() const override { return game_->num_actions(); }
  const std::vector<Hand>& hands(Player player) const override { return vectors_.ranges[player].hands; }
  const std::vector<PublicNode>& nodes() const override { return tree_.nodes; }

  std::vector<double> hand_weights(Player player) const override {
    return met_by_pairs(*game_, vectors_.ranges, player, vectors_.ranges[1 - player].weights.data());
  }

  std::vector<bool> hands_possible(std::int32_t n, Player player) const override {
    if (n < 0 || static_cast<std::size_t>(n) >= tree_.nodes.size()) throw std::invalid_argument("no node " + std::to_string(n));
    std::vector<bool> possible;
    for (const Hand hand : vectors_.ranges[player].hands) possible.push_back(game_->hand_possible(tree_.board(n).state, hand));
    return possible;
  }

  BoardList boards() const override {
    BoardList list;
    list.of_nodes = tree_.boards;
    for (const auto& board : tree_.plan.boards()) {
      for (const std::uint32_t outcome : board.stands_for.outcomes) list.outcomes.push_back(static_cast<std::int32_t>(outcome));
      for (const auto renaming : board.stands_for.symmetries) list.renamings.push_back(static_cast<std::int32_t>(renaming));
      list.ends.push_back(static_cast<std::int32_t>(list.outcomes.size()));
    }
    for (const SuitPermutation& renaming : group_.renamings) list.suits.insert(list.suits.end(), renaming.begin(), renaming.end());
    for (Player p = 0; p < 2; ++p)
      for (const auto& to : vectors_.renamings[p])
        list.places[p].insert(list.places[p].end(), to.begin(),
                              to.begin() + static_cast<std::ptrdiff_t>(vectors_.ranges[p].hands.size()));
    return list;
  }

  std::array<double, 2> values_of(const std::vector<double>& given) const override {
    const Profile<Real> profile = read_profile(given);
    return both([&](auto& evaluation, Player p) { return evaluation.value(p, weights_of(profile)); });
  }
  std::array<double, 2> best_values_against(const std::vector<double>& given) const override {
    const Profile<Real> profile = read_profile(given);
    return both([&](auto& evaluation, Player p) { return evaluation.best_value(p, weights_of(profile)); });
  }

  InfosetList infosets() const override {
    InfosetList all;
    each_infoset([&](std::int32_t, const auto& state, Player actor, Hand hand, std::int32_t) {
      all.keys.push_back(infoset_key(state.key, static_cast<std::uint64_t>(hand), actor));
      all.actors.push_back(static_cast<std::int8_t>(actor));
      all.legals.push_back(game_->legal(state));
    });
    return all;
  }

  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    each_node(true, [&](std::int32_t n, const auto& state, const auto&, const std::string& text) {
      for (const Hand hand : vectors_.ranges[tree_.nodes[n].actor].hands)
        if (game_->hand_possible(state, hand)) names.push_back(game_->hand_text(hand) + ":" + text);
    });
    return names;
  }

  SolutionRows rows(const std::vector<double>& given) const override {
    const Profile<Real> profile = read_profile(given);
    return rows_of(weights_of(profile));
  }

  PackedSolution packed(const std::vector<double>& given) const override {
    const Profile<Real> profile = read_profile(given);
    return packed_of(weights_of(profile));
  }

  // For the strategy that weigh(node)(action, hand) gives; of tables that are not packed it is compiled here only.
  using Weights = TableWeights<Tree, NodeTable<Real, Real>>;
  SolutionRows rows_of(const Weights& weigh) const;
  PackedSolution packed_of(const Weights& weigh) const;

  template <class Weigh>
  PackedSolution packed_of(Weigh weigh) const {
    return pack_solution(*game_, vectors_, weigh, [&](std::int32_t n) { return strategy_at(n, weigh); });
  }

  template <class Weigh>
  SolutionRows rows_of(Weigh weigh) const {
    const NodeValues<G, Tree, Weigh> told(*game_, vectors_, weigh);
    SolutionRows rows;
    rows.keys.reserve(static_cast<std::size_t>(size_.infosets));
    const auto actions = static_cast<std::size_t>(num_actions());
    rows.probabilities.resize(static_cast<std::size_t>(size_.infosets) * actions);
    double* row = rows.probabilities.data();
    std::int32_t last = -1;
    HandVector<Real> strategy;
    each_infoset([&](std::int32_t n, const auto& state, Player actor, Hand hand, std::int32_t place) {
      if (n != last) strategy = strategy_at(n, weigh);
      last = n;
      const PublicNode& node = tree_.nodes[n];
      for (std::int32_t a = 0; a < node.num_children; ++a)
        row[tree_.nodes[node.first_child + a].event] = strategy[static_cast<std::size_t>(a * vectors_.width(actor) + place)];
      row += actions;
      rows.keys.push_back(infoset_key(state.key, static_cast<std::uint64_t>(hand), actor));
      rows.values.push_back(told.value(n, place));
      rows.reaches.push_back(told.reach(n, place));
    });
    return rows;
  }

  std::vector<double> profile_of(const double* probabilities) const override {
    if (!group_.is_trivial()) throw std::invalid_argument("boards that stand for others have no row of their own");
    std::vector<std::size_t> offsets(tree_.nodes.size());
    std::size_t size = 0;
    for (std::size_t n = 0; n < offsets.size(); ++n) {
      offsets[n] = size;
      const Player actor = tree_.nodes[n].actor;
      if (actor >= 0) size += static_cast<std::size_t>(tree_.nodes[n].num_children) * hands(actor).size();
    }
    std::vector<double> profile(size, 1);
    each_infoset([&](std::int32_t n, const auto&, Player actor, Hand, std::int32_t place) {
      const PublicNode& node = tree_.nodes[n];
      double* to = profile.data() + offsets[n] + place;
      for (std::int32_t a = 0; a < node.num_children; ++a)
        to[static_cast<std::size_t>(a) * hands(actor).size()] = probabilities[tree_.nodes[node.first_child + a].event];
      probabilities += num_actions();
    });
    return profile;
  }

  // [actions, padded hands] of a decision.
  template <class Weigh>
  HandVector<Real> strategy_at(std::int32_t n, Weigh weigh) const {
    const VectorNode& node = decision(n);
    const int width = vectors_.width(node.actor);
    const HandVector<Real> ones(static_cast<std::size_t>(width), Real{1});
    HandVector<Real> rows(static_cast<std::size_t>(node.num_children * width));
    share_out<Tree>(
        node.num_children, width, ones.data(), weigh(node),
        [&](int, int a, int h, typename Register<Real>::Lanes share) { Register<Real>{share}.store(rows.data() + a * width + h); });
    return rows;
  }

  VectorArrays arrays() const override {
    VectorArrays all;
    for (std::size_t n = 0; n < vectors_.nodes.size(); ++n) {
      const VectorNode& node = vectors_.nodes[n];
      all.node_orbits.push_back(node.orbits);
      if (node.actor == kTerminal) add_terminal(static_cast<std::int32_t>(n), all);
      if (node.actor == kLeaf) {
        all.leaf_nodes.push_back(static_cast<std::int32_t>(n));
        all.leaf_stakes.push_back(game_->stake(tree_.state(n)));
      }
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
    if constexpr (requires { vectors_.showdown->order(); }) all.order = vectors_.showdown->order();
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

  void each_node(bool has_texts, const InfosetVisit<G>& visit) const {
    walk_infosets(*game_, tree_, vectors_.ranges, vectors_.renamings, group_, has_texts, visit);
  }

  // visit(node, state, actor, hand, place in the kept node) for each hand that the board leaves.
  template <class Visit>
  void each_infoset(Visit visit) const {
    each_node(false, [&](std::int32_t n, const auto& state, const auto& places, const std::string&) {
      const Player actor = tree_.nodes[n].actor;
      for (std::size_t h = 0; h < hands(actor).size(); ++h)
        if (game_->hand_possible(state, hands(actor)[h])) visit(n, state, actor, hands(actor)[h], places[actor][h]);
    });
  }

  template <class Run>
  std::array<double, 2> both(Run run) const {
    VectorWalk<Tree> walk(vectors_, 1);
    Evaluation<Tree> evaluation(vectors_, walk);
    return {run(evaluation, 0), run(evaluation, 1)};
  }

  Weights weights_of(const Profile<Real>& profile) const { return {vectors_, profile}; }

  Profile<Real> read_profile(const std::vector<double>& given) const {
    if (vectors_.num_leaves > 0) throw std::invalid_argument("a tree that is cut at leaves has no values of its own");
    Profile<Real> profile{NodeTable<Real, Real>(vectors_, 0), NodeTable<Real, Real>(vectors_, 1)};
    std::size_t at = 0;
    for (const VectorNode& node : vectors_.nodes) {
      if (node.actor < 0) continue;
      const std::size_t hands = vectors_.ranges[node.actor].hands.size();
      for (int a = 0; a < node.num_children; ++a) {
        if (at + hands > given.size()) throw std::invalid_argument("the profile has too few entries");
        for (std::size_t h = 0; h < hands; ++h, ++at) {
          if (!(given[at] >= 0 && given[at] <= static_cast<double>(std::numeric_limits<Real>::max())))
            throw std::invalid_argument("a profile must be finite and not negative");
          profile[node.actor].set(node, a, static_cast<int>(h), static_cast<Real>(given[at]));
        }
      }
    }
    if (at != given.size()) throw std::invalid_argument("the profile has too many entries");
    return profile;
  }

  std::shared_ptr<const G> game_;
  PublicTree<G> tree_;
  SymmetryGroup group_;
  Tree vectors_;
  SolveSize size_;
};

// Compiled once, in vector_problem.cpp, and not by each solver again.
#define REGRETLESS_EXTERN_PROBLEMS(G)                             \
  extern template class VectorProblemOf<G, DenseTree<double, 8>>; \
  extern template class VectorProblemOf<G, DenseTree<double, 0>>;
REGRETLESS_PUBLIC_GAMES(REGRETLESS_EXTERN_PROBLEMS)
extern template class VectorProblemOf<Poker, RankedTree>;
extern template class VectorProblemOf<Poker, SubsetTree>;

inline constexpr std::string_view kNeedsPublicStates = "the public-tree solver needs public states apart from hands";

template <class G>
void check_problem(const G& game) {
  if (game.num_players() != 2)
    throw std::invalid_argument("the public-tree solver is for two players, not " + std::to_string(game.num_players()));
  if (game.num_hands() > 2000)
    throw std::invalid_argument("too many private hands for the public-tree solver: " + std::to_string(game.num_hands()));
}

// Calls make.template operator()<Tree>() with the tree that suits the game.
template <class Make>
auto with_tree(const Poker& game, Make make) {
  const int num_cards = game.rules().num_hole_cards;
  if (game.num_players() == 2 && num_cards > 2 && num_cards <= SubsetShowdown::kMostCards && !game.start().weights.empty())
    return make.template operator()<SubsetTree>();
  check_problem(game);
  if (game.num_hands() <= 8) return make.template operator()<DenseTree<double, 8>>();
  if (game.num_hands() <= kDenseHands) return make.template operator()<DenseTree<double, 0>>();
  if (num_cards != 2) throw std::invalid_argument("the public-tree solver needs two hole cards or at most 64 hands");
  return make.template operator()<RankedTree>();
}
template <class G, class Make>
auto with_tree(const G& game, Make make) {
  check_problem(game);
  if (game.num_hands() <= 8) return make.template operator()<DenseTree<double, 8>>();
  return make.template operator()<DenseTree<double, 0>>();
}

}  // namespace regretless
