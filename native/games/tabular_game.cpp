// SPDX-License-Identifier: MIT
#include "games/tabular_game.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace regretless {
namespace {

constexpr std::int64_t kMostHands = 2000;

void require(bool ok, const std::string& problem) {
  if (!ok) throw std::invalid_argument(problem);
}

}  // namespace

TabularGame::TabularGame(TabularParts parts) : parts_(std::move(parts)) {
  check();
  legals_.resize(parts_.actors.size());
  for (std::size_t n = 0; n < legals_.size(); ++n)
    for (std::int32_t c = 0; c < parts_.num_children[n]; ++c)
      legals_[n] |= ActionMask{1} << parts_.slots[static_cast<std::size_t>(parts_.first_children[n] + c)];
  const auto hands = static_cast<std::size_t>(parts_.num_hands);
  is_held_ = {std::vector<bool>(hands), std::vector<bool>(hands)};
  for (std::size_t i = 0; i < hands; ++i)
    for (std::size_t j = 0; j < hands; ++j) {
      const double weight = parts_.pair_weights[i * hands + j];
      if (weight <= 0) continue;
      is_held_[0][i] = is_held_[1][j] = true;
      total_weight_ += weight;
      ++num_pairs_;
    }
  require(num_pairs_ > 0, "no two hands meet");
}

void TabularGame::check() const {
  const std::size_t nodes = parts_.actors.size();
  require(parts_.num_hands >= 1 && parts_.num_hands <= kMostHands,
          "1 to " + std::to_string(kMostHands) + " hands, not " + std::to_string(parts_.num_hands));
  require(num_actions() >= 1 && num_actions() <= kMaxActions, "1 to " + std::to_string(kMaxActions) + " actions");
  require(std::isfinite(parts_.unit) && parts_.unit > 0, "unit: must be positive");
  const std::size_t pairs = static_cast<std::size_t>(parts_.num_hands) * static_cast<std::size_t>(parts_.num_hands);
  require(nodes > 0 && parts_.first_children.size() == nodes && parts_.num_children.size() == nodes &&
              parts_.slots.size() == nodes && parts_.stakes.size() == nodes && parts_.tables.size() == nodes &&
              parts_.scales.size() == nodes && (parts_.offsets.empty() || parts_.offsets.size() == nodes) &&
              parts_.num_features > 0 && parts_.features.size() == nodes * static_cast<std::size_t>(parts_.num_features) &&
              parts_.pair_weights.size() == pairs && parts_.payoffs.size() % pairs == 0,
          "the tables do not fit together");
  const auto tables = static_cast<std::int64_t>(parts_.payoffs.size() / pairs);
  const auto is_number = [](auto x) { return std::isfinite(x); };
  require(std::ranges::all_of(parts_.pair_weights, [](double w) { return w >= 0 && w <= 1; }), "pair_weights: must be from 0 to 1");
  require(std::ranges::all_of(parts_.payoffs, is_number) && std::ranges::all_of(parts_.features, is_number) &&
              std::ranges::all_of(parts_.scales, is_number) && std::ranges::all_of(parts_.offsets, is_number),
          "not all numbers are finite");
  std::int64_t next = 1;  // children come in the order of their parents
  for (std::size_t n = 0; n < nodes; ++n) {
    const std::string place = "node " + std::to_string(n);
    require(std::isfinite(parts_.stakes[n]) && parts_.stakes[n] > 0, place + ": stakes must be positive");
    if (parts_.actors[n] == kTerminal) {
      require(parts_.num_children[n] == 0 && parts_.tables[n] >= 0 && parts_.tables[n] < tables, place + ": not an ending");
      continue;
    }
    require((parts_.actors[n] == 0 || parts_.actors[n] == 1) && parts_.num_children[n] > 0 && parts_.first_children[n] == next &&
                next + parts_.num_children[n] <= static_cast<std::int64_t>(nodes),
            place + ": not a decision");
    int last = -1;
    for (std::int32_t c = 0; c < parts_.num_children[n]; ++c, ++next) {
      const int slot = parts_.slots[static_cast<std::size_t>(next)];
      require(slot > last && slot < num_actions(), place + ": its slots must ascend");
      last = slot;
    }
  }
  require(next == static_cast<std::int64_t>(nodes), "not a tree");
}

void TabularGame::act(State& state, int slot) const {
  std::int32_t child = parts_.first_children[state.node];
  while (parts_.slots[child] != slot) ++child;
  state = at(child);
}

Step TabularGame::take(State& state, int slot) const {
  const Step step{static_cast<std::uint8_t>(actor(state)), static_cast<std::uint8_t>(slot)};
  act(state, slot);
  return step;
}

Ending TabularGame::ending(const State& state) const {
  const double scale = parts_.scales[state.node], more = offset(state);
  Ending ending;
  ending.is_showdown = true;
  ending.payoffs = {{{more - scale, more, more + scale}, {-more - scale, -more, -more + scale}}};
  ending.key = static_cast<std::uint64_t>(parts_.tables[state.node]);
  return ending;
}

int TabularGame::compare(const State& state, Hand first, Hand second) const {
  const double payoff = weighed_payoff(state, first, second);
  return (payoff > 0) - (payoff < 0);
}

TabularDeal TabularGame::deal(Random& random) const {
  double left = static_cast<double>(random.bits() >> 11) * 0x1.0p-53 * total_weight_;
  TabularDeal deal;
  for (Hand i = 0; i < num_hands(); ++i)
    for (Hand j = 0; j < num_hands(); ++j) {
      if (!hands_compatible(i, j)) continue;
      deal.hands = {i, j};
      left -= pair_weight(i, j);
      if (left < 0) return deal;
    }
  return deal;
}

void TabularGame::payoffs(const State& state, const Deal& deal, std::span<std::int32_t> out) const {
  const double weight = pair_weight(deal.hands[0], deal.hands[1]);
  const double chips =
      weight > 0 ? parts_.scales[state.node] * weighed_payoff(state, deal.hands[0], deal.hands[1]) / weight + offset(state) : 0;
  out[0] = static_cast<std::int32_t>(std::lround(chips));
  out[1] = -out[0];
}

void TabularGame::encode_public(const State& state, std::span<float> features) const {
  std::copy_n(parts_.features.begin() + static_cast<std::ptrdiff_t>(state.node) * parts_.num_features, parts_.num_features,
              features.begin());
}

}  // namespace regretless
