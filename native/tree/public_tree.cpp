// SPDX-License-Identifier: MIT
#include "tree/public_tree.h"

#include "games/any_game.h"
#include "threads/lookout.h"

namespace regretless {

PokerState state_after(const Poker& game, const std::vector<int>& board, const std::vector<int>& actions) {
  if (!game.start().board.empty()) throw std::invalid_argument("actions: the game begins at a board of its own");
  const Betting& betting = game.betting();
  const Deck& deck = game.rules().deck;
  PokerState state = betting.root();
  std::size_t dealt = 0;
  CardSet seen = 0;
  const auto deal = [&] {
    while (state.actor == kChance) {
      std::array<Card, kMaxBoardCards> cards{};
      for (int i = 0; i < betting.num_cards_due(state); ++i, ++dealt) {
        const int card = dealt < board.size() ? board[dealt] : -1;
        if (card < 0 || card >= deck.num_cards() || (seen >> card & 1) != 0)
          throw std::invalid_argument("board: card " + std::to_string(dealt) + " is missing, not in the deck or there twice");
        cards[i] = static_cast<Card>(card);
        seen |= bit(cards[i]);
      }
      betting.reveal(state, cards.data());
    }
  };
  for (const int action : actions) {
    deal();
    if (!betting.is_legal(state, action)) throw std::invalid_argument("actions: " + std::to_string(action) + " is not legal");
    betting.act(state, action);
  }
  deal();
  if (dealt < board.size()) throw std::invalid_argument("board: more cards than the actions lead to");
  return state;
}

template <Game G>
PublicTree<G> build_tree(TreePlan<G> plan) {
  PublicTree<G> tree{std::move(plan), {}, {}, {}, {}};
  const auto& places = tree.plan.shape().places;
  const auto& boards = tree.plan.boards();
  const auto size = static_cast<std::size_t>(tree.plan.num_nodes());
  tree.nodes.reserve(size);
  tree.places.reserve(size);
  tree.boards.reserve(size);
  const auto add = [&](std::int32_t parent, std::int32_t event, std::int32_t place, std::int32_t board) {
    tree.nodes.push_back({parent, 0, 0, event, places[place].actor});
    tree.places.push_back(place);
    tree.boards.push_back(board);
  };
  add(-1, -1, 0, 0);
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    Lookout::look_up();
    const PublicNode& place = places[tree.places[n]];
    if (place.num_children == 0) continue;
    const auto parent = static_cast<std::int32_t>(n);
    const std::int32_t board = tree.boards[n];
    tree.nodes[n].first_child = static_cast<std::int32_t>(tree.nodes.size());
    if (place.actor == kChance) {
      for (std::int32_t next = boards[board].first_child, c = 0; c < boards[board].num_children; ++c, ++next)
        add(parent, static_cast<std::int32_t>(boards[next].stands_for.outcomes[0]), place.first_child, next);
    } else {
      for (std::int32_t next = place.first_child, c = 0; c < place.num_children; ++c, ++next)
        add(parent, places[next].event, next, board);
    }
    tree.nodes[n].num_children = static_cast<std::int32_t>(tree.nodes.size()) - tree.nodes[n].first_child;
  }
  return tree;
}

template <Game G>
PublicTree<G> build_tree(const G& game, const typename G::State& root, const SymmetryGroup& group, const TreeOptions& options) {
  PublicTree<G> tree = build_tree(TreePlan<G>(game, root, group, options, [](const PublicNode&, std::int64_t) {}));
  tree.states.reserve(tree.nodes.size());
  tree.states.push_back(root);
  for (std::size_t n = 1; n < tree.nodes.size(); ++n) {
    Lookout::look_up();
    const PublicNode& node = tree.nodes[n];
    auto state = tree.states[node.parent];
    if (tree.is_below_chance(n))
      game.reveal(state, static_cast<std::uint32_t>(node.event));
    else
      game.act(state, node.event);
    tree.states.push_back(state);
  }
  return tree;
}

#define REGRETLESS_TREES(G)                            \
  template PublicTree<G> build_tree(TreePlan<G> plan); \
  template PublicTree<G> build_tree(const G& game, const G::State& root, const SymmetryGroup& group, const TreeOptions& options);
REGRETLESS_PUBLIC_GAMES(REGRETLESS_TREES)

}  // namespace regretless
