// SPDX-License-Identifier: MIT
// Values of a whole vector of hands at the end of an episode, against a vector of the opponent's reach.
//
// DenseShowdown holds matrices of all pairs of hands: for small games, exact and quick to start. A game that pays every pair of
// hands in its own way gives them itself (games/tabular_game.h).
// RankedShowdown sorts the hands of each board by strength once and then needs a few linear sweeps: for two hole cards.
#pragma once
#include <algorithm>
#include <map>
#include <stdexcept>

#include "games/poker.h"
#include "tree/ranked_table.h"

namespace regretless {

inline constexpr std::int32_t kNoShowdown = -1;  // in place of a table
inline constexpr std::int8_t kCannotMeet = 2;    // two hands that share a card with each other or with the board

// The hands that a player can hold at the root, and their weights.
struct RootRange {
  std::vector<Hand> hands;
  std::vector<double> weights;  // [hands]
};

// Both players may hold any hand, all alike.
template <class G>
std::array<RootRange, 2> all_hands(const G& game) {
  RootRange range;
  for (Hand hand = 0; hand < game.num_hands(); ++hand) range.hands.push_back(hand);
  range.weights.assign(range.hands.size(), 1);
  return {range, range};
}

// The order of strength of hands of two cards on every board. Table 0 is of no board: there all hands are equal.
struct RankedOrder {
  std::array<std::vector<std::int16_t>, 2> ranks;   // [player][tables, hands]: 0 the weakest, the same for ties; -1 blocked
  std::array<std::vector<std::int16_t>, 2> orders;  // [player][tables, hands]: hands from the weakest on, blocked hands last
  std::array<std::vector<std::uint8_t>, 2> cards;   // [player][hands, 2]
};

// One terminal node, as the showdown classes see it.
struct TerminalNode {
  std::array<std::array<double, 3>, 2> payoffs{};  // [player][lose, tie, win]
  std::int32_t table = 0;
  bool is_showdown = false;
};

// One reach of the opponent at the end of a street, and what ends there. Where a player may fold or call, both end with the same
// reach, so they share a lane.
template <class Real>
struct Lane {
  const Real* reach = nullptr;             // [opponent's hands]
  const TerminalNode* showdown = nullptr;
  const TerminalNode* fold = nullptr;
  Real* showdown_values = nullptr;         // [own hands], where there is a showdown
  Real* fold_values = nullptr;
};

// All that ends on one board: lanes of showdowns and folds both, of showdowns, of folds.
template <class Real>
struct Lanes {
  std::vector<Lane<Real>> both, showdowns, folds;

  void clear() {
    both.clear();
    showdowns.clear();
    folds.clear();
  }
};

template <class Real, int kWidth>
class DenseShowdown {
 public:
  static constexpr bool kHasLanes = false;  // many endings can be valued together

  template <PublicGame G>
  DenseShowdown(const G& game, const std::array<RootRange, 2>& ranges, std::array<int, 2> strides)
      : strides_(strides), num_hands_{static_cast<int>(ranges[0].hands.size()), static_cast<int>(ranges[1].hands.size())} {
    add_table(ranges, [&](Hand a, Hand b) { return pair_weight(game, a, b); });
  }

  static std::size_t table_bytes(const std::array<RootRange, 2>& ranges, std::array<int, 2> strides) {
    return 3 * sizeof(Real) *
           (ranges[1].hands.size() * static_cast<std::size_t>(strides[0]) +
            ranges[0].hands.size() * static_cast<std::size_t>(strides[1]));
  }

