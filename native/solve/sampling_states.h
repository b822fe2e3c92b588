// SPDX-License-Identifier: MIT
// The ground that sampled walks stand on when the public tree is too large: states are copied and infosets found by key.
#pragma once
#include <stdexcept>

#include "games/card_buckets.h"
#include "solve/infoset_rows.h"

namespace regretless {

// One deal, played over states.
template <Game G>
class StateDescent {
 public:
  struct Position {
    typename G::State state;
    ActionMask legal = 0;
    std::uint64_t slots_key = 0;  // names the slots chosen so far; buckets see nothing else of the public history
  };

  using Row = regretless::Row<double>;

  StateDescent(const G& game, const InfosetIndex& index, const InfosetRows<double>& rows, const CardBuckets* buckets)
      : game_(game), index_(index), rows_(rows), buckets_(buckets) {}

  void deal(Random& random) { deal_ = game_.deal(random); }

  Position root() const {
    Position position{game_.root()};
    play_on(position);
    return position;
  }

  Player actor(const Position& position) const { return game_.actor(position.state); }

  Position child(const Position& position, int action) const {
    ActionMask rest = position.legal;
    for (; action > 0; --action) rest &= rest - 1;
    const int slot = std::countr_zero(rest);
    Position child = position;
    child.slots_key = extend_slots_key(position.slots_key, slot);
    game_.act(child.state, slot);
    play_on(child);
    return child;
  }

  Row row(const Position& position) const {
    const Player player = actor(position);
    const std::uint64_t key = infoset(position, player);
    const int num_actions = std::popcount(position.legal);
    const InfosetIndex::Entry* found = index_.find(key);
    Row row = found && found->legal == position.legal ? rows_.at(found->offset, num_actions) : Row{.num_actions = num_actions};
    row.id = key;
    row.legal = position.legal;
    return row;
  }

  double payoff(const Position& position, Player player) const {
    std::array<std::int32_t, kMaxPlayers> payoffs{};
    game_.payoffs(position.state, deal_, {payoffs.data(), static_cast<std::size_t>(game_.num_players())});
    return payoffs[player];
  }

 private:
  void play_on(Position& position) const {
    while (game_.actor(position.state) == kChance) game_.reveal(position.state, deal_);
    position.legal = game_.actor(position.state) >= 0 ? game_.legal(position.state) : 0;
  }

  std::uint64_t infoset(const Position& position, Player player) const {
    if constexpr (std::is_same_v<G, Poker>)
      if (buckets_) return bucket_infoset(position.slots_key, buckets_->bucket(position.state.street, deal_, player), player);
    return game_.infoset(position.state, deal_, player);
  }

  const G& game_;
  const InfosetIndex& index_;
  const InfosetRows<double>& rows_;
  const CardBuckets* buckets_;
  typename G::Deal deal_{};
};

// The most rows that there can be: every hand is counted at every decision.
struct RowCounts {
  std::int64_t infosets = 0;
  std::int64_t entries = 0;  // infoset x action
  std::int64_t nodes = 0;    // public states seen
};

// Adds what is below a public state; false once there are more than max_nodes.
template <Game G>
bool count_rows(const G& game, const typename G::State& state, std::int64_t max_nodes, RowCounts& counts) {
  if (++counts.nodes > max_nodes) return false;
  const Player actor = game.actor(state);
  if (actor == kTerminal) return true;
  const auto count_child = [&](auto move) {
    auto child = state;
    move(child);
    return count_rows(game, child, max_nodes, counts);
  };
  if (actor == kChance) {
    for (std::uint32_t outcome = 0; outcome < game.num_outcomes(state); ++outcome)
      if (!count_child([&](auto& child) { game.reveal(child, outcome); })) return false;
    return true;
  }
  const ActionMask legal = game.legal(state);
  counts.infosets += game.num_hands();
  counts.entries += game.num_hands() * std::popcount(legal);
  for (ActionMask rest = legal; rest != 0; rest &= rest - 1)
    if (!count_child([&](auto& child) { game.act(child, std::countr_zero(rest)); })) return false;
  return true;
}

// Rows by key.
template <Game G>
class StateGround {
 public:
  using Descent = StateDescent<G>;
  using Number = double;
  static constexpr bool kHasPlaces = false;

  StateGround(const G& game, std::shared_ptr<const CardBuckets> buckets, bool with_values)
      : game_(&game), buckets_(std::move(buckets)), with_values_(with_values) {}

  Descent descent() const { return {*game_, index_, rows_, buckets_.get()}; }
  InfosetRows<double>& rows() { return rows_; }
  const InfosetRows<double>& rows() const { return rows_; }

  // The most bytes of the rows; none: there are buckets, or too many states to count.
  std::optional<std::int64_t> most_bytes() const {
    RowCounts counts;
    if (buckets_ || !count_rows(*game_, game_->root(), kMostCounted, counts)) return std::nullopt;
    return InfosetIndex::bytes(counts.infosets) + 2 * InfosetRows<double>::bytes(counts.entries, with_values_);  // vectors double
  }

  // The place of a row, which is made if it is new. Only a state that was tampered with names other actions than the game has
  // there.
  std::int64_t offset(std::uint64_t key, std::uint64_t legal) {
    const InfosetIndex::Entry* found = index_.find(key);
    if (found && found->legal != legal) throw std::invalid_argument("the restored state has an infoset with other actions");
    const std::int64_t offset = found ? found->offset : index_.insert(key, legal);
    rows_.resize(static_cast<std::size_t>(index_.num_slots()), with_values_);
    return offset;
  }

  template <class Visit>
  void each_row(Visit visit) const {
    for (const auto& entry : index_.entries()) visit(entry.key, entry.legal, entry.offset);
  }

  bool has_row(std::uint64_t key, std::uint64_t legal, int num_actions) const {
    const InfosetIndex::Entry* found = index_.find(key);
    return found && found->legal == legal && std::popcount(legal) == num_actions;
  }

  void save(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& legals) const {
    for (const auto& entry : index_.entries()) {
      keys.push_back(entry.key);
      legals.push_back(entry.legal);
    }
  }

  void restore(const std::vector<std::uint64_t>& keys, const std::vector<std::uint64_t>& legals, InfosetRows<double> rows) {
    InfosetIndex index;
    if (keys.size() == legals.size())
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (legals[i] == 0 || std::cmp_greater(std::bit_width(legals[i]), game_->num_actions()))
          throw std::invalid_argument("the state names an infoset without actions, or with others than the game has");
        index.insert(keys[i], legals[i]);
      }
    InfosetRows<double> expected;
    expected.resize(static_cast<std::size_t>(index.num_slots()), with_values_);
    if (index.entries().size() != keys.size() || keys.size() != legals.size() || !rows.same_sizes(expected))
      throw std::invalid_argument("the state is of another game or of other options");
    index_ = std::move(index);
    rows_ = std::move(rows);
  }

 private:
  static constexpr std::int64_t kMostCounted = 4'000'000;  // public states

  const G* game_;
  std::shared_ptr<const CardBuckets> buckets_;
  bool with_values_;
  InfosetIndex index_;
  InfosetRows<double> rows_;
};

}  // namespace regretless
