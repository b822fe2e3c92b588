// SPDX-License-Identifier: MIT
#include "games/explicit_game.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace regretless {

ExplicitGame::ExplicitGame(ExplicitParts parts) : parts_(std::move(parts)) {
  const std::size_t nodes = parts_.actors.size(), infosets = parts_.keys.size();
  const auto require = [](bool ok, const std::string& problem) {
    if (!ok) throw std::invalid_argument(problem);
  };
  require(parts_.num_players >= 1 && parts_.num_players <= kMaxPlayers,
          "a table has 1 to " + std::to_string(kMaxPlayers) + " players, not " + std::to_string(parts_.num_players));
  require(num_actions() >= 1, "nobody ever decides");
  require(num_actions() <= kMaxActions,
          "at most " + std::to_string(kMaxActions) + " actions, not " + std::to_string(num_actions()));
  require(nodes > 0 && parts_.parents.size() == nodes && parts_.first_children.size() == nodes &&
              parts_.num_children.size() == nodes && parts_.chance_probabilities.size() == nodes &&
              parts_.infosets.size() == nodes && parts_.terminals.size() == nodes && parts_.infoset_names.size() == infosets &&
              parts_.slots.size() == infosets && parts_.texts.size() == infosets,
          "the arrays do not fit together");
  for (std::size_t i = 0; i < infosets; ++i) {
    ActionMask legal = 0;
    for (const int slot : parts_.slots[i]) {
      require(slot >= 0 && slot < num_actions() && (legal >> slot & 1) == 0, "infoset " + std::to_string(i) + ": not its slots");
      legal |= ActionMask{1} << slot;
    }
    require(legal != 0 && parts_.texts[i].size() == parts_.slots[i].size(), "infoset " + std::to_string(i) + ": not its slots");
    legals_.push_back(legal);
  }
  infoset_keys_.resize(infosets);
  for (std::size_t n = 0; n < nodes; ++n) {
    const std::int32_t infoset = parts_.infosets[n], terminal = parts_.terminals[n];
    if (parts_.actors[n] < 0) {
      require(parts_.actors[n] == kChance ||
                  (terminal >= 0 && (static_cast<std::size_t>(terminal) + 1) * static_cast<std::size_t>(parts_.num_players) <=
                                        parts_.payoffs.size()),
              "node " + std::to_string(n) + ": no payoffs");
      continue;
    }
    require(infoset >= 0 && static_cast<std::size_t>(infoset) < infosets &&
                parts_.slots[infoset].size() == static_cast<std::size_t>(parts_.num_children[n]),
            "node " + std::to_string(n) + ": not the actions of its infoset");
    infoset_keys_[infoset] = infoset_key(parts_.keys[infoset], 0, parts_.actors[n]);
  }
  std::vector<std::uint64_t> sorted = infoset_keys_;
  std::ranges::sort(sorted);
  require(std::ranges::adjacent_find(sorted) == sorted.end(), "two infosets have one key");
}

void ExplicitGame::act(State& state, int slot) const {
  const std::vector<int>& slots = parts_.slots[parts_.infosets[state.node]];
  const auto action = static_cast<std::int32_t>(std::ranges::find(slots, slot) - slots.begin());
  state = at(parts_.first_children[state.node] + action, state.draws);
}

Step ExplicitGame::take(State& state, int slot) const {
  const Step step{static_cast<std::uint8_t>(actor(state)), static_cast<std::uint8_t>(slot)};
  act(state, slot);
  return step;
}

std::uint32_t ExplicitGame::outcome(const State& state, const Deal& deal) const {
  Random random{deal.seed, static_cast<std::uint64_t>(state.draws)};
  double left = static_cast<double>(random.bits() >> 11) * 0x1.0p-53;
  const auto count = static_cast<std::uint32_t>(parts_.num_children[state.node]);
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const double probability = parts_.chance_probabilities[parts_.first_children[state.node] + static_cast<std::int32_t>(i)];
    if (probability <= 0) continue;  // rounding must not draw what cannot happen
    last = i;
    left -= probability;
    if (left < 0) break;
  }
  return last;
}

void ExplicitGame::payoffs(const State& state, const Deal&, std::span<std::int32_t> out) const {
  const std::int32_t* row = parts_.payoffs.data() + static_cast<std::ptrdiff_t>(parts_.terminals[state.node]) * num_players();
  std::copy_n(row, num_players(), out.begin());
}

std::string ExplicitGame::slot_text(const State& state, int slot) const {
  const auto infoset = static_cast<std::size_t>(parts_.infosets[state.node]);
  const std::vector<int>& slots = parts_.slots[infoset];
  return parts_.texts[infoset][static_cast<std::size_t>(std::ranges::find(slots, slot) - slots.begin())];
}

std::vector<std::pair<ExplicitState, Step>> ExplicitGame::path(const State& state) const {
  std::vector<std::int32_t> nodes;
  for (std::int32_t node = state.node; node >= 0; node = parts_.parents[node]) nodes.push_back(node);
  std::ranges::reverse(nodes);
  std::vector<std::pair<State, Step>> path;
  std::int32_t draws = 0;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const std::int32_t node = nodes[i], event = nodes[i + 1] - parts_.first_children[node];
    if (parts_.actors[node] == kChance) {
      ++draws;
      continue;
    }
    const int slot = parts_.slots[parts_.infosets[node]][static_cast<std::size_t>(event)];
    path.emplace_back(at(node, draws), Step{static_cast<std::uint8_t>(parts_.actors[node]), static_cast<std::uint8_t>(slot)});
  }
  return path;
}

std::vector<ExplicitState> ExplicitGame::every_infoset() const {
  std::vector<std::int32_t> first(parts_.keys.size(), -1);
  for (std::size_t n = parts_.actors.size(); n-- > 0;)
    if (parts_.infosets[n] >= 0) first[parts_.infosets[n]] = static_cast<std::int32_t>(n);
  std::vector<State> states;
  for (const std::int32_t node : first)
    if (node >= 0) states.push_back(at(node, 0));
  return states;
}

}  // namespace regretless