  // The table for a terminal state; table 0 serves endings without a showdown.
  template <PublicGame G>
  std::int32_t table(const G& game, const typename G::State& state, const Ending& ending, const std::array<RootRange, 2>& ranges) {
    if (!ending.is_showdown) return 0;
    const auto found = tables_by_key_.find(ending.key);
    if (found != tables_by_key_.end()) return found->second;
    const auto index = static_cast<std::int32_t>(matrices_[0].size());
    tables_by_key_[ending.key] = index;
    if constexpr (requires { game.weighed_payoff(state, Hand{}, Hand{}); }) {
      add_table(ranges, [&](Hand a, Hand b) { return game.weighed_payoff(state, a, b); });
      pays_by_pair_ = true;
      return index;
    }
    // wins, then ties
    const auto possible = [&](Hand a, Hand b) {
      return game.hands_compatible(a, b) && game.hand_possible(state, a) && game.hand_possible(state, b);
    };
    add_table(ranges, [&](Hand a, Hand b) { return possible(a, b) ? game.compare(state, a, b) : 0; });
    add_table(ranges, [&](Hand a, Hand b) { return possible(a, b) ? 1 : 0; });
    add_table(ranges, [&](Hand a, Hand b) { return possible(a, b) && game.compare(state, a, b) == 0 ? 1 : 0; });
    return index;
  }

  // values [own hands] from the opponent's reach.
  void values(const TerminalNode& node, Player player, const Real* reach, Real* values) const {
    const auto& payoff = node.payoffs[player];
    if (!node.is_showdown) return multiply_by(0, player, static_cast<Real>(payoff[2]), reach, values);
    const double sign = player == 0 ? 1 : -1;
    multiply_by(node.table, player, static_cast<Real>(sign * (payoff[2] - payoff[0]) / 2), reach, values);
    // A win of w, a loss of l and a tie of t, in terms of sign and presence:
    // w [s = 1] + l [s = -1] + t [s = 0] = s (w - l) / 2 + (w + l) / 2 + (t - (w + l) / 2) [s = 0]
    const double half_sum = (payoff[2] + payoff[0]) / 2;
    if (half_sum == 0 && payoff[1] == 0) return;
    const int width = kWidth > 0 ? kWidth : strides_[player];
    std::vector<Real> more(static_cast<std::size_t>(width));
    if (pays_by_pair_) {  // whatever the hands: by the weights of pairs alone
      multiply_by(0, player, static_cast<Real>(half_sum), reach, more.data());
      return add<kWidth>(values, more.data(), width);
    }
    multiply_by(node.table + 1, player, static_cast<Real>(half_sum), reach, more.data());
    add<kWidth>(values, more.data(), width);
    multiply_by(node.table + 2, player, static_cast<Real>(payoff[1] - half_sum), reach, more.data());
    add<kWidth>(values, more.data(), width);
  }

  // [hands of player 0, hands of player 1]: 1 player 0 wins, 0 a tie or no showdown, -1 player 0 loses, or kCannotMeet.
  std::vector<std::int8_t> matchups(std::int32_t table) const {
    if (pays_by_pair_) throw std::invalid_argument("this game pays every pair of hands in its own way");
    const auto& meet = matrices_[0][table == kNoShowdown ? 0 : table + 1];
    std::vector<std::int8_t> all;
    for (int h = 0; h < num_hands_[0]; ++h)
      for (int o = 0; o < num_hands_[1]; ++o) {
        const int at = o * strides_[0] + h;
        const Real sign = table == kNoShowdown ? Real{0} : matrices_[0][table][at];
        all.push_back(meet[at] == 0 ? kCannotMeet : static_cast<std::int8_t>(sign));
      }
    return all;
  }

 private:
  template <class Entry>
  void add_table(const std::array<RootRange, 2>& ranges, Entry entry) {
    for (Player player = 0; player < 2; ++player) {
      const auto& own = ranges[player].hands;
      const auto& other = ranges[1 - player].hands;
      HandVector<Real> matrix(other.size() * static_cast<std::size_t>(strides_[player]));  // [opponent's hands, own hands]
      for (std::size_t o = 0; o < other.size(); ++o)
        for (std::size_t h = 0; h < own.size(); ++h)
          matrix[o * strides_[player] + h] = static_cast<Real>(player == 0 ? entry(own[h], other[o]) : entry(other[o], own[h]));
      matrices_[player].push_back(std::move(matrix));
    }
  }

