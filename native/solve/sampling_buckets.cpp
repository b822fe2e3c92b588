// SPDX-License-Identifier: MIT
#include "solve/sampling_buckets.h"

namespace regretless {

BettingTree::BettingTree(const Poker& game, const CardBuckets& buckets, std::int64_t max_nodes, std::int64_t max_entries)
    : max_nodes_(max_nodes), max_entries_(max_entries) {
  for (int street = 0; street < game.num_streets(); ++street) num_buckets_[street] = buckets.num_buckets(street);
  PokerState root = game.root();
  while (game.actor(root) == kChance) game.reveal(root, 0u);
  nodes_.emplace_back();
  slots_.push_back(0);
  keys_.push_back(slots_key({}));
  add_children(game, 0, root);
  std::int64_t first = 0;
  for (int street = 0; street < game.num_streets(); ++street)
    for (Player p = 0; p < game.num_players(); ++p) {
      blocks_[street][p].first = first;
      first += num_buckets_[street] * blocks_[street][p].stride;
    }
}

// Completes node n, whose state it is, and everything below it. Which cards are revealed does not matter for the betting.
void BettingTree::add_children(const Poker& game, std::int32_t n, const PokerState& state) {
  Node node;
  node.actor = static_cast<std::int8_t>(game.actor(state));
  node.street = state.street;
  if (node.actor == kTerminal) {
    node.is_showdown = !std::has_single_bit(state.live);
    node.offset = add_ending(game, state);
    nodes_[n] = node;
    return;
  }
  const ActionMask legal = game.legal(state);
  node.num_children = static_cast<std::uint8_t>(std::popcount(legal));
  node.first_child = num_nodes();
  std::int64_t& stride = blocks_[node.street][node.actor].stride;
  node.offset = stride;
  stride += node.num_children;
  nodes_[n] = node;
  num_entries_ += std::int64_t{num_buckets_[node.street]} * node.num_children;
  if (num_nodes() + std::int64_t{node.num_children} > max_nodes_) throw std::length_error("the betting has too many lines");
  if (num_entries_ > max_entries_) throw std::length_error("the betting has too many infosets");
  const std::uint64_t key = keys_[n];
  nodes_.resize(nodes_.size() + node.num_children);
  for (ActionMask rest = legal; rest != 0; rest &= rest - 1) {
    slots_.push_back(static_cast<std::uint8_t>(std::countr_zero(rest)));
    keys_.push_back(extend_slots_key(key, std::countr_zero(rest)));
  }
  for (int a = 0; a < node.num_children; ++a) {
    PokerState child = state;
    game.act(child, slot(node.first_child + a));
    while (game.actor(child) == kChance) game.reveal(child, 0u);
    add_children(game, node.first_child + a, child);
  }
}

std::int64_t BettingTree::add_ending(const Poker& game, const PokerState& state) {
  if (game.num_players() != 2) {
    states_.push_back(state);
    return static_cast<std::int64_t>(states_.size()) - 1;
  }
  const Ending ending = game.ending(state);
  auto& payoffs = payoffs_.emplace_back();
  for (int sign = -1; sign <= 1; ++sign) {  // of the first player
    payoffs[0][1 + sign] = static_cast<Chips>(ending.payoffs[0][1 + sign]);
    payoffs[1][1 + sign] = static_cast<Chips>(ending.payoffs[1][1 - sign]);
  }
  return static_cast<std::int64_t>(payoffs_.size()) - 1;
}

}  // namespace regretless
