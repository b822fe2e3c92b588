// SPDX-License-Identifier: MIT
// The ground that sampled walks stand on when cards are in buckets: the betting is the same whatever the cards, so a node is a
// line of betting, chance has none, and the infoset of a node and a bucket is an index into an array. A walk finds the bucket of
// a player on a street, and who wins at a showdown, once for each deal.
#pragma once
#include "games/card_buckets.h"
#include "solve/infoset_rows.h"

namespace regretless {

class BettingTree {
 public:
  struct Node {
    std::int64_t offset = 0;  // decision: of its children among the rows of a bucket; ending: of its payoffs
    std::int32_t first_child = 0;
    std::uint8_t num_children = 0;
    std::int8_t actor = kTerminal;
    std::uint8_t street = 0;
    bool is_showdown = false;
  };

  // Throws std::length_error if there are too many nodes or entries.
  BettingTree(const Poker& game, const CardBuckets& buckets, std::int64_t max_nodes, std::int64_t max_entries);

  const Node& node(std::int32_t n) const { return nodes_[n]; }
  std::int32_t num_nodes() const { return static_cast<std::int32_t>(nodes_.size()); }
  std::int64_t num_entries() const { return num_entries_; }     // sum over decisions of buckets x children
  std::int64_t num_held(const Node& node) const { return num_buckets_[node.street]; }
  // The first row of a player on a street with this bucket: those of all nodes are together, in the order of the tree, so
  // that a deal stays within a small part of the memory, and a subtree within a few lines of it.
  std::int64_t bucket_offset(int street, Player player, std::int64_t bucket) const {
    const Block& block = blocks_[street][player];
    return block.first + bucket * block.stride;
  }
  std::int64_t row(const Node& node, std::int64_t bucket) const {
    return bucket_offset(node.street, node.actor, bucket) + node.offset;
  }
  int slot(std::int32_t child) const { return slots_[child]; }         // that leads to a child
  std::uint64_t key(std::int32_t n) const { return keys_[n]; }         // of the slots so far
  // Payoffs of two players, by the first player's sign: lose, tie, win. Without a showdown all are equal.
  Chips payoff(const Node& node, Player player, int sign) const { return payoffs_[node.offset][player][1 + sign]; }
  void expect_payoff(const Node& node) const {
    if (!payoffs_.empty()) __builtin_prefetch(&payoffs_[node.offset]);
  }
  // Payoffs of more players.
  const PokerState& state(const Node& node) const { return states_[node.offset]; }

 private:
  struct Block {
    std::int64_t first = 0, stride = 0;  // rows of [buckets, stride]
  };

  void add_children(const Poker& game, std::int32_t n, const PokerState& state);
  std::int64_t add_ending(const Poker& game, const PokerState& state);

  std::int64_t max_nodes_, max_entries_;
  std::int64_t num_entries_ = 0;
  std::array<int, kMaxStreets> num_buckets_{};
  std::array<std::array<Block, kMaxPlayers>, kMaxStreets> blocks_{};
  std::vector<Node> nodes_;
  std::vector<std::uint8_t> slots_;                             // [nodes]
  std::vector<std::uint64_t> keys_;                             // [nodes]
  std::vector<std::array<std::array<Chips, 3>, 2>> payoffs_;  // [endings], of two players
  std::vector<PokerState> states_;                              // [endings], of more
};

// One deal on the betting tree. Single precision: what is added to a row is seldom below a ten-millionth of it.
class BucketDescent {
 public:
  using Position = std::int32_t;
  using Row = regretless::Row<float>;

  BucketDescent(const Poker& game, const BettingTree& tree, const InfosetRows<float>& rows, const CardBuckets& buckets)
      : game_(game), tree_(tree), rows_(rows), buckets_(buckets) {}

  void deal(Random& random) {
    deal_ = game_.deal(random);
    for (auto& of_player : found_) of_player.fill(kUnknown);
    has_strengths_ = false;
  }

  Position root() const { return 0; }
  Player actor(Position n) const { return tree_.node(n).actor; }
  Position child(Position n, int action) const { return tree_.node(n).first_child + action; }

  Row row(Position n) {
    const BettingTree::Node& node = tree_.node(n);
    __builtin_prefetch(&tree_.node(node.first_child));
    return rows_.at(offset(node), node.num_children);
  }

  // All children of a node will be visited: their rows may come from memory while others are walked.
  void expect(Position n) {
    const BettingTree::Node& node = tree_.node(n);
    for (int a = 1; a < node.num_children; ++a) {
      const BettingTree::Node& child = tree_.node(node.first_child + a);
      if (child.actor >= 0)
        __builtin_prefetch(rows_.regrets.data() + offset(child));
      else
        tree_.expect_payoff(child);
    }
  }

  double payoff(Position n, Player player) {
    const BettingTree::Node& node = tree_.node(n);
    if (node.is_showdown && !has_strengths_) find_strengths();
    if (game_.num_players() == 2) return tree_.payoff(node, player, node.is_showdown ? sign_ : 0);
    std::array<Chips, kMaxPlayers> payoffs{};
    game_.betting().settle(tree_.state(node), strengths_.data(), payoffs.data());
    return payoffs[player];
  }

 private:
  static constexpr std::int64_t kUnknown = -1;

  std::int64_t offset(const BettingTree::Node& node) {
    std::int64_t& first = found_[node.actor][node.street];
    if (first == kUnknown) first = tree_.bucket_offset(node.street, node.actor, buckets_.bucket(node.street, deal_, node.actor));
    return first + node.offset;
  }

  void find_strengths() {
    for (Player p = 0; p < game_.num_players(); ++p) strengths_[p] = game_.strength(deal_, p);
    sign_ = (strengths_[0] > strengths_[1]) - (strengths_[0] < strengths_[1]);
    has_strengths_ = true;
  }

  const Poker& game_;
  const BettingTree& tree_;
  const InfosetRows<float>& rows_;
  const CardBuckets& buckets_;
  PokerDeal deal_{};
  std::array<std::array<std::int64_t, kMaxStreets>, kMaxPlayers> found_{};  // where rows begin, by player and street
  std::array<Strength, kMaxPlayers> strengths_{};
  int sign_ = 0;
  bool has_strengths_ = false;
};

class BucketGround : public PlacedRows<float, BettingTree> {
 public:
  using Descent = BucketDescent;

  struct Source {
    std::shared_ptr<const BettingTree> tree;
    std::shared_ptr<const CardBuckets> buckets;
  };

  BucketGround(const Poker& game, Source source, bool with_values)
      : PlacedRows(std::move(source.tree), with_values), game_(&game), buckets_(std::move(source.buckets)) {}

  Descent descent() const { return {*game_, *tree_, rows_, *buckets_}; }

 private:
  const Poker* game_;
  std::shared_ptr<const CardBuckets> buckets_;
};

}  // namespace regretless
