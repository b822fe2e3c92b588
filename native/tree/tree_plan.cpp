// SPDX-License-Identifier: MIT
#include "tree/tree_plan.h"

#include "games/any_game.h"
#include "threads/lookout.h"

namespace regretless {

template <Game G>
TreePlan<G>::TreePlan(const G& game, const typename G::State& root, const SymmetryGroup& group, const TreeOptions& options,
                      const Visit& visit)
    : max_nodes_(options.max_nodes), boards_{{root, {}}}, ends_{1} {
  add_place(game, root, -1, -1);
  std::vector<int> decisions{0};      // [places]: above
  std::vector<std::int32_t> waiting;  // for cards
  for (std::size_t n = 0; n < shape_.places.size(); ++n) {
    const auto place = static_cast<std::int32_t>(n);
    const bool is_below = shape_.is_below_chance(n), is_decision = shape_.places[n].actor >= 0;
    const bool is_cut = decisions[n] >= options.max_decisions || (options.ends_with_round && is_below);
    if (is_decision ? is_cut : is_below && !options.runs_out) shape_.places[n].actor = kLeaf;
    if (shape_.places[n].actor >= 0) add_actions(game, place);
    if (shape_.places[n].actor == kChance) waiting.push_back(place);
    decisions.resize(shape_.places.size(), decisions[n] + 1);
    visit(shape_.places[n], num_boards(n));
    if (n + 1 < shape_.places.size() || waiting.empty()) continue;
    deal_round(game, group, shape_.states[waiting[0]]);
    for (const std::int32_t chance : waiting) {
      add_outcome(game, chance);
      decisions.push_back(decisions[chance]);
    }
    waiting.clear();
  }
}

template <Game G>
void TreePlan<G>::add_place(const G& game, const typename G::State& state, std::int32_t parent, std::int32_t event) {
  const auto round = static_cast<std::int32_t>(ends_.size()) - 1;
  Lookout::look_up();
  shape_.places.push_back({parent, 0, 0, event, static_cast<std::int8_t>(game.actor(state))});
  shape_.states.push_back(state);
  shape_.rounds.push_back(round);
  check_nodes(num_nodes_ += num_boards_in(round));
}

template <Game G>
void TreePlan<G>::add_actions(const G& game, std::int32_t place) {
  const auto state = shape_.states[place];
  const auto first = static_cast<std::int32_t>(shape_.places.size());
  for (ActionMask rest = game.legal(state); rest != 0; rest &= rest - 1) {
    const int slot = std::countr_zero(rest);
    auto child = state;
    game.act(child, slot);
    add_place(game, child, place, slot);
  }
  shape_.places[place].first_child = first;
  shape_.places[place].num_children = static_cast<std::int32_t>(shape_.places.size()) - first;
}

template <Game G>
void TreePlan<G>::add_outcome(const G& game, std::int32_t place) {
  auto child = shape_.states[place];
  game.reveal(child, std::uint32_t{0});
  shape_.places[place].first_child = static_cast<std::int32_t>(shape_.places.size());
  shape_.places[place].num_children = 1;
  add_place(game, child, place, 0);
}

template <Game G>
void TreePlan<G>::deal_round(const G& game, const SymmetryGroup& group, const typename G::State& chance) {
  const std::int64_t end = ends_.back();
  for (std::int64_t b = end - num_boards_in(static_cast<std::int32_t>(ends_.size()) - 1); b < end; ++b) {
    Lookout::look_up();
    const auto state = with_board(chance, boards_[b].state);
    boards_[b].first_child = static_cast<std::int32_t>(boards_.size());
    for (OutcomeClass& outcomes : outcome_classes(game, state, group)) {
      auto child = state;
      game.reveal(child, outcomes.outcomes[0]);
      const std::int64_t copies = boards_[b].copies * static_cast<std::int64_t>(outcomes.outcomes.size());
      boards_.push_back({child, std::move(outcomes), copies});
    }
    boards_[b].num_children = static_cast<std::int32_t>(boards_.size()) - boards_[b].first_child;
    check_nodes(static_cast<std::int64_t>(boards_.size()));  // each of them will have one
  }
  ends_.push_back(static_cast<std::int64_t>(boards_.size()));
}

template <Game G>
void TreePlan<G>::check_nodes(std::int64_t count) const {
  if (count > max_nodes_) throw std::length_error("the tree has more than " + std::to_string(max_nodes_) + " public nodes");
}

#define REGRETLESS_PLAN(G) template class TreePlan<G>;
REGRETLESS_PUBLIC_GAMES(REGRETLESS_PLAN)

}  // namespace regretless