  // values = scale * matrix * reach
  void multiply_by(std::int32_t table, Player player, Real scale, const Real* __restrict reach, Real* __restrict values) const {
    const Real* __restrict matrix = matrices_[player][table].data();
    const int width = kWidth > 0 ? kWidth : strides_[player], others = num_hands_[1 - player];
    using Hands = Register<Real>;
    constexpr int kParts = kWidth > 0 ? kWidth / Hands::kSize : 1;  // registers that are summed up together
    static_assert(kParts * Hands::kSize == kWidth || kWidth == 0);
    for (int first = 0; first < width; first += kParts * Hands::kSize) {
      typename Hands::Lanes even[kParts] = {}, odd[kParts] = {};  // two chains of additions
      int o = 0;
      for (; o + 1 < others; o += 2) {
        const Real* row = matrix + o * width + first;
        for (int part = 0; part < kParts; ++part) {
          even[part] += reach[o] * Hands::load(row + part * Hands::kSize).lanes;
          odd[part] += reach[o + 1] * Hands::load(row + width + part * Hands::kSize).lanes;
        }
      }
      for (int part = 0; part < kParts; ++part) {
        const int at = first + part * Hands::kSize;
        if (o < others) even[part] += reach[o] * Hands::load(matrix + o * width + at).lanes;
        (Hands{scale * (even[part] + odd[part])}).store(values + at);
      }
    }
  }

  std::array<int, 2> strides_, num_hands_;
  std::array<std::vector<HandVector<Real>>, 2> matrices_;  // [player][table]
  bool pays_by_pair_ = false;  // tables are of payoffs, one each
  std::map<std::uint64_t, std::int32_t> tables_by_key_;
};

class RankedShowdown {
 public:
  using Real = float;
  static constexpr bool kHasLanes = true;

  RankedShowdown(const Poker& game, const std::array<RootRange, 2>& ranges, std::array<int, 2> strides);

  // About.
  static std::size_t table_bytes(const std::array<RootRange, 2>& ranges, std::array<int, 2> strides) {
    const std::size_t hands = ranges[0].hands.size() + ranges[1].hands.size();
    return 2 * sizeof(RankedTable) + static_cast<std::size_t>(strides[0] + strides[1]) * sizeof(RankedTable::Own) +
           hands * (3 * sizeof(RankedTable::Row) + 2 * sizeof(RankedTable::Run));
  }
  std::int32_t table(const Poker& game, const PokerState& state, const Ending& ending, const std::array<RootRange, 2>& ranges);
  std::vector<std::int8_t> matchups(std::int32_t table) const;
  RankedOrder order() const;

  // Values all endings on one board. Sums over hands are made for as many lanes at once as two registers hold.
  void lane_values(const Lanes<Real>& lanes, Player player) const;

 private:
  static constexpr int kMostRegisters = 2;  // one alone would wait for each addition

  struct Rows;  // of sums, by hand, card and run
  template <int kRegisters>
  void block_values(const RankedTable& table, const Lane<Real>* const* lanes, int count, Player player, const Rows& rows) const;
  Rows make_rows() const;
  void add_table(const std::array<RankedTable::Hands, 2>& hands);

  std::array<int, 2> strides_;
  std::array<std::vector<std::array<Card, 2>>, 2> cards_;  // [player][hands]
  std::array<std::vector<std::int32_t>, 2> twins_;         // [player][hands]: the same cards in the opponent's list, or -1
  std::vector<std::array<RankedTable, 2>> tables_;         // [tables][player]; the first is of no board, for folds
  std::size_t most_runs_ = 0;                              // of a table
  std::map<std::uint64_t, std::int32_t> tables_by_key_;
};

}  // namespace regretless
