// SPDX-License-Identifier: MIT
// The ground that sampled walks stand on when the public tree fits in memory: nodes are numbers, the infoset of a node and a
// hand is an index into an array, and showdowns of two players are looked up.
#pragma once
#include "solve/infoset_rows.h"
#include "tree/public_tree.h"

namespace regretless {

template <Game G>
class SamplingTree {
 public:
  struct Node {
    std::int64_t offset = 0;  // decision: of its [hands, children]; chance: of its state; terminal: of its ending or state
    std::int32_t first_child = 0;
    std::int16_t num_children = 0;
    std::int8_t actor = kTerminal;
  };
  // An ending of two players: payoffs [player][1 + sign], sign from the first player's side found at `signs` [hands, hands].
  struct Showdown {
    std::int64_t signs = 0;
    std::array<std::array<double, 3>, 2> payoffs{};
  };

  // Throws std::length_error if the tree or its infosets are too many.
  SamplingTree(const G& game, std::int64_t max_nodes, std::int64_t max_entries) : num_hands_(game.num_hands()) {
    const PublicTree<G> tree = build_tree(game, game.root(), SymmetryGroup{}, {.max_nodes = max_nodes});
    nodes_.resize(tree.nodes.size());
    slots_.resize(tree.nodes.size());
    keys_.resize(tree.nodes.size());
    has_signs_ = game.num_players() == 2 && num_hands_ <= kMaxSignHands;
    if (has_signs_) signs_.resize(static_cast<std::size_t>(num_hands_ * num_hands_));  // no showdown: all 0
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const PublicNode& node = tree.nodes[n];
      nodes_[n] = {0, node.first_child, static_cast<std::int16_t>(node.num_children), node.actor};
      slots_[n] = static_cast<std::uint8_t>(node.event);
      keys_[n] = tree.states[n].key;
      nodes_[n].offset = add_rows(game, tree.states[n], node);
      if (num_entries_ > max_entries) throw std::length_error("the public tree has too many infosets");
    }
  }

  const Node& node(std::int32_t n) const { return nodes_[n]; }
  std::int32_t num_nodes() const { return static_cast<std::int32_t>(nodes_.size()); }
  std::int64_t num_held(const Node&) const { return num_hands_; }
  std::int64_t row(const Node& node, std::int64_t hand) const { return node.offset + hand * node.num_children; }
  std::int64_t num_entries() const { return num_entries_; }  // sum over decisions of hands x children
  int slot(std::int32_t child) const { return slots_[child]; }  // that leads to a child of a decision
  std::uint64_t key(std::int32_t n) const { return keys_[n]; }
  const typename G::State& state(const Node& node) const { return states_[node.offset]; }

  bool has_signs() const { return has_signs_; }
  std::int64_t pair(std::span<const Hand> hands) const { return hands[0] * num_hands_ + hands[1]; }
  double payoff(const Node& node, Player player, std::int64_t pair) const {
    const Showdown& ending = showdowns_[node.offset];
    const int sign = signs_[ending.signs + pair];
    return ending.payoffs[player][1 + sign];
  }

 private:
  static constexpr std::int64_t kMaxSignHands = 128;

  std::int64_t add_rows(const G& game, const typename G::State& state, const PublicNode& node) {
    if (node.actor >= 0) {
      const std::int64_t offset = num_entries_;
      num_entries_ += num_hands_ * node.num_children;
      return offset;
    }
    if (node.actor == kTerminal && has_signs_) {
      const Ending ending = game.ending(state);
      auto payoffs = ending.payoffs;
      std::swap(payoffs[1][0], payoffs[1][2]);  // by the first player's sign
      showdowns_.push_back({ending.is_showdown ? signs(game, state, ending) : 0, payoffs});
      return static_cast<std::int64_t>(showdowns_.size()) - 1;
    }
    states_.push_back(state);
    return static_cast<std::int64_t>(states_.size()) - 1;
  }

  std::int64_t signs(const G& game, const typename G::State& state, const Ending& ending) {
    const auto [found, is_new] = signs_by_key_.try_emplace(ending.key, static_cast<std::int64_t>(signs_.size()));
    if (!is_new) return found->second;
    for (Hand first = 0; first < num_hands_; ++first)
      for (Hand second = 0; second < num_hands_; ++second) {
        const bool possible =
            game.hand_possible(state, first) && game.hand_possible(state, second) && game.hands_compatible(first, second);
        signs_.push_back(static_cast<std::int8_t>(possible ? game.compare(state, first, second) : 0));
      }
    return found->second;
  }

  std::int64_t num_hands_;
  std::int64_t num_entries_ = 0;
  bool has_signs_ = false;
  std::vector<Node> nodes_;
  std::vector<std::uint8_t> slots_;   // [nodes]
  std::vector<std::uint64_t> keys_;   // [nodes]
  std::vector<Showdown> showdowns_;
  std::vector<std::int8_t> signs_;
  std::vector<typename G::State> states_;  // of chance, and of terminals without signs
  std::map<std::uint64_t, std::int64_t> signs_by_key_;
};

// One deal on the tree.
template <Game G>
class TreeDescent {
 public:
  using Position = std::int32_t;
  using Row = regretless::Row<double>;

  TreeDescent(const G& game, const SamplingTree<G>& tree, const InfosetRows<double>& rows)
      : game_(game), tree_(tree), rows_(rows) {}

  void deal(Random& random) {
    deal_ = game_.deal(random);
    for (Player p = 0; p < game_.num_players(); ++p) hands_[p] = game_.hand(deal_, p);
    pair_ = tree_.pair(hands_);
  }

  Position root() const { return reveal(0); }
  Player actor(Position n) const { return tree_.node(n).actor; }
  Position child(Position n, int action) const { return reveal(tree_.node(n).first_child + action); }

  Row row(Position n) const {
    const auto& node = tree_.node(n);
    return rows_.at(tree_.row(node, hands_[node.actor]), node.num_children);
  }

  double payoff(Position n, Player player) const {
    const auto& node = tree_.node(n);
    if (tree_.has_signs()) return tree_.payoff(node, player, pair_);
    std::array<std::int32_t, kMaxPlayers> payoffs{};
    game_.payoffs(tree_.state(node), deal_, {payoffs.data(), static_cast<std::size_t>(game_.num_players())});
    return payoffs[player];
  }

 private:
  Position reveal(Position n) const {
    while (tree_.node(n).actor == kChance)
      n = tree_.node(n).first_child + static_cast<std::int32_t>(game_.outcome(tree_.state(tree_.node(n)), deal_));
    return n;
  }

  const G& game_;
  const SamplingTree<G>& tree_;
  const InfosetRows<double>& rows_;
  typename G::Deal deal_{};
  std::array<Hand, kMaxPlayers> hands_{};
  std::int64_t pair_ = 0;  // of hands, for endings
};

template <Game G>
class TreeGround : public PlacedRows<double, SamplingTree<G>> {
 public:
  using Descent = TreeDescent<G>;

  TreeGround(const G& game, std::shared_ptr<const SamplingTree<G>> tree, bool with_values)
      : PlacedRows<double, SamplingTree<G>>(std::move(tree), with_values), game_(&game) {}

  Descent descent() const { return {*game_, *this->tree_, this->rows_}; }

 private:
  const G* game_;
};

}  // namespace regretless
